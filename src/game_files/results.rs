//! Results files of `tournament run`, or of `tournament convert`, whose games may come from other programs and
//! contain passes: lines of JSON. The first line describes the batch, each following line is a game.
//!
//! Only the game is read from a record: rule, board, moves, result, names, comments and, on request, variations.
//! Lines that are not games are counted, and an incomplete last line is reported. As everywhere in this format,
//! `1-0` is a win of black. A file that was saved with a byte order mark or in UTF-16 is read like any other.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{FileError, MAX_GAME, ReadOptions, RecordedGame, RecordedMove, Variation, check_free};
use crate::board::{Bitboard, ByColor, Size};
use crate::files::{Utf8Reader, without_mark};
use crate::game::{GameResult, Turn, format_turns, parse_turns};

/// The supported version of the format.
const FORMAT: u32 = 1;
/// The ending of a game without a result.
const UNFINISHED: &str = "unfinished";

/// The kind of a line.
#[derive(Deserialize)]
struct Kind {
    /// Present in every game.
    game: Option<IgnoredAny>,
    /// Present in every batch.
    format: Option<u32>,
    /// Present in every position of a suite.
    fen: Option<IgnoredAny>,
}

/// Whether a line can be the first of a results file: it describes a batch or contains a game. A position of
/// a suite is also a line of JSON, but neither of these.
pub fn is_beginning(line: &str) -> bool {
    let is_own = |kind: Kind| kind.fen.is_none() && (kind.game.is_some() || kind.format.is_some());
    serde_json::from_str(line).is_ok_and(is_own)
}

/// Whether a file begins like lines of JSON.
pub(super) fn is_json(beginning: &str) -> bool {
    beginning.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// The record of a game.
#[derive(Deserialize)]
struct ResultsRecord {
    rule: String,
    size: String,
    black: Side,
    white: Side,
    #[serde(default)]
    opening: String,
    moves: String,
    /// The comment on the game.
    #[serde(default)]
    comment: String,
    #[serde(default)]
    comments: Comments,
    #[serde(default)]
    variations: Vec<VariationRecord>,
    result: GameResult,
    ending: String,
}

/// Comments on turns, which are numbered from 0.
type Comments = BTreeMap<usize, String>;

/// A variation of a game.
#[derive(Deserialize)]
struct VariationRecord {
    /// Number, from 0, of the variation that it leaves; `None`: it leaves the game.
    leaves: Option<usize>,
    /// Number of turns from the beginning of the game to its first move.
    ply: usize,
    moves: String,
    /// Comments on its own turns.
    #[serde(default)]
    comments: Comments,
}

/// A player.
#[derive(Deserialize)]
struct Side {
    name: String,
}

/// The games of a results file.
pub struct ResultsReader<R> {
    input: Utf8Reader<R>,
    options: ReadOptions,
    /// Number of the last line, from 1.
    line: usize,
    has_header: bool,
    has_positions: bool,
    other_lines: u64,
    is_torn: bool,
    is_over: bool,
}

impl<R: BufRead> ResultsReader<R> {
    /// A reader of the games in `input`.
    pub fn new(input: R) -> ResultsReader<R> {
        ResultsReader::with_options(input, ReadOptions::default())
    }

    /// Like [`ResultsReader::new`], but the rule of `options`, if there is one, replaces the rule of each game.
    pub fn with_options(input: R, options: ReadOptions) -> ResultsReader<R> {
        ResultsReader {
            input: Utf8Reader::new(input),
            options,
            line: 0,
            has_header: false,
            has_positions: false,
            other_lines: 0,
            is_torn: false,
            is_over: false,
        }
    }

    /// Whether a line so far describes a batch.
    pub fn has_header(&self) -> bool {
        self.has_header
    }

    /// Whether a line so far is a position of a suite.
    pub fn has_positions(&self) -> bool {
        self.has_positions
    }

    /// Number of lines so far that neither contain a game nor describe a batch.
    pub fn other_lines(&self) -> u64 {
        self.other_lines
    }

    /// Whether the last line was skipped because it is incomplete.
    pub fn is_torn(&self) -> bool {
        self.is_torn
    }

    fn game(&mut self) -> Result<Option<RecordedGame>, FileError> {
        loop {
            let bytes = self.next_line()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match self.read(&bytes) {
                Ok(Some(game)) => return Ok(Some(game)),
                Ok(None) => {}
                Err(error) => {
                    // A power cut can leave zeros instead of a line.
                    let is_cut = is_torn_json(&bytes) || bytes.contains(&0);
                    self.is_torn = is_cut && self.input.fill_buf().is_ok_and(<[u8]>::is_empty);
                    return if self.is_torn { Ok(None) } else { Err(error) };
                }
            }
        }
    }

    /// The next line with its line end; empty after the last.
    fn next_line(&mut self) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let line = self.line + 1;
        let limited = (&mut self.input).take(MAX_GAME as u64 + 1).read_until(b'\n', &mut bytes);
        limited.map_err(|error| FileError::Rest(line, error.to_string()))?;
        if bytes.len() > MAX_GAME {
            return Err(FileError::Rest(line, format!("a game takes more than {} MiB", MAX_GAME >> 20)));
        }
        self.line += usize::from(!bytes.is_empty());
        Ok(if self.line == 1 { without_mark(&bytes).to_vec() } else { bytes })
    }

    /// The game in a line; `None` if the line contains something else.
    fn read(&mut self, bytes: &[u8]) -> Result<Option<RecordedGame>, FileError> {
        let of_line = |what| FileError::Line(self.line, what);
        let kind: Kind = parse(bytes).map_err(of_line)?;
        if kind.game.is_some() {
            let game = parse(bytes).and_then(|record| game_of(self.line, record, &self.options));
            let mut game = game.map_err(of_line)?;
            game.finish(&self.options);
            return Ok(Some(game));
        }
        match kind.format {
            Some(FORMAT) => self.has_header = true,
            Some(other) => {
                let what = format!("format {other} is not supported, only {FORMAT}");
                return Err(FileError::Rest(self.line, what));
            }
            None => {
                self.has_positions |= kind.fen.is_some();
                self.other_lines += 1;
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for ResultsReader<R> {
    type Item = Result<RecordedGame, FileError>;

    fn next(&mut self) -> Option<Result<RecordedGame, FileError>> {
        if self.is_over {
            return None;
        }
        let game = self.game().transpose();
        self.is_over = matches!(game, None | Some(Err(FileError::Rest(..))));
        game
    }
}

/// Whether a line without a line end is not valid JSON; usually its writer was stopped.
fn is_torn_json(line: &[u8]) -> bool {
    !line.ends_with(b"\n") && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        // The line in this message is always 1.
        let message = text.split(" at line ").next().unwrap_or(&text);
        format!("not a record of a game: {message} (column {})", error.column())
    })
}

fn game_of(line: usize, record: ResultsRecord, options: &ReadOptions) -> Result<RecordedGame, String> {
    let size: Size = record.size.parse().map_err(|error| format!("size: {error}"))?;
    let read = |text: &str, what: &str| -> Result<Vec<Turn>, String> {
        parse_turns(text, size).map_err(|error| format!("{what}: {error}"))
    };
    let (opening, turns) = (read(&record.opening, "opening")?, read(&record.moves, "moves")?);
    if !turns.starts_with(&opening) {
        return Err("the moves do not begin with the opening".to_owned());
    }
    let mut game = RecordedGame {
        line,
        size: Some(size),
        comment: Some(record.comment).filter(|comment| !comment.is_empty()),
        opening: opening.len(),
        result: (record.ending != UNFINISHED).then_some(record.result),
        players: ByColor([Some(record.black.name), Some(record.white.name)]),
        ..RecordedGame::default()
    };
    game.set_rule(&record.rule);
    let words: Vec<(usize, String)> = turns.iter().map(|&turn| (line, format_turns(&[turn], size))).collect();
    game.moves = with_comments(turns, record.comments);
    if options.variations {
        game.variations = variations_of(&game, record.variations)?;
    }
    if !game.is_variant() {
        check_free(Bitboard::EMPTY, &words, &game.moves).map_err(|error| match error {
            FileError::Line(_, what) | FileError::Game(_, what) | FileError::Rest(_, what) => what,
        })?;
    }
    Ok(game)
}

fn with_comments(turns: Vec<Turn>, mut comments: Comments) -> Vec<RecordedMove> {
    let turns = turns.into_iter().enumerate();
    turns.map(|(turn, mv)| RecordedMove { mv, comment: comments.remove(&turn) }).collect()
}

/// The variations of a game, each of which begins in the line that it leaves.
fn variations_of(game: &RecordedGame, records: Vec<VariationRecord>) -> Result<Vec<Variation>, String> {
    let mut variations: Vec<Variation> = Vec::new();
    for (number, record) in records.into_iter().enumerate() {
        let VariationRecord { mut leaves, ply, moves, comments } = record;
        let misplaced = || format!("variation {number} does not begin in the line that it leaves");
        let (mut first, mut last) = (0, game.moves.len());
        if let Some(left) = leaves {
            let left = variations.get(left).ok_or_else(misplaced)?;
            (first, last) = (left.ply, left.ply + left.moves.len());
            if left.ply == ply {
                // It shares no move with that variation, so it leaves the same line.
                leaves = left.leaves;
            }
        }
        if !(first..=last).contains(&ply) {
            return Err(misplaced());
        }
        let turns =
            parse_turns(&moves, game.board()).map_err(|error| format!("variation {number}: {error}"))?;
        variations.push(Variation { leaves, ply, moves: with_comments(turns, comments) });
    }
    Ok(variations)
}

#[cfg(test)]
mod tests;
