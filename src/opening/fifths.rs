//! Fifth moves: which to offer, which to pick, what they are worth.

use super::dice::{Dice, VARIED};
use super::judge::Judge;
use super::{after, points_of};
use crate::board::{Board, Point};
use crate::rules::procedure::{Answer, Negotiation, Symmetries};
use crate::search::score::{MATE, Value};

/// The `count` best moves of the side to move, no two of them symmetric, best first, with their values to it.
pub fn best(judge: &mut Judge, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
    let symmetries = Symmetries::of(board);
    let asked = if symmetries.is_trivial() { count } else { 2 * count };
    let mut chosen: Vec<(Point, Value)> = Vec::new();
    let found = judge.best(board, asked, nodes);
    // A search that was cut short may know fewer: then points near the centre fill up.
    let worst = found.last().map_or(-MATE, |&(_, value)| value);
    let center = board.size().center();
    let distance = |p: &Point| {
        let apart = |a: u8, b: u8| u32::from(a.abs_diff(b));
        apart(p.x(), center.x()).pow(2) + apart(p.y(), center.y()).pow(2)
    };
    let mut others: Vec<Point> = judge.quiet_points(board).iter().collect();
    others.sort_by_key(distance);
    for (point, value) in found.into_iter().chain(others.into_iter().map(|point| (point, worst))) {
        if chosen.len() == count {
            break;
        }
        if !chosen.iter().any(|&(other, _)| symmetries.are_same(point, other)) {
            chosen.push((point, value));
        }
    }
    chosen
}

/// Values that black may expect when 1, 2, ... `most` fifths are offered and white picks: those of the best fifths in
/// turn.
pub fn ladder(judge: &mut Judge, board: &Board, most: usize, nodes: u64) -> Vec<Value> {
    best(judge, board, most, nodes).into_iter().map(|(_, value)| value).collect()
}

/// Value that black may expect when `count` fifths are offered and white picks; 0 when there are none.
pub fn last(judge: &mut Judge, board: &Board, count: usize, nodes: u64) -> Value {
    ladder(judge, board, count, nodes).pop().unwrap_or(0)
}

/// The best that can be offered.
pub fn offer(judge: &mut Judge, negotiation: &Negotiation, count: usize, nodes: u64) -> (Answer, Value) {
    let best = best(judge, &negotiation.board(), count, nodes);
    let value = best.last().map_or(0, |&(_, value)| value);
    (Answer::Offer(points_of(&best)), value)
}

/// A fifth offered than which none is better for white, and its value to white.
pub fn choice(judge: &mut Judge, negotiation: &Negotiation, seed: u64, nodes: u64) -> (Answer, Value) {
    let mut dice = Dice::new(seed, negotiation);
    let (point, cost) = dice.varied(picks(judge, negotiation, VARIED, nodes));
    (Answer::Choose(point), -cost)
}

/// Value that black may expect of the fifths on offer: that of the worst.
pub fn picked(judge: &mut Judge, negotiation: &Negotiation, nodes: u64) -> Value {
    picks(judge, negotiation, 1, nodes)[0].1
}

/// The fifths on offer with their values to black, the worst for black first.
fn picks(judge: &mut Judge, negotiation: &Negotiation, kept: usize, nodes: u64) -> Vec<(Point, Value)> {
    let board = negotiation.board();
    judge.sift(negotiation.offered().to_vec(), kept, nodes, |judge, &mut point, nodes| {
        -judge.value(&after(&board, point), nodes)
    })
}
