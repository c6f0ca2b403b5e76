//! The characters of a file with their lines, read on demand.
//!
//! The bytes of the current game stay in memory, up to [`MAX_GAME`], so that it can be read again in another
//! code page.

use std::io::{BufRead, ErrorKind};

use super::{FileError, MAX_GAME};
use crate::files::{CodePage, Utf8Reader};

/// Number of bytes beyond the current game that are read to detect a code page.
pub(super) const LOOKAHEAD: usize = 1 << 18;
/// Maximum number of bytes read at a time.
const PIECE: usize = 1 << 16;
/// Maximum number of bytes of a character.
const LONGEST_CHARACTER: usize = 4;

/// The text of a file, character by character.
pub(super) struct InputSource<R> {
    input: Utf8Reader<R>,
    /// Bytes that have been read; the current game starts at `begin`.
    bytes: Vec<u8>,
    begin: usize,
    /// Number of bytes that are no longer in memory.
    dropped: usize,
    /// Index of the next byte.
    at: usize,
    /// Whether the current game is in memory from its beginning.
    holds_game: bool,
    /// The code page of the following characters.
    pub page: CodePage,
    /// Whether bytes that are invalid in the code page are an error. Otherwise they are read as Windows-1252,
    /// in which every byte is a character, so that different texts stay different.
    pub is_strict: bool,
    /// Offset in the game after which nothing more is read.
    pub limit: usize,
    /// Maximum number of bytes that are stored for a game.
    pub most: usize,
    peeked: [Option<char>; 2],
    /// Number of bytes of the last decoded character.
    last_length: usize,
    /// The line of the next character, from 1.
    pub line: usize,
    first_line: usize,
    /// Approximate number of bytes stored for the current game.
    kept: usize,
    /// Findings in the current game, in this code page.
    pub findings: Findings,
}

/// A position in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    offset: usize,
    line: usize,
}

/// Findings about the non-ASCII bytes of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// There are non-ASCII bytes.
    pub has_others: bool,
    /// Some are invalid in the code page.
    pub is_malformed: bool,
    /// A `[`, `]` or `\` may belong to the byte before it.
    pub is_doubtful: bool,
    /// There are half-width Japanese letters, which result from Chinese text read as Shift JIS.
    pub has_narrow: bool,
    /// It was not read to its end because of a limit.
    pub is_cut: bool,
    /// It takes more than [`InputSource::most`].
    pub is_too_long: bool,
}

impl<R: BufRead> InputSource<R> {
    pub fn new(input: R) -> InputSource<R> {
        InputSource {
            input: Utf8Reader::new(input),
            bytes: Vec::new(),
            begin: 0,
            dropped: 0,
            at: 0,
            holds_game: true,
            page: CodePage::UTF_8,
            is_strict: false,
            limit: usize::MAX,
            most: MAX_GAME,
            peeked: [None; 2],
            last_length: 0,
            line: 1,
            first_line: 1,
            kept: 0,
            findings: Findings::default(),
        }
    }

    /// The next character, without consuming it; `None` at the end.
    pub fn peek(&mut self) -> Result<Option<char>, FileError> {
        if self.peeked[0].is_none() {
            self.peeked = self.decode()?;
        }
        Ok(self.peeked[0])
    }

    /// Reads the next character; `None` at the end.
    pub fn next(&mut self) -> Result<Option<char>, FileError> {
        let next = self.peek()?;
        self.peeked = [self.peeked[1], None];
        self.line += usize::from(next == Some('\n'));
        Ok(next)
    }

    /// Reads the next character if `is_wanted` accepts it.
    pub fn next_if(&mut self, is_wanted: impl Fn(char) -> bool) -> Result<Option<char>, FileError> {
        match self.peek()? {
            Some(c) if is_wanted(c) => self.next(),
            _ => Ok(None),
        }
    }

    /// Skips blanks, and a byte order mark.
    pub fn skip_blanks(&mut self) -> Result<(), FileError> {
        while self.next_if(|c| c.is_whitespace() || c == '\u{feff}')?.is_some() {}
        Ok(())
    }

    /// Appends a character to a stored text of the game.
    pub fn keep(&mut self, text: &mut String, c: char) -> Result<(), FileError> {
        text.push(c);
        self.count(c.len_utf8())
    }

    /// Counts stored bytes of a game apart from its characters.
    pub fn count(&mut self, bytes: usize) -> Result<(), FileError> {
        self.kept += bytes;
        if self.kept > self.most { Err(self.too_long()) } else { Ok(()) }
    }

    /// Takes back bytes that were counted for something that is not stored after all.
    pub fn uncount(&mut self, bytes: usize) {
        self.kept -= bytes;
    }

    /// Begins a new game with the next character.
    pub fn begin_game(&mut self) {
        self.begin = self.next_at();
        self.holds_game = true;
        self.first_line = self.line;
        self.rewind();
    }

    /// Offset of the next character; a peeked character is read again from there.
    fn next_at(&self) -> usize {
        if self.peeked[0].is_some() { self.at - self.last_length } else { self.at }
    }

    /// Returns to the beginning of the game; `false` if it is no longer in memory.
    pub fn rewind(&mut self) -> bool {
        if self.holds_game {
            (self.at, self.line) = (self.begin, self.first_line);
            (self.peeked, self.kept, self.findings) = ([None; 2], 0, Findings::default());
        }
        self.holds_game
    }

    /// The position of the next character in the game.
    pub fn place(&self) -> Place {
        Place { offset: self.dropped + self.next_at(), line: self.line }
    }

    /// Returns to a position in the current game.
    ///
    /// # Errors
    /// Returns an error if the position is no longer in memory, because too much has been skipped since then.
    pub fn return_to(&mut self, place: Place) -> Result<(), FileError> {
        let at = place.offset.checked_sub(self.dropped).filter(|&at| at >= self.begin);
        let Some(at) = at else { return Err(self.too_long()) };
        (self.at, self.line, self.peeked) = (at, place.line, [None; 2]);
        Ok(())
    }

    /// The error if the game takes too much memory.
    pub fn too_long(&mut self) -> FileError {
        self.findings.is_too_long = true;
        FileError::Line(self.line, format!("a game takes more than {} MiB", self.most >> 20))
    }

    /// Continues at an offset from the beginning of the game, which must be in memory.
    pub fn skip_to(&mut self, offset: usize) {
        self.rewind();
        let to = (self.begin + offset).min(self.bytes.len());
        self.line += self.bytes[self.begin..to].iter().filter(|&&byte| byte == b'\n').count();
        self.at = to;
    }

    /// Number of bytes of the game that have been read.
    pub fn read_of_game(&self) -> usize {
        self.at - self.begin
    }

    /// Whether the game is in memory from its beginning.
    pub fn holds_game(&self) -> bool {
        self.holds_game
    }

    /// Whether the bytes could be read differently in another code page. The code page of UTF-16 is certain.
    pub fn may_be_another(&self) -> bool {
        !self.input.is_utf16()
    }

    /// Bytes from the beginning of the game: everything read, followed by up to `more` bytes.
    pub fn game_bytes(&mut self, more: usize) -> Result<&[u8], FileError> {
        while self.bytes.len() < self.at + more && self.fill()? {}
        Ok(&self.bytes[self.begin..])
    }

    fn decode(&mut self) -> Result<[Option<char>; 2], FileError> {
        let Some(first) = self.byte()? else { return Ok([None; 2]) };
        if first.is_ascii() {
            let is_mark = matches!(first, b'[' | b'\\' | b']');
            self.findings.is_doubtful |=
                is_mark && self.at > self.begin && !self.bytes[self.at - 1].is_ascii();
            (self.at, self.last_length) = (self.at + 1, 1);
            return Ok([Some(char::from(first)), None]);
        }
        self.findings.has_others = true;
        while self.bytes.len() < self.at + LONGEST_CHARACTER && self.fill()? {}
        let bytes = &self.bytes[self.at..];
        if let Some((characters, length)) = self.page.first_char(bytes) {
            self.findings.is_doubtful |=
                bytes[1..length].iter().any(|byte| matches!(byte, b'[' | b'\\' | b']'));
            let is_narrow = |c: &char| matches!(c, '\u{ff61}'..='\u{ff9f}');
            self.findings.has_narrow |= characters[0].as_ref().is_some_and(is_narrow);
            (self.at, self.last_length) = (self.at + length, length);
            return Ok(characters);
        }
        self.findings.is_malformed = true;
        if self.is_strict {
            return Err(FileError::Line(self.line, format!("it is not a text in {}", self.page)));
        }
        (self.at, self.last_length) = (self.at + 1, 1);
        Ok([Some(CodePage::any_char(first)), None])
    }

    /// The next byte, without consuming it.
    fn byte(&mut self) -> Result<Option<u8>, FileError> {
        if self.at - self.begin >= self.limit {
            self.findings.is_cut = true;
            return Err(FileError::Line(self.line, "the game has no end".to_owned()));
        }
        if self.at == self.bytes.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.bytes[self.at]))
    }

    /// Reads more bytes; `false` at the end.
    fn fill(&mut self) -> Result<bool, FileError> {
        if self.at - self.begin > MAX_GAME {
            (self.begin, self.holds_game) = (self.at.saturating_sub(1), false);
        }
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.dropped += self.begin;
            (self.at, self.begin) = (self.at - self.begin, 0);
        }
        loop {
            let read = match self.input.fill_buf() {
                Ok(bytes) => &bytes[..bytes.len().min(PIECE)],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(FileError::Rest(self.line, error.to_string())),
            };
            let length = read.len();
            self.bytes.extend_from_slice(read);
            self.input.consume(length);
            return Ok(length > 0);
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
    fn text_is_decoded_without_losing_a_byte() {
        for sample in ["", "a\u{e9}\u{20ac}\u{1f600}z", "\n\r\n"] {
            assert_eq!(text(sample.as_bytes()), sample);
        }
        assert_eq!(text(b"a\xffb\xc3"), "a\u{ff}b\u{c3}");
        assert_eq!(text(b"\xe2\x82z"), "\u{e2}\u{201a}z");
        for (mark, pieces) in [
            (
                &b"\xff\xfe"[..],
                "a\u{e9}\u{1f600}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
            ),
            (b"\xfe\xff", "a\u{e9}\u{1f600}".encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ] {
            assert_eq!(text(&[mark, &pieces].concat()), "a\u{e9}\u{1f600}");
        }
    }

    #[test]
    fn a_game_can_be_read_again_in_another_code_page() {
        let mut source = InputSource::new(&b"x\n(\x83\x5c)\n(b)"[..]);
        source.next().unwrap();
        source.next().unwrap();
        assert_eq!(source.peek().unwrap(), Some('('));
        source.begin_game();
        source.page = "shift_jis".parse().unwrap();
        let take = |source: &mut InputSource<&[u8]>| -> String {
            (0..3).filter_map(|_| source.next().unwrap()).collect()
        };
        assert_eq!((take(&mut source), source.findings.is_doubtful), ("(\u{30bd})".to_owned(), true));
        assert!(source.rewind() && source.line == 2);
        source.page = "windows-1252".parse().unwrap();
        assert_eq!(take(&mut source), "(\u{192}\\");
        assert_eq!(source.read_of_game(), 3);
        source.skip_to(5);
        assert_eq!((source.line, source.next().unwrap()), (3, Some('(')));
    }

    #[test]
    fn lines_are_counted_and_games_are_limited() {
        let mut source = InputSource::new(&b"a\nb"[..]);
        while source.next().unwrap().is_some() {}
        assert_eq!(source.line, 2);
        let mut kept = String::new();
        let bound = (0..=MAX_GAME).find_map(|_| source.keep(&mut kept, 'x').err());
        assert_eq!(bound.unwrap().to_string(), "line 2: a game takes more than 4 MiB");
    }
}
