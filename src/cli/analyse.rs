//! `analyse POSITION`: the best lines of a position, live in a terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use parking_lot::Mutex;

use super::live::LiveText;
use super::question::{PositionArgs, parse_seconds, stop_on_interrupt};
use super::weights::WeightsArgs;
use crate::board::notation::{format_fen, format_point};
use crate::board::{Board, Point, Size};
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::engine::{Engine, Options};
use crate::output;
use crate::rules::{Position, Rule, Verdict};
use crate::search::score::{self, MATE, Value, is_mate};
use crate::search::{Iteration, Limits, Reporter};

/// Arguments of `analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// Number of lines, each beginning with another move
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    lines: u8,
    /// Seconds to search [default: 5, unless --nodes, --depth or --infinite is given]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions to search
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth to search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
    /// Searches until Enter or Ctrl-C is pressed
    #[arg(long, conflicts_with_all = ["time", "nodes", "depth"])]
    infinite: bool,
    /// Search threads [default: one for each processor; 1 with --nodes or --depth, which makes the result the same
    /// every time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory of the whole process, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(32..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Prints one line of JSON after each iteration; the last one is final
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Time of a search that is given no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Moves of a line that are shown.
const SHOWN_MOVES: usize = 12;
/// Interval at which Enter is looked for.
const GLANCE: Duration = Duration::from_millis(20);

/// Searches and prints the lines.
///
/// # Errors
/// When the position is not valid, the game is over, the board is full, a file of weights can't be loaded, or the output
/// can't be written.
pub fn run(args: &AnalyseArgs) -> Result<()> {
    let networks = args.weights.networks()?;
    let (board, rule) = args.at.read()?;
    ensure!(!board.empty().is_empty(), "the board is full");
    let is_fixed = args.nodes.is_some() || args.depth.is_some();
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(|| if is_fixed { 1 } else { processors() }, usize::from);
    let max_memory = Some(u64::from(args.memory) << 20);
    let mut engine = Engine::new(Options { max_memory, threads, ..Options::default() });
    engine.set_networks(networks);
    engine.new_game(board.size());
    engine.set_rule(rule);
    engine.set_board(board.clone());
    let points = engine.network().points;
    let shown = Shown::new(&board, rule, points, Look::of_stdout(args.ascii));
    let stop = stop_on_interrupt()?;
    let screen = Screen::new(&shown, args.json, &stop);
    screen.begin()?;
    let timer = Timer::start(args, Arc::clone(&stop));
    let limits = Limits {
        max_depth: args.depth.map(i32::from),
        max_nodes: args.nodes,
        multi_pv: usize::from(args.lines),
        ..Limits::infinite()
    };
    let report = engine.think(&limits, &stop, &screen);
    timer.end();
    let mut lines = vec![report.last];
    lines.extend(report.others);
    screen.finish(&lines)
}

/// Ends the search when its time is up, or when Enter is pressed in an endless one.
struct Timer {
    done: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Timer {
    fn start(args: &AnalyseArgs, stop: Arc<AtomicBool>) -> Timer {
        let done = Arc::new(AtomicBool::new(false));
        let is_limited = args.nodes.is_some() || args.depth.is_some() || args.infinite;
        let time = args.time.or((!is_limited).then_some(DEFAULT_TIME));
        if args.infinite && io::stdin().is_terminal() {
            let stop = Arc::clone(&stop);
            // Nobody waits for this thread: a read from a terminal can't be broken off.
            let _ = thread::Builder::new().spawn(move || {
                let _ = io::stdin().read_line(&mut String::new());
                stop.store(true, Ordering::Relaxed);
            });
        }
        let thread = time.and_then(|time| {
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
            thread::Builder::new().spawn(wait).ok()
        });
        Timer { done, thread }
    }

    fn end(self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// The position and the way it is shown.
struct Shown<'a> {
    board: &'a Board,
    rule: Rule,
    /// Points per unit of log odds, for win rates.
    points: i32,
    look: Look,
    /// Points where the side to move would foul.
    fouls: Vec<Point>,
}

impl<'a> Shown<'a> {
    fn new(board: &'a Board, rule: Rule, points: i32, look: Look) -> Shown<'a> {
        let mut position = Position::new(board.clone(), rule);
        let is_foul = |point: &Point| matches!(position.verdict(*point), Verdict::Foul(_));
        let fouls = board.empty().iter().filter(is_foul).collect();
        Shown { board, rule, points, look, fouls }
    }

    fn size(&self) -> Size {
        self.board.size()
    }

    fn win_rate(&self, value: Value) -> f32 {
        score::win_rate(value, self.points)
    }

    /// The board with the first moves of the lines by number, fouls crossed out, and a table of the lines.
    fn text(&self, lines: &[Iteration]) -> String {
        let digits = ('1'..='9').chain('a'..='z');
        let firsts = lines.iter().filter_map(|line| line.pv.first());
        let mut marks: Vec<Mark> =
            digits.zip(firsts).map(|(glyph, &point)| Mark { point, glyph, tone: Tone::Good }).collect();
        marks.extend(self.fouls.iter().map(|&point| Mark { point, glyph: 'x', tone: Tone::Bad }));
        let mut text = Drawing::new(self.board, self.look).with_marks(&marks).to_string();
        let title = format!("{}, {} to move", self.rule, self.board.side_to_move());
        let _ = writeln!(text, "\n{}", self.look.strong(&title));
        for (number, line) in (1..).zip(lines) {
            let _ = writeln!(text, "{}", self.line(number, line));
        }
        if let Some(line) = lines.first() {
            let Iteration { depth, selective_depth, nodes, elapsed, .. } = line;
            let dot = self.look.dot();
            let _ = writeln!(
                text,
                "depth {depth}-{selective_depth} {dot} {nodes} nodes {dot} {:.1} s {dot} {} nodes/s",
                elapsed.as_secs_f64(),
                line.nodes_per_second()
            );
        }
        text
    }

    /// One line of the table.
    fn line(&self, number: usize, line: &Iteration) -> String {
        let names: Vec<String> =
            line.pv.iter().take(SHOWN_MOVES).map(|&point| format_point(point, self.size())).collect();
        let more = if line.pv.len() > SHOWN_MOVES { " ..." } else { "" };
        let value = match mate(line.value) {
            Some(plies) if plies > 0 => format!("wins in {plies}"),
            Some(plies) => format!("loses in {}", -plies),
            None => line.value.to_string(),
        };
        let rate = 100.0 * self.win_rate(line.value);
        format!("{number:>2}  {rate:>5.1} %  {value:<12}  {}{more}", names.join(" "))
    }

    /// One line of JSON.
    fn json(&self, lines: &[Iteration], is_final: bool) -> String {
        let name = |&point: &Point| format_point(point, self.size());
        let of_line = |line: &Iteration| {
            serde_json::json!({
                "move": line.pv.first().map(name),
                "winrate": round(self.win_rate(line.value)),
                "value": line.value,
                "mate": mate(line.value),
                "depth": line.depth,
                "nodes": line.nodes,
                "pv": line.pv.iter().map(name).collect::<Vec<String>>(),
            })
        };
        let first = lines.first();
        let object = serde_json::json!({
            "position": format_fen(self.board),
            "rule": self.rule.to_string(),
            "size": self.size().to_string(),
            "to_move": self.board.side_to_move().to_string(),
            "final": is_final,
            "depth": first.map(|line| line.depth),
            "nodes": first.map(|line| line.nodes),
            "time_ms": first.map(|line| line.elapsed.as_millis() as u64),
            "lines": lines.iter().map(of_line).collect::<Vec<_>>(),
            "fouls": self.fouls.iter().map(name).collect::<Vec<String>>(),
        });
        format!("{object}\n")
    }
}

/// Plies to a proven end: above 0 for a win of the side to move, below 0 for a loss.
pub(super) fn mate(value: Value) -> Option<i32> {
    is_mate(value).then(|| (MATE - value.abs()) * value.signum())
}

/// A win rate with four digits: more would only be noise.
pub(super) fn round(rate: f32) -> f64 {
    (f64::from(rate) * 1e4).round() / 1e4
}

/// Standard output during the search: redrawn in place on a terminal, otherwise only the result, or lines of JSON.
struct Screen<'a> {
    shown: &'a Shown<'a>,
    json: bool,
    live: Option<Mutex<LiveText>>,
    stop: &'a AtomicBool,
    failure: Mutex<Option<io::Error>>,
}

impl<'a> Screen<'a> {
    fn new(shown: &'a Shown<'a>, json: bool, stop: &'a AtomicBool) -> Screen<'a> {
        let live = (!json && output::is_terminal()).then(|| Mutex::new(LiveText::default()));
        Screen { shown, json, live, stop, failure: Mutex::new(None) }
    }

    fn begin(&self) -> io::Result<()> {
        match &self.live {
            Some(live) => live.lock().show(&self.shown.text(&[])),
            None => Ok(()),
        }
    }

    fn show(&self, lines: &[Iteration]) -> io::Result<()> {
        match &self.live {
            Some(live) => live.lock().show(&self.shown.text(lines)),
            None if self.json => output::print_json(self.shown.json(lines, false)),
            None => Ok(()),
        }
    }

    fn finish(&self, lines: &[Iteration]) -> Result<()> {
        if let Some(failure) = self.failure.lock().take() {
            return Err(failure.into());
        }
        match &self.live {
            Some(live) => live.lock().show(&self.shown.text(lines))?,
            None if self.json => output::print_json(self.shown.json(lines, true))?,
            None => output::print_styled(&self.shown.text(lines))?,
        }
        Ok(io::stdout().flush()?)
    }
}

impl Reporter for Screen<'_> {
    fn iteration(&self, iteration: &Iteration) {
        self.lines(std::slice::from_ref(iteration));
    }

    fn lines(&self, lines: &[Iteration]) {
        if let Err(error) = self.show(lines) {
            self.failure.lock().get_or_insert(error);
        }
        if !output::is_read() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
