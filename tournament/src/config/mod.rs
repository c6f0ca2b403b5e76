//! The configuration of a batch: what a TOML file holds and what flags change.
//!
//! [`Config`] is what people write. [`batch`] makes of it what is played, [`leagues`] its games of several kinds. The results file keeps the whole
//! configuration, and a hash over what decides which games are played, so that results of two batches never mix.

pub mod batch;
pub mod leagues;
pub mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::batch::schedule::TournamentFormat;
use crate::batch::settings::StoneLimit;
use crate::files::identity::hash;
use crate::game::adjudication::{Adjudication, DrawTerms};
use crate::game::kind::VariantName;
use crate::game::procedure::ProcedureName;
use crate::stats::Model;
use values::{BoardSize, Bytes, GameRule, OpeningSource, Pin};

/// A batch of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The rule.
    pub rule: GameRule,
    /// A game outside the Gomocup family, played instead of a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<VariantName>,
    /// The procedure by which the engines negotiate each opening; then there are no others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure: Option<ProcedureName>,
    /// The board; 15x15 unless given, or that of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<BoardSize>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Number of games in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Number of openings of every meeting, each with both colours: another way to give the number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// Where openings come from; unless given, [the book](crate::openings::Source::default_for) where it suffices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Identifies the openings that are played. Results carry it; a config may, to be sure that they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_hash: Option<String>,
    /// Whether the openings of a file are shuffled.
    pub shuffle: bool,
    /// The seed of everything random, 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A draw when so many stones are on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<usize>,
    /// Where Gomocup's draw at width x height - 25 stones applies.
    pub stone_limit: StoneLimit,
    /// What engines may agree on.
    #[serde(skip_serializing_if = "AdjudicationConfig::is_default")]
    pub adjudication: AdjudicationConfig,
    /// The limits of engines that have none of their own.
    pub limits: LimitsConfig,
    /// The leagues of a batch that is played under several rules or on several boards, instead of `rule` and `size`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub league: Vec<LeagueConfig>,
    /// The engines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<EngineConfig>,
    /// The test that ends the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// Settings of the run; they decide nothing about its games.
    #[serde(skip_serializing_if = "RunConfig::is_default")]
    pub run: RunConfig,
}

/// Limits of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Milliseconds for a move; 0: at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u64>,
    /// Milliseconds for a game; 0: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_ms: Option<u64>,
    /// Milliseconds that a move adds to those for the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// Milliseconds by which an answer may be late before the game is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
    /// Milliseconds for the answer to START or RESTART.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// Milliseconds from an answer of the engine to the next line to it, at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<u64>,
    /// Memory; 0: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// By how much an engine may hold more before it is killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_tolerance: Option<Bytes>,
    /// `INFO max_node`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// `INFO max_depth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `INFO thread_num`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
}

/// What ends a game early because both engines report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdjudicationConfig {
    /// A forced win of one side.
    #[serde(skip_serializing_if = "is_false")]
    pub mate: bool,
    /// The greatest value that counts as even; with it go the other two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_value: Option<u32>,
    /// Even moves in a row that each side has to report for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_moves: Option<usize>,
    /// Stones on the board up to which moves do not count for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<usize>,
}

impl AdjudicationConfig {
    fn is_default(&self) -> bool {
        *self == AdjudicationConfig::default()
    }

    /// What it means for a game.
    ///
    /// # Errors
    /// When the terms of a draw are incomplete, or no move is asked for.
    fn terms(self) -> Result<Adjudication> {
        let draw = match (self.draw_value, self.draw_moves, self.draw_after) {
            (None, None, None) => None,
            (Some(value), Some(moves), Some(after)) => Some(DrawTerms { value, moves, after }),
            _ => bail!("adjudication: a draw needs draw_value, draw_moves and draw_after"),
        };
        ensure!(draw.is_none_or(|draw| draw.moves > 0), "adjudication: draw_moves has to be 1 at least");
        Ok(Adjudication { mate: self.mate, draw })
    }
}

/// A league: games of one rule on one board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeagueConfig {
    /// Its name in the results; rule and size unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The rule.
    pub rule: GameRule,
    /// The board; 15x15 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<BoardSize>,
    /// Where its openings come from; those of the batch unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Identifies its openings, as for a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_hash: Option<String>,
    /// Its share of the pairs, compared with the other leagues'; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

/// An engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Its name in the results; that of its program unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Program and arguments, quoted as for a shell.
    pub command: String,
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// `KEY VALUE` of further INFO lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub info: Vec<String>,
    /// Whether one process plays one game after the other.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reuse: bool,
    /// Its own limits; what is not among them is as for all.
    #[serde(default, skip_serializing_if = "LimitsConfig::is_default")]
    pub limits: LimitsConfig,
}

/// A sequential test that ends the batch as soon as it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtConfig {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The chance to accept the alternative wrongly.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The chance to accept the null hypothesis wrongly.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The scale of the two differences.
    #[serde(default)]
    pub model: Model,
}

/// Settings for running a batch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Number of games at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u16>,
    /// Processors that engines are pinned to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// The results file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<PathBuf>,
}

fn five_percent() -> f64 {
    0.05
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl RunConfig {
    fn is_default(&self) -> bool {
        *self == RunConfig::default()
    }
}

impl LimitsConfig {
    fn is_default(&self) -> bool {
        *self == LimitsConfig::default()
    }

    /// These limits, and those of `others` where there is none.
    #[must_use]
    pub fn or(&self, others: &LimitsConfig) -> LimitsConfig {
        LimitsConfig {
            turn_ms: self.turn_ms.or(others.turn_ms),
            match_ms: self.match_ms.or(others.match_ms),
            increment_ms: self.increment_ms.or(others.increment_ms),
            margin_ms: self.margin_ms.or(others.margin_ms),
            start_ms: self.start_ms.or(others.start_ms),
            pause_ms: self.pause_ms.or(others.pause_ms),
            memory: self.memory.or(others.memory),
            memory_tolerance: self.memory_tolerance.or(others.memory_tolerance),
            nodes: self.nodes.or(others.nodes),
            depth: self.depth.or(others.depth),
            threads: self.threads.or(others.threads),
        }
    }
}

impl Config {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// When the file cannot be read, or says something that is not known or makes no sense: one line that names file,
    /// line and key.
    pub fn read(path: &Path) -> Result<Config> {
        read_toml(path)
    }

    /// Reads the text of a TOML file.
    ///
    /// # Errors
    /// As [`Config::read`], without the file.
    pub fn parse(text: &str) -> Result<Config> {
        parse_toml(text)
    }

    /// Identifies the games that this configuration leads to. Where the openings lie does not matter, only what they
    /// are; how the batch is run matters even less.
    pub fn hash(&self) -> String {
        let mut value =
            serde_json::to_value(self).expect("a configuration of texts and numbers is always JSON");
        let keys = value.as_object_mut().expect("a configuration has keys");
        keys.remove("run");
        let forget_source = |keys: &mut serde_json::Map<String, serde_json::Value>| {
            if keys.contains_key("openings_hash") {
                keys.remove("openings");
            }
        };
        forget_source(keys);
        let leagues = keys.get_mut("league").and_then(serde_json::Value::as_array_mut);
        leagues.into_iter().flatten().filter_map(|league| league.as_object_mut()).for_each(forget_source);
        // The keys of a JSON value are sorted, so that the text is the same on every machine.
        hash(&value.to_string())
    }
}

/// Reads a file in TOML; errors are one line that names file, line and key.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = kakugo::files::read_text(path, crate::files::input::SMALL_LIMIT)
        .with_context(|| format!("config {}", path.display()))?;
    parse_toml(&text).map_err(|error| anyhow!("{}: {error:#}", path.display()))
}

/// As [`read_toml`], of a text.
pub(crate) fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', ", ");
        let Some(span) = error.span() else { return anyhow!(message) };
        let number = text[..span.start].matches('\n').count();
        let line = text.lines().nth(number).unwrap_or("");
        let key = line.split_once('=').map(|(key, _)| key.trim()).filter(|key| !message.contains(key));
        match key {
            Some(key) => anyhow!("line {}: {key}: {message}", number + 1),
            None => anyhow!("line {}: {message}", number + 1),
        }
    })
}
