//! Checks that a game follows the rules and that its record is consistent.

use anyhow::{Result, bail, ensure};
use kakugo::board::{Board, Color, Point};
use kakugo::rules::{Position, Rule, Verdict};
use kakugo::think::Bound;

use super::{GameEnd, GamesRecipe, TrainingGame};
use crate::position::is_quiet;

/// Replays a game and checks it.
///
/// # Errors
/// Returns an error if it breaks the rules or its record is inconsistent.
pub fn check(game: &TrainingGame, recipe: &GamesRecipe) -> Result<()> {
    let mut position = Position::new(Board::new(recipe.size), Rule::from(recipe.rule));
    check_played(game, &mut position)?;
    // Undoes moves back to the opening, which is cheaper than setting up a new position.
    while position.board().history().len() > game.opening.len() {
        position.undo();
    }
    check_inner(game, &mut position)
}

/// Replays the game itself from the empty board.
fn check_played(game: &TrainingGame, position: &mut Position) -> Result<()> {
    for &point in &game.opening {
        let verdict = verdict(position, point)?;
        ensure!(verdict == Verdict::Plain, "the opening decides the game");
        position.play(point);
    }
    ensure!(!game.plies.is_empty(), "the game has no moves");
    let last = game.plies.len() - 1;
    for (i, ply) in game.plies.iter().enumerate() {
        let us = position.board().side_to_move();
        let number = game.opening.len() + i + 1;
        ensure!(!(ply.proven && ply.quiet), "move {number} is both quiet and decided");
        ensure!(
            ply.proven || ply.quiet == is_quiet(position),
            "move {number} is wrongly marked as quiet or not quiet"
        );
        let verdict = verdict(position, ply.point)?;
        if ply.proven {
            ensure!(i == last && game.ending == GameEnd::Proven, "the game continues after it was decided");
            let winner = if ply.value > 0 { us } else { !us };
            ensure!(game.winner == Some(winner), "the proof is for the other side");
            return Ok(());
        }
        position.play(ply.point);
        let full = position.board().empty().is_empty();
        let (ending, winner): (_, Option<Color>) = match verdict {
            Verdict::Five => (GameEnd::Row, Some(us)),
            Verdict::Foul(_) => (GameEnd::Foul, Some(!us)),
            _ if full => (GameEnd::Full, None),
            _ if i == last => bail!("the game is unfinished"),
            _ => continue,
        };
        ensure!(i == last, "the game continues after its end");
        ensure!(game.ending == ending && game.winner == winner, "the game does not end as recorded");
    }
    Ok(())
}

/// Replays the inner positions; `position` is the position after the opening.
fn check_inner(game: &TrainingGame, position: &mut Position) -> Result<()> {
    let mut played = 0;
    for inner in &game.inner {
        let ply = usize::from(inner.ply);
        ensure!(ply < game.plies.len() && !inner.line.is_empty(), "an inner position is not inside a search");
        ensure!(ply >= played, "the inner positions are not in the order of the moves");
        game.plies[played..ply].iter().for_each(|ply| position.play(ply.point));
        played = ply;
        for &point in &inner.line {
            ensure!(position.board().is_empty(point), "an inner position has two stones on {point:?}");
            position.play(point);
        }
        let is_empty = |point: Point| position.board().is_empty(point);
        ensure!(inner.best.is_none_or(is_empty), "an inner position's best move is on a stone");
        ensure!(inner.bound == Bound::Exact || !inner.proven, "a proven value is a bound");
        ensure!(is_quiet(position), "an inner position is not quiet");
        inner.line.iter().for_each(|_| position.undo());
    }
    Ok(())
}

fn verdict(position: &mut Position, point: Point) -> Result<Verdict> {
    let verdict = position.verdict(point);
    ensure!(verdict != Verdict::Illegal, "there is already a stone on {point:?}");
    Ok(verdict)
}
