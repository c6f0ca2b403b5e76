//! Makes books of balanced openings: random stones, kept if a judge finds the position balanced.
//!
//! [`judge`] runs the engine that judges. The candidates depend only on the seed, and each opening is written
//! as it is found. An interrupted book continues after its last line and is then identical to an
//! uninterrupted one.

use std::collections::HashSet;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::offsets::{format_offsets, parse_offsets};
use kakugo::board::{Point, Size};
use kakugo::files::{self, LockedFile};
use kakugo::rules::Rule;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::files::{clip, input};
use crate::model::record::Value;
use crate::openings::{random, symmetry};
use crate::text;

pub mod judge;

/// Number of draws without a new candidate after which no new ones are expected.
const TRIES: usize = 20_000;
/// Maximum number of candidates between two openings of a book; judging more would take a judge days.
const MAX_BETWEEN: usize = 1_000_000;

/// Prefix of the line about the judge.
const JUDGE: &str = "# Judge: ";
/// Maximum length of the first line in an error, in characters; any header is shorter.
const HEADER_LENGTH: usize = 300;
/// Maximum length of the judge's self-description, in characters.
const JUDGE_LENGTH: usize = 1000;

/// Recipe of a book: which openings are candidates, and which are balanced.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Range of the number of stones.
    pub stones: RangeInclusive<usize>,
    /// Nodes per candidate that passes the [first look](Recipe::first_nodes).
    pub nodes: u64,
    /// Greatest value, for either side, at which a position is balanced.
    pub bound: i32,
    /// The seed of the candidates.
    pub seed: u64,
}

impl Recipe {
    /// The first line of a book: everything that the book depends on, except the judge.
    pub fn header(&self) -> String {
        let (few, many) = (self.stones.start(), self.stones.end());
        format!(
            "# Level openings: rule {}, board {}, stones {few}-{many}, value within {} after {} nodes and {} after {}, seed {}",
            self.rule,
            self.size,
            self.bound,
            self.nodes,
            self.first_bound(),
            self.first_nodes(),
            self.seed
        )
    }

    /// Nodes of a first look at a candidate: few nodes suffice to reject most candidates, which are far from
    /// balanced.
    pub fn first_nodes(&self) -> u64 {
        (self.nodes / 10).max(1)
    }

    /// Greatest value, for either side, at which a candidate passes the first look.
    fn first_bound(&self) -> i32 {
        self.bound.saturating_mul(3)
    }

    /// Whether a candidate with this value at the first look is worth judging.
    pub fn may_be_level(&self, value: Value) -> bool {
        matches!(value, Value::Points(points) if points.abs() <= self.first_bound())
    }

    /// Whether a position with this value is balanced.
    pub fn is_level(&self, value: Value) -> bool {
        matches!(value, Value::Points(points) if points.abs() <= self.bound)
    }
}

/// All candidates of a recipe in order, without duplicates.
#[derive(Debug)]
pub struct Candidates<'a> {
    recipe: &'a Recipe,
    rng: ChaCha8Rng,
    seen: HashSet<Vec<(kakugo::board::Color, usize)>>,
}

impl<'a> Candidates<'a> {
    /// Starts with the first candidate.
    pub fn new(recipe: &'a Recipe) -> Candidates<'a> {
        Candidates { recipe, rng: ChaCha8Rng::seed_from_u64(recipe.seed), seen: HashSet::new() }
    }

    /// The next candidate; `None` if there seem to be no more.
    ///
    /// # Errors
    /// Returns an error if the stones do not fit on the board.
    pub fn next_sound(&mut self) -> Result<Option<Vec<Point>>> {
        loop {
            let stones = self.draw()?;
            let is_candidate =
                |stones: &Vec<Point>| random::is_sound(stones, self.recipe.size, self.recipe.rule);
            if stones.as_ref().is_none_or(is_candidate) {
                return Ok(stones);
            }
        }
    }

    /// The next stones that were not drawn before, whether they make a valid opening or not.
    fn draw(&mut self) -> Result<Option<Vec<Point>>> {
        for _ in 0..TRIES {
            let count = self.rng.random_range(self.recipe.stones.clone());
            let stones = random::stones_near_centre(count, self.recipe.size, &mut self.rng)?;
            if self.seen.insert(symmetry::canonical(&stones, self.recipe.size)) {
                return Ok(Some(stones));
            }
        }
        Ok(None)
    }
}

/// A book on disk that grows.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    file: LockedFile,
    /// The openings that the file already contained.
    pub lines: Vec<String>,
}

impl BookFile {
    /// Opens the book, or creates it with the header and a line about the judge. An incomplete last line is
    /// removed. The file stays locked while it is open.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, if it is not a book of this recipe, or if it
    /// is in use.
    pub fn open(path: &Path, recipe: &Recipe, judge: &str) -> Result<BookFile> {
        BookFile::open_locked(path, recipe, judge).with_context(|| path.display().to_string())
    }

    fn open_locked(path: &Path, recipe: &Recipe, judge: &str) -> Result<BookFile> {
        let mut file = files::open_locked(path)?;
        let bytes = files::read_stream(&*file, input::SMALL_LIMIT)?;
        let header = format!("{}\n", recipe.header());
        let judge: String = text::visible(judge).chars().take(JUDGE_LENGTH).collect();
        let judge = if judge.is_empty() { judge } else { format!("{JUDGE}{judge}\n") };
        let beginning = header.clone() + &judge;
        if beginning.as_bytes().starts_with(&bytes) {
            // New, or torn before its first opening.
            file.write_all(&beginning.as_bytes()[bytes.len()..])?;
            return Ok(BookFile { path: path.to_owned(), file, lines: Vec::new() });
        }
        let first = String::from_utf8_lossy(bytes.split(|&byte| byte == b'\n').next().unwrap_or_default());
        ensure!(
            bytes.starts_with(header.as_bytes()),
            "it is not a book made with these settings; it begins with '{}'",
            text::clipped(&first, HEADER_LENGTH)
        );
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (whole, torn) = bytes.split_at(end);
        let whole = std::str::from_utf8(whole).context("it is not valid UTF-8 text")?;
        let lines: Vec<String> =
            whole.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        ensure!(is_torn(torn), "its last line is not an opening: '{}'", clip(&String::from_utf8_lossy(torn)));
        file.set_len(end as u64)?;
        Ok(BookFile { path: path.to_owned(), file, lines })
    }

    fn append(&mut self, opening: &str) -> Result<()> {
        let written =
            self.file.write_all(format!("{opening}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Whether an incomplete last line is the beginning of an opening or of the line about the judge.
fn is_torn(line: &[u8]) -> bool {
    let is_opening = line.iter().all(|byte| byte.is_ascii_digit() || b"-, ".contains(byte));
    is_opening || line.starts_with(JUDGE.as_bytes()) || JUDGE.as_bytes().starts_with(line)
}

/// Progress of making a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningsProgress {
    /// Number of openings in the book.
    pub found: usize,
    /// Number of candidates judged in this run.
    pub judged: usize,
    /// Number of these candidates without a value from the judge; they are skipped.
    pub without_value: usize,
}

/// Number of nodes that the judge may use for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// The nodes of the first look.
    First,
    /// The nodes of the recipe.
    All,
}

/// Fills `book` to `wanted` openings; `report` is called after each candidate.
///
/// # Errors
/// Returns an error if the judge fails, if the book cannot be written or was made differently, or if there
/// are not enough openings.
pub fn make(
    recipe: &Recipe,
    wanted: usize,
    book: &mut BookFile,
    mut judge: impl FnMut(&[Point], Nodes) -> Result<Option<Value>>,
    mut report: impl FnMut(OpeningsProgress),
) -> Result<OpeningsProgress> {
    let mut candidates = Candidates::new(recipe);
    let known = std::mem::take(&mut book.lines);
    replay(&mut candidates, &known, recipe).with_context(|| book.path.display().to_string())?;
    let mut progress = OpeningsProgress { found: known.len(), ..OpeningsProgress::default() };
    report(progress);
    while progress.found < wanted {
        let Some(opening) = candidates.next_sound()? else {
            let found = text::counted(progress.found, "opening");
            bail!("only {found} found, and no candidates are left");
        };
        progress.judged += 1;
        let value = match judge(&opening, Nodes::First)? {
            Some(value) if recipe.may_be_level(value) => judge(&opening, Nodes::All)?,
            first => first,
        };
        match value {
            Some(value) if recipe.is_level(value) => {
                book.append(&format_offsets(&opening, recipe.size))?;
                progress.found += 1;
            }
            Some(_) => {}
            None => progress.without_value += 1,
        }
        report(progress);
    }
    Ok(progress)
}

/// Advances the candidates to the end of the existing book.
fn replay(candidates: &mut Candidates, known: &[String], recipe: &Recipe) -> Result<()> {
    let may_be_drawn = |line: &str| {
        let stones = parse_offsets(line, recipe.size);
        stones.is_ok_and(|stones| recipe.stones.contains(&stones.len()))
    };
    for (index, line) in known.iter().enumerate() {
        let mut is_found = false;
        for _ in 0..if may_be_drawn(line) { MAX_BETWEEN } else { 0 } {
            // If a draw finds no new candidate, every further draw takes as long and finds none either.
            let Some(opening) = candidates.draw()? else { break };
            is_found = format_offsets(&opening, recipe.size) == *line;
            if is_found {
                break;
            }
        }
        ensure!(is_found, "opening {} does not match these settings: {}", index + 1, clip(line));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
