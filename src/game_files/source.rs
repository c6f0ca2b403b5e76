//! Characters of a file with their lines, read as they are needed.

use std::io::{BufRead, ErrorKind};

use super::{FileError, MAX_GAME};

/// The text of a file, character by character. What is no UTF-8 becomes U+FFFD.
pub(super) struct InputSource<R> {
    input: R,
    peeked: Option<char>,
    /// The line of the next character, from 1.
    pub line: usize,
    /// Bytes that are kept of the current game, about.
    kept: usize,
}

impl<R: BufRead> InputSource<R> {
    pub fn new(input: R) -> InputSource<R> {
        InputSource { input, peeked: None, line: 1, kept: 0 }
    }

    /// The next character, which stays; `None` at the end.
    pub fn peek(&mut self) -> Result<Option<char>, FileError> {
        if self.peeked.is_none() {
            self.peeked = self.decode()?;
        }
        Ok(self.peeked)
    }

    /// Takes the next character; `None` at the end.
    pub fn next(&mut self) -> Result<Option<char>, FileError> {
        let next = self.peek()?;
        self.peeked = None;
        self.line += usize::from(next == Some('\n'));
        Ok(next)
    }

    /// Takes the next character if it is one of those.
    pub fn next_if(&mut self, is_wanted: impl Fn(char) -> bool) -> Result<Option<char>, FileError> {
        match self.peek()? {
            Some(c) if is_wanted(c) => self.next(),
            _ => Ok(None),
        }
    }

    /// Takes blanks, and a mark of byte order, which is none.
    pub fn skip_blanks(&mut self) -> Result<(), FileError> {
        while self.next_if(|c| c.is_whitespace() || c == '\u{feff}')?.is_some() {}
        Ok(())
    }

    /// Adds a character to what is kept of a game.
    pub fn keep(&mut self, text: &mut String, c: char) -> Result<(), FileError> {
        text.push(c);
        self.count(c.len_utf8())
    }

    /// Counts bytes that are kept of a game besides its characters.
    pub fn count(&mut self, bytes: usize) -> Result<(), FileError> {
        self.kept += bytes;
        if self.kept > MAX_GAME {
            let what = format!("a game takes more than {} MiB", MAX_GAME >> 20);
            return Err(FileError::Line(self.line, what));
        }
        Ok(())
    }

    /// Another game begins.
    pub fn begin_game(&mut self) {
        self.kept = 0;
    }

    fn decode(&mut self) -> Result<Option<char>, FileError> {
        let Some(first) = self.byte()? else { return Ok(None) };
        self.input.consume(1);
        let length = match first {
            0..=0x7f => return Ok(Some(char::from(first))),
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Ok(Some(char::REPLACEMENT_CHARACTER)),
        };
        let mut bytes = [first, 0, 0, 0];
        for slot in &mut bytes[1..length] {
            match self.byte()? {
                Some(byte) if byte & 0xc0 == 0x80 => *slot = byte,
                _ => return Ok(Some(char::REPLACEMENT_CHARACTER)),
            }
            self.input.consume(1);
        }
        let text = std::str::from_utf8(&bytes[..length]).unwrap_or("\u{fffd}");
        Ok(text.chars().next())
    }

    /// The next byte, which stays.
    fn byte(&mut self) -> Result<Option<u8>, FileError> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(FileError::Line(self.line, error.to_string())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut source = InputSource::new(bytes);
        std::iter::from_fn(|| source.next().unwrap()).collect()
    }

    #[test]
    fn text_is_decoded_and_what_is_none_is_marked() {
        for sample in ["", "a\u{e9}\u{20ac}\u{1f600}z", "\n\r\n"] {
            assert_eq!(text(sample.as_bytes()), sample);
        }
        assert_eq!(text(b"a\xffb\xc3"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(b"\xe2\x82z"), "\u{fffd}z");
        assert_eq!(text(b"\xed\xa0\x80!"), "\u{fffd}!", "half of a pair");
    }

    #[test]
    fn lines_are_counted_and_games_have_a_bound() {
        let mut source = InputSource::new(&b"a\nb"[..]);
        while source.next().unwrap().is_some() {}
        assert_eq!(source.line, 2);
        let mut kept = String::new();
        let bound = (0..=MAX_GAME).find_map(|_| source.keep(&mut kept, 'x').err());
        assert_eq!(bound.unwrap().to_string(), "line 2: a game takes more than 4 MiB");
    }
}
