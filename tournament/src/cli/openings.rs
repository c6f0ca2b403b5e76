//! `tournament openings`: makes books of balanced openings.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use kakugo::board::Point;
use kakugo::output::progress_style;

use super::progress;
use crate::balanced::judge::{Judge, JudgeSettings};
use crate::balanced::{self, BookFile, Candidates, Nodes, OpeningsProgress, Recipe};
use crate::config::batch::default_engine;
use crate::config::values::{BoardSize, GameRule};
use crate::openings::MAX_RANDOM_STONES;
use crate::text::counted;

/// Make a book of balanced openings: random stones near the centre, kept if an engine judges them balanced.
///
/// Openings are written as they are found, in Gomocup's format. The same command continues an incomplete
/// book.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// freestyle, standard, renju, caro, caro-exact, or a Gomocup code.
    #[arg(long, default_value = "freestyle", value_name = "NAME|CODE")]
    rule: GameRule,
    /// Board size.
    #[arg(long, default_value = "15", value_name = "N|WxH")]
    size: BoardSize,
    /// Number of stones per opening.
    #[arg(long, default_value = "3-6", value_name = "K|K-K", value_parser = parse_stones)]
    stones: RangeInclusive<usize>,
    /// Number of openings in the book.
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Nodes per candidate (INFO max_node). A first pass with a tenth of the nodes discards positions that
    /// are off balance by more than three times the bound.
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    nodes: u64,
    /// Greatest value, for either side, at which a position counts as balanced, in the engine's points.
    #[arg(long, default_value_t = 25, value_name = "VALUE", value_parser = clap::value_parser!(i32).range(0..))]
    bound: i32,
    /// Seed of the random stones.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// File of the book.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Command of the judging engine [default: the pbrain-kakugo in the folder of this program].
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Working directory of the engine.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Pause between an answer of the engine and the next line sent to it, in milliseconds [default: 10].
    #[arg(long, value_name = "MS")]
    pause_ms: Option<u64>,
    /// Print only errors.
    #[arg(long)]
    quiet: bool,
}

/// Makes the book.
///
/// # Errors
/// Returns an error if the engine fails, if the book cannot be written, or if the file contains a book made
/// with other settings.
pub fn run(args: &OpeningsArgs) -> Result<ExitCode> {
    ensure!(
        !super::is_stream(&args.out),
        "--out does not accept standard output (-): ./- is a file of this name"
    );
    let recipe = Recipe {
        rule: args.rule.0,
        size: args.size.0,
        stones: args.stones.clone(),
        nodes: args.nodes,
        bound: args.bound,
        seed: args.seed,
    };
    let settings = JudgeSettings {
        command: args.engine.clone().map_or_else(default_engine, Ok)?,
        directory: args.directory.clone(),
        pause_ms: args.pause_ms,
        size: recipe.size,
        rule: recipe.rule,
        nodes: recipe.nodes,
    };
    let mut first = Judge::new(JudgeSettings { nodes: recipe.first_nodes(), ..settings.clone() })
        .context("the engine")?;
    let mut judge = Judge::new(settings.clone()).context("the engine")?;
    let about = judge.about().context("trying the engine")?;
    try_out(&mut first, settings, &recipe).context("trying the engine")?;
    let mut book = BookFile::open(&args.out, &recipe, &about)?;
    let bar = progress_bar(args);
    progress::keep_ticking(&bar);
    bar.reset_eta();
    let report = |progress: OpeningsProgress| {
        bar.set_position(progress.found as u64);
        if progress.judged > 0 {
            bar.set_message(format!("{} judged", counted(progress.judged, "candidate")));
        }
    };
    let value = |opening: &[Point], nodes| match nodes {
        Nodes::First => first.value(opening),
        Nodes::All => judge.value(opening),
    };
    let progress = balanced::make(&recipe, args.count, &mut book, value, report)?;
    bar.finish_and_clear();
    if !args.quiet {
        let path = args.out.display();
        let found = counted(progress.found, "opening");
        let judged = counted(progress.judged, "candidate");
        let silent = match progress.without_value {
            0 => String::new(),
            count => format!(", {count} of them without a value"),
        };
        super::print(&format!("{path}: {found}, {judged} judged in this run{silent}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes sure that the engine of `settings` can judge with the nodes of the first pass before the book is created.
fn try_out(first: &mut Judge, settings: JudgeSettings, recipe: &Recipe) -> Result<()> {
    /// With this number of nodes, every engine that reports values reports one.
    const ENOUGH: u64 = 10_000;
    if has_value(first, recipe)? {
        return Ok(());
    }
    let nodes = recipe.first_nodes();
    if nodes < ENOUGH {
        let mut patient = Judge::new(JudgeSettings { nodes: settings.nodes.max(ENOUGH), ..settings })?;
        ensure!(
            !has_value(&mut patient, recipe)?,
            "the engine reports no value within {nodes} nodes, a tenth of --nodes: try more --nodes"
        );
    }
    bail!("the engine reports no value before its move")
}

/// Whether the engine reports a value for one of the first candidates. The empty board would not do, because many
/// engines answer it from a book.
fn has_value(judge: &mut Judge, recipe: &Recipe) -> Result<bool> {
    /// Number of candidates that the engine may answer without a search.
    const TRIES: usize = 10;
    let mut candidates = Candidates::new(recipe);
    for _ in 0..TRIES {
        let Some(opening) = candidates.next_sound()? else { break };
        if judge.value(&opening)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn progress_bar(args: &OpeningsArgs) -> ProgressBar {
    if args.quiet {
        return ProgressBar::hidden();
    }
    let style = progress_style("{pos}/{len} openings {wide_bar} {msg}, {elapsed}, {eta} left");
    ProgressBar::new(args.count as u64).with_style(style)
}

fn parse_stones(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (few, many) = text.split_once('-').unwrap_or((text, text));
    let range = few.parse().ok().zip(many.parse().ok());
    range
        .filter(|(few, many)| few <= many && *many <= MAX_RANDOM_STONES)
        .map(|(few, many): (usize, usize)| few..=many)
        .ok_or_else(|| format!("the number of stones is K or K-K, from 0 to {MAX_RANDOM_STONES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_a_number_or_a_range() {
        assert_eq!(parse_stones("4"), Ok(4..=4));
        assert_eq!(parse_stones("3-6"), Ok(3..=6));
        for text in ["", "6-3", "x", "3-", "-3", "31", "1-2-3"] {
            assert!(parse_stones(text).is_err(), "{text}");
        }
    }
}
