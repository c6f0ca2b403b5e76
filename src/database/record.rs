//! Records: everything that the database stores about a position.
//!
//! Label, value, bound and counts of games are for the side to move, as everywhere in this engine. Boards
//! show the opposite labels, for the move that leads to the position: [`Label::of_move`].

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::board::{Point, Size};
use crate::think::Bound;
use crate::think::score::{DRAW, MATE, Value, mate_plies};

/// Maximum length of a text in bytes.
pub const MOST_TEXT_BYTES: usize = 1 << 20;
/// The value of a win in an unknown number of plies: longer than any game. Earlier versions also stored values
/// between the threshold and this one.
pub(crate) const FAR_WIN: Value = MATE - 500;
/// A line end in comments of Rapfi and Yixin-Board.
pub(super) const BACKSPACE: char = '\u{8}';

/// Label of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Label {
    /// No label.
    #[default]
    None,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// A draw.
    Draw,
    /// The move that leads here should not be considered.
    Blocked,
    /// The move that leads here is the only one to consider.
    Forced,
    /// Any other visible ASCII character, except comma, quote and backslash.
    Other(u8),
}

impl Label {
    /// The label of a character in either case, `-` for none; `None` if the character cannot be a label.
    pub fn from_char(c: char) -> Option<Label> {
        Some(match c.to_ascii_lowercase() {
            '-' => Label::None,
            'w' => Label::Win,
            'l' => Label::Loss,
            'd' => Label::Draw,
            'x' => Label::Blocked,
            '!' => Label::Forced,
            // Tables use these as separators.
            ',' | '"' | '\\' => return None,
            other if other.is_ascii_graphic() => Label::Other(c as u8),
            _ => return None,
        })
    }

    /// The character of the label.
    pub fn to_char(self) -> char {
        match self {
            Label::None => '-',
            Label::Win => 'w',
            Label::Loss => 'l',
            Label::Draw => 'd',
            Label::Blocked => 'x',
            Label::Forced => '!',
            Label::Other(c) => char::from(c),
        }
    }

    /// Converts between the label of a position and the label of the move that leads to it, as boards show
    /// it: wins and losses are exchanged.
    pub fn of_move(self) -> Label {
        match self {
            Label::Win => Label::Loss,
            Label::Loss => Label::Win,
            other => other,
        }
    }

    /// The value of a position with this label and a stored value, if the label determines the result.
    pub(crate) fn result_value(self, stored: i16) -> Option<Value> {
        let distant = |sign: Value| {
            let is_known = (FAR_WIN + 1..=MATE).contains(&(Value::from(stored) * sign));
            if is_known { Value::from(stored) } else { sign * FAR_WIN }
        };
        match self {
            Label::Win => Some(distant(1)),
            Label::Loss => Some(distant(-1)),
            Label::Draw => Some(DRAW),
            _ => None,
        }
    }

    /// Whether it determines the result.
    pub fn is_decided(self) -> bool {
        matches!(self, Label::Win | Label::Loss | Label::Draw)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Label::None => f.write_str("none"),
            Label::Win => f.write_str("win"),
            Label::Loss => f.write_str("loss"),
            Label::Draw => f.write_str("draw"),
            Label::Blocked => f.write_str("blocked"),
            Label::Forced => f.write_str("forced"),
            Label::Other(c) => write!(f, "{}", char::from(*c)),
        }
    }
}

impl FromStr for Label {
    type Err = RecordError;

    /// Parses a name such as `win`, or a single character.
    fn from_str(text: &str) -> Result<Label, RecordError> {
        let named = [Label::None, Label::Win, Label::Loss, Label::Draw, Label::Blocked, Label::Forced];
        if let Some(label) = named.into_iter().find(|label| label.to_string().eq_ignore_ascii_case(text)) {
            return Ok(label);
        }
        let mut chars = text.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        single.and_then(Label::from_char).ok_or(RecordError::BadLabel)
    }
}

impl FromStr for Bound {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Bound, RecordError> {
        let found = Bound::ALL.into_iter().find(|bound| bound.to_string().eq_ignore_ascii_case(text));
        found.ok_or(RecordError::BadBound)
    }
}

/// Results of games that reached a position, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameCounts {
    /// Games that the side to move won.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games that the side to move lost.
    pub lost: u32,
}

impl GameCounts {
    /// Number of games.
    pub fn total(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// The same games, counted for the player whose move led to the position.
    pub fn of_move(self) -> GameCounts {
        GameCounts { won: self.lost, lost: self.won, ..self }
    }

    /// The sum of both.
    pub fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// Everything known about a position. All points are in one orientation of the board, see
/// [`Canonical`](super::Canonical).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The label.
    pub label: Label,
    /// Value of a search, see [`Bound`]: above 0 when the side to move is better.
    pub value: i16,
    /// Depth of that search, in plies.
    pub depth: i16,
    /// Relation of the value to the true value.
    pub bound: Bound,
    /// Games that reached the position.
    pub games: GameCounts,
    /// The best move.
    pub best_move: Option<Point>,
    /// Whether the user has marked it, like a marked node of a RenLib file.
    pub is_marked: bool,
    /// Whether the user wants to begin here, like the start node of a RenLib file.
    pub is_start: bool,
    /// A comment.
    pub text: String,
    /// Short texts shown on points of the board.
    pub point_texts: BTreeMap<Point, String>,
}

impl Record {
    /// Number of plies to the end of the game, if the value determines the result; with a bound, the game may
    /// end sooner. "At most a win" and "at least a loss" determine nothing.
    pub fn steps(&self) -> Option<u16> {
        let value = Value::from(self.value);
        let distance = u16::try_from(mate_plies(value)?).ok()?;
        let is_decided = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => value > 0,
            Bound::Upper => value < 0,
        };
        is_decided.then_some(distance)
    }

    /// Whether its label and value are preferable to the label and value of `other`: a known result beats an
    /// unknown one, a known distance an unknown one, and a shorter distance a longer one; without a result, the
    /// deeper search is better, at equal depth an exact value, and after that any label.
    pub fn is_better_than(&self, other: &Record) -> bool {
        let rank = |record: &Record| {
            let is_decided = record.label.is_decided() || record.steps().is_some();
            let distance = record.steps().map_or(i32::MIN, |steps| -i32::from(steps));
            let depth = if record.bound == Bound::None { i16::MIN } else { record.depth };
            let depth = if is_decided { 0 } else { depth };
            (is_decided, distance, depth, record.bound == Bound::Exact, record.label != Label::None)
        };
        rank(self) > rank(other)
    }

    /// Number of bytes of all texts.
    pub fn text_bytes(&self) -> usize {
        [&self.text].into_iter().chain(self.point_texts.values()).map(String::len).sum()
    }

    /// Checks that all points are on a board of `size`.
    pub(super) fn check_points(&self, size: Size) -> Result<(), RecordError> {
        let mut points = self.best_move.iter().chain(self.point_texts.keys());
        if points.all(|&point| size.contains(point)) { Ok(()) } else { Err(RecordError::OffBoard) }
    }

    /// Checks for content that the encodings cannot represent.
    ///
    /// # Errors
    /// Returns an error if a text is too long, or the label is invalid.
    pub fn check(&self) -> Result<(), RecordError> {
        if self.text_bytes() > MOST_TEXT_BYTES {
            return Err(RecordError::TooLong);
        }
        match self.label {
            Label::Other(c) if Label::from_char(char::from(c)) != Some(self.label) => {
                Err(RecordError::BadLabel)
            }
            _ => Ok(()),
        }
    }
}

/// Whether Rapfi and Yixin-Board store a character in texts of points.
pub(super) fn is_in_point_texts(c: char) -> bool {
    !c.is_whitespace() && c != BACKSPACE
}

/// A comment as Rapfi and Yixin-Board store it, with `\n` for the ends of lines.
pub(super) fn plain_comment(text: &str) -> String {
    text.replace('\r', "").replace(BACKSPACE, "\n")
}

/// Why a record is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The texts have more than [`MOST_TEXT_BYTES`].
    #[error("the texts of a position have more than {MOST_TEXT_BYTES} bytes")]
    TooLong,
    /// The label is neither a name nor a single visible character.
    #[error("a label must be none, win, loss, draw, blocked, forced or a visible ASCII character")]
    BadLabel,
    /// The bound is not none, upper, lower or exact.
    #[error("a bound must be none, upper, lower or exact")]
    BadBound,
    /// The best move or the point of a text is not on the board.
    #[error("the best move and the points of texts must be on the board")]
    OffBoard,
    /// The bytes are not a record.
    #[error("a record is damaged")]
    BadBytes,
}
