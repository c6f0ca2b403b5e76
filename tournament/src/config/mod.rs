//! The configuration of a batch: the contents of a TOML file, with changes by command-line options.
//!
//! [`Config`] is the configuration as users write it. [`batch`] turns it into a playable batch, and
//! [`leagues`] into its kinds of games. The results file stores the complete configuration and a hash of the
//! settings that affect the games, so that results of different batches never mix.

pub mod batch;
pub mod leagues;
mod reading;
pub mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::files::identity::hash;
use crate::model::game_kind::VariantName;
use crate::model::procedure::ProcedureName;
use crate::model::settings::StoneLimit;
use crate::model::settings::{Adjudication, DrawTerms, ResignTerms};
use crate::schedule::TournamentFormat;
use crate::stats::Model;
pub(crate) use reading::{parse_toml, read_toml};
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
    /// The procedure by which the engines negotiate each opening; excludes other openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure: Option<ProcedureName>,
    /// The board; default 15x15, or the game's own board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<BoardSize>,
    /// Which engines play each other.
    pub format: TournamentFormat,
    /// Total number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Number of openings per pair of engines, each played with both colours: an alternative to the number of
    /// games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// Source of the openings; default: [the book](crate::openings::Source::default_for) if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Hash of the openings. Results contain it; a config may contain it to make sure that the openings are
    /// the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_hash: Option<String>,
    /// Whether the openings of a file are shuffled.
    pub shuffle: bool,
    /// Seed for all random choices; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A game is a draw at this number of stones; 0 means no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<usize>,
    /// Where Gomocup's draw at width x height - 25 stones applies.
    pub stone_limit: StoneLimit,
    /// Agreement of both engines that ends a game early.
    #[serde(skip_serializing_if = "AdjudicationConfig::is_default")]
    pub adjudication: AdjudicationConfig,
    /// Number of consecutive failures after which an engine plays no more games; 0 or default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_dead: Option<u32>,
    /// Limits of all engines, unless an engine sets its own.
    pub limits: LimitsConfig,
    /// The leagues of a batch with several rules or boards, instead of `rule` and `size`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub league: Vec<LeagueConfig>,
    /// The engines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<EngineConfig>,
    /// The test that may end the batch early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// Settings of the run, which do not affect the games.
    #[serde(skip_serializing_if = "RunConfig::is_default")]
    pub run: RunConfig,
}

/// Limits of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Milliseconds per move; 0 asks for immediate moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u64>,
    /// Milliseconds per game; 0 means no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_ms: Option<u64>,
    /// Milliseconds added to the game time per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// An answer that is late by more milliseconds than this loses the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
    /// Milliseconds for the answer to START or RESTART.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// Minimum number of milliseconds between an answer of the engine and the next line sent to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<u64>,
    /// Memory limit; 0 means no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// Memory that an engine may use beyond the limit before it is killed.
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

/// Reports of both engines that end a game early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdjudicationConfig {
    /// A forced win of one side.
    #[serde(skip_serializing_if = "is_false")]
    pub mate: bool,
    /// The least value that decides a game for a resignation; requires the next key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign_value: Option<u32>,
    /// Number of consecutive such moves that each side must report for a resignation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign_moves: Option<usize>,
    /// The greatest value that counts as even; requires the other two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_value: Option<u32>,
    /// Number of consecutive even moves that each side must report for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_moves: Option<usize>,
    /// Moves up to this number of stones do not count for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<usize>,
}

impl AdjudicationConfig {
    pub(crate) fn is_default(&self) -> bool {
        *self == AdjudicationConfig::default()
    }

    /// Resolves the settings.
    ///
    /// # Errors
    /// Returns an error if the conditions of a resignation or draw are incomplete or require no moves.
    fn terms(self) -> Result<Adjudication> {
        let resign = match (self.resign_value, self.resign_moves) {
            (None, None) => None,
            (Some(value), Some(moves)) => Some(ResignTerms { value, moves }),
            _ => bail!("adjudication: a resignation needs resign_value and resign_moves"),
        };
        let is_sound = resign.is_none_or(|resign| resign.value > 0 && resign.moves > 0);
        ensure!(is_sound, "adjudication: resign_value and resign_moves must be at least 1");
        let draw = match (self.draw_value, self.draw_moves, self.draw_after) {
            (None, None, None) => None,
            (Some(value), Some(moves), Some(after)) => Some(DrawTerms { value, moves, after }),
            _ => bail!("adjudication: a draw needs draw_value, draw_moves and draw_after"),
        };
        ensure!(draw.is_none_or(|draw| draw.moves > 0), "adjudication: draw_moves must be at least 1");
        Ok(Adjudication { mate: self.mate, resign, draw })
    }
}

/// A league: games of one rule on one board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeagueConfig {
    /// Name in the results; default: rule and size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The rule.
    pub rule: GameRule,
    /// The board; default 15x15.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<BoardSize>,
    /// Source of its openings; default: the batch's openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Hash of its openings, as for a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_hash: Option<String>,
    /// Weight of this league when pairs are distributed over the leagues; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

/// An engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Name in the results; default: the name of its program.
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
    /// `KEY VALUE` of additional INFO lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub info: Vec<String>,
    /// Whether one process plays several games.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reuse: bool,
    /// Limits of this engine; the common limits apply to the rest.
    #[serde(default, skip_serializing_if = "LimitsConfig::is_default")]
    pub limits: LimitsConfig,
    /// Whether it continues earlier games, so that any INFO line that it had then remains valid.
    #[serde(skip)]
    pub is_resumed: bool,
}

/// A sequential test that ends the batch as soon as it reaches a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtConfig {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// Probability of wrongly accepting the alternative.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// Probability of wrongly accepting the null hypothesis.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The scale of the two differences.
    #[serde(default)]
    pub model: Model,
}

/// Settings of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Number of games played at the same time.
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

    /// These limits, with missing ones taken from `others`.
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

    /// These limits; where a limit is set both here and in `others`, the value of `others` replaces it.
    #[must_use]
    pub fn replaced_by(&self, others: &LimitsConfig) -> LimitsConfig {
        LimitsConfig {
            turn_ms: self.turn_ms.and(others.turn_ms),
            match_ms: self.match_ms.and(others.match_ms),
            increment_ms: self.increment_ms.and(others.increment_ms),
            margin_ms: self.margin_ms.and(others.margin_ms),
            start_ms: self.start_ms.and(others.start_ms),
            pause_ms: self.pause_ms.and(others.pause_ms),
            memory: self.memory.and(others.memory),
            memory_tolerance: self.memory_tolerance.and(others.memory_tolerance),
            nodes: self.nodes.and(others.nodes),
            depth: self.depth.and(others.depth),
            threads: self.threads.and(others.threads),
        }
        .or(self)
    }
}

impl Config {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it contains an unknown key or a value of the wrong type:
    /// one line with file, line and key.
    pub fn read(path: &Path) -> Result<Config> {
        read_toml(path)
    }

    /// Reads the text of a TOML file.
    ///
    /// # Errors
    /// Returns the same errors as [`Config::read`], without the file name.
    pub fn parse(text: &str) -> Result<Config> {
        parse_toml(text)
    }

    /// Adopts the openings of `begun`, the batch to resume, where this configuration names none: another
    /// version of the program may have other default openings.
    pub fn keep_openings(&mut self, begun: &Config) {
        if self.openings.is_some() || self.league.len() != begun.league.len() {
            return;
        }
        if self.league.is_empty() {
            self.openings.clone_from(&begun.openings);
        }
        for (league, begun) in self.league.iter_mut().zip(&begun.league) {
            league.openings = league.openings.take().or_else(|| begun.openings.clone());
        }
    }

    /// Hash of the settings that affect the games. It depends on the openings themselves, not on the location
    /// of their file, and not on the settings of the run.
    pub fn hash(&self) -> String {
        let mut value = serde_json::to_value(self)
            .expect("a configuration contains only texts and numbers, so it is valid JSON");
        let keys = value.as_object_mut().expect("a configuration has keys");
        keys.remove("run");
        // This key may leave games out, but it does not change the games that are played.
        keys.remove("drop_dead");
        let forget_source = |keys: &mut serde_json::Map<String, serde_json::Value>| {
            if keys.contains_key("openings_hash") {
                keys.remove("openings");
            }
        };
        forget_source(keys);
        let leagues = keys.get_mut("league").and_then(serde_json::Value::as_array_mut);
        leagues.into_iter().flatten().filter_map(|league| league.as_object_mut()).for_each(forget_source);
        // The keys of a JSON value are sorted, so the text is the same on every machine.
        hash(&value.to_string())
    }
}
