//! Text that is redrawn in place on a terminal.

use crate::terminal::output::{self, OutputError};

/// The last text that was shown; the next one replaces it.
#[derive(Debug, Default)]
pub struct LiveText {
    /// Number of lines that it takes on the screen.
    lines: usize,
}

impl LiveText {
    /// Shows `text`, which ends with a line break, in place of the previous text. Lines that are wider than
    /// the terminal are truncated, so that each takes one line of the screen.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written. A closed pipe is not an error.
    pub fn show(&mut self, text: &str) -> Result<(), OutputError> {
        let (_, columns) = console::Term::stdout().size();
        let mut frame = String::new();
        let before = std::mem::take(&mut self.lines);
        for line in text.lines() {
            frame += &console::truncate_str(line, usize::from(columns), "");
            frame.push('\n');
            self.lines += 1;
        }
        output::redraw(before, &frame)
    }
}
