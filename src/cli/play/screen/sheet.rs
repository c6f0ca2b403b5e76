//! A text shown over the board: the keys, the commands, a review.

use std::cell::Cell;

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use crate::terminal::output;

/// Number of lines that a page key scrolls.
const PAGE: usize = 10;
/// Columns by which the rest of a divided line is indented.
const INDENT: usize = 4;
/// The border where only ASCII characters can be drawn.
const ASCII_BORDER: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// A text shown over the board.
pub struct Sheet {
    lines: Vec<String>,
    /// Number of lines above the visible part.
    above: usize,
    /// The maximum of `above` on the screen as it was last drawn; 0 if all lines fit.
    most_above: Cell<usize>,
}

impl Sheet {
    /// The beginning of `text`, which has no styles.
    pub fn new(text: &str) -> Sheet {
        let lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
        let most_above = Cell::new(lines.len().saturating_sub(1));
        Sheet { lines, above: 0, most_above }
    }

    /// Scrolls; returns `false` if the key closes the sheet.
    pub fn turn_page(&mut self, code: KeyCode) -> bool {
        let most = self.most_above.get();
        let above = self.above.min(most);
        let above = match code {
            // There is nothing to scroll.
            _ if most == 0 => return false,
            KeyCode::Down => above + 1,
            KeyCode::Up => above.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => above + PAGE,
            KeyCode::PageUp => above.saturating_sub(PAGE),
            _ => return false,
        };
        self.above = above.min(most);
        true
    }

    /// Draws the visible part with a border, in ASCII if the terminal `is_ascii`, at the top left of `area`.
    pub fn draw(&self, frame: &mut Frame, area: Rect, is_ascii: bool) {
        let room = usize::from(area.width.saturating_sub(2));
        let lines: Vec<String> = self.lines.iter().flat_map(|line| wrapped(line, room)).collect();
        let width = lines.iter().map(|line| output::width(line)).max().unwrap_or(0);
        let side = |length: usize, most: u16| u16::try_from(length + 2).unwrap_or(most).min(most);
        let (width, height) = (side(width, area.width), side(lines.len(), area.height));
        let place = Rect { width, height, ..area };
        let most_above = lines.len().saturating_sub(usize::from(height.saturating_sub(2)));
        self.most_above.set(most_above);
        let above = self.above.min(most_above);
        let title = if most_above > 0 { " up, down; another key closes " } else { " a key closes " };
        let shown: Vec<Line> = lines.into_iter().skip(above).map(Line::raw).collect();
        let block = Block::bordered().border_set(if is_ascii { ASCII_BORDER } else { border::PLAIN });
        frame.render_widget(Clear, place);
        frame.render_widget(Paragraph::new(shown).block(block.title(title)), place);
    }
}

/// The lines that `text` takes on this number of columns: divided at blanks where this is possible, and indented after
/// the first.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut rest, mut indent) = (Vec::new(), text.trim_end(), String::new());
    while output::width(rest) + indent.len() > columns && !rest.is_empty() {
        let fitting = fitting(rest, columns.saturating_sub(indent.len()));
        let follows_text = |&at: &usize| !rest[..at].trim().is_empty();
        let end = match rest[fitting..].starts_with(' ') {
            true => fitting,
            false => rest[..fitting].rfind(' ').filter(follows_text).unwrap_or(fitting),
        };
        lines.push(format!("{indent}{}", rest[..end].trim_end()));
        rest = rest[end..].trim_start();
        indent = " ".repeat(INDENT);
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(indent + rest);
    }
    lines
}

/// Length in bytes of the first characters of `text` that fit into `columns`, at least of one.
fn fitting(text: &str, columns: usize) -> usize {
    let mut ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
    let first = ends.next().unwrap_or(0);
    let (mut last, mut used) = (first, output::width(&text[..first]));
    for end in ends {
        used += output::width(&text[last..end]);
        if used > columns {
            break;
        }
        last = end;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_divided_at_blanks() {
        assert_eq!(wrapped("h8 i9", 5), ["h8 i9"]);
        assert_eq!(wrapped("h8 i9 j10 k11", 9), ["h8 i9 j10", "    k11"]);
        assert_eq!(wrapped("h8 i9 j10 k11", 10), ["h8 i9 j10", "    k11"]);
        assert_eq!(wrapped("   1 h8 mistake", 11), ["   1 h8", "    mistake"]);
        assert_eq!(wrapped("abcdefgh", 6), ["abcdef", "    gh"]);
        assert_eq!(wrapped("漢漢漢", 4), ["漢漢", "    漢"]);
        assert_eq!(wrapped("", 5), [""]);
        // Even on no columns it comes to an end.
        assert_eq!(wrapped("ab", 0), ["a", "    b"]);
    }
}
