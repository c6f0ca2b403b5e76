//! `tournament openings`: makes books of level openings.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use kakugo::board::Point;

use crate::config::batch::default_engine;
use crate::config::values::{BoardSize, GameRule};
use crate::openings::MAX_RANDOM_STONES;
use crate::openings::balanced::{self, BookFile, Candidates, Nodes, OpeningsProgress, Recipe};
use crate::openings::judge::{Judge, JudgeTerms};

/// Makes a book of level openings: random stones near the centre, kept when an engine finds them level.
///
/// Openings are written as they are found, in Gomocup's format; the same command continues a book that is not full.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// freestyle, standard, renju, caro, caro-exact, or a Gomocup code.
    #[arg(long, default_value = "freestyle", value_name = "NAME|CODE")]
    rule: GameRule,
    /// Board size.
    #[arg(long, default_value = "15", value_name = "N|WxH")]
    size: BoardSize,
    /// Number of stones of an opening.
    #[arg(long, default_value = "3-6", value_name = "K|K-K", value_parser = parse_stones)]
    stones: RangeInclusive<usize>,
    /// Number of openings of the book.
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Nodes that the engine has for each candidate (INFO max_node). A tenth of them sort out first what is far from
    /// level: three times the bound.
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    nodes: u64,
    /// The value, for either side, up to which a position is level, in the engine's own points.
    #[arg(long, default_value_t = 25, value_name = "VALUE", value_parser = clap::value_parser!(i32).range(0..))]
    bound: i32,
    /// Seed of the random stones.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The book.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Command of the engine that judges [default: pbrain-kakugo beside this program].
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Its working directory.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Pause between its answer and the next line to it [default: 10].
    #[arg(long, value_name = "MS")]
    pause_ms: Option<u64>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// Makes the book.
///
/// # Errors
/// When the engine fails, or the book cannot be written or is one of another recipe.
pub fn run(args: &OpeningsArgs) -> Result<ExitCode> {
    let recipe = Recipe {
        rule: args.rule.0,
        size: args.size.0,
        stones: args.stones.clone(),
        nodes: args.nodes,
        bound: args.bound,
        seed: args.seed,
    };
    let terms = JudgeTerms {
        command: args.engine.clone().map_or_else(default_engine, Ok)?,
        directory: args.directory.clone(),
        pause_ms: args.pause_ms,
        size: recipe.size,
        rule: recipe.rule,
        nodes: recipe.nodes,
    };
    let mut first =
        Judge::new(JudgeTerms { nodes: recipe.first_nodes(), ..terms.clone() }).context("the engine")?;
    let mut judge = Judge::new(terms).context("the engine")?;
    let about = judge.about().context("trying the engine")?;
    try_out(&mut first, &recipe).context("trying the engine")?;
    let mut book = BookFile::open(&args.out, &recipe, &about)?;
    let bar = progress_bar(args);
    super::keep_ticking(&bar);
    bar.reset_eta();
    let told = |progress: OpeningsProgress| {
        bar.set_position(progress.found as u64);
        if progress.judged > 0 {
            bar.set_message(format!("{} candidates judged", progress.judged));
        }
    };
    let value = |opening: &[Point], nodes| match nodes {
        Nodes::First => first.value(opening),
        Nodes::All => judge.value(opening),
    };
    let progress = balanced::make(&recipe, args.count, &mut book, value, told)?;
    bar.finish_and_clear();
    if !args.quiet {
        let (found, judged, path) = (progress.found, progress.judged, args.out.display());
        let silent = match progress.without_value {
            0 => String::new(),
            count => format!(", {count} of them without a value"),
        };
        super::print(&format!("{path}: {found} openings, {judged} candidates judged in this run{silent}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes sure that the engine can judge before there is a book: it says a value in one of the first candidates. The empty
/// board would be a poor trial, because many engines answer it from a book.
fn try_out(judge: &mut Judge, recipe: &Recipe) -> Result<()> {
    /// Candidates that it may answer without a search.
    const TRIES: usize = 10;
    let mut candidates = Candidates::new(recipe);
    for _ in 0..TRIES {
        let Some(opening) = candidates.next_sound()? else { break };
        if judge.value(&opening)?.is_some() {
            return Ok(());
        }
    }
    bail!("the engine says no value before its move")
}

fn progress_bar(args: &OpeningsArgs) -> ProgressBar {
    if args.quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos}/{len} openings {wide_bar} {msg}, {elapsed}, {eta} left");
    ProgressBar::new(args.count as u64).with_style(style.expect("the template is sound"))
}

fn parse_stones(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (few, many) = text.split_once('-').unwrap_or((text, text));
    let range = few.parse().ok().zip(many.parse().ok());
    range
        .filter(|(few, many)| few <= many && *many <= MAX_RANDOM_STONES)
        .map(|(few, many): (usize, usize)| few..=many)
        .ok_or_else(|| format!("stones are K or K-K, from 0 to {MAX_RANDOM_STONES}"))
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
