//! `training eval`: compares weight files on games.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use kakugo::eval::WeightsFile;
use kakugo::files::{is_same, replace_with};

use super::place::{check_file, make_folder_of};
use super::progress::bar;
use crate::fit::case::Targets;
use crate::fit::compare::{Candidate, compare};
use crate::fit::{self, page, plot, samples};

/// Compare weight files of one rule on games that were held out of training: the losses of value and policy by phase
/// and by threats, and whether games are won as often as the networks expect.
///
/// Only the tenth of each file's games that `fit` holds out is used.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Files of games; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Weight files.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    weights: Vec<PathBuf>,
    /// SVG file for plots: calibration (the score of the games over the expected score of their positions), accuracy of
    /// the policy, losses by phase and by threats.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// HTML file for a page with the table, the plots and the notes of the weight files.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The share of the result in the target value of a played position, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = super::fit::parse_share)]
    result_share: f32,
}

/// Maximum length of a name in the table, in characters.
const MOST_NAME: usize = 27;

pub fn run(args: &EvalArgs) -> Result<()> {
    super::on_all_cores(|| run_on_cores(args))?
}

/// Rejects results that would replace an input or each other, and files that cannot be written, before the
/// work begins.
fn check_files(args: &EvalArgs) -> Result<()> {
    let outputs = [("--plot", &args.plot), ("--html", &args.html)];
    for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
        let is_input = args.files.iter().chain(&args.weights).any(|input| is_same(input, path));
        ensure!(!is_input, "{} is an input file: name another file with {option}", path.display());
        check_file(path)?;
    }
    if let (Some(plot), Some(html)) = (&args.plot, &args.html) {
        ensure!(!is_same(plot, html), "--plot and --html are the same file: {}", plot.display());
    }
    Ok(())
}

fn run_on_cores(args: &EvalArgs) -> Result<()> {
    check_files(args)?;
    let weights: Vec<WeightsFile> =
        args.weights.iter().map(|path| super::read_weights(path)).collect::<Result<_>>()?;
    let games = super::read_all_games(&args.files)?;
    let rule = weights[0].rule;
    ensure!(weights.iter().all(|file| file.rule == rule), "the weights are for several rules");
    if let Some(other) = games.iter().position(|file| file.recipe.rule != rule) {
        let (own, path, of_games) =
            (rule.name(), args.files[other].display(), games[other].recipe.rule.name());
        bail!("the weights are for {own}, but {path} has games of {of_games}");
    }
    let all = games.iter().map(|file| file.games.len() as u64).sum();
    let bar = bar(rule.name(), all, "games");
    let split = samples::collect(&games, &fit::search_scales(&games), |games| bar.inc(games as u64));
    bar.finish_and_clear();
    let (played, inner) = (&split.held_out, &split.held_out_inner);
    ensure!(!played.all.is_empty(), "too few games for an evaluation");
    // The last parts of the paths, because the weight files of a rule all have the same name.
    let name = |path: &PathBuf| {
        let text: Vec<char> = path.display().to_string().chars().collect();
        text[text.len().saturating_sub(MOST_NAME)..].iter().collect()
    };
    let candidates: Vec<Candidate> = args
        .weights
        .iter()
        .zip(&weights)
        .map(|(path, file)| Candidate { name: name(path), network: &file.network })
        .collect();
    let task = Targets { result_share: args.result_share, policy_weight: 1.0, draw_weight: 1.0 };
    let comparison = compare(&candidates, played, inner, task);
    let write = |path: &PathBuf, contents: String| {
        make_folder_of(path)?;
        replace_with(path, contents).with_context(|| path.display().to_string())
    };
    if let Some(path) = &args.plot {
        write(path, plot::svg(&comparison.panels)?)?;
    }
    if let Some(path) = &args.html {
        let notes: Vec<&str> = weights.iter().map(|file| &*file.note).collect();
        write(path, page::page(&format!("Networks for {}", rule.name()), &comparison, &notes)?)?;
    }
    super::print(&comparison.text())
}
