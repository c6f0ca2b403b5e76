//! The positions that these games begin from: random legal moves, near the centre where there is one, or a file with
//! one list of moves (`h8 i9 j10` or `h8i9j10`) in a line.
//!
//! Every opening that leaves this module can be played: its moves are legal, the game is not over, and the side to move
//! does not win at once.

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Color, Point};
use kakugo::game::{Game, Move, play_moves};
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;

use super::VariantName;
use crate::openings::Source;
use crate::openings::list::read_lines;
use crate::openings::random::distinct;

/// Random stones come within this distance of the centre of a square board; further out when there are many.
const RADIUS: u8 = 3;
/// Moves at random where nobody says how many.
const RANDOM_MOVES: usize = 4;

/// Source of openings where none is given: random moves.
pub fn default_source() -> Source {
    Source::Random(RANDOM_MOVES)
}

/// At most `wanted` openings, at least one, in the order of the source.
///
/// # Errors
/// When the file cannot be read, holds no opening, or one that cannot be played; when no sound random opening is found;
/// for the book, which has no such games.
pub fn load(source: &Source, wanted: usize, name: &VariantName, seed: u64) -> Result<Vec<Vec<Point>>> {
    let wanted = wanted.max(1);
    let mut openings = match source {
        Source::Book => bail!("there is no book of openings for {name}: random:K or a file"),
        Source::Random(moves) => random(*moves, wanted, name, seed)?,
        Source::File(path) => {
            let text = kakugo::files::read_text(path, crate::files::input::SMALL_LIMIT)
                .with_context(|| format!("openings {}", path.display()))?;
            list(&text, name).with_context(|| path.display().to_string())?
        }
    };
    openings.truncate(wanted);
    Ok(openings)
}

/// `count` openings of random moves; the same seed gives the same ones on every machine.
fn random(moves: usize, count: usize, name: &VariantName, seed: u64) -> Result<Vec<Vec<Point>>> {
    let fault = || format!("no sound opening of {moves} random moves found");
    distinct(count, seed, |rng| Ok(random_moves(moves, name, rng)), fault)
}

/// Random moves, if they happen to be a sound opening.
fn random_moves(moves: usize, name: &VariantName, rng: &mut ChaCha8Rng) -> Option<Vec<Point>> {
    let mut game = name.open();
    let center = game.size().center();
    let distance = |point: Point| center.x().abs_diff(point.x()).max(center.y().abs_diff(point.y()));
    let radius = (RADIUS..).find(|&radius| usize::from(2 * radius + 1).pow(2) > 2 * moves)?;
    for _ in 0..moves {
        let legal = game.legal_moves();
        let near = |mv: &&Move| game.is_hexagonal() || distance(mv.point) <= radius;
        // Where the rules keep a stone away from the centre, it may go anywhere.
        let chosen = legal.iter().filter(near).choose(rng).or_else(|| legal.iter().choose(rng))?;
        game.play(chosen.point.into());
    }
    (is_open(game.as_mut())).then(|| points(game.as_ref()))
}

/// The openings of a text.
///
/// # Errors
/// When a line, which is named, cannot be read or played, or there is none.
fn list(text: &str, name: &VariantName) -> Result<Vec<Vec<Point>>> {
    read_lines(text, |line| {
        let mut game = name.open();
        play_moves(game.as_mut(), line)?;
        // A position is shown to engines as points, which leave no room for it.
        let chooses = game.moves().iter().any(|mv| mv.choice > 0);
        ensure!(!chooses, "an opening cannot choose between captures");
        ensure!(is_open(game.as_mut()), "the game is over, or won with the next move");
        Ok(points(game.as_ref()))
    })
}

/// Whether the game goes on, and the side to move does not win at once.
fn is_open(game: &mut dyn Game) -> bool {
    let us = game.side_to_move();
    game.outcome().is_none() && !game.legal_moves().into_iter().any(|mv| wins(game, us, mv))
}

fn wins(game: &mut dyn Game, us: Color, mv: Move) -> bool {
    game.play(mv);
    let is_won = game.outcome().is_some_and(|outcome| outcome.winner == Some(us));
    game.undo();
    is_won
}

fn points(game: &dyn Game) -> Vec<Point> {
    game.moves().into_iter().map(|mv| mv.point).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn name(text: &str) -> VariantName {
        text.parse().unwrap()
    }

    #[test]
    fn random_openings_repeat_by_seed_and_are_legal() {
        for (text, _) in kakugo::variants::GAMES {
            let name = name(text);
            let openings = random(5, 20, &name, 1).unwrap();
            assert_eq!(openings, random(5, 20, &name, 1).unwrap());
            assert_ne!(openings, random(5, 20, &name, 2).unwrap());
            assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 20, "{text}");
            for opening in openings {
                let mut game = name.open();
                for point in opening {
                    assert_eq!(game.check(point.into()), Ok(()), "{text}");
                    game.play(point.into());
                }
                assert!(is_open(game.as_mut()), "{text}");
            }
        }
        assert_eq!(random(0, 2, &name("pente"), 1).unwrap(), [vec![], vec![]]);
        // The board has 25 points, and four captures of each side give back 16.
        assert!(random(42, 1, &name("pente:size=5"), 1).is_err());
    }

    #[test]
    fn files_hold_moves_and_bad_lines_are_named() {
        let pente = name("pente:size=9");
        assert_eq!(list("# pairs\ne5 a1 b2\n\ne5a1\n", &pente).unwrap().len(), 2);
        let says = |text: &str| format!("{:#}", list(text, &pente).unwrap_err());
        assert_eq!(says("e5 e5"), "line 1: move 2, e5: the point is not empty");
        assert_eq!(says(""), "no opening in the file");
        assert_eq!(says("a1 a9 b1 b9 c1 c9 d1 d9"), "line 1: the game is over, or won with the next move");
        let error = load(&Source::Book, 1, &pente, 1).unwrap_err().to_string();
        assert_eq!(error, "there is no book of openings for pente:size=9: random:K or a file");
    }
}
