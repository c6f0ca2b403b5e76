//! The moves of a node, best first by what table, policy and histories say.

use arrayvec::ArrayVec;

use super::history::History;
use super::params::Params;
use crate::board::{Bitboard, Point};
use crate::eval::Evaluator;
use crate::rules::Position;
use crate::think::score::Value;

/// More than any board has points.
const CAPACITY: usize = 512;
/// Bits of a key that hold the point; the order is above them.
const POINT_BITS: u32 = 10;
/// Bits of a key that hold the score.
const SCORE_BITS: u32 = 16;
/// The largest score of either sign that is told apart.
const MOST_SCORE: Value = Value::pow(2, SCORE_BITS - 1) - 1;

/// A list of moves from which the best is picked again and again: most nodes need only the first few, and many only the
/// table's, for which no other has to be scored.
pub struct MovePicker {
    node: Context,
    stage: Stage,
    /// Order, score and point, from the highest bits down; the picked ones moved to the front.
    keys: ArrayVec<i64, CAPACITY>,
    picked: usize,
    /// Score of the first move.
    first_score: Option<Value>,
}

/// Facts about a node on which the order of its moves depends.
#[derive(Clone, Copy)]
pub struct Context {
    /// The points of its moves.
    pub targets: Bitboard,
    /// Plies from the root.
    pub ply: usize,
    /// The move that the table has for the node; it comes first.
    pub table_move: Option<Point>,
    /// The opponent's last move.
    pub previous: Option<Point>,
}

/// The next step of a picker.
enum Stage {
    TableMove(Point),
    Score,
    Pick,
}

impl MovePicker {
    /// The moves of a node.
    #[inline]
    pub fn new(node: Context) -> MovePicker {
        let table_move = node.table_move.filter(|&point| node.targets.contains(point));
        let stage = table_move.map_or(Stage::Score, Stage::TableMove);
        MovePicker { node, stage, keys: ArrayVec::new(), picked: 0, first_score: None }
    }

    /// The best move not yet picked, and how much less promising it looks than the first one, in points. `position` is
    /// the node's, each time.
    #[inline]
    pub fn next(
        &mut self,
        position: &Position,
        evaluator: &mut Evaluator,
        params: &Params,
        history: &History,
    ) -> Option<(Point, Value)> {
        match self.stage {
            Stage::TableMove(point) => {
                self.stage = Stage::Score;
                return Some((point, 0));
            }
            Stage::Score => {
                self.score(position, evaluator, params, history);
                self.stage = Stage::Pick;
            }
            Stage::Pick => {}
        }
        let rest = &mut self.keys[self.picked..];
        let best = (0..rest.len()).max_by_key(|&i| rest[i])?;
        rest.swap(0, best);
        self.picked += 1;
        let point = Point::from_index((rest[0] & ((1 << POINT_BITS) - 1)) as usize);
        let score = i32::from((rest[0] >> POINT_BITS) as i16);
        Some((point, *self.first_score.get_or_insert(score) - score))
    }

    fn score(&mut self, position: &Position, evaluator: &mut Evaluator, params: &Params, history: &History) {
        let Context { targets, ply, table_move, previous } = self.node;
        if targets.len() == 1 {
            // The only answer to a threat, mostly to a four: there is nothing to compare it with.
            let only = targets.iter().filter(|&point| table_move != Some(point));
            self.keys.extend(only.map(|point| point.index() as i64));
            return;
        }
        let orders = history.orders(params, position.board().side_to_move(), ply, previous);
        evaluator.move_scores(position, targets, |point, codes, score| {
            let score = score.clamp(-MOST_SCORE, MOST_SCORE);
            if table_move == Some(point) {
                self.first_score = Some(score);
                return;
            }
            let rest = i64::from(score as i16 as u16) << POINT_BITS | point.index() as i64;
            self.keys.push(i64::from(score + orders.of(point, codes)) << (POINT_BITS + SCORE_BITS) | rest);
        });
    }
}
