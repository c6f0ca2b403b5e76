//! The value of a position for black if both sides play the rest of the procedure as well as possible.
//!
//! Fifth moves that must be offered matter a lot: black's second-best fifth may lose. They are therefore
//! searched. Earlier stones that can still be swapped are valued by a plain search, because they will be
//! chosen to be level.

use super::judge::Judge;
use super::{after, fifths};
use crate::board::{Board, Color};
use crate::rules::procedure::{Decision, Negotiation};
use crate::think::score::{MATE, Value};

/// Maximum number of white's fourth moves to search, and the minimum number of nodes for each.
const FOURTHS: u64 = 5;
const NODES_PER_FOURTH: u64 = 4_000;

/// The value that black can expect.
pub fn black(judge: &mut Judge, negotiation: &Negotiation, nodes: u64) -> Value {
    let board = negotiation.board();
    // A swap changes who plays black, not the value for black.
    let ahead: Vec<Decision> = std::iter::once(negotiation.decision())
        .flatten()
        .chain(negotiation.to_come().iter().copied())
        .filter(|decision| !matches!(decision, Decision::Swap | Decision::SwapOrTwoStones))
        .collect();
    let said = |count| negotiation.fifths_said().unwrap_or(count);
    match ahead[..] {
        [Decision::Choice, ..] => fifths::picked(judge, negotiation, nodes),
        [Decision::Fifths(count), ..] => fifths::last(judge, &board, said(count), nodes),
        [Decision::Stone(_), Decision::Fifths(count), ..] => {
            after_fourth(judge, &board, said(count), nodes).pop().unwrap_or(0)
        }
        // White chooses the fourth stone and the number, black the colour, so black gains from any imbalance.
        [Decision::StoneAndCount { most }, ..] => {
            let levels = fourths(judge, &board, nodes, |judge, board, nodes| {
                let ladder = fifths::ladder(judge, board, most, nodes);
                ladder.into_iter().map(Value::abs).min().unwrap_or(0)
            });
            levels.into_iter().min().unwrap_or(0)
        }
        _ => side_value(judge, &board, nodes),
    }
}

/// The value of a plain search, for black.
fn side_value(judge: &mut Judge, board: &Board, nodes: u64) -> Value {
    let value = judge.value(board, nodes);
    if board.side_to_move() == Color::Black { value } else { -value }
}

/// The values that black can expect if 1, 2, ... `most` fifths are offered and white has played the best
/// fourth move against each number.
pub fn after_fourth(judge: &mut Judge, board: &Board, most: usize, nodes: u64) -> Vec<Value> {
    let ladders =
        fourths(judge, board, nodes, |judge, board, nodes| fifths::ladder(judge, board, most, nodes));
    let worst = |rung: usize| ladders.iter().filter_map(|ladder| ladder.get(rung).copied()).min();
    (0..most).map(|rung| worst(rung).unwrap_or(-MATE)).collect()
}

/// Searches white's best fourth moves.
fn fourths<T>(
    judge: &mut Judge,
    board: &Board,
    nodes: u64,
    mut look: impl FnMut(&mut Judge, &Board, u64) -> T,
) -> Vec<T> {
    let count = (nodes / NODES_PER_FOURTH).clamp(1, FOURTHS);
    let best = judge.best(board, count as usize, nodes / 4);
    let each = nodes * 3 / 4 / count;
    best.into_iter().map(|(point, _)| look(judge, &after(board, point), each)).collect()
}
