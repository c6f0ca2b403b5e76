//! Random stones near the centre.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use kakugo::board::{Board, Color, Point, Size};
use kakugo::game::{Game, Move};
use kakugo::rules::{Position, Rule, Verdict};
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::list::is_open;
use crate::model::game_kind::GameKind;

/// Random stones are placed within this distance of the centre, or further out if there are many.
const RADIUS: i32 = 3;

/// `count` random openings of `stones` stones, or of `stones` legal moves in a game outside the Gomocup
/// family. The same seed gives the same openings on every machine.
///
/// # Errors
/// Returns an error if the stones do not fit on the board or no valid opening is found.
pub fn openings(stones: usize, count: usize, game: &GameKind, seed: u64) -> Result<Vec<Vec<Point>>> {
    match *game {
        GameKind::Rule(rule, size) => {
            let draw = |rng: &mut ChaCha8Rng| {
                let opening = stones_near_centre(stones, size, rng)?;
                Ok(is_sound(&opening, size, rule).then_some(opening))
            };
            distinct(count, seed, draw, || format!("found no valid opening of {stones} random stones"))
        }
        GameKind::Variant(_) => {
            let draw = |rng: &mut ChaCha8Rng| Ok(legal_moves(stones, game.open().as_mut(), rng));
            distinct(count, seed, draw, || format!("found no valid opening of {stones} random moves"))
        }
    }
}

/// Random legal moves, near the centre if the board has one; `None` if they do not make a valid opening.
fn legal_moves(moves: usize, game: &mut dyn Game, rng: &mut ChaCha8Rng) -> Option<Vec<Point>> {
    let center = game.size().center();
    let radius = (RADIUS..).find(|&radius| (2 * radius + 1).pow(2) as usize > 2 * moves)?;
    for _ in 0..moves {
        let legal = game.legal_moves();
        let near = |mv: &&Move| game.is_hexagonal() || distance(center, mv.point) <= radius;
        // If the rules keep a stone away from the centre, it may go anywhere.
        let chosen = legal.iter().filter(near).choose(rng).or_else(|| legal.iter().choose(rng))?;
        game.play(chosen.point.into());
    }
    is_open(game).then(|| game.moves().into_iter().map(|mv| mv.point).collect())
}

/// Number of rings between a point and the centre.
fn distance(center: Point, point: Point) -> i32 {
    center.x().abs_diff(point.x()).max(center.y().abs_diff(point.y())).into()
}

/// `count` openings from the random generator `draw`, which returns `None` for invalid ones; without
/// duplicates if there are enough.
///
/// # Errors
/// Returns the errors of `draw`, and `fault` if it finds nothing valid.
fn distinct(
    count: usize,
    seed: u64,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> Result<Option<Vec<Point>>>,
    fault: impl Fn() -> String,
) -> Result<Vec<Vec<Point>>> {
    /// Number of tries before a duplicate is accepted.
    const TRIES: usize = 100;
    /// Number of consecutive duplicates after which hardly any new openings are left, and every duplicate is accepted.
    const ENOUGH: usize = 1_000;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut seen, mut duplicates) = (HashSet::new(), 0);
    let mut openings = Vec::with_capacity(count);
    for _ in 0..count {
        let mut chosen = None;
        for _ in 0..TRIES {
            let Some(opening) = draw(&mut rng)? else { continue };
            let is_new = seen.insert(opening.clone());
            chosen = Some(opening);
            duplicates = if is_new { 0 } else { duplicates + 1 };
            if is_new || duplicates > ENOUGH {
                break;
            }
        }
        openings.push(chosen.with_context(&fault)?);
    }
    Ok(openings)
}

/// Random stones, which may happen to be an invalid opening.
///
/// # Errors
/// Returns an error if the stones do not fit on the board.
pub fn stones_near_centre(stones: usize, size: Size, rng: &mut impl Rng) -> Result<Vec<Point>> {
    let area = middle(stones, size);
    ensure!(area.len() > stones, "{stones} random stones do not fit on a board of {size}");
    Ok(area.choose_multiple(rng, stones).copied().collect())
}

/// The points around the centre where random stones are placed: a square with twice the necessary room.
fn middle(stones: usize, size: Size) -> Vec<Point> {
    let center = size.center();
    let mut radius = RADIUS;
    while ((2 * radius + 1) * (2 * radius + 1)) as usize <= 2 * stones {
        radius += 1;
    }
    size.points().filter(|&point| distance(center, point) <= radius).collect()
}

/// Whether the opening can be played and neither side could win with one move.
pub fn is_sound(opening: &[Point], size: Size, rule: Rule) -> bool {
    let mut position = Position::new(Board::new(size), rule);
    for &point in opening {
        if position.verdict(point) != Verdict::Plain {
            return false;
        }
        position.play(point);
    }
    let has_four = |color: Color| position.board().empty().iter().any(|point| position.is_five(color, point));
    !Color::ALL.into_iter().any(has_four)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::format_moves;

    fn renju(size: Size) -> GameKind {
        GameKind::named("renju", size).unwrap()
    }

    #[test]
    fn openings_repeat_by_seed_and_differ_among_themselves() {
        let size = Size::default();
        let game = renju(size);
        let first = openings(4, 50, &game, 1).unwrap();
        assert_eq!(first, openings(4, 50, &game, 1).unwrap());
        assert_ne!(first, openings(4, 50, &game, 2).unwrap());
        let texts: HashSet<String> = first.iter().map(|opening| format_moves(opening, size)).collect();
        assert_eq!(texts.len(), 50);
        assert!(first.iter().all(|opening| opening.len() == 4));
        assert_eq!(openings(0, 2, &game, 1).unwrap(), [vec![], vec![]]);
    }

    #[test]
    fn openings_that_have_run_out_are_not_searched_again_and_again() {
        let mut draws = 0;
        let no_stones = |_: &mut ChaCha8Rng| {
            draws += 1;
            Ok(Some(Vec::new()))
        };
        let drawn = distinct(5_000, 1, no_stones, || "no opening".to_owned()).unwrap();
        assert_eq!(drawn.len(), 5_000);
        assert!(draws < 10_000, "{draws} draws");
        // One stone has 49 points, all of which are found.
        let one_stone = openings(1, 500, &renju(Size::default()), 1).unwrap();
        assert_eq!((one_stone.len(), one_stone.iter().collect::<HashSet<_>>().len()), (500, 49));
    }

    #[test]
    fn nobody_wins_with_the_first_move() {
        let size = Size::default();
        for opening in openings(20, 100, &renju(size), 1).unwrap() {
            let mut position = Position::new(Board::of_moves(size, &opening), "renju".parse().unwrap());
            assert!(size.points().all(|point| position.verdict(point) != Verdict::Five));
        }
    }

    #[test]
    fn many_stones_find_room_or_say_so() {
        let draw = |stones, side| openings(stones, 1, &renju(Size::square(side).unwrap()), 1);
        assert!(draw(30, 15).is_ok());
        assert!(draw(26, 5).is_err());
    }

    #[test]
    fn openings_of_variants_are_legal_moves() {
        for (name, _) in kakugo::variants::GAMES {
            let kind = GameKind::named(name, Size::default()).unwrap();
            let draw = |seed| openings(5, 20, &kind, seed).unwrap();
            let drawn = draw(1);
            assert_eq!(drawn, draw(1));
            assert_ne!(drawn, draw(2));
            assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), 20, "{name}");
            for opening in drawn {
                let mut game = kind.open();
                for point in opening {
                    assert_eq!(game.check(point.into()), Ok(()), "{name}");
                    game.play(point.into());
                }
                assert!(is_open(game.as_mut()), "{name}");
            }
        }
        let pente = |name| GameKind::named(name, Size::default()).unwrap();
        assert_eq!(openings(0, 2, &pente("pente"), 1).unwrap(), [vec![], vec![]]);
        // The board has 25 points, and four captures by each side free 16.
        assert!(openings(42, 1, &pente("pente:size=5"), 1).is_err());
    }
}
