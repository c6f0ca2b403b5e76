//! Reads lines of limited length from a stream of bytes and stamps them with the time of reading.

use std::io::{self, BufRead};
use std::time::Instant;

use super::parser::ParseError;

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
}

impl InputLine {
    /// The complete line.
    ///
    /// # Errors
    /// If the line was too long to be stored.
    pub fn text(&self) -> Result<&[u8], ParseError> {
        if self.too_long { Err(ParseError::LineTooLong) } else { Ok(&self.bytes) }
    }
}

/// The next line of `input`, or `None` at its end. The last line needs no line feed.
///
/// # Errors
/// If reading fails for a reason other than an interrupt.
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
            return Ok(seen_any.then(|| InputLine { bytes, too_long, read_at: Instant::now() }));
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
    fn a_long_line_is_swallowed_to_its_end() {
        let mut bytes = vec![b'x'; 1 << 20];
        bytes.extend_from_slice(b"\nEND\n");
        let lines = lines(&bytes);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].bytes.len(), MAX_LINE);
        assert_eq!(lines[0].text(), Err(ParseError::LineTooLong));
        assert_eq!(lines[1].text(), Ok(b"END".as_slice()));
        let just_fits = [[b'x'; MAX_LINE].as_slice(), b"\n"].concat();
        assert!(!super::read_line(&mut just_fits.as_slice()).unwrap().unwrap().too_long);
    }
}
