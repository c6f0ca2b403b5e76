//! The positions that games begin from: random stones near the centre, or a file in Gomocup's offset format.
//!
//! Every opening that leaves this module can be played: legal stones, no foul, no finished game.

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Color, Point, Size};
use kakugo::rules::{Rule, Verdict};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::game::set_up;

/// Random stones come within this distance of the centre, further out only when there are many.
const RADIUS: i32 = 3;
/// Most random stones; more would fill the middle of the board.
const MAX_RANDOM_STONES: usize = 30;
/// Tries for one random opening that is sound and new before an old one is taken again.
const TRIES: usize = 100;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// That many random stones.
    Random(usize),
    /// A file, one opening in a line.
    File(PathBuf),
}

impl FromStr for Source {
    type Err = String;

    /// Reads `random:K` or the path of a file.
    fn from_str(text: &str) -> Result<Source, String> {
        let Some(stones) = text.strip_prefix("random:") else {
            return Ok(Source::File(PathBuf::from(text)));
        };
        match stones.parse() {
            Ok(stones) if stones <= MAX_RANDOM_STONES => Ok(Source::Random(stones)),
            _ => Err(format!("random:K wants a number of stones from 0 to {MAX_RANDOM_STONES}")),
        }
    }
}

/// At most `wanted` openings for a board of `size` under `rule`, at least one.
///
/// # Errors
/// When the file cannot be read, holds no opening, or one that cannot be played; when no sound random opening is
/// found.
pub fn load(source: &Source, wanted: usize, size: Size, rule: Rule, seed: u64) -> Result<Vec<Vec<Point>>> {
    match source {
        Source::Random(stones) => random(*stones, wanted.max(1), size, rule, seed),
        Source::File(path) => {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("openings {}", path.display()))?;
            let openings = parse_file(&text, size, rule).with_context(|| path.display().to_string())?;
            Ok(openings.into_iter().take(wanted.max(1)).collect())
        }
    }
}

/// The openings of a file; blank lines and lines that begin with `#` or `;` are skipped.
fn parse_file(text: &str, size: Size, rule: Rule) -> Result<Vec<Vec<Point>>> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let line_number = index + 1;
        let opening = parse_offsets(line, size).with_context(|| format!("line {line_number}"))?;
        if let Err((stone, verdict)) = set_up(size, rule, &opening) {
            let why = match verdict {
                Verdict::Five => "wins the game".to_owned(),
                Verdict::Foul(foul) => format!("is a foul ({foul})"),
                Verdict::Illegal | Verdict::Plain => "is not on an empty point".to_owned(),
            };
            bail!("line {line_number}: stone {stone} {why}");
        }
        openings.push(opening);
    }
    ensure!(!openings.is_empty(), "no opening in the file");
    Ok(openings)
}

/// One opening of Gomocup's format: `dx,dy, dx,dy, ...` from the centre, black first.
fn parse_offsets(line: &str, size: Size) -> Result<Vec<Point>> {
    let number = |word: &str| {
        word.trim()
            .parse::<i16>()
            .ok()
            .map(i32::from)
            .with_context(|| format!("'{}' is no number", word.trim()))
    };
    let numbers = line.trim_end_matches([',', ' ']).split(',').map(number).collect::<Result<Vec<_>>>()?;
    ensure!(numbers.len() % 2 == 0, "an odd number of coordinates");
    let (x, y) = (i32::from(size.center().x()), i32::from(size.center().y()));
    let on_board = |offset: &[i32]| {
        let point = size.point(x + offset[0], y + offset[1]);
        point.with_context(|| format!("{},{} is off the board of {size}", offset[0], offset[1]))
    };
    numbers.chunks(2).map(on_board).collect()
}

/// `count` random openings; the same seed gives the same ones on every machine.
fn random(stones: usize, count: usize, size: Size, rule: Rule, seed: u64) -> Result<Vec<Vec<Point>>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let area = middle(stones, size);
    ensure!(area.len() > stones, "{stones} random stones do not fit on a board of {size}");
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    for _ in 0..count {
        let mut chosen = None;
        for _ in 0..TRIES {
            let opening: Vec<Point> = area.choose_multiple(&mut rng, stones).copied().collect();
            if !is_sound(&opening, size, rule) {
                continue;
            }
            let is_new = seen.insert(opening.clone());
            chosen = Some(opening);
            if is_new {
                break;
            }
        }
        openings.push(chosen.with_context(|| format!("no sound opening of {stones} random stones found"))?);
    }
    Ok(openings)
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
fn is_sound(opening: &[Point], size: Size, rule: Rule) -> bool {
    let Ok(position) = set_up(size, rule, opening) else { return false };
    let has_four = |color: Color| position.board().empty().iter().any(|point| position.is_five(color, point));
    !Color::ALL.into_iter().any(has_four)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::{format_moves, parse_moves};

    const RULE: &str = "renju";

    #[test]
    fn offsets_count_from_the_middle() {
        let size = Size::default();
        let openings =
            parse_file("0,0, 1,-1, -7,7\n\n# skipped\n0,0,\n", size, RULE.parse().unwrap()).unwrap();
        assert_eq!(openings, [parse_moves("h8i9a1", size).unwrap(), parse_moves("h8", size).unwrap()]);
        let size = Size::square(20).unwrap();
        let openings = parse_file("0,0,-10,9", size, RULE.parse().unwrap()).unwrap();
        assert_eq!(openings, [vec![Point::new(10, 10), Point::new(0, 19)]]);
    }

    #[test]
    fn bad_lines_are_named() {
        let says = |text: &str| {
            let error = parse_file(text, Size::default(), RULE.parse().unwrap()).unwrap_err();
            format!("{error:#}")
        };
        assert_eq!(says("0,0\n1,x"), "line 2: 'x' is no number");
        assert_eq!(says("0,0,1"), "line 1: an odd number of coordinates");
        assert_eq!(says("0,8"), "line 1: 0,8 is off the board of 15x15");
        assert_eq!(says("0,0, 1,1, 0,0"), "line 1: stone 3 is not on an empty point");
        assert_eq!(says("\n"), "no opening in the file");
        assert_eq!(
            says("0,0, 5,5, -1,0, 6,6, 1,-1, 5,6, 1,1, 6,5, 1,0"),
            "line 1: stone 9 is a foul (double-three)"
        );
        assert_eq!(says("0,0, 0,5, 1,0, 1,5, 2,0, 2,5, 3,0, 4,5, 4,0"), "line 1: stone 9 wins the game");
    }

    #[test]
    fn random_openings_repeat_by_seed_and_differ_among_themselves() {
        let (size, rule) = (Size::default(), RULE.parse().unwrap());
        let first = random(4, 50, size, rule, 1).unwrap();
        assert_eq!(first, random(4, 50, size, rule, 1).unwrap());
        assert_ne!(first, random(4, 50, size, rule, 2).unwrap());
        let texts: HashSet<String> = first.iter().map(|opening| format_moves(opening, size)).collect();
        assert_eq!(texts.len(), 50);
        assert!(first.iter().all(|opening| opening.len() == 4));
        assert_eq!(random(0, 2, size, rule, 1).unwrap(), [vec![], vec![]]);
    }

    #[test]
    fn nobody_wins_with_the_first_move_after_a_random_opening() {
        let (size, rule) = (Size::default(), RULE.parse().unwrap());
        for opening in random(20, 100, size, rule, 1).unwrap() {
            let mut position = set_up(size, rule, &opening).unwrap();
            assert!(size.points().all(|point| position.verdict(point) != Verdict::Five));
        }
    }

    #[test]
    fn many_random_stones_find_room_or_say_so() {
        let rule = RULE.parse().unwrap();
        assert!(random(30, 1, Size::square(15).unwrap(), rule, 1).is_ok());
        assert!(random(26, 1, Size::square(5).unwrap(), rule, 1).is_err());
    }

    #[test]
    fn a_source_is_random_or_a_file() {
        assert_eq!("random:5".parse(), Ok(Source::Random(5)));
        assert_eq!("book.txt".parse(), Ok(Source::File(PathBuf::from("book.txt"))));
        assert!("random:x".parse::<Source>().is_err());
    }
}
