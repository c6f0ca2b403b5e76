//! Estimates the time and the disk space of a recipe's steps.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::HumanDuration;

use super::super::fit::FitOptions;
use super::super::status_line;
use super::check::parts_of;
use super::part::{Cost, Part};
use super::{Job, Maker};
use crate::fit::samples::HELD_OUT;
use crate::recipe::FitStep;

/// Approximate number of positions that a core processes per second in training.
const TRAINED_PER_SECOND: f64 = 25_000.0;
/// Approximate size of a position in a file of games, in bytes.
const BYTES: f64 = 12.0;

/// Results of the steps so far, on which the costs of later steps depend.
#[derive(Default)]
struct KnownCosts<'a> {
    /// The costs of plays, whose files differ only in the seed.
    plays: BTreeMap<&'a str, Cost>,
    /// Approximate number of positions of each complete file.
    positions: BTreeMap<&'a Path, f64>,
    /// Approximate number of games of each complete file.
    games: BTreeMap<&'a Path, f64>,
    /// Files that lack games, and the folders of fits that will be trained.
    unfinished: BTreeSet<&'a Path>,
    /// Size of the missing games.
    bytes: f64,
}

impl Maker<'_> {
    /// Reports what is missing with its approximate time. Returns the times in seconds.
    pub(super) fn report_costs(&self, jobs: &[Job]) -> Result<Vec<f64>> {
        let (mut known, mut times) = (KnownCosts::default(), Vec::new());
        for job in jobs {
            let seconds = self.seconds(job, &mut known).with_context(|| job.step())?;
            let left = if seconds > 0.0 { format!("about {}", time(seconds)) } else { "complete".to_owned() };
            status_line(format_args!("{}: {left}", job.name()));
            if seconds > 0.0 {
                warn_of_few_games(job, jobs, &known);
            }
            times.push(seconds);
        }
        status_line(format_args!(
            "in all about {} with --threads {}, {:.0} MB in {}",
            time(times.iter().sum()),
            self.threads,
            (known.bytes / 1e6).ceil(),
            self.folder.display()
        ));
        Ok(times)
    }

    /// The approximate time of a step in seconds; 0 if it is complete.
    fn seconds<'j>(&self, job: &'j Job, known: &mut KnownCosts<'j>) -> Result<f64> {
        match job {
            Job::Play(part) => {
                let missing = known.add(part)?;
                Ok(missing * known.plays[part.play_name.as_str()].seconds / f64::from(self.threads))
            }
            Job::Fit { step, options, games } if self.is_due(step, options, games, known)? => {
                known.unfinished.insert(&options.weights);
                let positions: f64 =
                    games.iter().filter_map(|path| known.positions.get(path.as_path())).sum();
                let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
                Ok(positions * f64::from(options.epochs) / (TRAINED_PER_SECOND * cores))
            }
            Job::Fit { .. } => Ok(0.0),
        }
    }

    /// Whether a fit will be trained.
    fn is_due(
        &self,
        step: &FitStep,
        options: &FitOptions,
        games: &[PathBuf],
        known: &KnownCosts,
    ) -> Result<bool> {
        let mut inputs = games.iter().chain(&options.from);
        Ok(inputs.any(|input| known.unfinished.contains(input.as_path()))
            || !self.is_made(step, options, games)?)
    }
}

impl<'a> KnownCosts<'a> {
    /// Adds a file of games. Returns the number of missing games.
    fn add(&mut self, part: &'a Part) -> Result<f64> {
        let cost = match self.plays.get(part.play_name.as_str()) {
            Some(&cost) => cost,
            None => part.cost()?,
        };
        self.plays.insert(&part.play_name, cost);
        self.positions.insert(&part.path, part.positions(cost.positions));
        let counts = part.counts(cost.positions)?;
        self.games.insert(&part.path, counts.present as f64 + counts.missing);
        if counts.missing > 0.0 {
            self.unfinished.insert(&part.path);
        }
        self.bytes += counts.missing * cost.positions * BYTES;
        Ok(counts.missing)
    }
}

/// Reports the rules of a fit whose files will probably have no game to hold out. How many games a number of positions
/// needs is certain only when they have been played.
fn warn_of_few_games(job: &Job, jobs: &[Job], known: &KnownCosts) {
    let Job::Fit { games, .. } = job else { return };
    let mut most: BTreeMap<&str, f64> = BTreeMap::new();
    for part in parts_of(games, jobs) {
        let count = known.games.get(part.path.as_path()).copied().unwrap_or_default();
        let largest = most.entry(part.rule.name()).or_default();
        *largest = f64::max(*largest, count);
    }
    for (rule, count) in most.into_iter().filter(|&(_, count)| count < f64::from(HELD_OUT)) {
        status_line(format_args!(
            "{}: probably too few games of {rule} to train on: a file needs at least {HELD_OUT}, and the largest will \
             have about {:.0}",
            job.name(),
            count.floor().max(1.0)
        ));
    }
}

pub(super) fn time(seconds: f64) -> HumanDuration {
    // Goals can be absurd: a time beyond the longest duration is shown as the longest.
    HumanDuration(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}
