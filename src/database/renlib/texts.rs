//! The texts of a node, as bytes of an unknown code page.

use super::format::LINE_BREAK;
use crate::files::CodePage;

/// Texts of a node. Invariant: no text contains a zero byte, and the first line no `08`, so each can be
/// written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    first_line: Vec<u8>,
    other_lines: Vec<u8>,
    board_text: Vec<u8>,
}

impl Texts {
    /// No text at all.
    pub(super) const NONE: &'static Texts =
        &Texts { first_line: Vec::new(), other_lines: Vec::new(), board_text: Vec::new() };

    /// A comment, split as RenLib shows it, and the text on the node's point.
    ///
    /// # Errors
    /// Returns an error if a text contains a byte that would end it in a file.
    pub fn new(first_line: &[u8], other_lines: &[u8], board_text: &[u8]) -> Result<Texts, TextError> {
        if first_line.contains(&LINE_BREAK) {
            return Err(TextError::LineBreak);
        }
        if [first_line, other_lines, board_text].iter().any(|text| text.contains(&0)) {
            return Err(TextError::Zero);
        }
        Ok(Texts {
            first_line: first_line.to_vec(),
            other_lines: other_lines.to_vec(),
            board_text: board_text.to_vec(),
        })
    }

    /// The comment's first line.
    pub fn first_line(&self) -> &[u8] {
        &self.first_line
    }

    /// The rest of the comment; RenLib ends lines with `0D 0A`.
    pub fn other_lines(&self) -> &[u8] {
        &self.other_lines
    }

    /// Text on the node's point in the position before the move.
    pub fn board_text(&self) -> &[u8] {
        &self.board_text
    }

    /// First line, other lines and board text; each may be empty.
    pub fn all(&self) -> [&[u8]; 3] {
        [&self.first_line, &self.other_lines, &self.board_text]
    }

    /// The decoded comment, with lines ended by `\n`.
    pub fn comment(&self, code_page: CodePage) -> String {
        let lines = |bytes| code_page.decode(bytes).replace("\r\n", "\n");
        let mut comment = lines(&self.first_line);
        if !self.other_lines.is_empty() {
            comment.push('\n');
            comment += &lines(&self.other_lines);
        }
        comment
    }

    /// Whether there is a comment.
    pub fn has_comment(&self) -> bool {
        !self.first_line.is_empty() || !self.other_lines.is_empty()
    }

    /// Whether all texts are empty.
    pub fn is_empty(&self) -> bool {
        !self.has_comment() && self.board_text.is_empty()
    }
}

/// A text that a library cannot store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// A zero byte, which ends texts.
    #[error("a text of a RenLib library cannot contain a zero byte")]
    Zero,
    /// A byte `08`, which ends a comment's first line.
    #[error("the first line of a RenLib comment cannot contain the byte 08")]
    LineBreak,
}
