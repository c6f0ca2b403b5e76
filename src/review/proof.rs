//! Collects proofs from the looks at a game: who wins a position, and by which line.
//!
//! A search proves more than the value of its own position: it may also prove the move that was made there,
//! and with it the next position, which need not find this proof again. Here each proof counts for all the
//! positions that it decides, so that the reviews of consecutive moves agree.
//!
//! The proof of a position depends only on the looks at this position, the one before and the one after it, so
//! that a part of a game is judged like the whole.

use super::GameMoves;
use super::insight::{Insight, ValuedLine, loses};
use super::looks::Looks;
use crate::board::{Color, Point};
use crate::think::score::{self, is_mate};

/// The proven value of a position for its side to move, with the line. The line is empty if only the value is
/// known.
pub(super) fn of_position(game: &GameMoves, looks: &Looks, index: usize) -> Option<ValuedLine> {
    let here = searched(game, looks, index);
    // A position is won if the move made there wins, and lost if the only possible move loses.
    let is_forced = |made: &ValuedLine| looks[index].iter().any(|look| look.forced == made.point());
    let by_move = || with_move(game, looks, index, searched);
    here.or_else(|| by_move().filter(|made| made.value > 0 || is_forced(made)))
}

/// The proven value of a move of the game, by its index, for the side that made it.
pub(super) fn of_move(game: &GameMoves, looks: &Looks, index: usize) -> Option<ValuedLine> {
    with_move(game, looks, index, of_position)
}

/// The side that is proven to lose in a position.
pub(super) fn loser(game: &GameMoves, looks: &Looks, index: usize) -> Option<Color> {
    let mover = game.mover(index);
    of_position(game, looks, index).map(|answer| if answer.value > 0 { !mover } else { mover })
}

/// The proof of a position by the looks at it, or by the looks at the previous position.
fn searched(game: &GameMoves, looks: &Looks, index: usize) -> Option<ValuedLine> {
    let own = looks[index].iter().rev().find_map(Insight::proof);
    own.or_else(|| {
        let before = index.checked_sub(1)?;
        let point = game.points()[before];
        let made = looks[before].iter().rev().find_map(|look| look.proof_of(point));
        // If the best move loses, every move loses, at the latest when the best one does.
        let lost = || looks[before].iter().rev().find(|look| loses(look.best.value));
        let lost = || lost().map(|look| ValuedLine { line: vec![point], ..look.best.clone() });
        made.or_else(lost).map(ValuedLine::after_move)
    })
}

/// The value of a move by the proof of the next position, or by the end of the game.
fn with_move(
    game: &GameMoves,
    looks: &Looks,
    index: usize,
    next: impl Fn(&GameMoves, &Looks, usize) -> Option<ValuedLine>,
) -> Option<ValuedLine> {
    let &point = game.points().get(index)?;
    if index + 1 < looks.len() {
        return next(game, looks, index + 1).map(|answer| answer.before_move(point));
    }
    let winner = game.outcome()?.winner?;
    let (value, win_rate) =
        if winner == game.mover(index) { (score::mate_in(1), 1.0) } else { (score::mated_in(1), 0.0) };
    Some(ValuedLine { value, win_rate, line: vec![point] })
}

impl Insight {
    /// The proof of the position, if the look is one.
    fn proof(&self) -> Option<ValuedLine> {
        let made = self.duel.as_ref().map(|duel| &duel.made).filter(|made| made.value > 0);
        [Some(&self.best), made].into_iter().flatten().find(|answer| is_mate(answer.value)).cloned()
    }

    /// The proof of the move to `point`, if the look contains one.
    fn proof_of(&self, point: Point) -> Option<ValuedLine> {
        let made = self.duel.as_ref().map(|duel| &duel.made);
        let answers = [Some(&self.best), made].into_iter().flatten();
        answers.filter(|answer| is_mate(answer.value)).find(|answer| answer.point() == Some(point)).cloned()
    }
}

impl ValuedLine {
    /// The value of the position after the first move of the line, for the other side.
    fn after_move(self) -> ValuedLine {
        let line = self.line.into_iter().skip(1).collect();
        ValuedLine { value: score::from_root(-self.value, 1), win_rate: 1.0 - self.win_rate, line }
    }

    /// The value of the move to `point` that leads to this position, for the side that makes it.
    fn before_move(self, point: Point) -> ValuedLine {
        let line = [vec![point], self.line].concat();
        ValuedLine { value: score::to_root(-self.value, 1), win_rate: 1.0 - self.win_rate, line }
    }
}
