//! The moves of a node, best first by what policy and histories say.

use arrayvec::ArrayVec;

use super::history::History;
use super::params::Params;
use super::score::Value;
use crate::board::{Bitboard, Point};
use crate::eval::Evaluator;
use crate::rules::Position;

/// More than any board has points.
const CAPACITY: usize = 512;
/// Bits of a key that hold the point; the order is above them.
const POINT_BITS: u32 = 10;
/// Above every order that policy and histories give.
const TABLE_MOVE_ORDER: i32 = 1 << 20;
/// Bits of a key that hold the score.
const SCORE_BITS: u32 = 16;
/// The largest score of either sign that is told apart.
const MOST_SCORE: Value = Value::pow(2, SCORE_BITS - 1) - 1;

/// A list of moves from which the best is picked again and again: most nodes need only the first few.
pub struct MovePicker {
    /// Order, score and point, from the highest bits down; the picked ones moved to the front.
    keys: ArrayVec<i64, CAPACITY>,
    picked: usize,
}

/// What the order of a move depends on besides the position.
pub struct Context<'a> {
    /// What histories are worth.
    pub params: &'a Params,
    /// The histories of the thread.
    pub history: &'a History,
    /// Plies from the root.
    pub ply: usize,
    /// The move that the table has for the node; it comes first.
    pub table_move: Option<Point>,
    /// The opponent's last move.
    pub previous: Option<Point>,
}

impl MovePicker {
    /// The moves to the points of `targets`.
    pub fn new(
        position: &Position,
        evaluator: &mut Evaluator,
        targets: Bitboard,
        context: &Context,
    ) -> MovePicker {
        let us = position.board().side_to_move();
        let orders = context.history.orders(context.params, us, context.ply, context.previous);
        let mut keys = ArrayVec::new();
        evaluator.move_scores(position, targets, |point, score| {
            let score = score.clamp(-MOST_SCORE, MOST_SCORE);
            let order =
                if context.table_move == Some(point) { TABLE_MOVE_ORDER } else { score + orders.of(point) };
            let rest = i64::from(score as i16 as u16) << POINT_BITS | point.index() as i64;
            keys.push(i64::from(order) << (POINT_BITS + SCORE_BITS) | rest);
        });
        MovePicker { keys, picked: 0 }
    }

    /// The best move not yet picked, and how good it looks.
    #[inline]
    pub fn next(&mut self) -> Option<(Point, Value)> {
        let rest = &mut self.keys[self.picked..];
        let best = (0..rest.len()).max_by_key(|&i| rest[i])?;
        rest.swap(0, best);
        self.picked += 1;
        let point = Point::from_index((rest[0] & ((1 << POINT_BITS) - 1)) as usize);
        Some((point, i32::from((rest[0] >> POINT_BITS) as i16)))
    }
}
