//! The looks at the positions of a game, and what they say about a move.

use super::insight::Insight;
use super::{GameMoves, end_rate};
use crate::board::Point;

/// The looks at each position, in order.
pub(super) type Looks = Vec<Vec<Insight>>;

/// The look that determines the mark of the move to `point`: the last look, or the one before it if its mark
/// is milder and no look refutes its best move. `after` is the win rate of the mover in the next position.
pub(super) fn decisive(looks: &[Insight], point: Point, after: f32) -> Option<&Insight> {
    let (last, earlier) = looks.split_last()?;
    let mark = |look: &Insight| look.mark(point, after);
    // A comparison with another move that loses excuses nothing.
    let stands =
        |look: &Insight| look.best.point().is_none_or(|best| best == point || !is_refuted(looks, best));
    let is_milder = |previous: &&Insight| stands(previous) && mark(previous).is_milder_than(mark(last));
    Some(earlier.last().filter(is_milder).unwrap_or(last))
}

/// Whether one of the looks at a position proves that the move to `point` loses.
pub(super) fn is_refuted(looks: &[Insight], point: Point) -> bool {
    looks.iter().any(|look| look.loss_of(point).is_some())
}

/// Win rate of the side that moved in a position, by the first look at the next position; `None` before that
/// look.
pub(super) fn rate_after(game: &GameMoves, looks: &Looks, index: usize) -> Option<f32> {
    match looks.get(index + 1) {
        Some(next) => next.first().map(|insight| 1.0 - insight.best.win_rate),
        None => Some(end_rate(game, game.mover(index))),
    }
}
