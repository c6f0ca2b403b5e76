//! The optional log file: every line received (`<`) and sent (`>`), with the time since the engine's start.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

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
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (version, process) = (env!("CARGO_PKG_VERSION"), std::process::id());
        let head = format!("# Kakugo {version}, process {process}, {}\n", utc(began));
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

/// Date and time of a number of seconds since 1970: `2026-11-21 05:11:05 UTC`.
fn utc(seconds: u64) -> String {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let second = seconds % 86_400;
    // Years that begin in March end with their leap day. The first of them is the year 0.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month < 3);
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02} UTC")
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

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn seconds_are_dates() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (1_795_237_865, "2026-11-21 05:11:05 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
