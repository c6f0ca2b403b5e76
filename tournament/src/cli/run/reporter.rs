//! Output of a batch while it is played, and at its end.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::RunArgs;
use crate::files::record::GameRecord;
use crate::stats::summary::BatchSummary;
use crate::text;

/// Tells of a batch, in the way that the user chose.
pub struct RunReporter {
    mode: Mode,
    /// Hidden where nobody looks.
    bar: ProgressBar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Every game, then the table.
    Everything,
    /// The table.
    Quiet,
    /// Records and a summary, for programs.
    Json,
}

impl RunReporter {
    /// Of `games` games, `done` have been played before.
    pub fn new(args: &RunArgs, games: usize, done: usize) -> RunReporter {
        let mode = match (args.quiet, args.json) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Json,
            _ => Mode::Everything,
        };
        let is_seen = mode == Mode::Everything && io::stderr().is_terminal() && games > done;
        let bar = if is_seen { ProgressBar::new(games as u64) } else { ProgressBar::hidden() };
        if is_seen {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} games, {elapsed} gone, {eta} left  {msg}");
            bar.set_style(style.expect("the template of the bar is well formed"));
            // Games of earlier runs say nothing of the time that the rest takes.
            bar.set_position(done as u64);
            bar.reset_eta();
            super::super::keep_ticking(&bar);
        }
        RunReporter { mode, bar }
    }

    /// Tells of a game that has ended.
    pub fn game(&self, summary: &BatchSummary, record: &GameRecord) -> Result<()> {
        self.bar.inc(1);
        self.bar.set_message(summary.running_score());
        match self.mode {
            Mode::Quiet => Ok(()),
            Mode::Json => self.print(&text::json(serde_json::to_string(record)?)),
            Mode::Everything => {
                let evidence = BatchSummary::evidence_lines(record);
                self.print(format!("{}\n{evidence}", summary.game_line(record)).trim_end())
            }
        }
    }

    /// Tells what the batch came to; `can_resume`: it was stopped and its results are kept.
    pub fn finish(&self, summary: &BatchSummary, can_resume: bool) -> Result<()> {
        self.bar.finish_and_clear();
        match self.mode {
            Mode::Json => self.print(&text::json(json!({ "summary": summary.line() }).to_string()))?,
            _ => self.print(&summary.to_string())?,
        }
        if can_resume {
            crate::cli::warn("tournament: stopped; --resume goes on");
        }
        Ok(())
    }

    fn print(&self, shown: &str) -> Result<()> {
        // Not println, which would panic when nobody reads any more.
        self.bar
            .suspend(|| writeln!(io::stdout(), "{}", text::visible_lines(shown)))
            .context("writing to standard output")
    }
}
