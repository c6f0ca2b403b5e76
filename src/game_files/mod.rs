//! Games in files: Smart Game Format and Portable Game Notation, read and written, and results of `tournament`, read.
//!
//! - [`read`]: the games of a file, one after the other, of either [`GameFormat`].
//! - [`sgf`], [`pgn`]: each format with what programs of the field make of it.
//! - [`results`]: the lines of JSON that `tournament run` writes.
//! - [`is_note`]: comments that no person wrote.
//!
//! A reader holds one game at a time, of [`MAX_GAME`] at most, so a file may be as long as it likes. Whatever is
//! damaged comes to one error with the line, and no game follows it.
//!
//! Moves are points that are free, in the order of play; whether they are legal by the rules of the game is for its
//! [`Game`]. Knows nothing of matches, ratings or databases.

mod source;

pub mod pgn;
pub mod results;
pub mod sgf;

use std::fmt;
use std::io::BufRead;

use crate::board::{ByColor, Color, Size};
use crate::game::{Game, Move, parse_turns};
use crate::rules::{GomokuGame, Rule};
use crate::variants;

/// Most bytes of a game in memory, its variations not among them: a hundred times what a long game with comments takes.
pub const MAX_GAME: usize = 4 << 20;

/// A format of game files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFormat {
    /// Smart Game Format.
    Sgf,
    /// Portable Game Notation.
    Pgn,
}

impl GameFormat {
    /// The format that the beginning of a file tells: its first character that is no blank.
    pub fn of_content(beginning: &str) -> Option<GameFormat> {
        match beginning.trim_start_matches('\u{feff}').trim_start().chars().next()? {
            '(' => Some(GameFormat::Sgf),
            '[' => Some(GameFormat::Pgn),
            _ => None,
        }
    }
}

/// The games of a file, as long as it can be read; after an error there is nothing more.
pub fn read<'a>(
    format: GameFormat,
    input: impl BufRead + 'a,
) -> Box<dyn Iterator<Item = Result<RecordedGame, FileError>> + 'a> {
    read_on(format, Size::default(), input)
}

/// As [`read`], with the board of games that tell none.
pub fn read_on<'a>(
    format: GameFormat,
    board: Size,
    input: impl BufRead + 'a,
) -> Box<dyn Iterator<Item = Result<RecordedGame, FileError>> + 'a> {
    match format {
        GameFormat::Sgf => Box::new(sgf::SgfReader::new(input).with_board(board)),
        GameFormat::Pgn => Box::new(pgn::PgnReader::new(input).with_board(board)),
    }
}

/// The game that `read` finds next: none after the last, or after an error.
fn next_game<R>(
    reader: &mut R,
    is_over: fn(&mut R) -> &mut bool,
    read: fn(&mut R) -> Result<Option<RecordedGame>, FileError>,
) -> Option<Result<RecordedGame, FileError>> {
    if *is_over(reader) {
        return None;
    }
    let game = read(reader).transpose();
    *is_over(reader) = !matches!(game, Some(Ok(_)));
    game
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

    /// Takes the rule, a name or one of Gomocup's codes, as this program names it.
    fn set_rule(&mut self, text: &str) {
        let text = text.trim();
        // A continuous game has a code alone.
        let rule = text.parse::<Rule>().ok();
        let rule = rule.map(|rule| if rule.continuous { rule.code().to_string() } else { rule.to_string() });
        let name = rule.or_else(|| variants::open(text).ok().map(|game| game.name()));
        self.rule = Some(name.unwrap_or_else(|| text.to_lowercase()));
    }

    /// Takes the opening that a tag tells, if the moves begin with it.
    fn set_opening(&mut self, tag: &str) {
        let Some(Ok(opening)) = self.tag(tag).map(|text| parse_turns(text, self.board())) else { return };
        let mut moves = self.moves.iter().map(|recorded| Some(recorded.mv));
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
    /// Where, and which of several captures.
    pub mv: Move,
    /// The words about it, as they are in the file.
    pub comment: Option<String>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv, comment: None }
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

/// Why a file cannot be read any further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The line, from 1, and what is wrong in it.
    Line(usize, String),
    /// The line that a game begins in, and what is wrong with the game as a whole.
    Game(usize, String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FileError::Line(line, what) => write!(f, "line {line}: {what}"),
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
        if taken.contains(mv.point) {
            return Err(FileError::Line(*line, format!("{} is already taken", clip(word))));
        }
        taken.insert(mv.point);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
