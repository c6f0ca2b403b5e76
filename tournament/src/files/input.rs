//! Limits on input size. [`kakugo::files`] does the reading, and reads only regular files.

use std::io::{self, BufRead, Read};

use anyhow::{Result, ensure};

/// Maximum size of a file that is read as a whole, in bytes.
pub const LIMIT: u64 = 1 << 30;
/// Maximum size of a hand-written file, such as a config or a list of openings, in bytes.
pub const SMALL_LIMIT: u64 = 64 << 20;
/// Maximum length of a line, in bytes: a thousand times a typical record.
pub const LINE_LIMIT: u64 = 16 << 20;

/// Maximum memory for the games of one file, in bytes: about a million long games with all details of each
/// move.
const MEMORY_LIMIT: usize = 4 << 30;

/// The memory that the games of one file may still use. A game of a few bytes in the file takes hundreds of
/// bytes in memory.
#[derive(Debug)]
pub struct MemoryBudget(usize);

impl Default for MemoryBudget {
    fn default() -> MemoryBudget {
        MemoryBudget(MEMORY_LIMIT)
    }
}

impl MemoryBudget {
    /// Reserves `bytes` bytes for a game.
    ///
    /// # Errors
    /// Returns an error if the limit is exceeded.
    pub fn take(&mut self, bytes: usize) -> Result<()> {
        ensure!(bytes <= self.0, "its games need more than {} GiB of memory", MEMORY_LIMIT >> 30);
        self.0 -= bytes;
        Ok(())
    }
}

/// The next line, with its line end if it has one; empty after the last line.
///
/// # Errors
/// Returns an error if the line cannot be read or is longer than [`LINE_LIMIT`].
pub fn next_line(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    source.by_ref().take(LINE_LIMIT + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > LINE_LIMIT {
        let error = format!("a line is longer than {} MiB", LINE_LIMIT >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_a_bound() {
        let mut budget = MemoryBudget::default();
        assert!((0..4).all(|_| budget.take((1 << 30) - 1).is_ok()));
        assert!(budget.take(4).is_ok());
        assert_eq!(budget.take(1).unwrap_err().to_string(), "its games need more than 4 GiB of memory");
    }

    #[test]
    fn lines_have_a_bound() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(next_line(&mut endless).unwrap_err().to_string(), "a line is longer than 16 MiB");
        let mut lines = &b"a\nb"[..];
        let mut next = || next_line(&mut lines).unwrap();
        assert_eq!((next(), next(), next()), (b"a\n".to_vec(), b"b".to_vec(), Vec::new()));
    }
}
