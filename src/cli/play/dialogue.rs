//! The lines that the person and the program exchange in `play`.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Read, StdinLock, StdoutLock, Write};

use anyhow::{Context, Result};

use super::session::COLUMNS;
use crate::cli::SystemError;
use crate::terminal::output::OutputError;

/// Maximum number of bytes read for a typed line; longer lines are invalid anyway.
const MOST_BYTES: u64 = 4096;

/// Standard input and output. `write!` writes text unchanged: foreign parts must already be visible.
pub struct Dialogue {
    input: StdinLock<'static>,
    out: StdoutLock<'static>,
}

impl Dialogue {
    /// Takes the streams of the process.
    pub fn open() -> Dialogue {
        Dialogue { input: io::stdin().lock(), out: io::stdout().lock() }
    }

    /// Lets `write!` and `writeln!` report an [`OutputError`].
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn write_fmt(&mut self, text: fmt::Arguments) -> Result<(), OutputError> {
        Ok(self.out.write_fmt(text)?)
    }

    /// Shows what has been written.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        Ok(self.out.flush()?)
    }

    /// The next line typed; `None` at the end of input.
    ///
    /// # Errors
    /// If a stream fails.
    pub fn read_line(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes);
        read.map_err(SystemError).context("cannot read standard input")?;
        if bytes.is_empty() {
            writeln!(self)?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if !io::stdin().is_terminal() {
            // A terminal shows the typed text; a transcript should show it too.
            let shown: String = line.chars().take(COLUMNS).flat_map(char::escape_default).collect();
            writeln!(self, "{shown}")?;
        }
        Ok(Some(line))
    }
}
