//! Fifth moves: which to offer, which to choose, and their values.

use super::dice::{Dice, VARIED};
use super::estimator::Estimator;
use super::{after, points_of};
use crate::board::{Board, Point};
use crate::rules::procedure::{Answer, Negotiation, Symmetries};
use crate::think::score::{MATE, Value};

/// The `count` best moves of the side to move, best first, with their values for it. No two of them are
/// symmetric.
pub fn best(estimator: &mut Estimator, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
    let mut chosen = searched(estimator, board, count, nodes);
    if chosen.len() == count {
        return chosen;
    }
    // An interrupted search may return fewer moves; then points near the centre are added, known losses last.
    let worst = chosen.last().map_or(-MATE, |&(_, value)| value);
    let mut others: Vec<Point> = estimator.quiet_points(board).iter().collect();
    let lost = estimator.lost_points(board);
    others.sort_by_key(|point| (lost.contains(*point), from_center(board, *point)));
    add_distinct(&mut chosen, board, count, others.into_iter().map(|point| (point, worst)));
    chosen
}

/// The squared distance of a point from the centre.
fn from_center(board: &Board, point: Point) -> u32 {
    let center = board.size().center();
    let apart = |a: u8, b: u8| u32::from(a.abs_diff(b));
    apart(point.x(), center.x()).pow(2) + apart(point.y(), center.y()).pow(2)
}

/// Like [`best`], but fewer than `count` if the search was interrupted too early.
pub fn searched(estimator: &mut Estimator, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
    let asked = if Symmetries::of(board).is_trivial() { count } else { 2 * count };
    let found = estimator.best(board, asked, nodes);
    let mut chosen = Vec::new();
    add_distinct(&mut chosen, board, count, found.into_iter());
    chosen
}

/// Adds moves that are not symmetric to chosen ones until there are `count`.
fn add_distinct(
    chosen: &mut Vec<(Point, Value)>,
    board: &Board,
    count: usize,
    moves: impl Iterator<Item = (Point, Value)>,
) {
    let symmetries = Symmetries::of(board);
    for (point, value) in moves {
        if chosen.len() == count {
            break;
        }
        if !chosen.iter().any(|&(other, _)| symmetries.are_same(point, other)) {
            chosen.push((point, value));
        }
    }
}

/// The values that black can expect if 1, 2, ... `most` fifths are offered and white chooses: the values of
/// the best fifths in order.
pub fn ladder(estimator: &mut Estimator, board: &Board, most: usize, nodes: u64) -> Vec<Value> {
    best(estimator, board, most, nodes).into_iter().map(|(_, value)| value).collect()
}

/// The value that black can expect if `count` fifths are offered and white chooses; 0 if there are none.
pub fn last(estimator: &mut Estimator, board: &Board, count: usize, nodes: u64) -> Value {
    ladder(estimator, board, count, nodes).pop().unwrap_or(0)
}

/// Offers the best fifths; blocked ones only if the others are too few.
pub fn offer(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    count: usize,
    nodes: u64,
) -> (Answer, Value) {
    let board = negotiation.board();
    let mut best = best(estimator, &board, count, nodes);
    if best.len() < count {
        let found = estimator.best_of_all(&board, 2 * count, nodes);
        add_distinct(&mut best, &board, count, found.into_iter());
        let worst = best.last().map_or(-MATE, |&(_, value)| value);
        let mut others: Vec<Point> = estimator.plain_points(&board).iter().collect();
        others.sort_by_key(|point| from_center(&board, *point));
        add_distinct(&mut best, &board, count, others.into_iter().map(|point| (point, worst)));
        best.sort_by_key(|&(_, value)| -value);
    }
    let value = best.last().map_or(0, |&(_, value)| value);
    (Answer::Offer(points_of(&best)), value)
}

/// Chooses the offered fifth that is best for white; also returns its value for white.
pub fn choice(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    seed: u64,
    nodes: u64,
) -> (Answer, Value) {
    let mut dice = Dice::new(seed, negotiation);
    let (point, cost) = dice.varied(picks(estimator, negotiation, VARIED, nodes));
    (Answer::Choose(point), -cost)
}

/// The value that black can expect from the offered fifths: the value of the worst.
pub fn picked(estimator: &mut Estimator, negotiation: &Negotiation, nodes: u64) -> Value {
    picks(estimator, negotiation, 1, nodes)[0].1
}

/// The offered fifths with their values for black, the worst for black first.
fn picks(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    kept: usize,
    nodes: u64,
) -> Vec<(Point, Value)> {
    let board = negotiation.board();
    estimator.sift(negotiation.offered().to_vec(), kept, nodes, |estimator, &mut point, nodes| {
        -estimator.value(&after(&board, point), nodes)
    })
}
