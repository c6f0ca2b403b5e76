//! Whether a game was played by the rules and tells the truth about itself.

use anyhow::{Result, bail, ensure};
use kakugo::board::{Board, Color, Point};
use kakugo::rules::{Position, Rule, Verdict};

use super::{Ending, Game, Recipe};
use crate::position::is_quiet;

/// Replays a game.
///
/// # Errors
/// What is wrong with it.
pub fn check(game: &Game, recipe: &Recipe) -> Result<()> {
    check_played(game, recipe)?;
    check_inner(game, recipe)
}

/// Replays the game itself.
fn check_played(game: &Game, recipe: &Recipe) -> Result<()> {
    let mut position = Position::new(Board::new(recipe.size), Rule::from(recipe.rule));
    for &point in &game.opening {
        let verdict = verdict(&mut position, point)?;
        ensure!(verdict == Verdict::Plain, "the opening decides the game");
        position.play(point);
    }
    ensure!(!game.plies.is_empty(), "the game has no moves");
    let last = game.plies.len() - 1;
    for (i, ply) in game.plies.iter().enumerate() {
        let us = position.board().side_to_move();
        let number = game.opening.len() + i + 1;
        ensure!(!(ply.proven && ply.quiet), "move {number} is both quiet and decided");
        ensure!(ply.proven || ply.quiet == is_quiet(&position), "move {number} is wrong about being quiet");
        let verdict = verdict(&mut position, ply.point)?;
        if ply.proven {
            ensure!(i == last && game.ending == Ending::Proven, "the game goes on after it was decided");
            let winner = if ply.value > 0 { us } else { !us };
            ensure!(game.winner == Some(winner), "the proof is for the other side");
            return Ok(());
        }
        position.play(ply.point);
        let full = position.board().empty().is_empty();
        let (ending, winner): (_, Option<Color>) = match verdict {
            Verdict::Five => (Ending::Row, Some(us)),
            Verdict::Foul(_) => (Ending::Foul, Some(!us)),
            _ if full => (Ending::Full, None),
            _ if i == last => bail!("the game has no end"),
            _ => continue,
        };
        ensure!(i == last, "the game goes on after its end");
        ensure!(game.ending == ending && game.winner == winner, "the game ends otherwise than it says");
    }
    Ok(())
}

/// Replays the inner positions.
fn check_inner(game: &Game, recipe: &Recipe) -> Result<()> {
    for inner in &game.inner {
        let ply = usize::from(inner.ply);
        ensure!(ply < game.plies.len() && !inner.line.is_empty(), "an inner position is not inside a search");
        let mut board = Board::new(recipe.size);
        let played = game.plies[..ply].iter().map(|ply| &ply.point);
        for &point in game.opening.iter().chain(played).chain(&inner.line) {
            ensure!(board.is_empty(point), "an inner position has two stones on {point:?}");
            board.play(point);
        }
        ensure!(board.is_empty(inner.best), "an inner position's best move is on a stone");
        ensure!(is_quiet(&Position::new(board, Rule::from(recipe.rule))), "an inner position is not quiet");
    }
    Ok(())
}

fn verdict(position: &mut Position, point: Point) -> Result<Verdict> {
    let verdict = position.verdict(point);
    ensure!(verdict != Verdict::Illegal, "there is a stone on {point:?} already");
    Ok(verdict)
}
