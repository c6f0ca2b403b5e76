//! Reads lines of limited length from a stream of bytes, stamps them with the time of reading, and parses each
//! once: its command travels with its text.

use std::io::{self, BufRead};

use super::command::{BlockKind, Command};
use super::parser::{self, ParseError, Quotation};
use crate::system::host::Instant;

/// Longest line that is stored, in bytes, far above the length of any command.
pub const MAX_LINE: usize = 64 * 1024;

/// One line, without its line feed.
#[derive(Clone, Debug)]
pub struct InputLine {
    /// The bytes, at most [`MAX_LINE`]: the beginning of a longer line.
    pub bytes: Vec<u8>,
    /// Whether the line was longer; the rest is discarded.
    pub too_long: bool,
    /// Time at which the end of the line was read; the manager's clock starts at about this time.
    pub read_at: Instant,
    /// Whether the line is part of a comment, even if it looks like a command.
    is_text: bool,
    parsed: Parsed,
}

/// Result of parsing a line; small, because thousands of lines may wait.
#[derive(Clone, Debug)]
enum Parsed {
    Blank,
    Command(Box<Command>),
    /// The line does not begin with a command, like a stone of a block.
    NoCommand,
    /// The arguments of the command are invalid.
    Invalid(Box<ParseError>),
}

impl InputLine {
    /// Maximum total length of the texts in an error, in bytes: it quotes the key and the value of the line,
    /// escaped and clipped.
    const ERROR: usize = 512;

    /// A line, parsed.
    pub fn new(bytes: Vec<u8>, too_long: bool, read_at: Instant) -> InputLine {
        let parsed = match parser::parse(if too_long { b"" } else { &bytes }) {
            Ok(None) if too_long => Parsed::NoCommand,
            Ok(None) => Parsed::Blank,
            Ok(Some(command)) => Parsed::Command(Box::new(command)),
            Err(ParseError::UnknownCommand(_)) => Parsed::NoCommand,
            Err(error) => Parsed::Invalid(Box::new(error)),
        };
        InputLine { bytes, too_long, read_at, is_text: false, parsed }
    }

    /// The line without the byte order mark that some programs write at the beginning of a text.
    pub fn without_mark(self) -> InputLine {
        match self.bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(text) => InputLine::new(text.to_vec(), self.too_long, self.read_at),
            None => self,
        }
    }

    /// The command on the line; `None` when the line is blank.
    ///
    /// # Errors
    /// Returns an error if the line is not a command or its arguments are invalid.
    pub fn command(&self) -> Result<Option<Command>, ParseError> {
        match &self.parsed {
            Parsed::Blank => Ok(None),
            Parsed::Command(command) => Ok(Some(Command::clone(command))),
            Parsed::NoCommand if self.too_long => Err(ParseError::LineTooLong),
            Parsed::NoCommand => Err(parser::unknown_command(&self.bytes)),
            Parsed::Invalid(error) => Err(ParseError::clone(error)),
        }
    }

    /// Whether the line is a command for which `is_wanted` is true.
    pub fn is(&self, is_wanted: impl FnOnce(&Command) -> bool) -> bool {
        matches!(&self.parsed, Parsed::Command(command) if is_wanted(command))
    }

    /// Whether the line is `END`.
    pub fn is_end(&self) -> bool {
        self.is(|command| matches!(command, Command::End))
    }

    /// Whether the line is `YXSTOP`.
    pub fn is_stop(&self) -> bool {
        !self.is_text && self.is(|command| matches!(command, Command::Stop))
    }

    /// Whether the line is `ABOUT`.
    pub fn is_about(&self) -> bool {
        !self.is_text && self.is(|command| matches!(command, Command::About))
    }

    /// Whether the manager exits or begins another game; then a comment is discarded without waiting for its
    /// closing quote.
    pub fn ends_comment(&self) -> bool {
        self.is(|command| matches!(command, Command::End | Command::Start(_) | Command::Restart))
    }

    /// Marks the line as text if the lines before it end `in_comment`; returns whether the lines up to this one do.
    pub fn mark_text(&mut self, in_comment: bool) -> bool {
        self.is_text = in_comment && !self.ends_comment();
        let is_open = if self.is_text {
            parser::closing_quote(&self.bytes).is_none()
        } else {
            parser::quotation(&self.bytes) == Some(Quotation::Open)
        };
        // In a line that is too long, the end of the quote is unknown.
        is_open && !self.too_long
    }

    /// Maximum number of bytes of the text and of its parsed form.
    pub fn heap_bytes(&self) -> usize {
        let parsed = match &self.parsed {
            Parsed::Blank | Parsed::NoCommand => 0,
            Parsed::Command(command) => size_of::<Command>() + InputLine::copied(command) * self.bytes.len(),
            Parsed::Invalid(_) => size_of::<ParseError>() + InputLine::ERROR,
        };
        self.bytes.capacity() + parsed
    }

    /// Maximum number of bytes that the command keeps per byte of its line.
    fn copied(command: &Command) -> usize {
        match command {
            // A path, a name or a comment, in which each invalid byte becomes a character of three bytes.
            Command::File(..) | Command::Info(_) | Command::Open(BlockKind::Database(_)) => 3,
            _ => 0,
        }
    }
}

/// The next line of `input`, or `None` at its end. The last line needs no line feed.
///
/// # Errors
/// Returns an error if reading fails for a reason other than an interrupt.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    let mut seen_any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        seen_any |= !chunk.is_empty();
        let kept = part.len().min(MAX_LINE - bytes.len());
        bytes.extend_from_slice(&part[..kept]);
        too_long |= kept < part.len();
        let (used, closed) = (part.len() + usize::from(end.is_some()), chunk.is_empty());
        input.consume(used);
        if end.is_some() || closed {
            return Ok(seen_any.then(|| InputLine::new(bytes, too_long, Instant::now())));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Reads everything through a buffer so small that lines are split.
    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end() {
        let texts: Vec<_> =
            lines(b"START 15\r\n\nABOUT\n\xff\0END").into_iter().map(|line| line.bytes).collect();
        assert_eq!(texts, [b"START 15\r".as_slice(), b"", b"ABOUT", b"\xff\0END"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_byte_order_mark_is_removed() {
        for (text, plain) in
            [("\u{feff}START 15", "START 15"), ("\u{feff}", ""), ("END\u{feff}", "END\u{feff}")]
        {
            let line = InputLine::new(text.as_bytes().to_vec(), false, Instant::now()).without_mark();
            assert_eq!(line.bytes, plain.as_bytes());
            assert_eq!(line.command(), parser::parse(plain.as_bytes()));
        }
    }

    #[test]
    fn a_long_line_is_swallowed_to_its_end() {
        let mut bytes = vec![b'x'; 1 << 20];
        bytes.extend_from_slice(b"\nEND\n");
        let lines = lines(&bytes);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].bytes.len(), MAX_LINE);
        assert_eq!(lines[0].command(), Err(ParseError::LineTooLong));
        assert!(lines[1].is_end());
        let just_fits = [[b'x'; MAX_LINE].as_slice(), b"\n"].concat();
        assert!(!super::read_line(&mut just_fits.as_slice()).unwrap().unwrap().too_long);
    }
}
