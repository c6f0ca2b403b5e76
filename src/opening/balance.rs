//! Finds one or two moves that balance a position.

use super::estimator::Estimator;
use super::{Brief, LEVEL, after};
use crate::board::{Board, Point};
use crate::engine::Engine;
use crate::rules::procedure::Symmetries;
use crate::think::score::Value;

/// With fewer stones, a balancing move may be anywhere; otherwise only points within a few steps of the stones are
/// tried.
const FEW_STONES: usize = 4;
/// Maximum number of first stones for which a second is searched, and the minimum number of nodes for each.
const FIRSTS: u64 = 5;
const NODES_PER_FIRST: u64 = 30_000;

/// Stones that balance a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balanced {
    /// The stones in order.
    pub points: Vec<Point>,
    /// The resulting value for the side that placed the first stone.
    pub value: Value,
}

/// Finds `count` stones (one or two) after which the position's value for the side to move now is as close as
/// possible to `bias`. `None` if there is not enough room, or every move wins, is a foul or is excluded.
pub fn balance(
    engine: &mut Engine,
    board: &Board,
    count: usize,
    bias: Value,
    brief: &Brief,
) -> Option<Balanced> {
    let mut estimator = Estimator::new(engine, brief);
    let nodes = estimator.nodes_left();
    if count == 1 { one(&mut estimator, board, bias, nodes) } else { two(&mut estimator, board, bias, nodes) }
}

/// Finds one stone; see [`balance`].
pub fn one(estimator: &mut Estimator, board: &Board, bias: Value, nodes: u64) -> Option<Balanced> {
    let (point, value) = nearest(estimator, board, bias, nodes)?;
    Some(Balanced { points: vec![point], value })
}

/// Finds two stones; see [`balance`]. The first stone leaves its side just short of the bias, and the second
/// gives away the rest.
pub fn two(estimator: &mut Estimator, board: &Board, bias: Value, nodes: u64) -> Option<Balanced> {
    let candidates = candidates(estimator, board);
    let mut firsts = estimator.sift(candidates, usize::MAX, nodes / 4, |estimator, &mut point, nodes| {
        -estimator.value(&after(board, point), nodes)
    });
    // The second stone can only increase the value of the first, so first stones that exceed the bias come
    // last.
    firsts
        .sort_by_key(|&(_, value)| if value <= bias + LEVEL { bias - value } else { Value::MAX / 2 + value });
    let count = (nodes / NODES_PER_FIRST).clamp(1, FIRSTS);
    let each = nodes / 4 * 3 / count;
    let mut best: Option<Balanced> = None;
    for (first, _) in firsts.into_iter().take(count as usize) {
        if best.is_some() && estimator.is_over() {
            break;
        }
        let Some((second, value)) = nearest(estimator, &after(board, first), -bias, each) else { continue };
        // From the view of the side that placed the first stone, like the bias.
        let value = -value;
        if best.as_ref().is_none_or(|best| (value - bias).abs() < (best.value - bias).abs()) {
            best = Some(Balanced { points: vec![first, second], value });
        }
    }
    best
}

/// The stone after which the value for the side that places it is closest to `wanted`, and that value.
fn nearest(estimator: &mut Estimator, board: &Board, wanted: Value, nodes: u64) -> Option<(Point, Value)> {
    let candidates = candidates(estimator, board).into_iter().map(|point| (point, 0)).collect();
    let sifted =
        estimator.sift(candidates, 1, nodes, |estimator, (point, value): &mut (Point, Value), nodes| {
            *value = -estimator.value(&after(board, *point), nodes);
            (*value - wanted).abs()
        });
    sifted.first().map(|&(found, _)| found)
}

/// The quiet points to try that are not excluded, one for each set of symmetric points, points near the middle first:
/// they may be equal, or time may be too short to distinguish them. Only symmetries of the whole board count, because
/// edges and blocked points also affect the value of a point.
fn candidates(estimator: &mut Estimator, board: &Board) -> Vec<Point> {
    let mut points = estimator.quiet_points(board) - estimator.excluded_points(board);
    if board.stone_count() >= FEW_STONES {
        points &= board.occupied().neighborhood().neighborhood();
    }
    let center = board.size().center();
    let mut points = Symmetries::of_board(board).distinct(points.iter());
    points.sort_by_key(|point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y())));
    points
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::notation::parse_point;
    use crate::board::{Bitboard, Size};
    use crate::engine::Options;
    use crate::think::Limits;

    #[test]
    fn points_at_different_distances_from_an_edge_are_different_candidates() {
        let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
        let (limits, stop) = (Limits::nodes(100), AtomicBool::new(false));
        let mut estimator = Estimator::new(&mut engine, &Brief::new(&limits, &stop, 0));
        let size = Size::default();
        let at = |text: &str| parse_point(text, size).unwrap();
        let found = candidates(&mut estimator, &Board::of_moves(size, &[at("g13")]));
        for text in ["g12", "f12", "h11", "g14"] {
            assert!(found.contains(&at(text)), "{text}");
        }
        let of_centre = candidates(&mut estimator, &Board::of_moves(size, &[at("h8")]));
        assert_eq!(of_centre.len(), 35, "one for each set of symmetric points");
    }

    #[test]
    fn excluded_points_are_not_proposed() {
        let size = Size::default();
        let board =
            Board::of_moves(size, &["h8", "i9", "g7", "i7"].map(|text| parse_point(text, size).unwrap()));
        let (limits, stop) = (Limits::nodes(20), AtomicBool::new(false));
        let balanced = |count, excluded: &dyn Fn(&Board) -> Bitboard| {
            let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
            let brief = Brief::new(&limits, &stop, 0).with_excluded(excluded);
            balance(&mut engine, &board, count, 0, &brief).map(|level| level.points)
        };
        for count in [1, 2] {
            let found = balanced(count, &|_| Bitboard::EMPTY).expect("an open board");
            let last = found[count - 1];
            let other = balanced(count, &|_| Bitboard::of(last)).expect("an open board");
            assert!(!other.contains(&last), "{found:?} {other:?}");
        }
        assert_eq!(balanced(1, &|board| *board.empty()), None);
        // The second stone is the other side's.
        let own = |after: &Board| if after.stone_count() > 4 { *after.empty() } else { Bitboard::EMPTY };
        assert!(balanced(1, &own).is_some() && balanced(2, &own).is_none());
    }
}
