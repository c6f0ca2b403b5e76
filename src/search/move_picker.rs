//! The moves of a node, best first by what patterns and histories say.

use arrayvec::ArrayVec;

use super::history::History;
use super::params::Params;
use crate::board::{Bitboard, Point};
use crate::eval::Evaluator;
use crate::rules::Position;

/// More than any board has points.
const CAPACITY: usize = 512;
/// Bits of a key that hold the point; the order is above them.
const POINT_BITS: u32 = 10;
/// Above every order that patterns and histories give.
const TABLE_MOVE_ORDER: i32 = 1 << 20;

/// A list of moves from which the best is picked again and again: most nodes need only the first few.
pub struct MovePicker {
    /// `order << POINT_BITS | point`, the picked ones moved to the front.
    keys: ArrayVec<i32, CAPACITY>,
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
        evaluator: &Evaluator,
        targets: Bitboard,
        context: &Context,
    ) -> MovePicker {
        let us = position.board().side_to_move();
        let orders = context.history.orders(context.params, us, context.ply, context.previous);
        let mut keys = ArrayVec::new();
        for point in targets.iter() {
            let order = if context.table_move == Some(point) {
                TABLE_MOVE_ORDER
            } else {
                evaluator.move_score(position, us, point) + orders.of(point)
            };
            keys.push(order << POINT_BITS | point.index() as i32);
        }
        MovePicker { keys, picked: 0 }
    }

    /// The best move not yet picked.
    #[inline]
    pub fn next(&mut self) -> Option<Point> {
        let rest = &mut self.keys[self.picked..];
        let best = (0..rest.len()).max_by_key(|&i| rest[i])?;
        rest.swap(0, best);
        self.picked += 1;
        Some(Point::from_index((rest[0] & ((1 << POINT_BITS) - 1)) as usize))
    }
}
