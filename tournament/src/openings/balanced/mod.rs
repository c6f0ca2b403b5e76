//! Makes books of level openings: random stones, kept when a judge finds the position level.
//!
//! The candidates come from the seed alone, and each opening is written as it is found. A book that was interrupted
//! is continued from its last line and becomes the one that it would have been.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::offsets::format_offsets;
use kakugo::board::{Point, Size};
use kakugo::files;
use kakugo::rules::Rule;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{random, symmetry};
use crate::files::input;
use crate::files::record::Value;
use crate::text;

/// Draws that may bring nothing new before it is taken that there is nothing new.
const TRIES: usize = 20_000;

/// Prefix of the line about the judge.
const JUDGE: &str = "# Judge: ";
/// Most characters of what the judge says about itself.
const JUDGE_LENGTH: usize = 1000;

/// Recipe of a book: what makes an opening a candidate and what makes it level.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Range of the number of stones.
    pub stones: RangeInclusive<usize>,
    /// Nodes that the judge has for each candidate that passes the [first look](Recipe::first_nodes).
    pub nodes: u64,
    /// The value, to either side, up to which a position is level.
    pub bound: i32,
    /// The seed of the candidates.
    pub seed: u64,
}

impl Recipe {
    /// The first line of a book: everything that it depends on but the judge.
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

    /// Nodes of a first look at a candidate: most are far from level, and a few nodes tell.
    pub fn first_nodes(&self) -> u64 {
        (self.nodes / 10).max(1)
    }

    /// The value, to either side, up to which a candidate is judged after the first look.
    fn first_bound(&self) -> i32 {
        self.bound.saturating_mul(3)
    }

    /// Whether a candidate of this value at the first look is worth judging.
    pub fn may_be_level(&self, value: Value) -> bool {
        matches!(value, Value::Points(points) if points.abs() <= self.first_bound())
    }

    /// Whether a position of this value is level.
    pub fn is_level(&self, value: Value) -> bool {
        matches!(value, Value::Points(points) if points.abs() <= self.bound)
    }
}

/// All candidates of a recipe in their order, none the same as one before it.
#[derive(Debug)]
pub struct Candidates<'a> {
    recipe: &'a Recipe,
    rng: ChaCha8Rng,
    seen: HashSet<Vec<(kakugo::board::Color, usize)>>,
}

impl<'a> Candidates<'a> {
    /// From the first one on.
    pub fn new(recipe: &'a Recipe) -> Candidates<'a> {
        Candidates { recipe, rng: ChaCha8Rng::seed_from_u64(recipe.seed), seen: HashSet::new() }
    }

    /// The next candidate; `None` when there seem to be no others.
    ///
    /// # Errors
    /// When the stones do not fit on the board.
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

    /// The next stones that were not drawn before, sound or not.
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
    file: File,
    /// The openings that it held already.
    pub lines: Vec<String>,
}

impl BookFile {
    /// Opens the book, or begins it with the header and a line about the judge. A line that was torn when the program
    /// ended is cut off. Nobody else writes to it as long as it is open.
    ///
    /// # Errors
    /// When the file cannot be read or written, is something else than a book of this recipe, or in use.
    pub fn open(path: &Path, recipe: &Recipe, judge: &str) -> Result<BookFile> {
        BookFile::open_locked(path, recipe, judge).with_context(|| path.display().to_string())
    }

    fn open_locked(path: &Path, recipe: &Recipe, judge: &str) -> Result<BookFile> {
        let mut file = files::open_locked(path)?;
        let bytes = files::read_stream(&file, input::SMALL_LIMIT)?;
        let header = format!("{}\n", recipe.header());
        let judge: String = text::visible(judge).chars().take(JUDGE_LENGTH).collect();
        let judge = if judge.is_empty() { judge } else { format!("{JUDGE}{judge}\n") };
        let beginning = header.clone() + &judge;
        if beginning.as_bytes().starts_with(&bytes) {
            // New, or torn before its first opening.
            file.set_len(0)?;
            file.write_all(beginning.as_bytes())?;
            return Ok(BookFile { path: path.to_owned(), file, lines: Vec::new() });
        }
        let first = String::from_utf8_lossy(bytes.split(|&byte| byte == b'\n').next().unwrap_or_default());
        ensure!(
            bytes.starts_with(header.as_bytes()),
            "it is not a book of the same recipe; it begins with '{}'",
            clip(&first)
        );
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (whole, torn) = bytes.split_at(end);
        let whole = std::str::from_utf8(whole).context("it is no text in UTF-8")?;
        let lines: Vec<String> =
            whole.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        ensure!(is_torn(torn), "its last line is no opening: '{}'", clip(&String::from_utf8_lossy(torn)));
        file.set_len(end as u64)?;
        Ok(BookFile { path: path.to_owned(), file, lines })
    }

    fn append(&mut self, opening: &str) -> Result<()> {
        let written =
            self.file.write_all(format!("{opening}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Whether a last line without an end is the beginning of one of ours: an opening, or the judge.
fn is_torn(line: &[u8]) -> bool {
    let is_opening = line.iter().all(|byte| byte.is_ascii_digit() || b"-, ".contains(byte));
    is_opening || line.starts_with(JUDGE.as_bytes()) || JUDGE.as_bytes().starts_with(line)
}

/// Progress of making a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningsProgress {
    /// Openings in the book.
    pub found: usize,
    /// Candidates judged in this run.
    pub judged: usize,
    /// Those among them for which the judge had no value, so that they are left out.
    pub without_value: usize,
}

/// Nodes that the judge has for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// Those of the first look.
    First,
    /// Those of the recipe.
    All,
}

/// Fills `book` to `wanted` openings; `told` is called after each candidate.
///
/// # Errors
/// When the judge fails, the book cannot be written or was made otherwise, or there are not so many openings.
pub fn make(
    recipe: &Recipe,
    wanted: usize,
    book: &mut BookFile,
    mut judge: impl FnMut(&[Point], Nodes) -> Result<Option<Value>>,
    mut told: impl FnMut(OpeningsProgress),
) -> Result<OpeningsProgress> {
    let mut candidates = Candidates::new(recipe);
    let known = std::mem::take(&mut book.lines);
    replay(&mut candidates, &known, recipe).with_context(|| book.path.display().to_string())?;
    let mut progress = OpeningsProgress { found: known.len(), ..OpeningsProgress::default() };
    told(progress);
    while progress.found < wanted {
        let Some(opening) = candidates.next_sound()? else {
            bail!("only {} openings found, and no candidates are left", progress.found);
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
        told(progress);
    }
    Ok(progress)
}

/// Brings the candidates to where the book ends.
fn replay(candidates: &mut Candidates, known: &[String], recipe: &Recipe) -> Result<()> {
    for (index, line) in known.iter().enumerate() {
        let mut skipped = 0;
        loop {
            let opening = candidates.draw()?;
            let is_found = opening.is_some_and(|opening| format_offsets(&opening, recipe.size) == *line);
            if is_found {
                break;
            }
            skipped += 1;
            ensure!(skipped < TRIES, "opening {} does not come from this recipe: {}", index + 1, clip(line));
        }
    }
    Ok(())
}

fn clip(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests;
