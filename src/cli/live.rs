//! Text that is redrawn in place on a terminal.

use std::io::{self, Write};

use crate::output;

/// Moves the cursor to the beginning of the line this number of lines above.
const UP: &str = "\x1b[{}F";
/// Erases from the cursor to the end of the screen.
const ERASE_BELOW: &str = "\x1b[J";

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
    pub fn show(&mut self, text: &str) -> io::Result<()> {
        let (_, columns) = console::Term::stdout().size();
        let mut frame = String::new();
        if self.lines > 0 {
            frame += &UP.replace("{}", &self.lines.to_string());
            frame += ERASE_BELOW;
        }
        self.lines = 0;
        for line in text.lines() {
            frame += &console::truncate_str(line, usize::from(columns), "");
            frame.push('\n');
            self.lines += 1;
        }
        output::print(&frame)?;
        io::stdout().flush()
    }
}
