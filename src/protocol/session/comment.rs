//! The comment of a position as boards write it: `YXEDITTEXTDATABASE "text"` with line ends in the text, and
//! the first stone of the block, or `DONE`, directly after the quote.

use std::borrow::Cow;

use super::Session;
use crate::protocol::command::Command;
use crate::protocol::input::{InputLine, MAX_LINE};
use crate::protocol::parser::{self, Quotation};

impl Session {
    /// The line together with the comment that it completes; `None` if the comment continues.
    pub(super) fn gather_comment<'a>(&mut self, line: &'a InputLine) -> Option<Cow<'a, InputLine>> {
        // In a line that is too long, the end of the quote is unknown.
        let may_go_on = !line.too_long;
        let line = match self.open_comment.take() {
            Some(_) if begins_or_ends(line) => Cow::Borrowed(line),
            Some(comment) => Cow::Owned(joined(comment, line)),
            None => Cow::Borrowed(line),
        };
        if may_go_on && parser::quotation(&line.bytes) == Some(Quotation::Open) {
            self.open_comment = Some(line.into_owned());
            return None;
        }
        Some(line)
    }
}

/// Whether the manager exits or begins another game; then the comment is discarded without waiting for the
/// quote.
fn begins_or_ends(line: &InputLine) -> bool {
    let command = parser::parse(&line.bytes);
    matches!(command, Ok(Some(Command::End | Command::Start(_) | Command::Restart)))
}

/// The comment with one more line. If it is too long, only the last line is kept, to find the closing quote.
fn joined(mut comment: InputLine, line: &InputLine) -> InputLine {
    comment.too_long |= line.too_long || comment.bytes.len() + line.bytes.len() >= MAX_LINE;
    if comment.too_long {
        comment.bytes = b"YXEDITTEXTDATABASE \"".to_vec();
    } else {
        if comment.bytes.ends_with(b"\r") {
            comment.bytes.pop();
        }
        comment.bytes.push(b'\n');
    }
    comment.bytes.extend_from_slice(&line.bytes);
    comment.read_at = line.read_at;
    comment
}

/// A line split after its comment: the command with the comment, and the rest.
pub(super) fn cut(line: &InputLine) -> (Option<Cow<'_, InputLine>>, Option<Cow<'_, InputLine>>) {
    let Some(Quotation::Closed(end)) = parser::quotation(&line.bytes) else {
        return (None, Some(Cow::Borrowed(line)));
    };
    let part = |bytes: &[u8], too_long| Cow::Owned(InputLine { bytes: bytes.to_vec(), too_long, ..*line });
    let behind = line.bytes[end..].trim_ascii();
    (Some(part(&line.bytes[..end], line.too_long)), (!behind.is_empty()).then(|| part(behind, false)))
}
