//! The lines that the person and the program exchange in line mode.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Read, StdoutLock, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::rescue::Rescue;
use super::session::COLUMNS;
use crate::cli::SystemError;
use crate::terminal::output::{self, OutputError};
use crate::terminal::text::visible;

/// Maximum number of bytes read for a typed line; longer lines are invalid anyway.
const MOST_BYTES: u64 = 4096;
/// Lines that are read before they are needed.
const LINES_AHEAD: usize = 16;

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Standard input and output. `write!` writes text unchanged: foreign parts must already be visible.
pub struct Dialogue {
    lines: Receiver<io::Result<Option<String>>>,
    out: StdoutLock<'static>,
    /// Whether a person types, who may also press Ctrl-C.
    is_typed: bool,
    /// Whether the output is shown on a terminal that can move its cursor.
    is_shown: bool,
    rescue: Arc<Rescue>,
}

/// An event of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line.
    Line(String),
    /// The end of the input, or a signal to terminate.
    End,
    /// Ctrl-C.
    Interrupt,
    /// Nothing yet.
    Nothing,
}

impl Dialogue {
    /// Takes the streams of the process. If a person types, `rescue` learns of signals to terminate.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread, or does not report signals.
    pub fn open(rescue: Arc<Rescue>) -> Result<Dialogue> {
        let is_typed = io::stdin().is_terminal();
        if is_typed {
            handle_signals(&rescue).context("cannot handle signals")?;
        }
        let (send, lines) = sync_channel(LINES_AHEAD);
        let read = move || {
            loop {
                let line = read_line();
                let is_last = !matches!(line, Ok(Some(_)));
                if send.send(line).is_err() || is_last {
                    return;
                }
            }
        };
        // Nobody waits for this thread: a read cannot be interrupted.
        let started = thread::Builder::new().name("input".to_owned()).spawn(read);
        started.map_err(SystemError).context("cannot start a thread for the input")?;
        let (out, is_shown) = (io::stdout().lock(), output::can_redraw());
        Ok(Dialogue { lines, out, is_typed, is_shown, rescue })
    }

    /// Whether a person types and reads at a terminal that can move its cursor.
    pub fn is_live(&self) -> bool {
        self.is_typed && self.is_shown
    }

    /// Whether a person types.
    pub fn is_typed(&self) -> bool {
        self.is_typed
    }

    /// Lets `write!` and `writeln!` report an [`OutputError`].
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub fn write_fmt(&mut self, text: fmt::Arguments) -> Result<(), OutputError> {
        Ok(self.out.write_fmt(text)?)
    }

    /// Shows what has been written.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        Ok(self.out.flush()?)
    }

    /// The next event, within `patience`.
    ///
    /// # Errors
    /// Returns an error if a stream fails.
    pub fn next(&mut self, patience: Duration) -> Result<Input> {
        if self.rescue.must_end() {
            writeln!(self)?;
            return Ok(Input::End);
        }
        if INTERRUPTED.swap(false, Ordering::Relaxed) {
            writeln!(self)?;
            return Ok(Input::Interrupt);
        }
        let line = match self.lines.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return Ok(Input::Nothing),
            Err(RecvTimeoutError::Disconnected) | Ok(Ok(None)) => {
                writeln!(self)?;
                return Ok(Input::End);
            }
            Ok(line) => line.map_err(SystemError).context("cannot read standard input")?.unwrap_or_default(),
        };
        if !self.is_typed {
            // A terminal shows the typed text; a transcript should show it too.
            let shown: String = line.chars().take(COLUMNS).collect();
            writeln!(self, "{}", visible(&shown))?;
        }
        Ok(Input::Line(line))
    }
}

/// Starts a thread that reports Ctrl-C, and ends the program after a signal to terminate.
#[cfg(unix)]
fn handle_signals(rescue: &Arc<Rescue>) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(SystemError)?;
    let rescue = Arc::clone(rescue);
    let follow = move || {
        for signal in signals.forever() {
            match signal {
                SIGINT => INTERRUPTED.store(true, Ordering::Relaxed),
                _ => rescue.end(|| ()),
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(follow).map_err(SystemError)?;
    Ok(())
}

/// Reports Ctrl-C; other systems do not distinguish it from their signals to terminate.
#[cfg(not(unix))]
fn handle_signals(_: &Arc<Rescue>) -> Result<()> {
    Ok(ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))?)
}

/// The next line of standard input; `None` at its end.
fn read_line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MOST_BYTES).read_until(b'\n', &mut bytes)?;
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    Ok((!bytes.is_empty()).then_some(line))
}
