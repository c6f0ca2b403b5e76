//! State and verdict of a batch's sequential test, and the engines that it dropped, as shown in the report.

use kakugo::board::Color;
use serde::Deserialize;

use crate::config::SprtConfig;
use crate::model::dropouts::Dropouts;
use crate::model::record::{GameRecord, Header};
use crate::stats::{Accepted, MatchProgress, Model, Sprt, SprtProgress};
use crate::text::{counted, name};

/// The part of a configuration that the report needs; the rest may have been written by other versions.
#[derive(Deserialize)]
struct TestedConfig {
    sprt: Option<SprtConfig>,
    drop_dead: Option<u32>,
    #[serde(default)]
    engine: Vec<TestedEngine>,
}

#[derive(Deserialize)]
struct TestedEngine {
    name: Option<String>,
}

/// A batch's test after the games played so far.
pub(super) struct TestReport {
    /// Its state, with its bounds.
    pub state: String,
    /// Its verdict in a sentence.
    pub verdict: String,
    /// Whether it is decided, or its games only repeat earlier ones: no more games will be played.
    pub is_over: bool,
}

impl TestReport {
    /// The test of the batch of `header` after these games, if the batch has one.
    pub fn of(header: &Header, records: &[GameRecord]) -> Option<TestReport> {
        let config: TestedConfig = serde_json::from_value(header.config.clone()).ok()?;
        let test = config.sprt?;
        let sprt = Sprt::new(test.elo0, test.elo1, test.alpha, test.beta, test.model).ok()?;
        let [Some(first), Some(second)] =
            config.engine.get(..2)?.iter().map(|engine| engine.name.as_deref()).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let mut progress = MatchProgress::new(Some(sprt));
        for record in records {
            let (black, white) = (record.black.name.as_str(), record.white.name.as_str());
            let is_of_both = [(first, second), (second, first)].contains(&(black, white));
            if is_of_both {
                progress.add(record, Some(if black == first { Color::Black } else { Color::White }));
            }
        }
        let state = progress.test()?;
        let outcome = Outcome { progress: state, is_exhausted: progress.is_exhausted() };
        Some(TestReport {
            state: state.status().describe(test.elo0, test.elo1),
            verdict: verdict(&test, &outcome, [first, second], [records.len(), header.games]),
            is_over: progress.is_over(),
        })
    }
}

/// A test after the last game.
struct Outcome<'a> {
    progress: &'a SprtProgress,
    /// Whether it is undecided and its last games only repeat earlier ones.
    is_exhausted: bool,
}

/// The verdict of a test of the `first` engine against the `second`, after `played` of at most `games` games.
fn verdict(
    test: &SprtConfig,
    outcome: &Outcome,
    [first, second]: [&str; 2],
    [played, games]: [usize; 2],
) -> String {
    let SprtConfig { elo0, elo1, alpha, beta, model } = test;
    let status = outcome.progress.status();
    let scale = if *model == Model::Normalised { "normalised Elo" } else { "Elo" };
    let better = format!("{} is better than {}", name(first), name(second));
    let of_played = counted(played, "game");
    let words = match status.decision {
        Some(Accepted::H1) => format!("accepts H1 after {of_played}: {better} by at least {elo1} {scale}"),
        Some(Accepted::H0) => format!("accepts H0 after {of_played}: {better} by at most {elo0} {scale}"),
        None if outcome.is_exhausted => {
            format!("ended undecided after {of_played}, because the last ones repeat earlier games")
        }
        None if played >= games => format!("ended undecided after all {games} games"),
        None => format!("is undecided after {played} of at most {}", counted(games, "game")),
    };
    format!(
        "The test {words} (SPRT [{elo0}, {elo1}], alpha {alpha}, beta {beta}; LLR {:.2}, bounds {:.2} and {:.2}, \
         {})",
        status.llr,
        status.lower,
        status.upper,
        counted(outcome.progress.pairs(), "pair")
    )
}

/// The engines that the batch of `header` dropped, each in a sentence. A resumed batch may have played their
/// games after all: `--drop-dead` is not part of the batch's hash.
pub(super) fn dropped(header: &Header, records: &[GameRecord]) -> Vec<String> {
    let Ok(config) = TestedConfig::deserialize(&header.config) else { return Vec::new() };
    let names = config.engine.iter().map(|engine| engine.name.as_deref().unwrap_or_default());
    let dropouts = Dropouts::new(names, config.drop_dead);
    for record in records {
        dropouts.note(record);
    }
    let is_complete = records.len() >= header.planned();
    let sentence = |(engine, failures)| match is_complete {
        true => format!("{} has failed {} in a row", name(engine), counted(failures, "game")),
        false => format!(
            "{} was dropped after {}; its other games are not played",
            name(engine),
            counted(failures, "consecutive failure")
        ),
    };
    dropouts.out().into_iter().map(sentence).collect()
}
