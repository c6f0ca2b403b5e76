//! The positions that games begin from.
//!
//! - [`list`]: files with one opening in a line.
//! - [`mod@random`]: random stones near the centre.
//! - [`book`]: the balanced books that come with the program.
//! - [`balanced`]: how such books are made, with an engine as the [`judge`]; [`symmetry`]: when two openings are one.
//!
//! Every opening that leaves this module can be played: legal stones, no foul, no finished game.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result};
use kakugo::board::{Point, Size};
use kakugo::rules::Rule;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

pub mod balanced;
pub mod book;
pub mod judge;
pub mod list;
pub mod random;
pub mod symmetry;

/// Most random stones; more would fill the middle of the board.
pub const MAX_RANDOM_STONES: usize = 30;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The built-in book for the rule and the board.
    Book,
    /// That many random stones.
    Random(usize),
    /// A file, one opening in a line.
    File(PathBuf),
}

impl FromStr for Source {
    type Err = String;

    /// Reads `book`, `random:K` or the path of a file.
    fn from_str(text: &str) -> Result<Source, String> {
        if text == "book" {
            return Ok(Source::Book);
        }
        let Some(stones) = text.strip_prefix("random:") else {
            return Ok(Source::File(PathBuf::from(text)));
        };
        match stones.parse() {
            Ok(stones) if stones <= MAX_RANDOM_STONES => Ok(Source::Random(stones)),
            _ => Err(format!("random:K wants a number of stones from 0 to {MAX_RANDOM_STONES}")),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Source::Book => f.write_str("book"),
            Source::Random(stones) => write!(f, "random:{stones}"),
            Source::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// At most `wanted` openings for a board of `size` under `rule`, at least one, in the order of the source.
///
/// # Errors
/// When the file cannot be read, holds no opening, or one that cannot be played; when no sound random opening is
/// found, or no book has been made for the rule.
pub fn load(source: &Source, wanted: usize, size: Size, rule: Rule, seed: u64) -> Result<Vec<Vec<Point>>> {
    let mut openings = load_all(source, wanted, size, rule, seed)?;
    openings.truncate(wanted.max(1));
    Ok(openings)
}

/// The same, drawn from the whole source in an order that the seed decides, the same on every machine.
///
/// # Errors
/// As [`load`].
pub fn load_shuffled(
    source: &Source,
    wanted: usize,
    size: Size,
    rule: Rule,
    seed: u64,
) -> Result<Vec<Vec<Point>>> {
    let mut openings = load_all(source, wanted, size, rule, seed)?;
    openings.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    openings.truncate(wanted.max(1));
    Ok(openings)
}

fn load_all(source: &Source, wanted: usize, size: Size, rule: Rule, seed: u64) -> Result<Vec<Vec<Point>>> {
    match source {
        Source::Book => book::load(size, rule),
        Source::Random(stones) => random::openings(*stones, wanted.max(1), size, rule, seed),
        Source::File(path) => {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("openings {}", path.display()))?;
            list::parse(&text, size, rule).with_context(|| path.display().to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_reads_as_it_is_written() {
        for (text, source) in [
            ("book", Source::Book),
            ("random:5", Source::Random(5)),
            ("book.txt", Source::File(PathBuf::from("book.txt"))),
        ] {
            assert_eq!(text.parse(), Ok(source.clone()));
            assert_eq!(source.to_string(), text);
        }
        assert!("random:x".parse::<Source>().is_err() && "random:31".parse::<Source>().is_err());
    }

    #[test]
    fn shuffling_draws_from_all_and_repeats_by_seed() {
        let (size, rule) = (Size::default(), "renju".parse().unwrap());
        let draw = |seed| load_shuffled(&Source::Book, 10, size, rule, seed).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let first = load(&Source::Book, 10, size, rule, 1).unwrap();
        assert_eq!(first, load(&Source::Book, 10, size, rule, 2).unwrap());
        assert!(draw(1).iter().any(|opening| !first.contains(opening)));
    }
}
