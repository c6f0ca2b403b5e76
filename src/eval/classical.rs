//! The pattern-score evaluation: a sum over the empty points, kept through make and undo.

use super::weights::{PARTS, Weights, weights};
use crate::board::{Bitboard, ByColor, Color, Point};
use crate::rules::{PointClass, Position};

/// The evaluation of one position, following it stone by stone.
///
/// Invariant: between calls, `make` has been called once for every stone played since [`Evaluator::new`] and `undo`
/// once for every one taken back. Passes do not count.
#[derive(Clone)]
pub struct Evaluator {
    weights: &'static Weights,
    /// Black's points minus white's, in [`PARTS`].
    balance: i32,
    before: Vec<i32>,
}

impl Evaluator {
    /// The evaluation of `position`, computed afresh.
    pub fn new(position: &Position) -> Evaluator {
        let weights = weights(position.rule().kind);
        let mut evaluator =
            Evaluator { weights, balance: 0, before: Vec::with_capacity(position.board().size().area()) };
        let worth = |point| evaluator.worth(Color::ALL.map(|color| position.code(color, point)));
        evaluator.balance = position.board().empty().iter().map(worth).sum();
        evaluator
    }

    /// Follows the stone that `position` has just got.
    #[inline]
    pub fn make(&mut self, position: &Position) {
        self.before.push(self.balance);
        for change in position.last_changes() {
            let new = Color::ALL.map(|color| position.code(color, change.point()));
            let old = Color::ALL.map(|color| change.old_code(color));
            self.balance += self.worth(new) - self.worth(old);
        }
    }

    /// Follows the last stone being taken back.
    #[inline]
    pub fn undo(&mut self) {
        self.balance = self.before.pop().expect("every undo has its make");
    }

    /// The static evaluation for the side to move.
    #[inline]
    pub fn value(&self, position: &Position, strongest: ByColor<PointClass>) -> i32 {
        let us = position.board().side_to_move();
        let balance = if us == Color::Black { self.balance } else { -self.balance };
        let situation = self.weights.situations[strongest[us] as usize][strongest[!us] as usize];
        balance / PARTS + i32::from(situation)
    }

    /// How good a move of the side to move to `point` looks, for ordering.
    #[inline]
    pub fn move_score(&self, position: &Position, us: Color, point: Point) -> i32 {
        let score = |color: Color| i32::from(self.weights.colors[color].scores[position.code(color, point)]);
        score(us) + score(!us) * 3 / 4
    }

    /// The points worth looking at for either side: near stones, or anywhere when there are none near.
    pub fn candidates(&self, position: &Position) -> Bitboard {
        let board = position.board();
        let near = board.occupied().neighborhood() & *board.empty();
        if near.is_empty() { *board.empty() } else { near }
    }

    #[inline]
    fn worth(&self, [black, white]: [usize; 2]) -> i32 {
        let value = |color: Color, code: usize| i32::from(self.weights.colors[color].values[code]);
        value(Color::Black, black) - value(Color::White, white)
    }

    /// Panics unless the sum is the one computed afresh.
    pub fn validate(&self, position: &Position) {
        assert_eq!(self.balance, Evaluator::new(position).balance, "evaluation balance");
    }
}
