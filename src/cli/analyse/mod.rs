//! `analyse POSITION`: the best lines of a position, live in a terminal, or of every position in a file.

mod batch;
mod blocks;
mod only;
mod proof;
mod screen;
mod shown;

use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use self::blocks::blocks_first;
use self::proof::{LineProof, PROOF_BYTES};
use self::screen::Screen;
use self::shown::Shown;
pub use self::shown::{mate, round};
use super::interrupt::stop_on_interrupt;
use super::position_args::PositionArgs;
use super::seconds::parse_seconds;
use super::weights::{WeightsArgs, warn_unused};
use crate::board::Point;
use crate::cli::SystemError;
use crate::drawing::Look;
use crate::engine::{Engine, Options};
use crate::think::Limits;

/// Arguments of `analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// Number of lines, each beginning with a different move [default: 3, or the number of moves of --only]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=50))]
    lines: Option<u8>,
    /// Compares only these moves, such as k9,h10; not for a file of positions
    #[arg(long, value_name = "MOVES", conflicts_with = "proof")]
    only: Option<String>,
    /// Seconds to search each position [default: 5, unless --nodes, --depth or --infinite is given]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes to search
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth to search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
    /// Searches until Enter or Ctrl-C is pressed
    #[arg(long, conflicts_with_all = ["time", "nodes", "depth"])]
    infinite: bool,
    /// Search threads; for a file of positions the number of positions searched at once, each by one thread, as far as
    /// --memory allows [default: one for each processor; 1 for a single position with --nodes or --depth, so that the
    /// result is the same every time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory of the whole process, in MiB; each position of a file takes 128 MiB while it is searched, or 192 MiB
    /// with --proof, so the default allows four at the same time, or two with --proof
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(32..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Adds proofs of forced wins
    #[arg(long)]
    proof: bool,
    /// Prints one line of JSON after each iteration and marks the last one as final; for a file of positions, prints
    /// only the final line of each position
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Number of lines of an analysis of all moves.
const LINES: usize = 3;
/// Time of a search without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Interval at which Enter is checked for.
const GLANCE: Duration = Duration::from_millis(20);

/// Searches and prints the lines.
///
/// # Errors
/// Returns an error if the position or a move of `--only` is not valid, the game is over, the board is full, a file
/// of weights can't be loaded, the output can't be written, or the system refuses a thread.
pub fn run(args: &AnalyseArgs) -> Result<()> {
    match batch::checked_list(&args.at)? {
        Some(list) => batch::run(args, &list),
        None => single(args),
    }
}

impl AnalyseArgs {
    /// The limits of a search of all moves, or only of some.
    fn limits(&self, only: Option<&[Point]>) -> Limits {
        let all_lines = only.map_or(LINES, <[Point]>::len);
        Limits {
            max_depth: self.depth.map(i32::from),
            max_nodes: self.nodes,
            multi_pv: self.lines.map_or(all_lines, usize::from),
            ..Limits::infinite()
        }
    }

    /// Memory of the solver for proofs of a single position, in bytes. The search needs the larger part.
    fn proof_bytes(&self) -> u64 {
        if self.proof { PROOF_BYTES.min(self.memory_bytes() / 4) } else { 0 }
    }

    fn memory_bytes(&self) -> u64 {
        u64::from(self.memory) << 20
    }

    /// Options of the engine for a single position.
    fn engine_options(&self) -> Options {
        let is_fixed = self.nodes.is_some() || self.depth.is_some();
        let threads = self.threads.map_or_else(|| if is_fixed { 1 } else { processors() }, usize::from);
        let (max_memory, reserved) = (Some(self.memory_bytes()), self.proof_bytes());
        Options { max_memory, threads, reserved, ..Options::default() }
    }

    /// Time of each search, if it is limited.
    fn time_limit(&self) -> Option<Duration> {
        let is_limited = self.nodes.is_some() || self.depth.is_some() || self.infinite;
        self.time.or((!is_limited).then_some(DEFAULT_TIME))
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn single(args: &AnalyseArgs) -> Result<()> {
    let networks = args.weights.networks()?;
    let (board, rule) = args.at.read()?;
    ensure!(!board.empty().is_empty(), "the board is full");
    warn_unused(&networks, &[rule.kind]);
    let only = args.only.as_deref().map(|moves| only::read(moves, &board, rule)).transpose()?;
    let options = only.as_deref().map(|points| only::options(points, &board)).unwrap_or_default();
    let mut engine = Engine::new(args.engine_options());
    engine.set_networks(networks);
    engine.new_game(board.size());
    engine.set_rule(rule);
    engine.set_board(board.clone());
    let points_per_unit = engine.network().points_per_unit;
    let shown = Shown::new(&board, rule, points_per_unit, Look::of_stdout(args.ascii));
    let stop = stop_on_interrupt()?;
    let typed = Arc::new(AtomicBool::new(false));
    let screen = Screen::new(&shown, args.json, &stop, &typed);
    screen.begin()?;
    let timer = Timer::start(args, Arc::clone(&stop), Arc::clone(&typed))?;
    let limits = args.limits(only.as_deref());
    let report = engine.think_with(&limits, &options, &stop, &screen);
    timer.end();
    let mut lines = report.into_lines();
    if only.is_none() {
        blocks_first(&board, rule, &mut lines);
    }
    // The flag may have been set to end the search; the proofs are made in any case.
    stop.store(false, Ordering::Relaxed);
    let proofs = args.proof.then(|| LineProof::all(&board, rule, &lines, args.proof_bytes(), &stop));
    screen.finish(&lines, proofs.as_deref())?;
    if let Some(points) = &only {
        only::report_left_out(points, &lines, &limits, board.size());
    }
    Ok(())
}

/// Ends the search when its time is up, or when Enter is pressed in an endless search.
struct Timer {
    done: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Timer {
    /// Sets `stop` when the time is up. A typed line sets `typed` before `stop`.
    fn start(args: &AnalyseArgs, stop: Arc<AtomicBool>, typed: Arc<AtomicBool>) -> Result<Timer> {
        let done = Arc::new(AtomicBool::new(false));
        if args.infinite && io::stdin().is_terminal() {
            let stop = Arc::clone(&stop);
            // This thread is not joined: a read from a terminal cannot be interrupted.
            let started = thread::Builder::new().spawn(move || {
                let mut line = Vec::new();
                let _ = io::stdin().lock().read_until(b'\n', &mut line);
                // The end of the input has no line break.
                typed.store(line.ends_with(b"\n"), Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            });
            started.map_err(SystemError).context("cannot start a thread for the input")?;
        }
        let thread = args.time_limit().map(|time| {
            let (done, deadline) = (Arc::clone(&done), Instant::now() + time);
            let wait = move || {
                while !done.load(Ordering::Relaxed) {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return stop.store(true, Ordering::Relaxed);
                    }
                    thread::park_timeout(left.min(GLANCE));
                }
            };
            thread::Builder::new().spawn(wait)
        });
        let thread = thread.transpose().map_err(SystemError);
        Ok(Timer { done, thread: thread.context("cannot start a thread for the time limit")? })
    }

    fn end(self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        analyse: AnalyseArgs,
    }

    #[test]
    fn the_memory_of_proofs_is_reserved() {
        for (options, mib) in [(&["--proof"][..], 64), (&["--proof", "--memory", "32"], 8), (&[], 0)] {
            let args = Arguments::parse_from([&["analyse", "h8"], options].concat()).analyse;
            let engine = Engine::new(args.engine_options());
            assert_eq!(
                (engine.options().reserved, args.proof_bytes()),
                (mib << 20, mib << 20),
                "{options:?}"
            );
        }
    }
}
