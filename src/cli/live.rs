//! Text that is redrawn in place on a terminal.

use crate::terminal::output::{self, OutputError};

/// The last text that was shown; the next one takes its place.
#[derive(Debug, Default)]
pub struct LiveText {
    /// Lines of the screen that it takes.
    lines: usize,
}

impl LiveText {
    /// Shows `text`, which ends with a line break, in the place of the text before. Lines that are wider than the terminal
    /// are cut, so that they take one line of the screen.
    ///
    /// # Errors
    /// When standard output can't be written. A closed pipe is not an error.
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
