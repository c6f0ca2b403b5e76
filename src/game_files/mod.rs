//! Games in files: Smart Game Format and Portable Game Notation, read and written; Piskvork's files and results of
//! `tournament`, read.
//!
//! - [`read`]: the games of a file, one after the other, of any [`GameFormat`], in the code page of each game.
//! - [`sgf`], [`pgn`], [`psq`]: each format with what programs of the field make of it.
//! - [`results`]: the lines of JSON that `tournament run` writes.
//! - [`RuleWords`]: rules by the words that others have for them.
//! - [`is_note`]: comments that no person wrote.
//!
//! A reader holds one game at a time, of [`MAX_GAME`] at most, so a file may be as long as it likes. A game that can't
//! be read comes to one error with the line, and the others follow it; behind a game that is too long, and where the
//! file itself can't be read, there is nothing more.
//!
//! Moves are points that are free, in the order of play; whether they are legal by the rules of the game is for its
//! [`Game`]. Knows nothing of matches, ratings or databases.

mod reader;
mod rule_names;
mod source;

pub mod pgn;
pub mod psq;
pub mod results;
pub mod sgf;

use std::fmt;
use std::io::BufRead;

use crate::board::{ByColor, Color, Size};
use crate::files::CodePage;
use crate::game::{Game, Move, Turn, parse_turns};
use crate::rules::{GomokuGame, Rule, RuleKind};
use crate::variants;

pub use reader::GameReader;
pub use rule_names::RuleWords;

/// Most bytes of a game in memory, its variations not among them: a hundred times what a long game with comments takes.
pub const MAX_GAME: usize = 4 << 20;

/// A format of game files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFormat {
    /// Smart Game Format.
    Sgf,
    /// Portable Game Notation.
    Pgn,
    /// Piskvork's files.
    Psq,
}

impl GameFormat {
    /// The format that the beginning of a file tells: its first character that is no blank, or its first word.
    pub fn of_content(beginning: &str) -> Option<GameFormat> {
        let beginning = beginning.trim_start_matches('\u{feff}').trim_start();
        match beginning.chars().next()? {
            '(' => Some(GameFormat::Sgf),
            '[' => Some(GameFormat::Pgn),
            _ if beginning.starts_with(psq::FIRST_WORD) => Some(GameFormat::Psq),
            _ => None,
        }
    }

    /// As [`GameFormat::of_content`], for a beginning that may be in UTF-16.
    pub fn of_bytes(beginning: &[u8]) -> Option<GameFormat> {
        GameFormat::of_content(&CodePage::decode_beginning(beginning))
    }
}

/// What a reader is to make of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The board of games that tell none.
    pub board: Size,
    /// The rule of all games, whatever they tell.
    pub rule: Option<Rule>,
    /// The code page of all games, whatever they tell.
    pub encoding: Option<CodePage>,
    /// Takes games of any kind (`GM`) for gomoku.
    pub any_kind: bool,
}

/// The games of a file, and errors in the place of those that can't be read.
pub fn read<R: BufRead>(format: GameFormat, input: R) -> GameReader<R> {
    GameReader::new(format, input, ReadOptions::default())
}

/// A game as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line that it begins in, from 1.
    pub line: usize,
    /// Name of the rule, or of the game outside the Gomocup family; where the file has another word, that in small
    /// letters.
    pub rule: Option<String>,
    /// The board, where the file tells it.
    pub size: Option<Size>,
    /// The board where the file tells none: 15x15 unless the reader was given another.
    pub assumed_size: Size,
    /// The moves, black's first where the rules do not say otherwise.
    pub moves: Vec<RecordedMove>,
    /// Number of moves that are told to be the opening.
    pub opening: usize,
    /// Who won; `None` where the file does not tell, or the game was broken off.
    pub result: Option<RecordedResult>,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// All properties or tags of the game as a whole, in their order, by their names in the file; of several values the
    /// first.
    pub tags: Vec<(String, String)>,
    /// Names of private properties that hold an opening which nobody but their program knows how to read; the moves are
    /// left out then.
    pub hidden_opening: Vec<String>,
}

impl RecordedGame {
    /// Value of a property or tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The board, the assumed one where the file tells none.
    pub fn board(&self) -> Size {
        self.size.unwrap_or(self.assumed_size)
    }

    /// A new game by the rule of the file, freestyle where it tells none; `None` where that is not known, or is not
    /// played on this board.
    pub fn open(&self) -> Option<Box<dyn Game>> {
        let size = self.board();
        let Some(name) = &self.rule else { return Some(Box::new(GomokuGame::new(size, Rule::default()))) };
        if let Ok(rule) = name.parse::<Rule>() {
            return Some(Box::new(GomokuGame::new(size, rule)));
        }
        variants::open(name).ok().filter(|game| game.size() == size)
    }

    /// Takes the rule, a name or one of Gomocup's codes or the words of others, as this program names it.
    fn set_rule(&mut self, text: &str) {
        let text = text.trim();
        // A continuous game has a code alone.
        let named = |rule: Rule| if rule.continuous { rule.code().to_string() } else { rule.to_string() };
        let other = || variants::open(text).ok().map(|game| game.name());
        self.rule = match RuleWords::of(text) {
            RuleWords::Known(rule) => Some(named(rule)),
            RuleWords::Untold => other(),
            RuleWords::Other => Some(other().unwrap_or_else(|| text.to_lowercase())),
        };
    }

    /// Makes of the game what the reader was asked for.
    fn finish(&mut self, options: &ReadOptions) {
        if let Some(rule) = options.rule {
            self.set_rule(&rule.code().to_string());
        }
        if !self.hidden_opening.is_empty() {
            self.moves.clear();
            self.opening = 0;
        }
        // Passes that end the game leave the position as it is; where sides may pass, two of them are a draw.
        let may_pass = self.rule.as_deref().and_then(|name| name.parse::<Rule>().ok());
        let may_pass = may_pass.is_some_and(|rule| rule.kind == RuleKind::Renju);
        let stones = self.moves.iter().rposition(|recorded| recorded.mv.is_some()).map_or(0, |last| last + 1);
        let is_draw = !matches!(self.result, Some(RecordedResult::Win(_))) && self.moves.len() == stones + 2;
        if !(may_pass && is_draw) {
            self.moves.truncate(stones.max(self.opening));
        }
    }

    /// Takes the opening that a tag tells, if the moves begin with it.
    fn set_opening(&mut self, tag: &str) {
        let Some(Ok(opening)) = self.tag(tag).map(|text| parse_turns(text, self.board())) else { return };
        let mut moves = self.moves.iter().map(|recorded| recorded.mv);
        if opening.iter().all(|turn| moves.next() == Some(*turn)) {
            self.opening = opening.len();
        }
    }

    /// Whether stones can come off the board, so that a point may be played twice.
    fn may_remove_stones(&self) -> bool {
        let name = self.rule.as_deref().unwrap_or_default();
        name.parse::<Rule>().is_err() && variants::open(name).is_ok()
    }
}

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// Where, and which of several captures; `None` for a pass.
    pub mv: Turn,
    /// The words about it, as they are in the file.
    pub comment: Option<String>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv: Some(mv), comment: None }
    }
}

/// Result of a game that was played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedResult {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

/// Why a game, or the rest of a file, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The line, from 1, and what is wrong in it.
    Line(usize, String),
    /// The line that a game begins in, and what is wrong with the game as a whole.
    Game(usize, String),
    /// The line from which nothing more can be read, and why.
    Rest(usize, String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FileError::Line(line, what) | FileError::Rest(line, what) => write!(f, "line {line}: {what}"),
            FileError::Game(line, what) => write!(f, "game that begins in line {line}: {what}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Whether a comment is a note of a match runner: a stone of the opening, or a move's time, with or without value,
/// depth and nodes, such as `120ms` or `85/12 46.1ms 22859n`.
pub fn is_note(comment: &str) -> bool {
    let is_number =
        |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    let is_time = |word: &str| word.strip_suffix("ms").is_some_and(is_number);
    let is_value = |c: char| c.is_ascii_digit() || "+-M/".contains(c);
    let is_known = |word: &str| is_time(word) || word.strip_suffix('n').unwrap_or(word).chars().all(is_value);
    let mut words = comment.split_whitespace();
    comment.trim() == sgf::OPENING_MOVE || words.clone().any(is_time) && words.all(is_known)
}

/// The beginning of a text that may be long or unprintable, for a message.
pub fn clip(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// Checks that no point is played twice.
///
/// # Errors
/// When one is, with its line and the word for it in the file.
fn check_free(words: &[(usize, String)], moves: &[RecordedMove]) -> Result<(), FileError> {
    let mut taken = crate::board::Bitboard::EMPTY;
    for ((line, word), RecordedMove { mv, .. }) in words.iter().zip(moves) {
        let Some(mv) = mv else { continue };
        if taken.contains(mv.point) {
            return Err(FileError::Line(*line, format!("{} is already taken", clip(word))));
        }
        taken.insert(mv.point);
    }
    Ok(())
}

#[cfg(test)]
mod encoding_tests;
#[cfg(test)]
mod odd_tests;
#[cfg(test)]
mod tests;
