//! Games in files: reading and writing of Smart Game Format and Portable Game Notation, reading of Piskvork's
//! files, the results of `tournament`, RenjuNet's database and RenLib's files of one game.
//!
//! - [`read`]: the games of a file, one after the other, of any [`GameFormat`], in the code page of each game.
//! - [`read_any`]: the games of a file in any of the formats below, which its beginning determines.
//! - [`sgf`], [`pgn`], [`psq`]: each format, including the variants that other programs write.
//! - [`results`]: the lines of JSON that `tournament run` and `tournament convert` write; [`rif`]: RenjuNet's
//!   database; [`pos`]: a game of RenLib.
//! - [`RuleWords`]: recognises rules by the names that other programs use.
//! - [`is_note`]: recognises comments that a program wrote.
//!
//! A reader holds one game at a time, of at most [`MAX_GAME`] bytes, so files may be of any length. A game
//! that cannot be read yields one error with the line, and the next games follow; after a game that is too
//! long, or an error of the file itself, nothing follows.
//!
//! Moves are on empty points, in the order of play; the game's [`Game`] decides whether they are legal. This
//! module knows nothing about matches, ratings or databases.

mod playok;
mod reader;
mod rule_names;
mod source;
mod text;

pub mod pgn;
pub mod pos;
pub mod psq;
pub mod results;
pub mod rif;
pub mod sgf;

use std::io::{self, BufRead, Cursor, Read};
use std::iter;

use crate::board::{Bitboard, Board, ByColor, Color, Size};
use crate::files::CodePage;
use crate::game::{Game, GameResult, Move, Turn, parse_turns};
use crate::rules::{GomokuGame, Rule, RuleKind};
use crate::variants;

use self::results::ResultsReader;
use self::rif::RifReader;
pub use reader::GameReader;
pub use rule_names::RuleWords;
pub use text::line_feeds;

/// Maximum size of a game in memory in bytes, without its variations: a hundred times the size of a long game
/// with comments.
pub const MAX_GAME: usize = 4 << 20;
/// Maximum size of a game in memory in bytes, with its variations: some 270,000 variations of one move, or 420,000 moves.
pub const MAX_TREE: usize = 64 << 20;

/// Maximum number of characters of a text from a file in a message.
const CLIP_LENGTH: usize = 40;

/// Number of bytes at the beginning of a file by which its format is recognised.
const BEGINNING: u64 = 8 << 10;

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
    /// The format recognised from the beginning of a file: its first character that is not a blank, or its
    /// first word.
    pub fn of_content(beginning: &str) -> Option<GameFormat> {
        let beginning = beginning.trim_start_matches('\u{feff}').trim_start();
        match beginning.chars().next()? {
            '(' => Some(GameFormat::Sgf),
            '[' => Some(GameFormat::Pgn),
            _ if beginning.starts_with(psq::FIRST_WORD) => Some(GameFormat::Psq),
            _ => None,
        }
    }

    /// Like [`GameFormat::of_content`], for a beginning that may be in UTF-16.
    pub fn of_bytes(beginning: &[u8]) -> Option<GameFormat> {
        GameFormat::of_content(&CodePage::decode_beginning(beginning))
    }
}

/// Settings for reading games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The board of games that do not specify it.
    pub board: Size,
    /// The rule of all games of the Gomocup family, whatever the file says.
    pub rule: Option<Rule>,
    /// The code page of all games, whatever the file says.
    pub encoding: Option<CodePage>,
    /// Whether games of any kind (`GM`) are read as gomoku.
    pub any_kind: bool,
    /// Whether the variations of SGF and of results files are read too.
    pub variations: bool,
    /// Whether stones that an SGF game sets up become its [`RecordedGame::start`], whatever they are. Otherwise they are read as
    /// moves in turn.
    pub positions: bool,
}

/// Reads the games of a file, with an error in place of each game that cannot be read.
pub fn read<R: BufRead>(format: GameFormat, input: R) -> GameReader<R> {
    GameReader::new(format, input, ReadOptions::default())
}

/// The games of a file, with an error in place of each game that cannot be read.
pub type RecordedGames<'a> = Box<dyn Iterator<Item = Result<RecordedGame, FileError>> + 'a>;

/// Reads the games of a file in the format that its beginning determines; `None` if the format is unknown.
///
/// # Errors
/// Returns an error if the beginning cannot be read.
pub fn read_any<'a, R: BufRead + 'a>(
    mut input: R,
    options: ReadOptions,
) -> io::Result<Option<RecordedGames<'a>>> {
    // The first piece of the input may be shorter than any signature.
    let mut beginning = Vec::new();
    (&mut input).take(BEGINNING).read_to_end(&mut beginning)?;
    let is_results = results::is_json(&CodePage::decode_beginning(&beginning));
    let is_rif = rif::is_beginning(&CodePage::decode_beginning(&beginning));
    // The format has no signature: the number of moves may be an opening parenthesis.
    if let Some(game) = pos::game(&beginning, &options) {
        return Ok(Some(Box::new(iter::once(Ok(game)))));
    }
    let format = GameFormat::of_bytes(&beginning);
    let input = Cursor::new(beginning).chain(input);
    Ok(match format {
        Some(format) => Some(Box::new(GameReader::new(format, input, options))),
        None if is_results => Some(Box::new(ResultsReader::with_options(input, options))),
        None if is_rif => Some(Box::new(RifReader::new(input, options))),
        None => None,
    })
}

/// The name of a rule in files of games. For a continuous game it is the code, because other programs do not know
/// the name.
pub fn name_of(rule: Rule) -> String {
    if rule.continuous { rule.code().to_string() } else { rule.to_string() }
}

/// A game as stored in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Name of the rule, or of the game outside the Gomocup family; if the file has another word, this word
    /// in lower case.
    pub rule: Option<String>,
    /// The board, if the file specifies it.
    pub size: Option<Size>,
    /// The board if the file does not specify it: 15x15 unless the reader has another setting.
    pub assumed_size: Size,
    /// The position before the first move, if [`ReadOptions::positions`] is set and the game sets up stones
    /// or blocked points.
    pub start: Option<Box<Board>>,
    /// The comment on the game, which stands before its first move.
    pub comment: Option<String>,
    /// The moves, black's first unless the rules or the start say otherwise.
    pub moves: Vec<RecordedMove>,
    /// Whether the moves are followed by a pass that is not listed among them and that changes the side to move.
    pub ends_with_pass: bool,
    /// Why the moves cannot be read; then they are omitted.
    pub unread: Option<FileError>,
    /// Number of moves that belong to the opening.
    pub opening: usize,
    /// The result; `None` if the file does not have it, or the game was not finished.
    pub result: Option<GameResult>,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// All properties or tags of the game as a whole, in the order and with the names of the file; only the
    /// first of several values.
    pub tags: Vec<(String, String)>,
    /// Names of private properties that contain an opening only their own program understands; then the moves
    /// are omitted.
    pub hidden_opening: Vec<String>,
    /// The variations, if they were requested; each one follows the line that it leaves.
    pub variations: Vec<Variation>,
}

impl RecordedGame {
    /// The line of play with the variation of this number, from the beginning of the game on.
    ///
    /// # Panics
    /// Panics if there is no such variation.
    pub fn line_of(&self, number: usize) -> Vec<&RecordedMove> {
        let (mut until, mut next, mut parts) = (usize::MAX, Some(number), Vec::new());
        while let Some(number) = next {
            let Variation { leaves, ply, moves } = &self.variations[number];
            parts.push(&moves[..moves.len().min(until - ply)]);
            (until, next) = (*ply, *leaves);
        }
        parts.push(&self.moves[..until]);
        parts.into_iter().rev().flatten().collect()
    }

    /// The turns that lead to the last position, also a pass that follows the moves.
    pub fn turns(&self) -> Vec<Turn> {
        let moves = self.moves.iter().map(|recorded| recorded.mv);
        moves.chain(self.ends_with_pass.then_some(None)).collect()
    }

    /// Value of a property or tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The board, or the assumed one if the file does not specify it.
    pub fn board(&self) -> Size {
        self.size.unwrap_or(self.assumed_size)
    }

    /// A new game with the rule of the file, or freestyle if it has none; `None` if the rule is unknown or
    /// cannot be played on this board.
    pub fn open(&self) -> Option<Box<dyn Game>> {
        let size = self.board();
        let Some(name) = &self.rule else { return Some(Box::new(GomokuGame::new(size, Rule::default()))) };
        if let Ok(rule) = name.parse::<Rule>() {
            return Some(Box::new(GomokuGame::new(size, rule)));
        }
        variants::open(name).ok().filter(|game| game.size() == size)
    }

    /// The side whose turn it is after this number of moves, where sides alternate.
    fn side_after(&self, moves: usize) -> Color {
        let first = self.start.as_ref().map_or(Color::Black, |start| start.side_to_move());
        if moves.is_multiple_of(2) { first } else { !first }
    }

    /// The points that are occupied at the start.
    fn taken_at_start(&self) -> Bitboard {
        self.start.as_ref().map_or(Bitboard::EMPTY, |start| start.size().all() - *start.empty())
    }

    /// Sets the rule by a name, one of Gomocup's codes or a name from another program, converted to this
    /// program's name.
    fn set_rule(&mut self, text: &str) {
        let text = text.trim();
        let other = || variants::open(text).ok().map(|game| game.name());
        self.rule = match text.parse::<Rule>().map_or_else(|_| RuleWords::of(text), RuleWords::Known) {
            RuleWords::Known(rule) => Some(name_of(rule)),
            RuleWords::Unspecified => other(),
            RuleWords::Other => Some(other().unwrap_or_else(|| text.to_lowercase())),
        };
    }

    /// Applies the settings of the reader to the game.
    fn finish(&mut self, options: &ReadOptions) {
        // The moves of another game mean nothing under a rule of the Gomocup family.
        if let Some(rule) = options.rule.filter(|_| !self.is_variant()) {
            self.set_rule(&rule.code().to_string());
        }
        if !self.hidden_opening.is_empty() {
            self.moves.clear();
            self.variations.clear();
            self.opening = 0;
        }
        // Passes at the end of a game place no stone, but an odd number changes the side to move; if passes are
        // allowed, two of them are a draw.
        let may_pass = self.rule.as_deref().and_then(|name| name.parse::<Rule>().ok());
        let may_pass = may_pass.is_some_and(|rule| rule.kind == RuleKind::Renju);
        let stones = self.moves.iter().rposition(|recorded| recorded.mv.is_some()).map_or(0, |last| last + 1);
        let is_draw = self.result.and_then(GameResult::winner).is_none() && self.moves.len() == stones + 2;
        if !(may_pass && is_draw) {
            let left = self.variations.iter().filter(|variation| variation.leaves.is_none());
            let branches = left.map(|variation| variation.ply).max().unwrap_or(0);
            let kept = stones.max(self.opening).max(branches);
            self.ends_with_pass = self.moves.len().saturating_sub(kept) % 2 == 1;
            self.drop_passes(kept);
        }
    }

    /// Drops the passes after the first `kept` moves; the last of these moves, or the game, gets their comments.
    fn drop_passes(&mut self, kept: usize) {
        let passes = self.moves.split_off(kept.min(self.moves.len()));
        let last = self.moves.last_mut().map_or(&mut self.comment, |last| &mut last.comment);
        let comments = passes.into_iter().filter_map(|pass| pass.comment);
        // The time of a pass is not the time of the move.
        for comment in comments.filter(|comment| !comment.trim().is_empty() && !is_note(comment)) {
            add_comment(last, comment);
        }
    }

    /// Sets the opening from a tag, if the moves begin with it.
    fn set_opening(&mut self, tag: &str) {
        let Some(Ok(opening)) = self.tag(tag).map(|text| parse_turns(text, self.board())) else { return };
        let mut moves = self.moves.iter().map(|recorded| recorded.mv);
        if opening.iter().all(|turn| moves.next() == Some(*turn)) {
            self.opening = opening.len();
        }
    }

    /// Whether the game is known and does not belong to the Gomocup family. Stones may then be removed from the board, so
    /// that a point can be played twice.
    pub fn is_variant(&self) -> bool {
        let name = self.rule.as_deref().unwrap_or_default();
        name.parse::<Rule>().is_err() && variants::open(name).is_ok()
    }
}

/// A line of play that replaces the moves of another line from some move on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Number of the variation that it leaves, smaller than its own; `None`: it leaves the moves of the game.
    pub leaves: Option<usize>,
    /// Number of moves from the beginning of the game to its first move.
    pub ply: usize,
    /// Its moves.
    pub moves: Vec<RecordedMove>,
}

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The point and the number of the capture; `None` for a pass.
    pub mv: Turn,
    /// The comment, as stored in the file, with any [line ends](line_feeds).
    pub comment: Option<String>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv: Some(mv), comment: None }
    }
}

/// The outer error means that the text of the game is damaged, the inner one that its content is invalid.
type Parsed = Result<Result<RecordedGame, FileError>, FileError>;

/// Why a game, or the rest of a file, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The line, from 1, and the error in it.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// The line in which a game begins, and the error in the game as a whole.
    #[error("game that begins in line {0}: {1}")]
    Game(usize, String),
    /// The line from which on nothing can be read, and the reason.
    #[error("line {0}: {1}")]
    Rest(usize, String),
}

/// Whether a comment is a note of a match runner: a stone of the opening, or a move's time, with or without
/// value, depth and nodes, such as `120ms` or `85/12 46.1ms 22859n`.
pub fn is_note(comment: &str) -> bool {
    let is_number =
        |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    let is_time = |word: &str| word.strip_suffix("ms").is_some_and(is_number);
    let is_value = |c: char| c.is_ascii_digit() || "+-M/".contains(c);
    let is_known = |word: &str| is_time(word) || word.strip_suffix('n').unwrap_or(word).chars().all(is_value);
    let mut words = comment.split_whitespace();
    comment.trim() == sgf::OPENING_MOVE || words.clone().any(is_time) && words.all(is_known)
}

/// Adds a comment to the comments on a position, which are lines of one text.
fn add_comment(comment: &mut Option<String>, text: String) {
    match comment {
        Some(before) if !before.is_empty() && !text.is_empty() => {
            before.push('\n');
            before.push_str(&text);
        }
        Some(before) if !before.is_empty() => {}
        _ => *comment = Some(text),
    }
}

/// The beginning of a text for a message; the text may be long or unprintable.
pub fn clip(text: &str) -> String {
    text.chars().take(CLIP_LENGTH).flat_map(char::escape_debug).collect()
}

/// Checks that no point is played twice or was occupied at the start.
///
/// # Errors
/// Returns an error if one is played twice, with its line and its notation in the file.
fn check_free(
    mut taken: Bitboard,
    words: &[(usize, String)],
    moves: &[RecordedMove],
) -> Result<(), FileError> {
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
mod tests;
