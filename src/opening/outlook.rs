//! The value of a position for black if both sides play the rest of the procedure as well as possible.
//!
//! Fifth moves that must be offered matter a lot: black's second-best fifth may lose. They are therefore
//! searched. Earlier stones that can still be swapped are valued by a plain search, because they will be
//! chosen to be level.

use super::estimator::Estimator;
use super::{after, fifths};
use crate::board::{Board, Color};
use crate::rules::procedure::{Decision, Negotiation};
use crate::think::score::{MATE, Value};

/// Maximum number of white's fourth moves to search, and the minimum number of nodes for each.
const FOURTHS: u64 = 5;
const NODES_PER_FOURTH: u64 = 4_000;

/// The value that black can expect.
pub fn black(estimator: &mut Estimator, negotiation: &Negotiation, nodes: u64) -> Value {
    let board = negotiation.board();
    // A swap changes who plays black, not the value for black.
    let ahead: Vec<Decision> = std::iter::once(negotiation.decision())
        .flatten()
        .chain(negotiation.to_come())
        .filter(|decision| !matches!(decision, Decision::Swap | Decision::SwapOrTwoStones))
        .collect();
    match ahead[..] {
        [Decision::Choice, ..] => fifths::picked(estimator, negotiation, nodes),
        [Decision::Fifths(count), ..] => fifths::last(estimator, &board, count, nodes),
        [Decision::Stone(_), Decision::Fifths(count), ..] => {
            after_fourth(estimator, &board, count, nodes).pop().unwrap_or(0)
        }
        // White chooses the fourth stone and the number, black the colour, so black gains from any imbalance.
        [Decision::StoneAndCount { most }, ..] => {
            let levels = fourths(estimator, &board, nodes, |estimator, board, nodes| {
                let ladder = fifths::ladder(estimator, board, most, nodes);
                ladder.into_iter().map(Value::abs).min().unwrap_or(0)
            });
            levels.into_iter().min().unwrap_or(0)
        }
        _ => side_value(estimator, &board, nodes),
    }
}

/// The value of a plain search, for black.
fn side_value(estimator: &mut Estimator, board: &Board, nodes: u64) -> Value {
    let value = estimator.value(board, nodes);
    if board.side_to_move() == Color::Black { value } else { -value }
}

/// The values that black can expect if 1, 2, ... `most` fifths are offered and white has played the best
/// fourth move against each number.
pub fn after_fourth(estimator: &mut Estimator, board: &Board, most: usize, nodes: u64) -> Vec<Value> {
    let ladders = fourths(estimator, board, nodes, |estimator, board, nodes| {
        fifths::ladder(estimator, board, most, nodes)
    });
    let worst = |rung: usize| ladders.iter().filter_map(|ladder| ladder.get(rung).copied()).min();
    (0..most).map(|rung| worst(rung).unwrap_or(-MATE)).collect()
}

/// Searches white's best fourth moves.
fn fourths<T>(
    estimator: &mut Estimator,
    board: &Board,
    nodes: u64,
    mut look: impl FnMut(&mut Estimator, &Board, u64) -> T,
) -> Vec<T> {
    let count = (nodes / NODES_PER_FOURTH).clamp(1, FOURTHS);
    let best = estimator.best(board, count as usize, nodes / 4);
    let each = nodes * 3 / 4 / count;
    best.into_iter().map(|(point, _)| look(estimator, &after(board, point), each)).collect()
}
