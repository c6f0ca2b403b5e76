//! The optional log file: every line received (`<`) and sent (`>`), with the time since the engine's start.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::input::InputLine;
use super::text::one_line;
use crate::files::never_block;
use crate::system::host::Instant;

/// Maximum number of characters logged per line.
const LOGGED: usize = 1000;

/// A log file, or no log.
#[derive(Debug)]
pub struct Log {
    file: Option<File>,
    started: Instant,
}

impl Log {
    /// A log that records nothing.
    pub fn none() -> Log {
        Log { file: None, started: Instant::now() }
    }

    /// Opens `path` for appending, because managers start an engine once per game.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, is a pipe without a reader, or is `-`, which elsewhere stands
    /// for standard output.
    pub fn open(path: &Path) -> io::Result<Log> {
        if path.as_os_str() == "-" {
            return Err(io::Error::other("standard output carries the protocol; ./- is a file of this name"));
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // A pipe with a slow reader could block the engine, possibly forever. Entries that do not fit are
        // dropped.
        never_block(&mut options);
        let opened = options.open(path);
        if opened.is_err() && is_pipe(path) {
            return Err(io::Error::other("it is a pipe without a reader"));
        }
        let mut file = opened?;
        // In one write, so that two engines with the same log do not mix their lines.
        let head = format!("# Kakugo {}, process {}\n", env!("CARGO_PKG_VERSION"), std::process::id());
        file.write_all(head.as_bytes())?;
        Ok(Log { file: Some(file), started: Instant::now() })
    }

    /// Logs a received line with the time at which it was read.
    pub fn incoming(&mut self, line: &InputLine) {
        if self.file.is_some() {
            let text = String::from_utf8_lossy(line.bytes.strip_suffix(b"\r").unwrap_or(&line.bytes));
            self.write('<', &text, line.read_at);
        }
    }

    /// Logs a line that is sent now.
    pub fn outgoing(&mut self, line: &str) {
        self.write('>', line, Instant::now());
    }

    fn write(&mut self, mark: char, text: &str, at: Instant) {
        if let Some(file) = &mut self.file {
            let seconds = at.saturating_duration_since(self.started).as_secs_f64();
            let entry = format!("+{seconds:.3}s {mark} {}\n", one_line(text, LOGGED));
            // A full disk must not lose a game; the log has gaps instead.
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
