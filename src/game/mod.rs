//! The seam between a game and those who play, draw, keep or judge it: legal moves, play, undo, outcome, text.
//!
//! Whatever the rules are, everybody outside the search sees a game through one trait, [`Game`]: the rules of the
//! Gomocup family are behind it ([`GomokuGame`](crate::rules::GomokuGame)) as well as those of
//! [`variants`](crate::variants). It knows the board and no rules.
//!
//! Invariant: [`Game::undo`] restores what was before the move bit for bit. Sides need not alternate: only
//! [`Game::side_to_move`] tells whose turn it is.

mod notation;
mod outcome;
mod refusal;

use arrayvec::ArrayVec;

use crate::board::{Cell, Color, Direction, Point, Size};

pub use notation::{
    MoveListError, PASS, format_move, format_moves, format_turns, parse_move, parse_turns, play_moves,
};
pub use outcome::{Foul, Outcome, Reason};
pub use refusal::Refusal;

/// A move: where the stone goes and, where the rules let the mover choose between rows to capture, which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where.
    pub point: Point,
    /// Which of the possible captures, from 0; 0 when there is nothing to choose.
    pub choice: u8,
}

/// A side's turn: its move, or `None` for a pass.
pub type Turn = Option<Move>;

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

/// A game that is being played.
pub trait Game: Send {
    /// The name with every option that differs from the preset, as [`open`](crate::variants::open) reads it.
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

    /// The side to move plays no stone, where the rules let it.
    ///
    /// # Errors
    /// When they do not, as in most games.
    fn pass(&mut self) -> Result<(), Refusal> {
        Err(Refusal::NoPass)
    }

    /// Takes the last move or pass back.
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

    /// The row that the last move has won by.
    fn winning_row(&self) -> Option<(Direction, Vec<Point>)> {
        None
    }

    /// The empty points that the side to move may not play because of what the stone would make, or loses by.
    fn forbidden(&self) -> Vec<(Point, Foul)> {
        let is_double_three =
            |&point: &Point| matches!(self.check(point.into()), Err(Refusal::DoubleThree(_)));
        let points = self.size().points().filter(is_double_three);
        points.map(|point| (point, Foul::DoubleThree)).collect()
    }

    /// Status that the board does not show, such as captures, in one line; empty when there is nothing to tell.
    fn status(&self) -> String;
}
