//! The positions that games start from.
//!
//! - [`list`]: files with one opening per line; [`games`]: files of games. The content determines which.
//! - [`mod@random`]: random stones near the centre.
//! - [`book`]: the built-in books of balanced openings.
//! - [`symmetry`]: whether two openings are equivalent.
//!
//! Every opening that this module returns can be played: legal stones, no foul, no finished game.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use kakugo::board::Point;
use kakugo::files::CodePage;

use crate::files::RecordFormat;
use crate::model::game_kind::GameKind;
use crate::text::counted;

pub mod book;
pub mod games;
pub mod list;
pub mod random;
pub mod symmetry;

/// Maximum number of random stones; more would fill the middle of the board.
pub const MAX_RANDOM_STONES: usize = 30;

/// Number of random openings drawn per wanted one, so that symmetric duplicates can be discarded.
const SPARE: usize = 2;

/// Default number of random stones.
const RANDOM_STONES: usize = 4;

/// Consequence of repeated openings.
const REPEATS: &str = "deterministic engines then repeat their games";

/// Source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The built-in book for the rule and the board.
    Book,
    /// This number of random stones.
    Random(usize),
    /// A file with one opening per line, or of games.
    File(PathBuf),
    /// One of the first two sources, then further openings of this number of random stones.
    Extended(Box<Source>, usize),
}

impl Source {
    /// Default source: the book for this rule and size, even if it has too few openings, because random ones
    /// are rarely balanced; random stones where there is no book.
    pub fn default_for(game: &GameKind) -> Source {
        match *game {
            GameKind::Rule(rule, size) if book::is_made_for(size, rule) => Source::Book,
            _ => Source::Random(RANDOM_STONES),
        }
    }

    /// The warning that a batch of `rounds` rounds has too few openings, if this is the case: the source
    /// provided `found` openings.
    pub fn shortage(&self, rounds: usize, found: usize) -> Option<String> {
        match self {
            Source::Random(_) => None,
            _ if found >= rounds => None,
            _ => Some(self.too_few(rounds, found)),
        }
    }

    /// The warning that random stones gave only `found` different openings for `rounds` rounds, if this is the case.
    pub fn repeats(&self, rounds: usize, found: usize) -> Option<String> {
        (matches!(self, Source::Random(_)) && found < rounds).then(|| self.too_few(rounds, found))
    }

    fn too_few(&self, rounds: usize, found: usize) -> String {
        let (name, repetition) = (self.described(), self.repetition(found));
        format!("{name} has {} for {rounds} rounds: {repetition} ({REPEATS})", counted(found, "opening"))
    }

    /// The warning that all of the `found` openings from this source have been played.
    pub fn run_out(&self, found: usize) -> String {
        let (name, repetition) = (self.described(), self.repetition(found));
        match found {
            1 => format!("the only opening of {name} has been played: {repetition} ({REPEATS})"),
            _ => format!("all {found} openings of {name} have been played: {repetition} ({REPEATS})"),
        }
    }

    /// Describes what a batch does once all of the `found` openings have been played.
    fn repetition(&self, found: usize) -> &'static str {
        match self {
            Source::Extended(..) => "random ones are repeated, some of them rotated or mirrored",
            _ if found == 1 => "it is repeated",
            Source::Random(_) => "they are repeated, some more often than others",
            _ => "they are repeated in a new order each time",
        }
    }

    fn described(&self) -> String {
        match self {
            Source::Book => "the book".to_owned(),
            other => other.to_string(),
        }
    }
}

impl FromStr for Source {
    type Err = String;

    /// Parses `book`, `random:K`, the path of a file, or the first or the last followed by `+random:K`.
    fn from_str(text: &str) -> Result<Source, String> {
        if text.is_empty() {
            return Err("no source is given: expected book, random:K or a file".to_owned());
        }
        if text == "book" {
            return Ok(Source::Book);
        }
        if let Some((first, others)) = text.rsplit_once("+random:") {
            let [first, others] = [first.parse()?, format!("random:{others}").parse()?];
            return match (first, others) {
                (first @ (Source::Book | Source::File(_)), Source::Random(stones)) => {
                    Ok(Source::Extended(Box::new(first), stones))
                }
                _ => Err(format!("'{text}': +random:K can follow only the book or a file")),
            };
        }
        let Some(stones) = text.strip_prefix("random:") else {
            return Ok(Source::File(PathBuf::from(text)));
        };
        match stones.parse() {
            Ok(stones) if stones <= MAX_RANDOM_STONES => Ok(Source::Random(stones)),
            _ => Err(format!("random:K needs a number of stones from 0 to {MAX_RANDOM_STONES}")),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Source::Book => f.write_str("book"),
            Source::Random(stones) => write!(f, "random:{stones}"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Extended(first, stones) => write!(f, "{first}+random:{stones}"),
        }
    }
}

/// Loads at most `wanted` openings of `game`, at least one, in the order of the source; of an
/// [extended](Source::Extended) source the first part.
///
/// Returns an error if the file cannot be read, is empty or contains an opening that cannot be played; if no
/// valid random opening is found; if there is no book for the game, or if the board is too small for it.
pub fn load(source: &Source, wanted: usize, game: &GameKind, seed: u64) -> Result<Vec<Vec<Point>>> {
    let wanted = wanted.max(1);
    let mut openings = match (source, game) {
        (Source::Book, GameKind::Rule(rule, size)) => book::load(*size, *rule)?,
        (Source::Book, GameKind::Variant(name)) => {
            bail!("there is no book of openings for {name}: use random:K or a file")
        }
        (Source::Random(stones), _) => random::openings(*stones, wanted, game, seed)?,
        (Source::Extended(first, _), _) => load(first, wanted, game, seed)?,
        (Source::File(path), _) => {
            let bytes = kakugo::files::read(path, crate::files::input::SMALL_LIMIT)
                .with_context(|| format!("openings {}", path.display()))?;
            let openings = match RecordFormat::of_bytes(&bytes) {
                Some(format) => games::parse(&bytes, format, game, &path.display().to_string()),
                None => list::parse(&CodePage::decode_file(&bytes, None), game),
            };
            openings.with_context(|| path.display().to_string())?
        }
    };
    openings.truncate(wanted);
    Ok(openings)
}

/// Adds random openings of `stones` stones until there are `wanted`: first without symmetric duplicates, then
/// with them if there are not enough. Returns the number of openings before the first duplicate.
///
/// # Errors
/// Returns an error if no valid opening is found.
pub fn extend(
    openings: &mut Vec<Vec<Point>>,
    stones: usize,
    wanted: usize,
    game: &GameKind,
    seed: u64,
) -> Result<usize> {
    let missing = wanted.saturating_sub(openings.len());
    if missing == 0 {
        return Ok(openings.len());
    }
    let size = game.size();
    let mut seen: HashSet<_> = openings.iter().map(|opening| symmetry::canonical(opening, size)).collect();
    let drawn = random::openings(stones, SPARE * missing, game, seed)?;
    let (new, old): (Vec<_>, Vec<_>) =
        drawn.into_iter().partition(|opening| seen.insert(symmetry::canonical(opening, size)));
    let distinct = openings.len() + new.len().min(missing);
    openings.extend(new.into_iter().chain(old).take(missing));
    Ok(distinct)
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
            ("book+random:4", Source::Extended(Box::new(Source::Book), 4)),
            ("a+b.txt+random:0", Source::Extended(Box::new(Source::File(PathBuf::from("a+b.txt"))), 0)),
        ] {
            assert_eq!(text.parse(), Ok(source.clone()));
            assert_eq!(source.to_string(), text);
        }
        for text in ["random:x", "random:31", "book+random:31", "random:3+random:4", "book+random:3+random:4"]
        {
            assert!(text.parse::<Source>().is_err(), "{text}");
        }
    }

    #[test]
    fn other_openings_follow_the_book() {
        let game = GameKind::named("renju", Size::default()).unwrap();
        let mut openings = load(&"book+random:4".parse().unwrap(), 400, &game, 1).unwrap();
        let book = openings.clone();
        assert_eq!(book.len(), 240);
        extend(&mut openings, 4, 400, &game, 1).unwrap();
        assert_eq!((openings.len(), &openings[..240]), (400, &book[..]));
        let different: HashSet<_> =
            openings.iter().map(|opening| symmetry::canonical(opening, game.size())).collect();
        assert_eq!(different.len(), 400);
        let again = openings.clone();
        extend(&mut openings, 4, 300, &game, 1).unwrap();
        assert_eq!(openings, again, "there are already enough");
        // The empty board is the only opening without stones.
        extend(&mut openings, 0, 403, &game, 1).unwrap();
        assert_eq!(openings[400..], [vec![], vec![], vec![]]);
    }

    #[test]
    fn the_book_is_played_where_there_is_one() {
        let source = |side, rule: &str| {
            Source::default_for(&GameKind::named(rule, Size::square(side).unwrap()).unwrap())
        };
        assert_eq!(source(15, "renju"), Source::Book);
        assert_eq!(source(20, "freestyle"), Source::Book);
        assert_eq!(source(20, "standard"), Source::Random(RANDOM_STONES));
        assert_eq!(source(15, "pente:size=15"), Source::Random(RANDOM_STONES));
    }

    #[test]
    fn openings_that_run_out_are_warned_of() {
        assert_eq!(Source::Book.shortage(240, 240), None);
        let message = Source::Book.shortage(5000, 240).unwrap();
        assert!(
            message.starts_with("the book has 240 openings for 5000 rounds: they are repeated"),
            "{message}"
        );
        assert_eq!(Source::Random(4).shortage(300, 200), None);
        let extended = Source::Extended(Box::new(Source::Book), 1);
        assert_eq!(extended.shortage(250, 250), None);
        assert!(extended.shortage(300, 250).unwrap().starts_with(
            "book+random:1 has 250 openings for 300 rounds: random ones are repeated, some of them rotated"
        ));
        let file = Source::File(PathBuf::from("my.txt"));
        assert!(file.shortage(3, 2).unwrap().starts_with("my.txt has 2 openings for 3 rounds"));
        let one = file.shortage(3, 1).unwrap();
        assert!(one.starts_with("my.txt has 1 opening for 3 rounds: it is repeated ("), "{one}");
        let one = Source::Random(0).run_out(1);
        assert!(one.starts_with("the only opening of random:0 has been played: it is repeated ("), "{one}");
    }

    #[test]
    fn each_source_gives_as_many_as_there_are_and_are_wanted() {
        let game = |name: &str| GameKind::named(name, Size::default()).unwrap();
        let error = load(&Source::Book, 1, &game("pente:size=9"), 1).unwrap_err().to_string();
        assert_eq!(error, "there is no book of openings for pente:size=9: use random:K or a file");
        let load = |source: &Source, wanted| load(source, wanted, &game("renju"), 1).unwrap();
        assert_eq!(load(&Source::Book, 10), load(&Source::Book, usize::MAX)[..10]);
        assert_eq!(load(&Source::Random(4), 0).len(), 1);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "h8\n0,0, 1,1\n").unwrap();
        assert_eq!(load(&Source::File(file.path().to_owned()), 9).len(), 2);
        // The content of a file determines its format, whatever its name.
        std::fs::write(file.path(), "(;B[hh];W[hi])\n(;B[hh];W[hi])\n(;B[ii])\n").unwrap();
        assert_eq!(load(&Source::File(file.path().to_owned()), 9).len(), 2);
    }
}
