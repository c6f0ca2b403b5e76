//! The positions that games begin from.
//!
//! - [`list`]: files with one opening in a line; [`games`]: files of games. The content tells which it is.
//! - [`mod@random`]: random stones near the centre.
//! - [`book`]: the balanced books that come with the program.
//! - [`balanced`]: how such books are made, with an engine as the [`judge`]; [`symmetry`]: when two openings are one.
//!
//! Every opening that leaves this module can be played: legal stones, no foul, no finished game.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use kakugo::board::Point;

use crate::files::RecordFormat;
use crate::game::kind::GameKind;

pub mod balanced;
pub mod book;
pub mod games;
pub mod judge;
pub mod list;
pub mod random;
pub mod symmetry;

/// Most random stones; more would fill the middle of the board.
pub const MAX_RANDOM_STONES: usize = 30;

/// Number of random stones where none is given.
const RANDOM_STONES: usize = 4;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The built-in book for the rule and the board.
    Book,
    /// That many random stones.
    Random(usize),
    /// A file, one opening in a line, or of games.
    File(PathBuf),
}

impl Source {
    /// Source of openings where none is given: the book that was made for this rule and size if it has as many openings
    /// as are `wanted`, for openings that come again can make games that come again; otherwise random stones.
    pub fn default_for(game: &GameKind, wanted: usize) -> Source {
        match *game {
            GameKind::Rule(rule, size)
                if book::is_made_for(size, rule) && wanted <= book::openings(size, rule) =>
            {
                Source::Book
            }
            _ => Source::Random(RANDOM_STONES),
        }
    }
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

/// At most `wanted` openings of `game`, at least one, in the order of the source.
///
/// # Errors
/// When the file cannot be read, holds no opening, or one that cannot be played; when no sound random opening is
/// found; when there is no book for the game, or the board is too small for it.
pub fn load(source: &Source, wanted: usize, game: &GameKind, seed: u64) -> Result<Vec<Vec<Point>>> {
    let wanted = wanted.max(1);
    let mut openings = match (source, game) {
        (Source::Book, GameKind::Rule(rule, size)) => book::load(*size, *rule)?,
        (Source::Book, GameKind::Variant(name)) => {
            bail!("there is no book of openings for {name}: random:K or a file")
        }
        (Source::Random(stones), _) => random::openings(*stones, wanted, game, seed)?,
        (Source::File(path), _) => {
            let text = kakugo::files::read_text(path, crate::files::input::SMALL_LIMIT)
                .with_context(|| format!("openings {}", path.display()))?;
            let openings = match RecordFormat::of_content(&text) {
                Some(format) => games::parse(&text, format, game),
                None => list::parse(&text, game),
            };
            openings.with_context(|| path.display().to_string())?
        }
    };
    openings.truncate(wanted);
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Size;

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
    fn the_book_is_played_where_it_suffices() {
        let source = |side, rule: &str, wanted| {
            Source::default_for(&GameKind::named(rule, Size::square(side).unwrap()).unwrap(), wanted)
        };
        assert_eq!(source(15, "renju", 240), Source::Book);
        assert_eq!(source(20, "freestyle", 1), Source::Book);
        assert_eq!(source(15, "renju", 241), Source::Random(RANDOM_STONES));
        assert_eq!(source(20, "standard", 1), Source::Random(RANDOM_STONES));
        assert_eq!(source(15, "pente:size=15", 1), Source::Random(RANDOM_STONES));
    }

    #[test]
    fn each_source_gives_as_many_as_there_are_and_are_wanted() {
        let game = |name: &str| GameKind::named(name, Size::default()).unwrap();
        let error = load(&Source::Book, 1, &game("pente:size=9"), 1).unwrap_err().to_string();
        assert_eq!(error, "there is no book of openings for pente:size=9: random:K or a file");
        let load = |source: &Source, wanted| load(source, wanted, &game("renju"), 1).unwrap();
        assert_eq!(load(&Source::Book, 10), load(&Source::Book, usize::MAX)[..10]);
        assert_eq!(load(&Source::Random(4), 0).len(), 1);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "h8\n0,0, 1,1\n").unwrap();
        assert_eq!(load(&Source::File(file.path().to_owned()), 9).len(), 2);
        // The content of a file tells its format, whatever its name.
        std::fs::write(file.path(), "(;B[hh];W[hi])\n(;B[hh];W[hi])\n(;B[ii])\n").unwrap();
        assert_eq!(load(&Source::File(file.path().to_owned()), 9).len(), 2);
    }
}
