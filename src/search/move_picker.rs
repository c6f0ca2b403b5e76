//! The moves of a node, ordered by the table, the policy and the histories.

use arrayvec::ArrayVec;

use super::history::History;
use super::params::Params;
use crate::board::{Bitboard, Point};
use crate::eval::Evaluator;
use crate::rules::Position;
use crate::think::score::Value;

/// More than the number of points of any board.
const CAPACITY: usize = 512;
/// Bits of a key that hold the place of the point. The score is above them, and the order above the score.
const PLACE_BITS: u32 = CAPACITY.ilog2();
/// Bits of a key that hold the score.
const SCORE_BITS: u32 = 16;
/// The key of a move that was picked.
const PICKED: i64 = i64::MIN;
/// The largest absolute value of a score in a key; larger scores are clipped.
const MOST_SCORE: Value = Value::pow(2, SCORE_BITS - 1) - 1;

/// A list of moves from which the best remaining one is picked repeatedly. Most nodes need only the first few
/// moves, and many only the table's move, which is returned before any other move is scored.
pub struct MovePicker {
    node: Context,
    stage: Stage,
    /// The points of the scored moves.
    points: ArrayVec<Point, CAPACITY>,
    /// Order, score and place among the points, from the highest bits down; [`PICKED`] after the move was picked.
    keys: ArrayVec<i64, CAPACITY>,
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
        MovePicker { node, stage, points: ArrayVec::new(), keys: ArrayVec::new(), first_score: None }
    }

    /// The best move not yet picked, and how far its policy score is below the first move's, in points.
    /// `position` must be the node's position in each call.
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
        let best = largest(&self.keys);
        if best == PICKED {
            return None;
        }
        let place = (best & ((1 << PLACE_BITS) - 1)) as usize;
        self.keys[place] = PICKED;
        let score = i32::from((best >> PLACE_BITS) as i16);
        Some((self.points[place], *self.first_score.get_or_insert(score) - score))
    }

    fn score(&mut self, position: &Position, evaluator: &mut Evaluator, params: &Params, history: &History) {
        let Context { targets, ply, table_move, previous } = self.node;
        let mut points = targets.iter();
        if let (Some(only), None) = (points.next(), points.next()) {
            // The only answer to a threat, usually to a four: there is nothing to compare it with.
            if table_move != Some(only) {
                self.points.push(only);
                self.keys.push(0);
            }
            return;
        }
        let orders = history.orders(params, position.board().side_to_move(), ply, previous);
        evaluator.move_scores(position, targets, |point, codes, score| {
            let score = score.clamp(-MOST_SCORE, MOST_SCORE);
            if table_move == Some(point) {
                self.first_score = Some(score);
                return;
            }
            let rest = i64::from(score as i16 as u16) << PLACE_BITS | self.keys.len() as i64;
            self.points.push(point);
            self.keys.push(i64::from(score + orders.of(point, codes)) << (PLACE_BITS + SCORE_BITS) | rest);
        });
    }
}

/// The largest key, or [`PICKED`] if no move is left. Keeps four maxima, because the comparisons for a single one
/// would wait for each other.
fn largest(keys: &[i64]) -> i64 {
    let (fours, rest) = keys.as_chunks::<4>();
    let mut largest = [PICKED; 4];
    for four in fours {
        for (largest, &key) in largest.iter_mut().zip(four) {
            *largest = key.max(*largest);
        }
    }
    largest.into_iter().chain(rest.iter().copied()).max().unwrap_or(PICKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_key_is_found_at_any_place() {
        assert_eq!(largest(&[]), PICKED);
        for count in 1..=9 {
            for place in 0..count {
                let mut keys = vec![-7; count];
                keys[place] = -3;
                assert_eq!(largest(&keys), -3, "{place} of {count}");
            }
        }
    }
}
