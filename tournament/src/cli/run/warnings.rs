//! Warnings about a batch, before, between and after its games: openings that run out, engines that are dropped, a
//! batch that is stopped.

use crate::batch::summary::BatchSummary;
use crate::config::batch::Batch;
use crate::model::record::GameRecord;
use crate::model::settings::League;
use crate::schedule::{Schedule, Shard};
use crate::text;

use super::reporter::RunReporter;
use super::results_file::ResultsFile;

/// Maximum number of characters of an engine's complaint in a warning.
const COMPLAINT_LENGTH: usize = 400;

/// Notices when the openings of a league run out.
pub struct RunOut<'a> {
    batch: &'a Batch,
    schedule: Schedule,
    /// Whether each league has been warned of.
    is_known: Vec<bool>,
}

impl<'a> RunOut<'a> {
    /// Creates a tracker for a batch.
    pub fn new(batch: &'a Batch) -> RunOut<'a> {
        // Random openings may repeat others before all of them have been played.
        let schedule = batch.schedule_with(batch.leagues.iter().map(|league| league.distinct).collect());
        RunOut { batch, schedule, is_known: vec![false; batch.leagues.len()] }
    }

    /// Warns if the game is the first in this run that repeats an opening of its league.
    pub fn note(&mut self, record: &GameRecord, reporter: &RunReporter) {
        let Some(index) = self.schedule.league_repeating(record.game) else { return };
        let league = &self.batch.leagues[index];
        if let Some(run_out) = league.run_out.as_ref().filter(|_| !self.is_known[index]) {
            reporter.warn(&format!("{}{run_out}", of_league(league)));
        }
        self.is_known[index] = true;
    }
}

/// The beginning of a message about a league, if it has a name.
fn of_league(league: &League) -> String {
    league.settings.league.as_ref().map_or_else(String::new, |name| format!("league {name}: "))
}

/// Warns of leagues with too few openings.
pub fn shortages(batch: &Batch) {
    for league in &batch.leagues {
        if let Some(shortage) = &league.shortage {
            crate::cli::warn(&format!("tournament: warning: {}{shortage}", of_league(league)));
        }
    }
}

/// Reports a batch that was stopped, and how to continue it from its results file.
pub fn stopped(file: Option<&ResultsFile>) {
    let how = match file {
        Some(file) => format!("continue with {}", file.resume_options()),
        None => "without a results file the batch cannot be continued".to_owned(),
    };
    crate::cli::warn(&format!("tournament: stopped; {how}"));
}

/// Warns of a share that does not play every league in proportion to its weight.
pub fn uneven_share(batch: &Batch, shard: Shard) {
    if !batch.schedule().has_even_shares(shard.count) {
        let sum: u32 = batch.leagues.iter().map(|league| league.weight).sum();
        crate::cli::warn(&format!(
            "tournament: warning: this share does not play every league in proportion to its weight: choose a \
             number of shares that has no common factor with {sum}, the sum of the weights"
        ));
    }
}

/// Warns of INFO lines that an engine rejects: its games are played without these settings.
///
/// `more` is the number of complaints that are not listed.
pub fn complaints(name: &str, complaints: &[String], more: u32) {
    let name = text::name(name);
    for complaint in complaints {
        let complaint = text::clipped(complaint, COMPLAINT_LENGTH);
        crate::cli::warn(&format!("tournament: warning: {name} answers '{complaint}'"));
    }
    if more > 0 {
        let more = text::counted(more, "more complaint");
        crate::cli::warn(&format!("tournament: warning: {name} has {more} about INFO lines"));
    }
}

/// Warns of engines that were dropped in earlier runs.
pub fn dropped_before(reporter: &RunReporter, summary: &BatchSummary) {
    for (name, failures) in summary.dropped() {
        let (name, failures) = (text::name(name), text::counted(failures, "consecutive failure"));
        reporter.warn(&format!("{name} stays dropped after {failures}; --drop-dead 0 plays its games"));
    }
}

/// The engines that are dropped at present.
pub fn names_of_dropped(summary: &BatchSummary) -> Vec<String> {
    summary.dropped().into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// Warns of engines among `before`, the previously dropped ones, that play again after a sound game.
pub fn reinstated(reporter: &RunReporter, before: &[String], summary: &BatchSummary) {
    let dropped = summary.dropped();
    for name in before.iter().filter(|before| dropped.iter().all(|(name, _)| name != before)) {
        let name = text::name(name);
        reporter.warn(&format!(
            "{name} has ended a game without a failure: its other games are played after all"
        ));
    }
}

/// Warns of a test that ends because its games only repeat earlier ones.
pub fn exhausted(reporter: &RunReporter, summary: &BatchSummary) {
    if summary.is_exhausted() {
        reporter.warn(
            "the test ends undecided, because its last games only repeat earlier ones; it needs more openings, \
             such as book+random:5",
        );
    }
}

/// The warning that an engine is dropped after the game of `record`.
pub fn dropped(name: &str, record: &GameRecord, batch: &Batch) -> String {
    let (name, ending) = (text::name(name), &record.ending);
    let failures = text::counted(batch.config.drop_dead.unwrap_or(0), "consecutive failure");
    format!("{name} is dropped after {failures} (last: {ending}); its other games are not played")
}
