//! `training fit`: fits the evaluation to files of games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use kakugo::rules::RuleKind;

use crate::fit::network::Training;
use crate::fit::optimizer::{Patience, Step};
use crate::fit::weights_file::write;
use crate::fit::{self, Options, plot};
use crate::games::{self, Contents};

/// Fits the evaluation to files of games, and writes the data files that the engine is built with.
///
/// Each rule that has games is fitted by itself; rules without any keep their file. One of ten games is held out to
/// judge by. The same files and options give the same result to the byte.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Files of games.
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
    let files: Vec<Contents> = args.files.iter().map(|path| games::read(path)).collect::<Result<_>>()?;
    for (path, file) in args.files.iter().zip(&files).filter(|(_, file)| file.torn > 0) {
        eprintln!("{}: {} bytes of a game that was not finished are left out", path.display(), file.torn);
    }
    fit_all(files, &args.how)
}

/// Fits every rule that has games.
pub fn fit_all(mut files: Vec<Contents>, how: &FitOptions) -> Result<()> {
    for directory in [Some(&how.weights), how.plots.as_ref()].into_iter().flatten() {
        ensure!(directory.is_dir(), "{} is no folder", directory.display());
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
            eprintln!("{} {what}: step {number}, held-out loss {:.5}", kind.name(), step.held_out);
        }
    };
    let outcome = fit::fit(files, options, told)?;
    let in_folder = |folder: &Path, extension: &str| folder.join(kind.name()).with_extension(extension);
    write(&in_folder(&how.weights, "txt"), &outcome.text)?;
    if let Some(plots) = &how.plots {
        write(&in_folder(plots, "svg"), &plot::svg(&outcome.panels))?;
    }
    super::print(&format!("{}\n{}\n", kind.name(), outcome.report))
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is from 0 to 1".to_owned())
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "not a positive number".to_owned())
}
