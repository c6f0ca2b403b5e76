//! Random stones near the centre.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use kakugo::board::{Color, Point, Size};
use kakugo::rules::Rule;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::game::referee::set_up;

/// Random stones come within this distance of the centre, further out only when there are many.
const RADIUS: i32 = 3;

/// `count` random openings; the same seed gives the same ones on every machine.
///
/// # Errors
/// When the stones do not fit on the board, or no sound opening is found.
pub fn openings(stones: usize, count: usize, size: Size, rule: Rule, seed: u64) -> Result<Vec<Vec<Point>>> {
    let fault = || format!("no sound opening of {stones} random stones found");
    let draw = |rng: &mut ChaCha8Rng| {
        let opening = stones_near_centre(stones, size, rng)?;
        Ok(is_sound(&opening, size, rule).then_some(opening))
    };
    distinct(count, seed, draw, fault)
}

/// `count` openings that `draw` makes of chance, `None` where one is not sound; each a new one if there are enough.
///
/// # Errors
/// Those of `draw`, and `fault` when it finds nothing sound.
pub fn distinct(
    count: usize,
    seed: u64,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> Result<Option<Vec<Point>>>,
    fault: impl Fn() -> String,
) -> Result<Vec<Vec<Point>>> {
    /// Tries before an old one is taken again.
    const TRIES: usize = 100;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    for _ in 0..count {
        let mut chosen = None;
        for _ in 0..TRIES {
            let Some(opening) = draw(&mut rng)? else { continue };
            let is_new = seen.insert(opening.clone());
            chosen = Some(opening);
            if is_new {
                break;
            }
        }
        openings.push(chosen.with_context(&fault)?);
    }
    Ok(openings)
}

/// Random stones, which may happen to be no sound opening.
///
/// # Errors
/// When the stones do not fit on the board.
pub fn stones_near_centre(stones: usize, size: Size, rng: &mut impl Rng) -> Result<Vec<Point>> {
    let area = middle(stones, size);
    ensure!(area.len() > stones, "{stones} random stones do not fit on a board of {size}");
    Ok(area.choose_multiple(rng, stones).copied().collect())
}

/// The points around the centre where random stones may come: a square with room for twice as many.
fn middle(stones: usize, size: Size) -> Vec<Point> {
    let center = size.center();
    let distance = |point: Point| center.x().abs_diff(point.x()).max(center.y().abs_diff(point.y()));
    let mut radius = RADIUS;
    while ((2 * radius + 1) * (2 * radius + 1)) as usize <= 2 * stones {
        radius += 1;
    }
    size.points().filter(|&point| i32::from(distance(point)) <= radius).collect()
}

/// Whether the opening can be played and neither side could win with one move.
pub fn is_sound(opening: &[Point], size: Size, rule: Rule) -> bool {
    let Ok(position) = set_up(size, rule, opening) else { return false };
    let has_four = |color: Color| position.board().empty().iter().any(|point| position.is_five(color, point));
    !Color::ALL.into_iter().any(has_four)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::format_moves;
    use kakugo::rules::Verdict;

    const RULE: &str = "renju";

    #[test]
    fn openings_repeat_by_seed_and_differ_among_themselves() {
        let (size, rule) = (Size::default(), RULE.parse().unwrap());
        let first = openings(4, 50, size, rule, 1).unwrap();
        assert_eq!(first, openings(4, 50, size, rule, 1).unwrap());
        assert_ne!(first, openings(4, 50, size, rule, 2).unwrap());
        let texts: HashSet<String> = first.iter().map(|opening| format_moves(opening, size)).collect();
        assert_eq!(texts.len(), 50);
        assert!(first.iter().all(|opening| opening.len() == 4));
        assert_eq!(openings(0, 2, size, rule, 1).unwrap(), [vec![], vec![]]);
    }

    #[test]
    fn nobody_wins_with_the_first_move() {
        let (size, rule) = (Size::default(), RULE.parse().unwrap());
        for opening in openings(20, 100, size, rule, 1).unwrap() {
            let mut position = set_up(size, rule, &opening).unwrap();
            assert!(size.points().all(|point| position.verdict(point) != Verdict::Five));
        }
    }

    #[test]
    fn many_stones_find_room_or_say_so() {
        let rule = RULE.parse().unwrap();
        assert!(openings(30, 1, Size::square(15).unwrap(), rule, 1).is_ok());
        assert!(openings(26, 1, Size::square(5).unwrap(), rule, 1).is_err());
    }
}
