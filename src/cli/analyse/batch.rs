//! A file of positions: each is searched by one thread with an empty table, several at the same time.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;

use super::blocks::blocks_first;
use super::proof::{LineProof, PROOF_BYTES};
use super::shown::Shown;
use super::{AnalyseArgs, processors};
use crate::bench::suite::Problem;
use crate::board::offsets::parse_offsets;
use crate::board::{Board, Size};
use crate::cli::file_error;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::position_args::{GameArgs, PositionArgs, file_of, read_opening, undecided};
use crate::cli::weights::warn_unused;
use crate::drawing::Look;
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::files::{self, CodePage, entry_lines};
use crate::game_files::{GameFormat, MAX_GAME, pos, results, rif};
use crate::rules::{Rule, RuleKind};
use crate::terminal::output::{self, status_line};
use crate::think::{Clock, Limits, Silent};

/// Maximum size of a file of positions in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Size of each search's table in bytes; fixed, so that the memory does not affect a result.
const TABLE_BYTES: u64 = 64 << 20;
/// Memory of a thread including its table, in MiB.
const THREAD_MIB: u32 = 128;
/// Number of bytes at the beginning of a file that show whether it is a file of games.
const BEGINNING: u64 = 8 << 10;
/// The beginning of a game that `play` saved.
const SAVED_GAME: &str = "# Kakugo game";

/// A position of a file. Its board takes many times the memory of its line.
struct Entry {
    /// The `id` of its JSON object, or the text of its line.
    id: String,
    board: Board,
    rule: Rule,
}

/// A file with several positions, whose lines were checked.
pub struct CheckedList {
    /// The whole file: a line takes far less memory than its board.
    text: String,
    /// The rules of the positions.
    kinds: Vec<RuleKind>,
}

/// Reads a file with several positions; `None` for a single position or a file with a game.
///
/// # Errors
/// Returns an error if the file can't be read, or a line of it is not a position.
pub fn checked_list(at: &PositionArgs) -> Result<Option<CheckedList>> {
    let place = &at.place;
    let Some(path) = file_of(&place.position) else { return Ok(None) };
    let name = path.display();
    let unreadable = |error| file_error("read", path, error);
    let mut input = BufReader::new(files::open(path).map_err(unreadable)?);
    // A file of games may be of any length.
    let beginning = beginning(&mut input).map_err(unreadable)?;
    if is_game(&beginning) {
        return Ok(None);
    }
    files::check_length(input.get_ref(), MOST_BYTES).map_err(unreadable)?;
    let whole = beginning.as_slice().chain(input);
    let bytes = files::read_stream(whole, MOST_BYTES).map_err(unreadable)?;
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    if !is_list(&text, place.size.unwrap_or_default()) {
        return Ok(None);
    }
    ensure!(place.move_number.is_none(), "{name}: --move cannot be used with a file of positions");
    ensure!(
        place.file.game_number.is_none(),
        "{name}: --game-number cannot be used with a file of positions"
    );
    let mut kinds = Vec::new();
    for (number, line) in entry_lines(&text) {
        let entry = Entry::parse(line, at).with_context(|| format!("{name}, line {number}"))?;
        if !kinds.contains(&entry.rule.kind) {
            kinds.push(entry.rule.kind);
        }
    }
    Ok(Some(CheckedList { text, kinds }))
}

/// Whether a text is a list of positions. A single line may also be a game, but the moves of a game are never offsets.
fn is_list(text: &str, size: Size) -> bool {
    let mut lines = entry_lines(text);
    let first = lines.next().map_or("", |(_, line)| line);
    lines.next().is_some() || first.starts_with('{') || parse_offsets(first, size).is_ok()
}

/// The beginning of a file, with the rest of its last line, because a game of a results file is a long line.
fn beginning(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    if GameFormat::of_bytes(&bytes).is_none() {
        input.by_ref().take(MAX_GAME as u64).read_until(b'\n', &mut bytes)?;
    }
    Ok(bytes)
}

/// Whether a file with this beginning is a file of games, or a game that `play` saved.
fn is_game(beginning: &[u8]) -> bool {
    let text = CodePage::decode_beginning(beginning);
    let first = entry_lines(&text).next().map_or("", |(_, line)| line);
    GameFormat::of_content(&text).is_some()
        || pos::is_file(beginning)
        || rif::is_beginning(&text)
        || results::is_beginning(first)
        || text.starts_with(SAVED_GAME)
}

impl Entry {
    fn parse(line: &str, at: &PositionArgs) -> Result<Entry> {
        if line.starts_with('{') {
            let Problem { id, rule, board, .. } = Problem::read(line)?;
            let rule = at.rule.unwrap_or(rule);
            let board = not_full(board).and_then(|board| undecided(board, rule));
            let board = board.with_context(|| id.clone())?;
            return Ok(Entry { id, board, rule });
        }
        let rule = at.rule.unwrap_or_default();
        let board = read_opening(line, &GameArgs { rule, size: at.place.size.unwrap_or_default() })?;
        Ok(Entry { id: line.to_owned(), board: not_full(board)?, rule })
    }
}

/// The board, unless it is full.
fn not_full(board: Board) -> Result<Board> {
    ensure!(!board.empty().is_empty(), "the board is full");
    Ok(board)
}

/// Searches all positions of a list and prints their lines in the order of the file.
///
/// # Errors
/// Returns an error if a file of weights can't be loaded, or the output can't be written.
pub fn run(args: &AnalyseArgs, list: &CheckedList) -> Result<()> {
    ensure!(!args.infinite, "--infinite cannot be used with a file of positions");
    ensure!(args.only.is_none(), "--only cannot be used with a file of positions");
    let entries: Vec<&str> = entry_lines(&list.text).map(|(_, line)| line).collect();
    let networks = args.weights.networks()?;
    warn_unused(&networks, &list.kinds);
    let stop = stop_on_interrupt()?;
    let wanted = args.threads.map_or_else(processors, usize::from).min(entries.len());
    let threads = wanted.min(threads_within(args.memory, args.proof));
    let (memory, least) = (args.memory, mib_of_thread(args.proof));
    if memory < least {
        status_line(format_args!("--memory {memory} is too little: a position takes up to {least} MiB"));
    } else if threads < wanted {
        status_line(format_args!("--memory {memory} limits the positions searched at once to {threads}"));
    }
    let style = output::progress_style("analysing {wide_bar} {pos} of {len} positions {eta_precise}");
    let new_bar = || ProgressBar::new(entries.len() as u64).with_style(style);
    let bar = io::stderr().is_terminal().then(new_bar);
    let look = Look::of_stdout(args.ascii);
    let mut print = |text: String| {
        let print = || if args.json { output::print_json(text) } else { output::print_styled(&text) };
        match &bar {
            Some(bar) => {
                bar.inc(1);
                bar.suspend(print)?;
            }
            None => print()?,
        }
        if !output::is_read() {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let search = |worker: &mut Worker, line: &&str| {
        let entry = Entry::parse(line, &args.at).expect("the line was checked");
        worker.search(&entry, args, look, &stop)
    };
    let new = || Worker::new(&networks);
    let printed = in_order(&entries, threads, &stop, &new, &search, &mut print)?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if printed < entries.len() && output::is_read() {
        status_line(format_args!("stopped: {printed} of {} positions are complete", entries.len()));
    }
    Ok(())
}

/// Maximum number of threads in a process with `memory_mib` of memory; one may always work.
fn threads_within(memory_mib: u32, proof: bool) -> usize {
    (memory_mib / mib_of_thread(proof)).max(1) as usize
}

/// Memory of a thread in MiB, with a solver if there are proofs.
fn mib_of_thread(proof: bool) -> u32 {
    let solver_mib = if proof { (PROOF_BYTES >> 20) as u32 } else { 0 };
    THREAD_MIB + solver_mib
}

/// The engine of a thread.
struct Worker(Engine);

impl Worker {
    fn new(networks: &Networks) -> Worker {
        let max_memory = Some(u64::from(THREAD_MIB) << 20);
        let options = Options { max_memory, hash_bytes: Some(TABLE_BYTES), ..Options::default() };
        let mut engine = Engine::new(options);
        engine.set_networks(networks.clone());
        Worker(engine)
    }

    /// The lines of a position as text to print.
    fn search(&mut self, entry: &Entry, args: &AnalyseArgs, look: Look, stop: &AtomicBool) -> String {
        let Entry { id, board, rule } = entry;
        let engine = &mut self.0;
        engine.new_game(board.size());
        engine.set_rule(*rule);
        engine.set_board(board.clone());
        engine.forget();
        let clock = args.time_limit().map(|time| {
            let turn_ms = Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            Clock { turn_ms, match_ms: 0, left_ms: None, increment_ms: 0 }
        });
        let limits = Limits { started: Instant::now(), clock, ..args.limits(None) };
        let report = engine.think(&limits, stop, &Silent);
        let mut lines = report.into_lines();
        blocks_first(board, *rule, &mut lines);
        let proofs = args.proof.then(|| LineProof::all(board, *rule, &lines, PROOF_BYTES, stop));
        let shown = Shown::new(board, *rule, engine.network().points_per_unit, look).named(id);
        if args.json {
            shown.json(&lines, true, proofs.as_deref())
        } else {
            shown.short_text(&lines, proofs.as_deref().unwrap_or_default())
        }
    }
}

/// Works on `items` with `threads` threads and delivers the results in the order of the items; returns how
/// many were delivered. `stop` ends the work; incomplete results are dropped.
///
/// # Errors
/// Returns the first error of `deliver`.
fn in_order<T: Sync, W, R: Send>(
    items: &[T],
    threads: usize,
    stop: &AtomicBool,
    new: &(dyn Fn() -> W + Sync),
    work: &(dyn Fn(&mut W, &T) -> R + Sync),
    deliver: &mut dyn FnMut(R) -> Result<()>,
) -> Result<usize> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut worker = new();
                while let Some((index, item)) = take(items, next) {
                    let result = work(&mut worker, item);
                    if stop.load(Ordering::Relaxed) || sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut ready = BTreeMap::new();
        let mut delivered = 0;
        for (index, result) in results {
            ready.insert(index, result);
            while let Some(result) = ready.remove(&delivered) {
                deliver(result).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                delivered += 1;
            }
        }
        Ok(delivered)
    })
}

/// The next item that no thread has taken yet.
fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_limits_the_threads() {
        for (memory_mib, threads) in [(32, 1), (255, 1), (256, 2), (512, 4), (2048, 16)] {
            assert_eq!(threads_within(memory_mib, false), threads, "{memory_mib} MiB");
        }
        // A proof takes another 64 MiB.
        for (memory_mib, threads) in [(32, 1), (383, 1), (384, 2), (512, 2), (2048, 10)] {
            assert_eq!(threads_within(memory_mib, true), threads, "{memory_mib} MiB");
        }
    }
}
