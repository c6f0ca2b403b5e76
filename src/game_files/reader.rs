//! Reads the games of a file one after the other, each in its code page.
//!
//! A game in ASCII or UTF-8 is read once. Another game is read in its labelled code page (`CA`), or else in
//! the code page detected from the following part of the file; if a `[`, `]` or `\` may be half a character,
//! in the code page that yields the most moves. The time is proportional to the length of the file, because a
//! budget limits the number of bytes that are read again.

use std::io::BufRead;

use super::source::{Findings, InputSource, LOOKAHEAD};
use super::{FileError, GameFormat, MAX_GAME, Parsed, ReadOptions, RecordedGame, pgn, psq, sgf};
use crate::files::CodePage;

/// Number of bytes that may be read again at the start.
const FIRST_BUDGET: usize = 16 << 20;
/// Additional bytes that may be read again for each byte read.
const BUDGET_PER_BYTE: usize = 8;
/// Number of bytes at the beginning of a game that are searched for its code page label.
const HEAD: usize = 1 << 16;
/// Number of bytes on either side of an error that are checked for UTF-8.
const AROUND: usize = 512;
/// Number of games that confirm the detected code page before others are no longer tried.
const TRUST: usize = 32;

/// The games of a file.
pub struct GameReader<R> {
    source: InputSource<R>,
    format: GameFormat,
    options: ReadOptions,
    /// The detected code page of games without a label.
    guess: Option<CodePage>,
    /// Number of bytes that may still be read again.
    budget: usize,
    /// Number of ambiguous games for which the guess was right.
    confirmed: usize,
    /// Whether a game was interrupted: the next one must then begin in a way that only games do.
    is_lost: bool,
    is_over: bool,
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<RecordedGame, FileError>;

    fn next(&mut self) -> Option<Result<RecordedGame, FileError>> {
        if self.is_over {
            return None;
        }
        let game = self.game().transpose();
        self.is_over |= matches!(game, None | Some(Err(FileError::Rest(..))));
        game
    }
}

impl<R: BufRead> GameReader<R> {
    /// A reader of the games in `input`.
    pub fn new(format: GameFormat, input: R, options: ReadOptions) -> GameReader<R> {
        GameReader {
            source: InputSource::new(input),
            format,
            options,
            guess: None,
            budget: FIRST_BUDGET,
            confirmed: 0,
            is_lost: false,
            is_over: false,
        }
    }

    fn game(&mut self) -> Result<Option<RecordedGame>, FileError> {
        (self.source.page, self.source.is_strict, self.source.limit) = (CodePage::UTF_8, false, usize::MAX);
        let is_there = match self.format {
            GameFormat::Sgf => sgf::seek(&mut self.source, self.is_lost)?,
            GameFormat::Pgn | GameFormat::Psq => {
                self.source.skip_blanks()?;
                self.source.peek()?.is_some()
            }
        };
        if !is_there {
            return Ok(None);
        }
        self.source.begin_game();
        let parsed = self.in_its_page();
        self.is_lost = false;
        if parsed.is_ok() {
            self.earn(self.source.read_of_game());
        }
        match parsed {
            Ok(Ok(mut game)) => {
                game.finish(&self.options);
                Ok(Some(game))
            }
            Ok(Err(error)) => Err(error),
            Err(error) => {
                self.recover()?;
                Err(match error {
                    FileError::Line(line, what) if self.is_over => FileError::Rest(line, what),
                    error => error,
                })
            }
        }
    }

    /// Adds to the budget for `bytes` bytes that were read.
    fn earn(&mut self, bytes: usize) {
        self.budget = self.budget.saturating_add(BUDGET_PER_BYTE * bytes);
    }

    /// Continues after a game with damaged text: at the next game that begins within the part already read.
    fn recover(&mut self) -> Result<(), FileError> {
        let read = self.source.read_of_game();
        let next = match self.format {
            _ if self.source.findings.is_too_long || read > self.budget => None,
            GameFormat::Sgf => {
                self.is_lost = true;
                let bytes = self.source.game_bytes(0)?;
                Some(sgf::next_root(&bytes[..read.min(bytes.len())]).unwrap_or(read))
            }
            // In the middle of a game of several MiB, the beginning of the next game cannot be recognised.
            GameFormat::Pgn if !self.source.holds_game() => None,
            GameFormat::Pgn => {
                let bytes = self.source.game_bytes(0)?;
                Some(pgn::next_game(&bytes[..read.min(bytes.len())]).unwrap_or(read))
            }
            GameFormat::Psq => Some(read),
        };
        match next {
            Some(next) if next == read => self.earn(read),
            Some(next) if self.source.rewind() => {
                self.source.skip_to(next);
                self.budget -= read.min(self.budget);
                self.earn(next);
            }
            _ => self.is_over = true,
        }
        Ok(())
    }

    /// Reads the game from its beginning, in `page`.
    fn attempt(&mut self, page: CodePage, is_strict: bool, limit: usize) -> (Parsed, Findings) {
        self.budget = self.budget.saturating_sub(self.source.read_of_game());
        if !self.source.rewind() {
            self.source.findings.is_too_long = true;
            let what = "a long game in an unknown code page".to_owned();
            return (Err(FileError::Line(self.source.line, what)), self.source.findings);
        }
        (self.source.page, self.source.is_strict, self.source.limit) = (page, is_strict, limit);
        let parsed = match self.format {
            GameFormat::Sgf => sgf::parse(&mut self.source, &self.options),
            GameFormat::Pgn => pgn::parse(&mut self.source, &self.options),
            GameFormat::Psq => psq::parse(&mut self.source, &self.options),
        };
        (parsed, self.source.findings)
    }

    fn attempt_loosely(&mut self, page: CodePage) -> Parsed {
        self.attempt(page, false, usize::MAX).0
    }

    fn in_its_page(&mut self) -> Parsed {
        if !self.source.may_be_another() {
            return self.attempt_loosely(CodePage::UTF_8);
        }
        if let Some(page) = self.options.encoding {
            return self.attempt_loosely(page);
        }
        let (parsed, found) = self.attempt(CodePage::UTF_8, true, usize::MAX);
        if !found.has_others || !self.source.holds_game() {
            return parsed;
        }
        let labelled = match self.format {
            GameFormat::Sgf => sgf::labelled_page(self.source.game_bytes(HEAD)?),
            GameFormat::Pgn | GameFormat::Psq => None,
        };
        let is_utf8 = !found.is_malformed;
        let labelled = labelled.filter(|page| *page != CodePage::UTF_8);
        if is_utf8 && labelled.is_none() {
            return parsed;
        }
        // A game may take much memory, so only one reading of it is held at a time.
        drop(parsed);
        if let Some(page) = labelled {
            return self.in_labelled_page(page, is_utf8);
        }
        if self.is_mostly_utf8()? {
            return self.attempt_loosely(CodePage::UTF_8);
        }
        let page = self.guess()?;
        let (parsed, found) = self.attempt(page, true, MAX_GAME);
        let is_sure = !found.is_malformed && (!found.is_doubtful || self.confirmed >= TRUST);
        if is_sure && !found.is_cut {
            return parsed;
        }
        let score = score(&parsed, found);
        drop(parsed);
        if is_sure || found.is_cut || self.budget == 0 {
            return self.attempt_loosely(page);
        }
        let best = self.best_page(page, score)?;
        self.confirmed += usize::from(best == page);
        self.attempt_loosely(best)
    }

    /// Reads a game that is labelled with a code page; `is_utf8`: it is also valid in UTF-8.
    fn in_labelled_page(&mut self, page: CodePage, is_utf8: bool) -> Parsed {
        let (parsed, found) = self.attempt(page, true, usize::MAX);
        if !found.is_malformed {
            return parsed;
        }
        drop(parsed);
        // It is in another code page than labelled, or one of its texts is truncated.
        if is_utf8 {
            return self.attempt_loosely(CodePage::UTF_8);
        }
        let guess = self.guess()?;
        let (parsed, found) = self.attempt(guess, true, MAX_GAME);
        if !found.is_malformed && !guess.is_single_byte() {
            return parsed;
        }
        drop(parsed);
        self.attempt_loosely(page)
    }

    /// Whether the game is UTF-8 around the first invalid byte, as in a truncated text.
    fn is_mostly_utf8(&mut self) -> Result<bool, FileError> {
        // Reading further may push the beginning of a long game out of memory.
        self.source.game_bytes(AROUND)?;
        let fault = self.source.read_of_game();
        let bytes = self.source.game_bytes(0)?;
        let (mut characters, mut faults) = (0, 0);
        for chunk in bytes[fault.saturating_sub(AROUND)..bytes.len().min(fault + AROUND)].utf8_chunks() {
            characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            faults += usize::from(!chunk.invalid().is_empty());
        }
        Ok(characters > 4 * faults)
    }

    /// The code page that yields the most moves of a game: `guess`, whose score is known, or another one.
    fn best_page(&mut self, guess: CodePage, score_of_guess: (usize, bool)) -> Result<CodePage, FileError> {
        let own = CodePage::guess(lines(head(self.source.game_bytes(0)?)));
        let limit = HEAD + 2 * self.source.read_of_game();
        let mut best = (score_of_guess, guess);
        let others = CodePage::DOUBLE_BYTE.into_iter().chain([CodePage::WINDOWS_1252]);
        for page in [own].into_iter().chain(others).filter(|page| *page != guess) {
            let (parsed, found) = self.attempt(page, true, limit);
            let score = score(&parsed, found);
            if score > best.0 {
                best = (score, page);
            }
        }
        Ok(best.1)
    }

    /// The likely code page of games without a label: detected from the following lines that are not UTF-8.
    fn guess(&mut self) -> Result<CodePage, FileError> {
        if let Some(guess) = self.guess {
            return Ok(guess);
        }
        let bytes = self.source.game_bytes(LOOKAHEAD)?;
        let guess = CodePage::guess(lines(&bytes[..bytes.len().min(LOOKAHEAD)]));
        self.guess = Some(guess);
        Ok(guess)
    }
}

/// Score of a code page: (0, false) if bytes are invalid or the text is damaged, otherwise 1 if the content
/// is invalid or 2 plus the number of moves, and whether the text has none of the half-width characters that
/// wrong guesses produce.
fn score(parsed: &Parsed, found: Findings) -> (usize, bool) {
    match parsed {
        _ if found.is_malformed => (0, false),
        Err(_) => (0, false),
        Ok(Err(_)) => (1, !found.has_narrow),
        Ok(Ok(game)) => (2 + game.moves.len(), !found.has_narrow),
    }
}

fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(HEAD)]
}

/// The lines that are not UTF-8.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').filter(|line| std::str::from_utf8(line).is_err())
}
