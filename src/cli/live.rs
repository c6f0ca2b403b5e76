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
    /// the terminal are truncated, so that each takes one line of the screen. If the text is higher than the
    /// terminal, only its end is shown, because lines that have scrolled away cannot be replaced.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written. A closed pipe is not an error.
    pub fn show(&mut self, text: &str) -> Result<(), OutputError> {
        let (height, _) = console::Term::stdout().size();
        let shown = end_of(text, usize::from(height));
        output::redraw(self.replaced_by(shown.len()), &frame(&shown))
    }

    /// Shows the whole of `text`, of any height, in place of the previous text; it is not replaced any more.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written. A closed pipe is not an error.
    pub fn finish(&mut self, text: &str) -> Result<(), OutputError> {
        let lines: Vec<&str> = text.lines().collect();
        output::redraw(self.replaced_by(0), &frame(&lines))
    }

    /// Makes the next text replace one more line, because the terminal has shown a line that was typed below the text.
    pub fn line_typed(&mut self) {
        self.lines += 1;
    }

    /// Number of lines to replace by a text of `lines` lines.
    fn replaced_by(&mut self, lines: usize) -> usize {
        std::mem::replace(&mut self.lines, lines)
    }
}

/// The last lines of `text` that fit on a terminal with this number of lines. The cursor needs one of them.
fn end_of(text: &str, height: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let most = height.saturating_sub(1).max(1);
    lines[lines.len().saturating_sub(most)..].to_vec()
}

/// The lines, truncated to the width of the terminal.
fn frame(lines: &[&str]) -> String {
    let (_, columns) = console::Term::stdout().size();
    let fitting = |line: &&str| console::truncate_str(line, usize::from(columns), "").into_owned() + "\n";
    lines.iter().map(fitting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_line_is_replaced_with_the_text() {
        let mut live = LiveText::default();
        assert_eq!(live.replaced_by(3), 0);
        live.line_typed();
        assert_eq!(live.replaced_by(5), 4);
        assert_eq!(live.replaced_by(0), 5, "only once");
    }

    #[test]
    fn only_lines_that_fit_on_the_terminal_are_redrawn() {
        let text = "a\nb\n\nc\n";
        assert_eq!(end_of(text, 24), ["a", "b", "", "c"]);
        assert_eq!(end_of(text, 5), ["a", "b", "", "c"]);
        assert_eq!(end_of(text, 4), ["b", "", "c"], "the cursor is below the text");
        assert_eq!(end_of(text, 1), ["c"]);
        assert_eq!(end_of(text, 0), ["c"], "the height is unknown");
        assert!(end_of("", 24).is_empty());
    }
}
