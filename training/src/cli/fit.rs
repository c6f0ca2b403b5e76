//! `training fit`: trains the evaluation on files of games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::ProgressBar;
use kakugo::eval::WeightsFile;
use kakugo::files::{Lock, PATIENCE, read, replace_with, try_replace};
use kakugo::rules::RuleKind;

use super::place::{check_folder, make_folder};
use super::progress::bar;
use crate::fit::case::Targets;
use crate::fit::descent::{Epoch, Training};
use crate::fit::losses::{Losses, Mean};
use crate::fit::{self, FitSettings, MOST_POINTS, StartWeights, plot};
use crate::games::GamesFile;
use crate::recipe::weights_rule;

/// Train the network on files of games, and write weight files.
///
/// Each rule that has games is trained separately; the files of other rules are kept. One in ten games is held out for
/// validation. The same files and options give byte for byte the same result. All games are replayed before
/// anything is written, and each file is replaced as a whole.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Files of games; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    how: FitOptions,
}

/// Settings of a training, and the folders of its files.
#[derive(Clone, Debug, Args)]
pub struct FitOptions {
    /// The folder for the weight files, RULE.net, created if it is missing. Existing files with these names
    /// are replaced; the engine is built with those in src/eval/weights.
    #[arg(long, value_name = "DIR", default_value = "weights")]
    pub weights: PathBuf,
    /// A folder for plots of the losses, RULE.svg, created if it is missing.
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// The weight of the game's result in the target value of a position, from 0 to 1; the search's value has the
    /// remaining weight.
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = parse_share)]
    result_share: f32,
    /// Weight of the policy loss relative to the value loss.
    #[arg(long, value_name = "WEIGHT", default_value = "0.2", value_parser = parse_positive)]
    policy_weight: f32,
    /// Weight of the draw loss relative to the value loss.
    #[arg(long, value_name = "WEIGHT", default_value = "0.1", value_parser = parse_positive)]
    draw_weight: f32,
    /// Points per unit of log odds, from 1 to 1000 [default: the number with which the search's values fit the
    /// results best].
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    points: Option<f32>,
    /// Points per unit of the policy's logits, from 1 to 1000.
    #[arg(long, value_name = "POINTS", default_value = "15", value_parser = parse_points)]
    score_points: f32,
    /// Number of epochs: passes over all positions.
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u16).range(1..))]
    pub epochs: u16,
    /// Maximum number of positions per step; all steps have about the same number.
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Peak learning rate.
    #[arg(long, value_name = "RATE", default_value = "0.003", value_parser = parse_positive)]
    rate: f32,
    /// Weight decay of the codes' own weights.
    #[arg(long, value_name = "DECAY", default_value = "0.1", value_parser = parse_positive)]
    decay: f32,
    /// Continue from the networks RULE.net in this folder instead of random weights; an error if a rule has
    /// no file there.
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Seed of the initial weights and of the order of positions.
    #[arg(long = "fit-seed", value_name = "N", default_value = "1")]
    fit_seed: u64,
}

impl FitOptions {
    /// The folders for results.
    fn folders(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.weights), self.plots.as_ref()].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Creates the folders for results, and checks that all files for these rules can be written.
    ///
    /// # Errors
    /// Returns an error if a file or folder cannot be used.
    pub fn prepare(&self, rules: &[RuleKind]) -> Result<()> {
        for folder in self.folders() {
            make_folder(folder)?;
        }
        for &kind in rules {
            for path in outputs(kind, self) {
                drop(hold(path)?);
            }
        }
        Ok(())
    }

    /// Checks that the weights for these rules that the training continues from can be read.
    ///
    /// # Errors
    /// Returns an error if a file is missing, damaged or for another rule.
    pub fn check_start(&self, rules: &[RuleKind]) -> Result<()> {
        let Some(folder) = &self.from else { return Ok(()) };
        rules.iter().try_for_each(|&kind| read_start(folder, kind).map(drop))
    }
}

pub fn run(args: &FitArgs) -> Result<()> {
    fit_all(&args.files, &args.how)
}

/// Trains every rule that has games in the files.
pub fn fit_all(paths: &[PathBuf], how: &FitOptions) -> Result<()> {
    super::on_all_cores(|| fit_files(paths, how))?
}

fn fit_files(paths: &[PathBuf], how: &FitOptions) -> Result<()> {
    for folder in how.folders() {
        check_folder(folder)?;
    }
    let mut files = super::read_all_games(paths)?;
    let task = Targets {
        result_share: how.result_share,
        policy_weight: how.policy_weight,
        draw_weight: how.draw_weight,
    };
    let training = Training {
        epochs: how.epochs.into(),
        batch: how.batch as usize,
        rate: how.rate,
        decay: how.decay,
        task,
        seed: how.fit_seed,
    };
    let settings =
        FitSettings { start: None, training, points_per_unit: how.points, score_points: how.score_points };
    // The two caro rules share their weights.
    let own = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro];
    let is_own = |file: &GamesFile| weights_rule(file.recipe.rule) == file.recipe.rule;
    ensure!(files.iter().all(is_own), "caro-exact shares the weights of caro: train them on games of caro");
    for folder in how.folders() {
        make_folder(folder)?;
    }
    // Checked before the training, not after it.
    let has_games = |kind: &RuleKind| files.iter().any(|file| file.recipe.rule == *kind);
    let _locks: Vec<Lock> = own
        .into_iter()
        .filter(has_games)
        .flat_map(|kind| outputs(kind, how))
        .map(hold)
        .collect::<Result<_>>()?;
    let starts: Vec<StartWeights> = own
        .into_iter()
        .filter(has_games)
        .filter_map(|kind| how.from.as_ref().map(|folder| read_start(folder, kind)))
        .collect::<Result<_>>()?;
    for kind in own {
        let start = starts.iter().find(|start| start.file.rule == kind);
        let settings = FitSettings { start, ..settings };
        let (of_kind, rest) = files.into_iter().partition(|file: &GamesFile| file.recipe.rule == kind);
        files = rest;
        if !of_kind.is_empty() {
            fit_rule(&of_kind, kind, &settings, how).with_context(|| kind.name())?;
        }
    }
    Ok(())
}

fn fit_rule(files: &[GamesFile], kind: RuleKind, settings: &FitSettings, how: &FitOptions) -> Result<()> {
    let outcome = fit::fit(files, settings, &mut Bar::new(kind))?;
    let write = |path: &Path, bytes| replace_with(path, bytes).with_context(|| path.display().to_string());
    // The weights are written first: they took hours, and a failure of the plot must not lose them.
    write(&weights(&how.weights, kind), outcome.bytes)?;
    if let Some(path) = plot_file(kind, how) {
        write(&path, plot::svg(&outcome.panels)?.into_bytes())?;
    }
    super::print(&format!("{}\n{}\n", kind.name(), outcome.report))
}

/// The weights of a rule in a folder, to continue from.
fn read_start(folder: &Path, kind: RuleKind) -> Result<StartWeights> {
    let path = weights(folder, kind);
    let name = || format!("cannot load {}", path.display());
    let bytes = read(&path, WeightsFile::MOST_BYTES).with_context(name)?;
    let start = StartWeights::decode(&bytes).with_context(name)?;
    ensure!(start.file.rule == kind, "{} is for {}", path.display(), start.file.rule.name());
    Ok(start)
}

/// Shows the progress of a training.
struct Bar {
    bar: ProgressBar,
    rule: &'static str,
}

impl Bar {
    fn new(kind: RuleKind) -> Bar {
        Bar { bar: ProgressBar::hidden(), rule: kind.name() }
    }
}

impl fit::FitListener for Bar {
    fn collects(&mut self, games: usize) {
        self.bar = bar(self.rule, games as u64, "games");
    }

    fn begins(&mut self, positions: usize) {
        self.bar.finish_and_clear();
        self.bar = bar(self.rule, positions as u64, "positions");
    }

    fn took(&mut self, count: usize) {
        self.bar.inc(count as u64);
    }

    fn epoch(&mut self, number: usize, losses: &Epoch) {
        let text = |of: fn(&Losses) -> Mean| {
            let held_out = [losses.held_out, losses.held_out_inner];
            let held_out = held_out.iter().map(of).filter(|loss| loss.if_any().is_some());
            let held_out: Vec<String> = held_out.map(Mean::text).collect();
            let held_out = if held_out.is_empty() { "-".to_owned() } else { held_out.join(" and ") };
            format!("{}, held out {held_out}", of(&losses.train).text())
        };
        let (rule, value, policy) = (self.rule, text(|losses| losses.value), text(|losses| losses.policy));
        self.bar.suspend(|| {
            super::status_line(format_args!("{rule} epoch {number}: value {value}; policy {policy}"));
        });
    }
}

/// The output files of a rule: the weights, and a plot if there is a folder for it.
fn outputs(kind: RuleKind, how: &FitOptions) -> Vec<PathBuf> {
    [weights(&how.weights, kind)].into_iter().chain(plot_file(kind, how)).collect()
}

/// The file for the plot of a rule, if there is a folder for it.
fn plot_file(kind: RuleKind, how: &FitOptions) -> Option<PathBuf> {
    how.plots.as_ref().map(|folder| weights(folder, kind).with_extension("svg"))
}

/// The weight file in a folder that a rule plays with.
pub fn weights(folder: &Path, kind: RuleKind) -> PathBuf {
    folder.join(weights_rule(kind).name()).with_extension("net")
}

/// Locks a file that will be replaced, so that no other training writes to it, if possible.
fn hold(path: PathBuf) -> Result<Lock> {
    let lock = Lock::beside(&path, PATIENCE).with_context(|| path.display().to_string())?;
    try_replace(&path).with_context(|| path.display().to_string())?;
    Ok(lock)
}

pub(super) fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share must be from 0 to 1".to_owned())
}

/// Parses points per unit. The engine rounds this number and divides by it; with a larger one, weights would not fit
/// into its integers.
fn parse_points(text: &str) -> Result<f32, String> {
    let points = parse_positive(text).ok().filter(|points| (1.0..=MOST_POINTS).contains(points));
    points.ok_or_else(|| format!("must be a number from 1 to {MOST_POINTS}"))
}

fn parse_positive(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "not a positive number".to_owned())
}
