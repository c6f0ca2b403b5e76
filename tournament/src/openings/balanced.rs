//! Makes books of level openings: random stones, kept when a judge finds the position level.
//!
//! The candidates come from the seed alone, and each opening is written as it is found. A book that was interrupted
//! is continued from its last line and becomes the one that it would have been.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Point, Size};
use kakugo::rules::Rule;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{list, random, symmetry};
use crate::record::Value;

/// Draws that may bring nothing new before it is taken that there is nothing new.
const TRIES: usize = 20_000;

/// What makes an opening a candidate and what makes it level.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// How many stones.
    pub stones: RangeInclusive<usize>,
    /// Nodes that the judge has for each candidate.
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
            "# Level openings: rule {}, board {}, stones {few}-{many}, value within {} after {} nodes, seed {}",
            self.rule, self.size, self.bound, self.nodes, self.seed
        )
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
    /// ended is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is something else than a book of this recipe.
    pub fn open(path: &Path, recipe: &Recipe, judge: &str) -> Result<BookFile> {
        let context = || path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(context),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        if let Some(first) = text.lines().next()
            && first != recipe.header()
            && !recipe.header().starts_with(&text)
        {
            bail!("{} is not a book of the same recipe; it begins with '{}'", path.display(), clip(first));
        }
        let lines: Vec<String> =
            whole.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
        // Without openings it may be the header that was torn.
        let kept = if lines.is_empty() { 0 } else { whole.len() };
        file.set_len(kept as u64).with_context(context)?;
        if lines.is_empty() {
            let judge = if judge.is_empty() { String::new() } else { format!("# Judge: {judge}\n") };
            file.write_all(format!("{}\n{judge}", recipe.header()).as_bytes()).with_context(context)?;
        }
        Ok(BookFile { path: path.to_owned(), file, lines })
    }

    fn append(&mut self, opening: &str) -> Result<()> {
        let written =
            self.file.write_all(format!("{opening}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// What making a book has come to so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Openings in the book.
    pub found: usize,
    /// Candidates judged in this run.
    pub judged: usize,
}

/// Fills `book` to `wanted` openings; `told` is called after each candidate.
///
/// # Errors
/// When the judge fails, the book cannot be written or was made otherwise, or there are not so many openings.
pub fn make(
    recipe: &Recipe,
    wanted: usize,
    book: &mut BookFile,
    mut judge: impl FnMut(&[Point]) -> Result<Value>,
    mut told: impl FnMut(Tally),
) -> Result<Tally> {
    let mut candidates = Candidates::new(recipe);
    let known = std::mem::take(&mut book.lines);
    replay(&mut candidates, &known, recipe).with_context(|| book.path.display().to_string())?;
    let mut tally = Tally { found: known.len(), judged: 0 };
    told(tally);
    while tally.found < wanted {
        let Some(opening) = candidates.next_sound()? else {
            bail!("only {} openings found, and no candidates are left", tally.found);
        };
        let value = judge(&opening)?;
        tally.judged += 1;
        if recipe.is_level(value) {
            book.append(&list::format_offsets(&opening, recipe.size))?;
            tally.found += 1;
        }
        told(tally);
    }
    Ok(tally)
}

/// Brings the candidates to where the book ends.
fn replay(candidates: &mut Candidates, known: &[String], recipe: &Recipe) -> Result<()> {
    for (index, line) in known.iter().enumerate() {
        let mut skipped = 0;
        loop {
            let opening = candidates.draw()?;
            let is_found =
                opening.is_some_and(|opening| list::format_offsets(&opening, recipe.size) == *line);
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
