//! A board under a rule. SKELETON: the final body comes with the pattern tables; the public API stays.

use super::{Foul, Rule, Verdict};
use crate::board::{Board, Color, Point};

/// A board under a rule.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    rule: Rule,
}

impl Position {
    /// `board` under `rule`.
    pub fn new(board: Board, rule: Rule) -> Position {
        Position { board, rule }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What the side to move would make by playing `point`. Call it before [`Position::play`].
    pub fn verdict(&mut self, point: Point) -> Verdict {
        if self.board.is_empty(point) { Verdict::Plain } else { Verdict::Illegal }
    }

    /// The foul that a black stone on the empty `point` is, under renju.
    pub fn foul(&mut self, point: Point) -> Option<Foul> {
        let _ = point;
        None
    }

    /// Whether a stone of `color` on the empty `point` makes a winning row.
    pub fn is_five(&self, color: Color, point: Point) -> bool {
        let _ = (color, point);
        false
    }

    /// The side to move plays `point`, which must be empty.
    pub fn play(&mut self, point: Point) {
        self.board.play(point);
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        self.board.undo();
    }
}
