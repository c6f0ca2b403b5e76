//! The optional log file: every line in (`<`) and out (`>`), with the time since the engine's start.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use super::input::InputLine;
use super::text::one_line;
use crate::files::never_block;

/// Most characters of a line that are logged.
const LOGGED: usize = 1000;

/// A log file, or none.
#[derive(Debug)]
pub struct Log {
    file: Option<File>,
    started: Instant,
}

impl Log {
    /// A log that keeps nothing.
    pub fn none() -> Log {
        Log { file: None, started: Instant::now() }
    }

    /// Opens `path`, adding to what is there: managers start an engine once per game.
    ///
    /// # Errors
    /// When the file can't be written, or is a pipe that nobody reads.
    pub fn open(path: &Path) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // A pipe whose reader is slow would hold up the engine, for ever perhaps. What does not fit is left out.
        never_block(&mut options);
        let opened = options.open(path);
        if opened.is_err() && is_pipe(path) {
            return Err(io::Error::other("it is a pipe that nobody reads"));
        }
        let mut file = opened?;
        // In one write, so that two engines with one log do not mix their words.
        let head = format!("# Kakugo {}, process {}\n", env!("CARGO_PKG_VERSION"), std::process::id());
        file.write_all(head.as_bytes())?;
        Ok(Log { file: Some(file), started: Instant::now() })
    }

    /// A line that came, at the moment when it was read.
    pub fn incoming(&mut self, line: &InputLine) {
        if self.file.is_some() {
            let text = String::from_utf8_lossy(line.bytes.strip_suffix(b"\r").unwrap_or(&line.bytes));
            self.write('<', &text, line.read_at);
        }
    }

    /// A line that goes, now.
    pub fn outgoing(&mut self, line: &str) {
        self.write('>', line, Instant::now());
    }

    fn write(&mut self, mark: char, text: &str, at: Instant) {
        if let Some(file) = &mut self.file {
            let seconds = at.saturating_duration_since(self.started).as_secs_f64();
            let entry = format!("+{seconds:.3}s {mark} {}\n", one_line(text, LOGGED));
            // A full disk must not lose a game: the log then has gaps.
            let _ = file.write_all(entry.as_bytes());
        }
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;

    path.metadata().is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
