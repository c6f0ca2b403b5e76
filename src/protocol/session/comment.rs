//! The comment of a position as boards write it: `YXEDITTEXTDATABASE "text"` with line ends in the text, and
//! the first stone of the block, or `DONE`, directly after the quote.

use std::borrow::Cow;

use crate::protocol::input::{InputLine, MAX_LINE};
use crate::protocol::parser::{self, Quotation};
use crate::system::host::Instant;

/// Joins the lines of a comment, and splits a line after its comment.
#[derive(Default)]
pub(super) struct Comments {
    /// The lines so far of a comment whose quote is still open.
    open: Option<OpenComment>,
}

/// The lines so far of a comment, with its command.
struct OpenComment {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Comments {
    /// The lines to handle: none if a comment continues, and two if its last line has more than the comment.
    pub(super) fn split<'a>(&mut self, line: &'a InputLine) -> [Option<Cow<'a, InputLine>>; 2] {
        let open = self.open.take().filter(|_| !line.ends_comment());
        let joined = open.map(|comment| comment.with(line));
        let bytes = joined.as_ref().map_or(&line.bytes, |joined| &joined.bytes);
        match (parser::quotation(bytes), joined) {
            // In a line that is too long, the end of the quote is unknown.
            (Some(Quotation::Open), joined) if !line.too_long => {
                self.open = Some(joined.unwrap_or_else(|| OpenComment::of(line)));
                [None, None]
            }
            (Some(Quotation::Closed(end)), None) if line.bytes[end..].trim_ascii().is_empty() => {
                [Some(Cow::Borrowed(line)), None]
            }
            (Some(Quotation::Closed(end)), joined) => {
                joined.unwrap_or_else(|| OpenComment::of(line)).cut(end, line.read_at)
            }
            (_, Some(joined)) => [Some(joined.into_line(line.read_at)), None],
            (_, None) => [Some(Cow::Borrowed(line)), None],
        }
    }
}

impl OpenComment {
    fn of(line: &InputLine) -> OpenComment {
        OpenComment { bytes: line.bytes.clone(), too_long: line.too_long }
    }

    /// The comment with one more line. If it is too long, only the last line is kept, to find the closing quote.
    fn with(mut self, line: &InputLine) -> OpenComment {
        self.too_long |= line.too_long || self.bytes.len() + line.bytes.len() >= MAX_LINE;
        if self.too_long {
            self.bytes = b"YXEDITTEXTDATABASE \"".to_vec();
        } else {
            if self.bytes.ends_with(b"\r") {
                self.bytes.pop();
            }
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(&line.bytes);
        self
    }

    /// The command with the comment, and the rest of the line after the quote, which ends before `end`.
    fn cut<'a>(mut self, end: usize, read_at: Instant) -> [Option<Cow<'a, InputLine>>; 2] {
        let behind = self.bytes.split_off(end).trim_ascii().to_vec();
        let behind = (!behind.is_empty()).then(|| Cow::Owned(InputLine::new(behind, false, read_at)));
        [Some(self.into_line(read_at)), behind]
    }

    fn into_line<'a>(self, read_at: Instant) -> Cow<'a, InputLine> {
        Cow::Owned(InputLine::new(self.bytes, self.too_long, read_at))
    }
}
