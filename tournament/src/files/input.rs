//! Bounds of what is read. [`kakugo::files`] reads, and regular files alone.

use std::io::{self, BufRead, Read};

use anyhow::{Result, ensure};

/// Most bytes of a file that is taken in as a whole.
pub const LIMIT: u64 = 1 << 30;
/// Most bytes of a file that people write: a config, a list of openings.
pub const SMALL_LIMIT: u64 = 64 << 20;
/// Most bytes of one line: a thousand times what a record takes.
pub const LINE_LIMIT: u64 = 16 << 20;

/// Most bytes of memory for the games of one file: a million long ones with all that is told of each move.
const MEMORY_LIMIT: usize = 4 << 30;

/// The memory that the games of one file may still take. A game of a few bytes in a file takes hundreds in memory.
#[derive(Debug)]
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Budget {
        Budget(MEMORY_LIMIT)
    }
}

impl Budget {
    /// Takes a game of so many bytes in memory.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn take(&mut self, bytes: usize) -> Result<()> {
        ensure!(bytes <= self.0, "its games take more than {} GiB of memory", MEMORY_LIMIT >> 30);
        self.0 -= bytes;
        Ok(())
    }
}

/// The next line with its end, if it has one; empty after the last.
///
/// # Errors
/// When it cannot be read, or is longer than [`LINE_LIMIT`].
pub fn next_line(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    source.by_ref().take(LINE_LIMIT + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > LINE_LIMIT {
        let error = format!("a line of it has more than {} MiB", LINE_LIMIT >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_a_bound() {
        let mut budget = Budget::default();
        assert!((0..4).all(|_| budget.take((1 << 30) - 1).is_ok()));
        assert!(budget.take(4).is_ok());
        assert_eq!(budget.take(1).unwrap_err().to_string(), "its games take more than 4 GiB of memory");
    }

    #[test]
    fn lines_have_a_bound() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(next_line(&mut endless).unwrap_err().to_string(), "a line of it has more than 16 MiB");
        let mut lines = &b"a\nb"[..];
        let mut next = || next_line(&mut lines).unwrap();
        assert_eq!((next(), next(), next()), (b"a\n".to_vec(), b"b".to_vec(), Vec::new()));
    }
}
