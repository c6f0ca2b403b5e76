//! `training fit`: fits the evaluation to files of games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use kakugo::files::{Lock, PATIENCE, replace_with, try_replace};
use kakugo::rules::RuleKind;

use crate::fit::network::Training;
use crate::fit::optimizer::{Patience, Step};
use crate::fit::{self, Options, plot};
use crate::games::Contents;

/// Fits the evaluation to files of games, and writes the data files that the engine is built with.
///
/// Each rule that has games is fitted by itself; rules without any keep their file. One of ten games is held out to
/// judge by. The same files and options give the same result to the byte. Nothing is written before all games have been
/// replayed, and a file is replaced as a whole.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Files of games; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    how: FitOptions,
}

/// How to fit, and where to.
#[derive(Debug, Args)]
pub struct FitOptions {
    /// The folder of the data files.
    #[arg(long, value_name = "DIR", default_value = "src/eval/weights")]
    weights: PathBuf,
    /// A folder for pictures of the losses, RULE.svg.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// The share of the result in what a position is to be worth, from 0 to 1; the search has the rest.
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = parse_share)]
    result_share: f32,
    /// Points that are to be one unit of log odds; by default as many as make the search's values fit the results best.
    #[arg(long, value_name = "POINTS", value_parser = parse_positive)]
    points: Option<f64>,
    /// What draws the worths that codes share to zero.
    #[arg(long, value_name = "DECAY", default_value = "3", value_parser = parse_positive)]
    factor_decay: f64,
    /// What draws the corrections of single codes to zero.
    #[arg(long, value_name = "DECAY", default_value = "50", value_parser = parse_positive)]
    code_decay: f64,
    /// What draws the worths of situations to zero.
    #[arg(long, value_name = "DECAY", default_value = "10", value_parser = parse_positive)]
    situation_decay: f64,
    /// How often the network learns from each position; 0: there is none.
    #[arg(long, value_name = "N", default_value = "16")]
    epochs: u32,
    /// What draws the network's numbers to zero.
    #[arg(long, value_name = "DECAY", default_value = "1", value_parser = parse_positive)]
    network_decay: f64,
    /// Most steps of a fit.
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

pub fn run(args: &FitArgs) -> Result<()> {
    fit_all(&args.files, &args.how)
}

/// Fits every rule that has games in the files.
pub fn fit_all(paths: &[PathBuf], how: &FitOptions) -> Result<()> {
    super::on_all_cores(|| fit_files(paths, how))?
}

fn fit_files(paths: &[PathBuf], how: &FitOptions) -> Result<()> {
    let mut files: Vec<Contents> = paths.iter().map(|path| super::read_games(path)).collect::<Result<_>>()?;
    for directory in [Some(&how.weights), how.plots.as_ref()].into_iter().flatten() {
        ensure!(directory.is_dir(), "{} is no folder", directory.display());
    }
    for (path, file) in paths.iter().zip(&files).filter(|(_, file)| file.torn > 0) {
        let (path, torn) = (path.display(), file.torn);
        super::tell(format_args!("{path}: {torn} bytes of a game that was not finished are left out"));
    }
    let options = Options {
        result_share: how.result_share,
        points: how.points.map(|points| points as f32),
        factor_decay: how.factor_decay,
        code_decay: how.code_decay,
        situation_decay: how.situation_decay,
        training: Training { epochs: how.epochs as usize, decay: how.network_decay as f32 },
        patience: Patience { steps: how.steps as usize, idle: 15, gain: 1e-5 },
    };
    // The two caro rules have their weights in common.
    let own = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro];
    let other = files.iter().find(|file| !own.contains(&file.recipe.rule));
    ensure!(other.is_none(), "caro-exact has the weights of caro: fit them to games of caro");
    // Found out before the work, not after it.
    let has_games = |kind: &RuleKind| files.iter().any(|file| file.recipe.rule == *kind);
    let _locks: Vec<Lock> = own
        .into_iter()
        .filter(has_games)
        .flat_map(|kind| outputs(kind, how))
        .map(hold)
        .collect::<Result<_>>()?;
    for kind in own {
        let (of_kind, rest) = files.into_iter().partition(|file: &Contents| file.recipe.rule == kind);
        files = rest;
        if !of_kind.is_empty() {
            fit_rule(&of_kind, kind, &options, how).with_context(|| kind.name())?;
        }
    }
    Ok(())
}

fn fit_rule(files: &[Contents], kind: RuleKind, options: &Options, how: &FitOptions) -> Result<()> {
    let told = |what: &str, number: usize, step: Step| {
        if number.is_multiple_of(10) || what == "network" {
            let loss = step.held_out;
            super::tell(format_args!("{} {what}: step {number}, held-out loss {loss:.5}", kind.name()));
        }
    };
    let outcome = fit::fit(files, options, told)?;
    let texts = [outcome.text, plot::svg(&outcome.panels)];
    for (path, text) in outputs(kind, how).iter().zip(texts) {
        replace_with(path, text).with_context(|| path.display().to_string())?;
    }
    super::print(&format!("{}\n{}\n", kind.name(), outcome.report))
}

/// The files of a rule: weights, and a picture if there is a folder for it.
fn outputs(kind: RuleKind, how: &FitOptions) -> Vec<PathBuf> {
    let in_folder = |folder: &Path, extension: &str| folder.join(kind.name()).with_extension(extension);
    let plot = how.plots.as_ref().map(|folder| in_folder(folder, "svg"));
    [in_folder(&how.weights, "txt")].into_iter().chain(plot).collect()
}

/// Keeps every other fit from a file that will be replaced, if it can be.
fn hold(path: PathBuf) -> Result<Lock> {
    let lock = Lock::beside(&path, PATIENCE).with_context(|| path.display().to_string())?;
    try_replace(&path).with_context(|| path.display().to_string())?;
    Ok(lock)
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is from 0 to 1".to_owned())
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "not a positive number".to_owned())
}
