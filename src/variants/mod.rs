//! Games outside the Gomocup family: [`capture`] games (Pente and its kin) and Gomoku Roku ([`roku`]).
//!
//! All of them are seen through one small trait, [`Game`]: legal moves, play, undo, outcome, hash, text. A game knows
//! its rules exactly, and nothing of search or evaluation: [`variant_search`](crate::variant_search) plays them all.
//!
//! Invariant: [`Game::undo`] restores what was before the move bit for bit. Sides need not alternate: only
//! [`Game::side_to_move`] tells whose turn it is.

pub mod capture;
mod catalog;
mod notation;
pub mod roku;
mod spec;

use std::fmt;

use arrayvec::ArrayVec;

use crate::board::{Cell, Color, Point, Size};

pub use catalog::{GAMES, GameRules, open, parse, rules_in_words, with_size};
pub use notation::{MoveError, format_move, format_moves, parse_move, parse_moves};
pub use spec::SpecError;

/// A move: where the stone goes and, where the rules let the mover choose between rows to capture, which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where.
    pub point: Point,
    /// Which of the possible captures, from 0; 0 when there is nothing to choose.
    pub choice: u8,
}

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move { point, choice: 0 }
    }
}

/// A point whose stone a move has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub point: Point,
    /// Content before the move.
    pub from: Cell,
    /// Content after it.
    pub to: Cell,
}

/// The changes of one move, the stone that was placed first: three captured stones in each of eight directions are the
/// most that any game removes.
pub type Changes = ArrayVec<Change, 25>;

/// Result of a game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// By what.
    pub reason: Reason,
}

impl Outcome {
    const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The winner has five in a row, and it can't be broken any more.
    Five,
    /// The winner has captured as much as the game asks for.
    Captures,
    /// The loser has to move and has no stone left.
    NoStones,
    /// The next side has no legal move, or there is no place left for a stone.
    NoMove,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Five => "five in a row",
            Reason::Captures => "enough stones are captured",
            Reason::NoStones => "the other side has no stone left to place",
            Reason::NoMove => "there is no move left",
        })
    }
}

/// Why a move is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game has ended.
    Over,
    /// The point is not on the board.
    OffBoard,
    /// There is a stone already.
    Taken,
    /// The stone would make so many free threes at once.
    DoubleThree(usize),
    /// The first stone belongs in the centre.
    NotCentre,
    /// Black's second stone must keep at least so far from the centre.
    TooNear(u8),
    /// The first stone of each side belongs on the track: black's anywhere, white's where the rules put it.
    NotTrack,
    /// No stone is placed on the track after the beginning.
    Track,
    /// Nothing is placed on the centre.
    Centre,
    /// There are only so many rows to choose from.
    NoSuchChoice(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the game is over"),
            Refusal::OffBoard => f.write_str("it is off the board"),
            Refusal::Taken => f.write_str("there is a stone already"),
            Refusal::DoubleThree(threes) => write!(f, "it would make {threes} free threes at once"),
            Refusal::NotCentre => f.write_str("the first stone belongs in the centre"),
            Refusal::TooNear(distance) => {
                write!(f, "black's second stone must be at least {distance} points from the centre")
            }
            Refusal::NotTrack => {
                f.write_str("the track stone belongs on a track circle, white's next to black's")
            }
            Refusal::Track => f.write_str("nothing is placed on the track"),
            Refusal::Centre => f.write_str("nothing is placed on the centre"),
            Refusal::NoSuchChoice(0) => f.write_str("there is no capture to choose"),
            Refusal::NoSuchChoice(rows) => write!(f, "there are only {rows} rows to capture from"),
        }
    }
}

impl std::error::Error for Refusal {}

/// A game that is being played.
pub trait Game: Send {
    /// The name with every option that differs from the preset, as [`open`] reads it.
    fn name(&self) -> String;

    /// The board, or the smallest one that holds it.
    fn size(&self) -> Size;

    /// Whether the points are the circles of a hexagon, in slanted columns, rather than a square grid.
    fn is_hexagonal(&self) -> bool;

    /// Content of a point; [`Cell::Wall`] where the board has no point.
    fn cell(&self, point: Point) -> Cell;

    /// The side that moves next, also when the game has ended.
    fn side_to_move(&self) -> Color;

    /// The moves so far.
    fn moves(&self) -> Vec<Move>;

    /// All legal moves, in a fixed order; none when the game has ended.
    fn legal_moves(&self) -> Vec<Move>;

    /// Whether a move is legal.
    ///
    /// # Errors
    /// When it is not, with the reason for people.
    fn check(&self, mv: Move) -> Result<(), Refusal>;

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic, or leave a nonsensical game behind, when the move is not legal: [`Game::check`] first.
    fn play(&mut self, mv: Move);

    /// Takes the last move back.
    ///
    /// # Panics
    /// When there is none.
    fn undo(&mut self);

    /// Result of the game, if it has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// A number that tells positions apart: stones, side to move, captures, everything that the future depends on.
    fn hash(&self) -> u64;

    /// Changes of the stones by the last move; empty before the first move.
    fn changes(&self) -> Changes;

    /// The stones that the last move has removed.
    fn removed(&self) -> Vec<Point> {
        let us = self.changes().first().map(|change| change.to);
        let is_removed = |change: &&Change| change.to == Cell::Empty && Some(change.from) != us;
        self.changes().iter().filter(is_removed).map(|change| change.point).collect()
    }

    /// Status that the board does not show, such as captures, in one line; empty when there is nothing to tell.
    fn status(&self) -> String;
}
