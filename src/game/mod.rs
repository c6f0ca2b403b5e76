//! The interface between a game and the code that plays, draws, stores or judges it: legal moves, play, undo,
//! outcome, text.
//!
//! All code outside the search accesses games through one trait, [`Game`]. It is implemented for the rules of
//! the Gomocup family ([`GomokuGame`](crate::rules::GomokuGame)) and for the [`variants`](crate::variants).
//! This module knows the board but no rules.
//!
//! Invariant: [`Game::undo`] restores the state before the move bit for bit. Sides need not alternate: only
//! [`Game::side_to_move`] determines whose turn it is.

mod notation;
mod outcome;
mod refusal;

use arrayvec::ArrayVec;

use crate::board::{Cell, Color, Point, Size};

pub use notation::{
    MoveListError, PASS, format_move, format_moves, format_turns, parse_move, parse_turns, play_moves,
};
pub use outcome::{Foul, GameResult, Outcome, Reason};
pub use refusal::Refusal;

/// A move: the point of the stone and, if the rules let the player choose between rows to capture, the
/// choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The point of the stone.
    pub point: Point,
    /// The index of the chosen capture, from 0; 0 if there is nothing to choose.
    pub choice: u8,
}

/// A side's turn: a move, or `None` for a pass.
pub type Turn = Option<Move>;

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move { point, choice: 0 }
    }
}

/// A point whose content a move has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The point.
    pub point: Point,
    /// Its content before the move.
    pub from: Cell,
    /// Its content after the move.
    pub to: Cell,
}

/// The changes of one move, the placed stone first. At most 24 stones are removed: three in each of eight
/// directions.
pub type Changes = ArrayVec<Change, 25>;

/// A running game.
pub trait Game: Send {
    /// The name with every option that differs from the preset, in the form that
    /// [`open`](crate::variants::open) reads.
    fn name(&self) -> String;

    /// The size of the board, or of the smallest rectangular board that contains it.
    fn size(&self) -> Size;

    /// Whether the points are the circles of a hexagon in slanted columns rather than a square grid.
    fn is_hexagonal(&self) -> bool;

    /// The content of a point; [`Cell::Wall`] if the board has no such point.
    fn cell(&self, point: Point) -> Cell;

    /// The side to move, even if the game is over.
    fn side_to_move(&self) -> Color;

    /// The moves played so far.
    fn moves(&self) -> Vec<Move>;

    /// All legal moves in a fixed order; empty if the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Whether a move is legal.
    ///
    /// # Errors
    /// Returns an error if it is not legal, with a readable reason.
    fn check(&self, mv: Move) -> Result<(), Refusal>;

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic or leave the game in an invalid state if the move is not legal; call [`Game::check`] first.
    fn play(&mut self, mv: Move);

    /// Passes, if the rules allow it.
    ///
    /// # Errors
    /// Returns an error if the rules do not allow it, as in most games.
    fn pass(&mut self) -> Result<(), Refusal> {
        Err(Refusal::NoPass)
    }

    /// Undoes the last move or pass.
    ///
    /// # Panics
    /// Panics if there is nothing to undo.
    fn undo(&mut self);

    /// The result of the game, if it is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that affects the rest of the game: stones, side to move, captures and so on.
    fn hash(&self) -> u64;

    /// The changes made by the last move; empty before the first move.
    fn changes(&self) -> Changes;

    /// The stones that the last move removed.
    fn removed(&self) -> Vec<Point> {
        let us = self.changes().first().map(|change| change.to);
        let is_removed = |change: &&Change| change.to == Cell::Empty && Some(change.from) != us;
        self.changes().iter().filter(is_removed).map(|change| change.point).collect()
    }

    /// The row by which the last move won, in order.
    fn winning_row(&self) -> Option<Vec<Point>> {
        None
    }

    /// The empty points where the side to move may not play, or would lose, because of what the stone would
    /// make.
    fn forbidden(&self) -> Vec<(Point, Foul)> {
        let is_double_three =
            |&point: &Point| matches!(self.check(point.into()), Err(Refusal::DoubleThree(_)));
        let points = self.size().points().filter(is_double_three);
        points.map(|point| (point, Foul::DoubleThree)).collect()
    }

    /// A one-line status that the board does not show, such as captures; empty if there is nothing to report.
    fn status(&self) -> String;
}
