//! `tournament openings`: makes books of level openings.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use kakugo::board::{MAX_SIDE, MIN_SIDE, Size};
use kakugo::rules::Rule;

use crate::openings::MAX_RANDOM_STONES;
use crate::openings::balanced::{self, BookFile, Recipe, Tally};
use crate::openings::judge::Judge;

/// Makes a book of level openings: random stones near the centre, kept when an engine finds them level.
///
/// Openings are written as they are found, in Gomocup's format; the same command continues a book that is not full.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// freestyle, standard, renju, caro, caro-exact, or a Gomocup code.
    #[arg(long, default_value = "freestyle", value_name = "NAME|CODE")]
    rule: Rule,
    /// Board size.
    #[arg(long, default_value = "15", value_name = "N|WxH", value_parser = parse_size)]
    size: Size,
    /// How many stones.
    #[arg(long, default_value = "3-6", value_name = "K|K-K", value_parser = parse_stones)]
    stones: RangeInclusive<usize>,
    /// How many openings the book is to hold.
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Nodes that the engine has for each candidate (INFO max_node).
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
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// Makes the book.
///
/// # Errors
/// When the engine fails, or the book cannot be written or is one of another recipe.
pub fn run(args: &OpeningsArgs) -> Result<ExitCode> {
    ensure!(!args.rule.continuous, "continuous games cannot be refereed: they do not end with a five");
    let recipe = Recipe {
        rule: args.rule,
        size: args.size,
        stones: args.stones.clone(),
        nodes: args.nodes,
        bound: args.bound,
        seed: args.seed,
    };
    let command = match &args.engine {
        Some(text) => shell_words::split(text).with_context(|| format!("--engine '{text}'"))?,
        None => vec![default_engine()?],
    };
    let mut judge = Judge::start(&command, recipe.size, recipe.rule, recipe.nodes)?;
    let about = judge.about()?;
    let mut book = BookFile::open(&args.out, &recipe, &about)?;
    let bar = progress_bar(args);
    bar.enable_steady_tick(Duration::from_secs(1));
    bar.reset_eta();
    let told = |tally: Tally| {
        bar.set_position(tally.found as u64);
        if tally.judged > 0 {
            bar.set_message(format!("{} candidates judged", tally.judged));
        }
    };
    let tally = balanced::make(&recipe, args.count, &mut book, |opening| judge.value(opening), told)?;
    bar.finish_and_clear();
    if !args.quiet {
        let (found, judged, path) = (tally.found, tally.judged, args.out.display());
        println!("{path}: {found} openings, {judged} candidates judged in this run");
    }
    Ok(ExitCode::SUCCESS)
}

fn progress_bar(args: &OpeningsArgs) -> ProgressBar {
    if args.quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos}/{len} openings {wide_bar} {msg}, {elapsed}, {eta} left");
    ProgressBar::new(args.count as u64).with_style(style.expect("the template is sound"))
}

/// The engine that is built together with this program.
fn default_engine() -> Result<String> {
    let program = std::env::current_exe().context("where this program is")?;
    let engine = program.with_file_name(format!("pbrain-kakugo{}", std::env::consts::EXE_SUFFIX));
    Ok(engine.to_string_lossy().into_owned())
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let sides = width.parse().ok().zip(height.parse().ok());
    let size = sides.and_then(|(width, height)| Size::new(width, height));
    size.ok_or_else(|| format!("a size is N or WxH, each side from {MIN_SIDE} to {MAX_SIDE}"))
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
