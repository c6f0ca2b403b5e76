//! Output of a batch during and after the games.

use std::io::{self, IsTerminal};
use std::time::Instant;

use anyhow::Result;
use indicatif::ProgressBar;
use kakugo::output;
use serde_json::json;

use super::RunArgs;
use crate::batch::game_line::evidence_lines;
use crate::batch::summary::BatchSummary;
use crate::cli::progress;
use crate::model::record::GameRecord;
use crate::text::{self, counted};

/// The name of what the bar counts.
const UNIT: &str = "games";

/// Reports a batch in the chosen form.
pub struct RunReporter {
    mode: Mode,
    /// Hidden if nobody watches.
    bar: ProgressBar,
    began: Instant,
    /// Number of games played in earlier runs.
    done_before: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Every game, then the table.
    Everything,
    /// The running score after this number of games, then the table.
    Every(u32),
    /// Only the table.
    Quiet,
    /// Records and a summary as JSON.
    Json,
}

impl RunReporter {
    /// Creates a reporter for `games` games, of which `done` were played in earlier runs.
    pub fn new(args: &RunArgs, games: usize, done: usize) -> RunReporter {
        let mode = match (args.quiet, args.json, args.every) {
            (true, ..) => Mode::Quiet,
            (_, true, _) => Mode::Json,
            (.., Some(games)) => Mode::Every(games),
            _ => Mode::Everything,
        };
        let is_shown = matches!(mode, Mode::Everything | Mode::Every(_));
        let is_seen = is_shown && io::stderr().is_terminal() && games > done;
        let bar =
            if is_seen { progress::begin(done as u64, games as u64, UNIT) } else { ProgressBar::hidden() };
        RunReporter { mode, bar, began: Instant::now(), done_before: done }
    }

    /// The number of games per hour.
    fn speed(&self, summary: &BatchSummary) -> String {
        let played = (summary.games() as usize).saturating_sub(self.done_before);
        let per_hour = played as f64 * 3600.0 / self.began.elapsed().as_secs_f64().max(1e-3);
        format!("{per_hour:.0} games/h")
    }

    /// Reports a finished game.
    pub fn game(&self, summary: &BatchSummary, record: &GameRecord) -> Result<()> {
        if !self.bar.is_hidden() {
            let mut parts = summary.progress_parts();
            parts.push(self.speed(summary));
            progress::advance(&self.bar, u64::from(summary.games()), UNIT, &parts);
        }
        match self.mode {
            Mode::Quiet => Ok(()),
            Mode::Json => self.print(&text::json(serde_json::to_string(record)?)),
            Mode::Every(games) if summary.games().is_multiple_of(games) => {
                let (score, speed) = (summary.running_score(), self.speed(summary));
                self.print(&format!("{}: {score}, {speed}", counted(summary.games(), "game")))
            }
            Mode::Every(_) => Ok(()),
            Mode::Everything => {
                let evidence = evidence_lines(record);
                let line = summary.game_line(record, output::columns().map(usize::from));
                self.print(format!("{line}\n{evidence}").trim_end())
            }
        }
    }

    /// Reports the final result.
    pub fn finish(&self, summary: &BatchSummary) -> Result<()> {
        self.bar.finish_and_clear();
        match self.mode {
            Mode::Json => self.print(&text::json(json!({ "summary": summary.line() }).to_string())),
            _ => self.print(&summary.to_string()),
        }
    }

    /// Reports something unexpected in one line.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| super::super::warn(&format!("tournament: {text}")));
    }

    fn print(&self, shown: &str) -> Result<()> {
        self.bar.suspend(|| super::super::print(&format!("{shown}\n")))
    }
}
