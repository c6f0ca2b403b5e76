//! `book build`: grows a book until a limit of time or positions is reached.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;

use super::meter::BuildMeter;
use crate::board::{Board, Size};
use crate::book::{self, BuildEnding, BuildOutcome, DROP_OUT, Plan, Share};
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::position_args::{GameArgs, read_opening, read_position};
use crate::cli::seconds::parse_seconds;
use crate::cli::weights::{WeightsArgs, warn_unused};
use crate::database::{Access, Canonical, DatabaseError, Store};
use crate::files::{entry_lines, read_text};
use crate::rules::RuleKind;
use crate::rules::procedure::{OPENINGS, Opening};
use crate::terminal::output;

/// Maximum size of a file of openings in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// The name of the 26 openings of renju.
const RENJU_OPENINGS: &str = "26";

/// Arguments of `book build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The database
    #[arg(value_name = "FILE")]
    path: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// Where the book begins: a file with one opening per line (a FEN, moves or offsets, as `tournament`
    /// reads them), a position (a FEN or moves), or 26 for the openings of renju; may be repeated [default:
    /// the empty board, and 26 for renju]
    #[arg(long, value_name = "FILE|POSITION|26")]
    openings: Vec<String>,
    /// Stops after this time: seconds, or a number with s, m, h or d
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Stops when the book has this number of positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of best moves searched in a position
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    moves: u16,
    /// Positions expanded at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The part of the work for this machine, such as 2/8; `db import` joins the files
    #[arg(long, value_name = "I/N", default_value_t = Share::default(), hide_default_value = true)]
    share: Share,
    /// Decides between equally promising positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Cost of a ply in points: a low cost makes the book deep along good lines, a high cost makes it wide
    #[arg(long, value_name = "POINTS", default_value_t = DROP_OUT)]
    drop_out: u32,
    /// Does not expand positions with this number of stones or more
    #[arg(long, value_name = "PLIES")]
    deepest: Option<usize>,
    #[command(flatten)]
    pub weights: WeightsArgs,
}

/// Builds the book and prints the result.
///
/// # Errors
/// Returns an error if the database or a file of openings is invalid or cannot be read or written.
pub fn run(args: &BuildArgs) -> Result<()> {
    let openings = openings(args)?;
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        nodes: args.nodes,
        moves: usize::from(args.moves),
        drop_out: args.drop_out,
        deepest: args.deepest.unwrap_or(usize::MAX),
        share: args.share,
        seed: args.seed,
        threads: args.threads.map_or_else(available, usize::from),
        positions: args.positions,
        time: args.time,
        networks: args.weights.networks()?,
        ..Plan::new(args.game.rule, openings)
    };
    warn_unused(&plan.networks, &[args.game.rule.kind]);
    let store = Store::open(&args.path, Access::Create)
        .with_context(|| format!("cannot open {}", args.path.display()))?;
    let stop = stop_on_interrupt()?;
    let mut meter = BuildMeter::new(plan.positions, plan.time);
    let outcome = book::build(&store, &plan, &stop, &mut |progress| meter.show(progress));
    drop(meter);
    let outcome = outcome.with_context(|| args.path.display().to_string())?;
    Ok(output::print(&text(&outcome))?)
}

fn text(outcome: &BuildOutcome) -> String {
    let progress = outcome.progress;
    let mut text = format!(
        "{} positions: {} added, {} expanded in {:.0} s",
        progress.positions,
        progress.added,
        progress.expanded,
        progress.elapsed.as_secs_f64(),
    );
    let why = match outcome.ending {
        BuildEnding::Positions | BuildEnding::Time => "",
        BuildEnding::Complete => "; nothing is left to expand",
        BuildEnding::Interrupted => "; interrupted, run the same command to continue",
    };
    let _ = writeln!(text, "{why}");
    text
}

/// The start positions of the book, all of the same size.
fn openings(args: &BuildArgs) -> Result<Vec<Board>> {
    let mut boards = Vec::new();
    for source in &args.openings {
        let path = Path::new(source);
        if source == RENJU_OPENINGS {
            boards.extend(renju_openings(args.game.size)?);
        } else if path.exists() {
            let text = read_text(path, MOST_BYTES)
                .map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
            for (number, line) in entry_lines(&text) {
                let board = read_opening(line, &args.game)
                    .with_context(|| format!("{}, line {number}", path.display()))?;
                boards.push(board);
            }
        } else {
            let board = read_position(source, &args.game)
                .with_context(|| format!("'{source}' is neither a file nor a position"))?;
            boards.push(board);
        }
    }
    if args.openings.is_empty() {
        boards.push(Board::new(args.game.size));
        if args.game.rule.kind == RuleKind::Renju {
            boards.extend(renju_openings(args.game.size)?);
        }
    }
    ensure!(!boards.is_empty(), "there are no openings");
    let size = boards[0].size();
    ensure!(boards.iter().all(|board| board.size() == size), "the openings are on boards of different sizes");
    let has_entry = |board: &Board| Canonical::of(board, args.game.rule).is_some();
    ensure!(boards.iter().all(has_entry), DatabaseError::NoEntry);
    Ok(boards)
}

/// The 26 openings around the centre.
fn renju_openings(size: Size) -> Result<Vec<Board>> {
    let placed = |opening: &Opening| {
        let stones =
            opening.stones(size).with_context(|| format!("the board is too small for {}", opening.name))?;
        Ok(Board::of_moves(size, &stones))
    };
    OPENINGS.iter().map(placed).collect()
}

/// Parses a time such as `90`, `30s`, `10m`, `1h`, `2d`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let unit = units.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.unwrap_or((text, 1));
    let wrong = || "not a time such as 90, 30s, 10m, 1h or 2d".to_owned();
    parse_seconds(number).ok().and_then(|time| time.checked_mul(seconds)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!(seconds("0.5m"), Ok(30.0));
        assert_eq!((seconds("1h"), seconds("2d"), seconds("7s")), (Ok(3_600.0), Ok(172_800.0), Ok(7.0)));
        for text in ["", "h", "-1", "1w", "1h30m", "nan", "1e30d"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
