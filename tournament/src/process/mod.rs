//! An engine as a process: lines in, time-stamped lines out, and guaranteed termination.
//!
//! A thread reads stdout and stamps each line with the time at which its last byte was read, so the time that
//! an engine used does not depend on when the referee looks. Of unrequested output (`MESSAGE`, `DEBUG`,
//! stderr), only the end and the search info are kept: no engine can fill our memory. Nothing here knows the
//! rules or whose turn it is.
//!
//! If [`tree`] has no supervisor to rely on, a process must be dropped by the thread that started it: on
//! Linux it dies with that thread.

pub mod affinity;
pub mod memory;
mod reader;
#[cfg(target_os = "linux")]
pub mod supervisor;
mod table;
mod tree;
mod writer;

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use parking_lot::Mutex;

use crate::model::record::Evidence;
use crate::model::search_info::SearchInfo;
use crate::model::settings::EngineSettings;
use affinity::Cpus;
use memory::{Watch, Watched};
use tree::ProcessTree;

/// Maximum number of unread lines. An engine that writes more blocks, as on any full pipe.
const MAX_WAITING: usize = 256;
/// Number of lines of stderr and of the conversation kept as evidence.
const KEPT_LINES: usize = 12;
/// Interval at which waits check [`Stop`].
pub const STOP_POLL: Duration = Duration::from_millis(100);
/// A wait that lasts longer than its limit by this much shows that this program was halted, for example by Ctrl-Z.
const HALT: Duration = Duration::from_millis(500);
/// Time limit for a process to exit after it closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(500);
/// First and longest pause while waiting for a process to exit.
const EXIT_POLL: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];

/// A request to stop everything: all waits end, and no new game begins. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Requests the stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether a stop is requested now or within a moment: a signal to all processes may reach an engine first.
    pub fn comes_soon(&self) -> bool {
        let deadline = Instant::now() + STOP_POLL;
        while !self.is_requested() && Instant::now() < deadline {
            thread::sleep(EXIT_POLL[1]);
        }
        self.is_requested()
    }
}

/// Resources for the engines of one game runner.
#[derive(Clone, Debug)]
pub struct Host {
    /// The stop request that ends their waits.
    pub stop: Stop,
    /// Monitor of their memory.
    pub watch: Watch,
    /// Their processors.
    pub cpus: Cpus,
}

impl Host {
    /// A host with any processors and its own stop request.
    ///
    /// # Errors
    /// Returns an error if no thread can be created.
    pub fn alone() -> anyhow::Result<Host> {
        let watch = Watch::start().context("cannot start the thread that monitors the memory of engines")?;
        Ok(Host { stop: Stop::default(), watch, cpus: Cpus::default() })
    }
}

/// A line of the engine without its line end, and the time at which its last byte was read.
#[derive(Debug)]
pub struct OutputLine {
    /// The text, invalid UTF-8 replaced.
    pub text: String,
    /// Time at which the last byte was read.
    pub at: Instant,
}

/// Result of a wait for a line.
#[derive(Debug)]
pub enum Received {
    /// A line.
    Line(OutputLine),
    /// The engine closed its output or exited.
    Closed,
    /// Nothing came before the deadline.
    TimedOut,
    /// [`Stop`] was requested.
    Stopped,
}

/// How a process ended.
#[derive(Debug)]
pub enum End {
    /// It was killed because of its memory use, in bytes.
    Memory(u64),
    /// It exited.
    Status(ExitStatus),
    /// It only closed its output.
    ClosedOutput,
}

/// The latest lines to and from an engine, and its search info; shared with the threads that read its
/// streams.
#[derive(Debug, Default)]
struct Kept {
    evidence: Evidence,
    info: SearchInfo,
    /// The beginning of a line of the engine that has no line end yet.
    begun: String,
}

impl Kept {
    /// The evidence, with the line that has only begun.
    fn evidence(&self) -> Evidence {
        let mut evidence = self.evidence.clone();
        if !self.begun.is_empty() {
            evidence.lines.push_back(format!("< {} (no line end)", self.begun));
            shorten(&mut evidence.lines);
        }
        evidence
    }
}

/// A running engine. Dropping it kills it and every process that it started.
#[derive(Debug)]
pub struct Process {
    name: String,
    tree: ProcessTree,
    stdin: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    kept: Arc<Mutex<Kept>>,
    stderr_reader: JoinHandle<()>,
    watched: Watched,
    stop: Stop,
    /// Minimum time between a line of the engine and the next line sent to it.
    pause: Duration,
    /// Time of the last received line; `None` before the first.
    last_line_at: Option<Instant>,
    /// End of the last wait for a line during which this program was halted.
    halted_at: Option<Instant>,
}

impl Process {
    /// Starts the process of `engine`.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn spawn(engine: &EngineSettings, host: &Host) -> io::Result<Process> {
        let mut tree = start(engine, &host.cpus)?;
        let watched = host.watch.over(&tree, engine.memory.kill_threshold());
        let (stdin, stdout, stderr) = tree.take_streams();
        stdin.as_ref().map_or(Ok(()), writer::never_block)?;
        let stdout = stdout.expect("stdout is piped");
        let stderr = stderr.expect("stderr is piped");
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (sender, lines) = sync_channel(MAX_WAITING);
        let (name, ours) = (engine.name.clone(), Arc::clone(&kept));
        in_a_thread("answers", move || reader::read_answers(&name, stdout, &sender, &ours))?;
        let ours = Arc::clone(&kept);
        let stderr_reader = in_a_thread("errors", move || reader::read_errors(stderr, &ours))?;
        let (name, stop) = (engine.name.clone(), host.stop.clone());
        Ok(Process {
            name,
            tree,
            stdin,
            lines,
            kept,
            stderr_reader,
            watched,
            stop,
            pause: engine.pause,
            last_line_at: None,
            halted_at: None,
        })
    }

    /// Writes `commands` (lines, the last one without its line end), after the [pause](Process::pause) if one
    /// is due. Returns whether the engine still accepted them.
    pub fn send(&mut self, commands: &str) -> bool {
        self.pause();
        log::trace!("{} > {}", self.name, commands.replace('\n', " | "));
        let mut kept = self.kept.lock();
        for line in commands.lines() {
            kept.evidence.lines.push_back(format!("> {line}"));
            shorten(&mut kept.evidence.lines);
        }
        drop(kept);
        let Some(stdin) = &mut self.stdin else { return false };
        let is_sent = writer::write(stdin, format!("{commands}\n").as_bytes(), &self.stop).is_ok();
        if !is_sent {
            // Half a line is worse than none.
            self.stdin = None;
        }
        is_sent
    }

    /// Waits until the pause after the engine's last answer is over.
    pub fn pause(&self) {
        let Some(last_line_at) = self.last_line_at else { return };
        loop {
            let left = self.pause.saturating_sub(last_line_at.elapsed());
            if left.is_zero() || self.stop.is_requested() {
                return;
            }
            thread::sleep(left.min(STOP_POLL));
        }
    }

    /// The next line that is not blank, `MESSAGE` or `DEBUG`; waits until `deadline`.
    pub fn next_line(&mut self, deadline: Instant) -> Received {
        loop {
            if self.stop.is_requested() {
                return Received::Stopped;
            }
            let began = Instant::now();
            let left = deadline.saturating_duration_since(began);
            let received = self.lines.recv_timeout(left.min(STOP_POLL));
            if began.elapsed() > STOP_POLL + HALT {
                self.halted_at = Some(Instant::now());
            }
            match received {
                // Late lines do not count: an engine that never stops writing must not keep us here.
                Ok(line) if line.at > deadline => return Received::TimedOut,
                Ok(line) => {
                    self.last_line_at = Some(line.at);
                    return Received::Line(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
                Err(RecvTimeoutError::Timeout) if left <= STOP_POLL => return Received::TimedOut,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether this program was halted during a wait for a line after `since`. The engine may have answered in time.
    pub fn was_halted_since(&self, since: Instant) -> bool {
        self.halted_at.is_some_and(|at| at > since)
    }

    /// Lines that arrived without a request.
    pub fn waiting_lines(&mut self) -> Vec<OutputLine> {
        // Bounded, because more lines may arrive while these are read.
        let lines: Vec<OutputLine> = self.lines.try_iter().take(MAX_WAITING).collect();
        self.last_line_at = lines.last().map(|line| line.at).or(self.last_line_at);
        lines
    }

    /// Whether the process has exited; a child may still hold its output open.
    pub fn has_exited(&mut self) -> bool {
        self.tree.status().is_some()
    }

    /// How the process ended, after a short wait; call it when the output is closed or the process has
    /// exited.
    pub fn end(&mut self) -> End {
        let deadline = Instant::now() + EXIT_GRACE;
        let is_gone = self.exits_before(deadline);
        if let Some(held) = self.watched.killed_for() {
            return End::Memory(held);
        }
        if !is_gone {
            return End::ClosedOutput;
        }
        // The last lines of stderr are often the best evidence.
        while !self.stderr_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(EXIT_POLL[1]);
        }
        self.tree.status().map_or(End::ClosedOutput, End::Status)
    }

    /// The latest lines to and from the engine, its last `MESSAGE` or `DEBUG`, and the end of its stderr.
    pub fn evidence(&self) -> Evidence {
        self.kept.lock().evidence()
    }

    /// Search info of the engine since the last call.
    pub fn take_search_info(&self) -> SearchInfo {
        std::mem::take(&mut self.kept.lock().info)
    }

    /// Peak memory of the engine's processes together, in bytes, if the system reports it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.watched.peak()
    }

    /// Closes stdin: nothing more will be sent.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Closes stdin and waits until `deadline` for the process to exit by itself.
    pub fn wait_for_end(&mut self, deadline: Instant) {
        self.close_input();
        while matches!(self.next_line(deadline), Received::Line(_)) {}
        self.exits_before(deadline);
    }

    fn exits_before(&mut self, deadline: Instant) -> bool {
        let [mut pause, longest] = EXIT_POLL;
        loop {
            if self.has_exited() {
                return true;
            }
            if Instant::now() >= deadline || self.stop.is_requested() {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }
}

/// Whether a process could not be started because the system is out of resources, which is not the engine's
/// fault.
pub fn is_shortage(error: &io::Error) -> bool {
    // A supervisor that reports nothing had no resources to start.
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory | ErrorKind::UnexpectedEof)
        || error.raw_os_error().is_some_and(is_shortage_of_files)
}

#[cfg(unix)]
fn is_shortage_of_files(error: i32) -> bool {
    use nix::errno::Errno;
    [Errno::EMFILE as i32, Errno::ENFILE as i32].contains(&error)
}

#[cfg(not(unix))]
fn is_shortage_of_files(_: i32) -> bool {
    false
}

/// Starts `engine`; all processes that it starts end with it.
fn start(engine: &EngineSettings, cpus: &Cpus) -> io::Result<ProcessTree> {
    let (program, arguments) = engine
        .command
        .split_first()
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "empty command"))?;
    // A bare name is searched in PATH. Any other relative path would start at the engine's directory.
    let program = Path::new(program);
    let program =
        if program.components().count() > 1 { std::path::absolute(program)? } else { program.into() };
    engine.directory.as_deref().map_or(Ok(()), check_directory)?;
    ProcessTree::start(program.as_os_str(), arguments, |command: &mut Command| {
        command.envs(&engine.env);
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        affinity::pin(command, cpus);
    })
}

/// Checks a working directory. Otherwise a missing one looks like a missing program.
fn check_directory(directory: &Path) -> io::Result<()> {
    let checked = match directory.metadata() {
        Ok(metadata) if !metadata.is_dir() => Err(io::Error::from(ErrorKind::NotADirectory)),
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    };
    checked
        .map_err(|error| io::Error::new(error.kind(), format!("directory {}: {error}", directory.display())))
}

/// Starts a thread that reads a stream.
fn in_a_thread(name: &str, read: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(read)
}

/// Keeps only the newest lines.
fn shorten(lines: &mut VecDeque<String>) {
    if lines.len() > KEPT_LINES {
        lines.pop_front();
    }
}
