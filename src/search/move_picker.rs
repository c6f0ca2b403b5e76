//! The moves of a node, ordered by the table, the policy and the histories.

use arrayvec::ArrayVec;

use super::history::{History, Orders};
use super::params::Params;
use crate::board::{Bitboard, Point};
use crate::eval::{Evaluator, ScoreVisitor};
use crate::rules::Position;
use crate::think::score::Value;

/// More than the number of points of any board.
const CAPACITY: usize = 512;
/// Bits of a key that hold the place of the point. The score is above them, and the order above the score.
const PLACE_BITS: u32 = CAPACITY.ilog2();
/// Bits of a key that hold the score.
const SCORE_BITS: u32 = 16;
/// The key of a move that was picked.
const PICKED: f64 = f64::NEG_INFINITY;
/// Lower than the order of any scored move.
const LAST: i64 = -(1 << 24);
/// The largest absolute value of a score in a key; larger scores are clipped.
const MOST_SCORE: Value = Value::pow(2, SCORE_BITS - 1) - 1;

/// The key of a move: order, score and place among the points, from the highest bits down. It is a whole number far
/// below 2^53, so it is exact.
#[inline]
fn key(order: i64, score: Value, place: usize) -> f64 {
    let rest = i64::from(score as i16 as u16) << PLACE_BITS | place as i64;
    (order << (PLACE_BITS + SCORE_BITS) | rest) as f64
}

/// The place and the score in a key.
#[inline]
fn unpack(key: f64) -> (usize, Value) {
    let key = key as i64;
    let place = key & ((1 << PLACE_BITS) - 1);
    (place as usize, Value::from((key >> PLACE_BITS) as i16))
}

/// A list of moves from which the best remaining one is picked repeatedly. Most nodes need only the first few
/// moves, and many only the table's move, which is returned before any other move is scored.
pub struct MovePicker {
    node: Context,
    stage: Stage,
    /// The points of the scored moves.
    points: ArrayVec<Point, CAPACITY>,
    /// The [`key`] of each move; [`PICKED`] after the move was picked.
    keys: ArrayVec<f64, CAPACITY>,
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
        let (place, score) = unpack(best);
        self.keys[place] = PICKED;
        Some((self.points[place], *self.first_score.get_or_insert(score) - score))
    }

    /// Adds new moves, to be picked after all others. Only after the moves were scored.
    pub fn add(&mut self, points: Bitboard) {
        for point in points.iter() {
            self.points.push(point);
            self.keys.push(key(LAST, -MOST_SCORE, self.keys.len()));
        }
    }

    fn score(&mut self, position: &Position, evaluator: &mut Evaluator, params: &Params, history: &History) {
        let Context { targets, ply, table_move, previous } = self.node;
        let mut points = targets.iter();
        if let (Some(only), None) = (points.next(), points.next()) {
            // The only answer to a threat, usually to a four: there is nothing to compare it with.
            if table_move != Some(only) {
                self.points.push(only);
                self.keys.push(0.0);
            }
            return;
        }
        let orders = history.orders(params, position.board().side_to_move(), ply, previous);
        let MovePicker { points, keys, first_score, .. } = self;
        evaluator.move_scores(position, targets, KeyList { orders, table_move, points, keys, first_score });
    }
}

/// Lists the moves whose scores it receives.
struct KeyList<'a> {
    orders: Orders<'a>,
    table_move: Option<Point>,
    points: &'a mut ArrayVec<Point, CAPACITY>,
    keys: &'a mut ArrayVec<f64, CAPACITY>,
    first_score: &'a mut Option<Value>,
}

impl ScoreVisitor for KeyList<'_> {
    // A call for each move takes 3 % of a search.
    #[inline(always)]
    fn visit(&mut self, point: Point, codes: [usize; 2], score: Value) {
        let score = score.clamp(-MOST_SCORE, MOST_SCORE);
        if self.table_move == Some(point) {
            *self.first_score = Some(score);
            return;
        }
        self.points.push(point);
        let order = i64::from(score + self.orders.of(point, codes));
        self.keys.push(key(order, score, self.keys.len()));
    }
}

/// The largest key, or [`PICKED`] if no move is left. Keeps eight maxima, because the comparisons for a single one
/// would wait for each other. Comparisons of this form become vector instructions; `f64::max` also handles NaN.
fn largest(keys: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let (eights, rest) = keys.as_chunks::<8>();
    let mut largest = [PICKED; 8];
    for eight in eights {
        for (largest, &key) in largest.iter_mut().zip(eight) {
            *largest = larger(key, *largest);
        }
    }
    largest.into_iter().chain(rest.iter().copied()).fold(PICKED, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_what_they_are_made_of_and_follow_the_order() {
        let mut last = PICKED;
        for order in [LAST, -70_000, -1, 0, 1, 70_000] {
            for score in [-MOST_SCORE, -300, -1, 0, 1, 300, MOST_SCORE] {
                for place in [0, 1, CAPACITY - 1] {
                    let key = key(order, score, place);
                    assert_eq!(unpack(key), (place, score), "order {order}");
                    assert!(key > last, "order {order}, score {score}, place {place}");
                }
            }
            last = key(order, -1, CAPACITY - 1);
        }
    }

    #[test]
    fn the_largest_key_is_found_at_any_place() {
        assert_eq!(largest(&[]), PICKED);
        for count in 1..=17 {
            for place in 0..count {
                let mut keys = vec![-7.0; count];
                keys[place] = -3.0;
                assert_eq!(largest(&keys), -3.0, "{place} of {count}");
            }
        }
    }
}
