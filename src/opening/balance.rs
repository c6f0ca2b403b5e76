//! A move, or two, that make a position level.

use super::judge::Judge;
use super::{Brief, LEVEL, after};
use crate::board::{Board, Point};
use crate::engine::Engine;
use crate::rules::procedure::Symmetries;
use crate::search::score::Value;

/// With fewer stones a level move may be anywhere; with more it is looked for within a few steps of them.
const FEW_STONES: usize = 4;
/// First stones of two for which a second is looked for, at most; and the nodes that make each worth it.
const FIRSTS: u64 = 5;
const NODES_PER_FIRST: u64 = 30_000;

/// Stones that make a position level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balanced {
    /// They, in order.
    pub points: Vec<Point>,
    /// Value of the position then, to the side that put the first.
    pub value: Value,
}

/// Proposes `count` stones, one or two, after which the position is worth as near as possible to `bias` for the side to
/// move now; `None` where there is no room, or every move wins or fouls.
pub fn balance(
    engine: &mut Engine,
    board: &Board,
    count: usize,
    bias: Value,
    brief: &Brief,
) -> Option<Balanced> {
    let mut judge = Judge::new(engine, brief);
    let nodes = judge.nodes_left();
    if count == 1 { one(&mut judge, board, bias, nodes) } else { two(&mut judge, board, bias, nodes) }
}

/// One stone, see [`balance`].
pub fn one(judge: &mut Judge, board: &Board, bias: Value, nodes: u64) -> Option<Balanced> {
    let (point, value) = nearest(judge, board, bias, nodes)?;
    Some(Balanced { points: vec![point], value })
}

/// Two stones, see [`balance`]. The first is one that leaves its side just short of the bias, the second one that gives
/// the rest away.
pub fn two(judge: &mut Judge, board: &Board, bias: Value, nodes: u64) -> Option<Balanced> {
    let candidates = candidates(judge, board);
    let mut firsts = judge.sift(candidates, usize::MAX, nodes / 4, |judge, &mut point, nodes| {
        -judge.value(&after(board, point), nodes)
    });
    // The second stone can only add to the value of the first, so what exceeds the bias comes last.
    firsts
        .sort_by_key(|&(_, value)| if value <= bias + LEVEL { bias - value } else { Value::MAX / 2 + value });
    let count = (nodes / NODES_PER_FIRST).clamp(1, FIRSTS);
    let each = nodes / 4 * 3 / count;
    let mut best: Option<Balanced> = None;
    for (first, _) in firsts.into_iter().take(count as usize) {
        if best.is_some() && judge.is_over() {
            break;
        }
        let Some((second, value)) = nearest(judge, &after(board, first), -bias, each) else { continue };
        // To the side that put the first, as the bias is.
        let value = -value;
        if best.as_ref().is_none_or(|best| (value - bias).abs() < (best.value - bias).abs()) {
            best = Some(Balanced { points: vec![first, second], value });
        }
    }
    best
}

/// The stone after which the value to the side that puts it is nearest to `wanted`, and that value.
fn nearest(judge: &mut Judge, board: &Board, wanted: Value, nodes: u64) -> Option<(Point, Value)> {
    let candidates = candidates(judge, board).into_iter().map(|point| (point, 0)).collect();
    let sifted = judge.sift(candidates, 1, nodes, |judge, (point, value): &mut (Point, Value), nodes| {
        *value = -judge.value(&after(board, *point), nodes);
        (*value - wanted).abs()
    });
    sifted.first().map(|&(found, _)| found)
}

/// The quiet points that are worth a look, one of each that are symmetric, those near the middle first: what they are
/// worth, or the time to find out, may not tell them apart.
fn candidates(judge: &mut Judge, board: &Board) -> Vec<Point> {
    let mut points = judge.quiet_points(board);
    if board.stone_count() >= FEW_STONES {
        points &= board.occupied().neighborhood().neighborhood();
    }
    let center = board.size().center();
    let mut points = Symmetries::of(board).distinct(points.iter());
    points.sort_by_key(|point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y())));
    points
}
