//! The results file's contents: a header, then one complete record per game, as lines of JSON.
//!
//! This module defines the format of the results file. The match runner writes it; `rate`, `show`, `report`
//! and `merge` read it. The library's `game_files::results` reads the games in it and supports the same
//! version. Neither knows engines. Moves are text in `h8i9j10` notation.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::shard::Shard;
pub use kakugo::game::GameResult;

/// The version of the format that this program writes.
pub const FORMAT: u32 = 1;

/// The first line of a results file: describes the batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of this format.
    pub format: u32,
    /// Name and version of the program that wrote the file.
    pub program: String,
    /// Hash of the configuration: the same in all files of a batch.
    pub config_hash: String,
    /// The complete configuration, so that the file alone reproduces the batch.
    pub config: serde_json::Value,
    /// Number of games of the whole batch, over all shares.
    pub games: usize,
    /// Share `.0` (from 1) of `.1` shares, if the batch is spread over several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
}

impl Header {
    /// Number of games that the file has at the end: those of its share, or of the whole batch.
    pub fn planned(&self) -> usize {
        let share = self.shard.filter(|&(index, count)| (1..=count).contains(&index));
        share.map_or(self.games, |(index, count)| Shard { index, count }.games(self.games))
    }

    /// Checks that this program can read the file.
    ///
    /// # Errors
    /// Returns the reason if it cannot.
    pub fn check_format(&self) -> Result<(), String> {
        match self.format {
            FORMAT => Ok(()),
            other => Err(format!("format {other} is not supported, only {FORMAT}")),
        }
    }
}

/// Value that an engine reports for a position, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Value {
    /// Points on the engine's own scale.
    Points(i32),
    /// The engine wins in this number of plies.
    Wins(u32),
    /// The engine loses in this number of plies.
    Loses(u32),
}

/// A move of an engine; the stones of the opening have no such record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Milliseconds from the request to the answer.
    pub ms: f64,
    /// Value of the position, if the engine reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Depth reported by the engine, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of visited positions reported by the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// An answer that came too late and is not among the moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Late {
    /// Milliseconds from the request to the answer.
    pub ms: f64,
    /// Time allowed, in milliseconds, without the margin.
    pub limit_ms: f64,
}

/// One engine's part in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Name of the engine in the batch.
    pub name: String,
    /// Its answer to `ABOUT`, unchanged; empty if it gave none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Peak memory of all its processes together, in bytes, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
}

/// The last lines sent to and received from an engine, kept to explain how a game ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The end of the conversation: `> ` to the engine, `< ` from it.
    pub lines: VecDeque<String>,
    /// The last `MESSAGE` or `DEBUG` line.
    pub message: Option<String>,
    /// The end of stderr.
    pub stderr: VecDeque<String>,
    /// The answer that lost the game on time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
}

/// Negotiation of an opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcedureRecord {
    /// The procedure.
    pub name: String,
    /// Final colour of the first player.
    pub first: String,
    /// Every answer, in order.
    pub answers: Vec<AnswerRecord>,
}

/// One answer in a procedure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// `first` or `second`, whatever colour that player has.
    pub by: String,
    /// Answer in words, points as `h8`.
    pub answer: String,
    /// Time and search info of the answer. An answer that came together with a move has no time of its own.
    #[serde(flatten)]
    pub thought: MoveRecord,
}

/// The event of a game in a file of another program; empty texts if the file does not state it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Name of the event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The round.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// The place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

impl EventRecord {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        *self == EventRecord::default()
    }

    fn memory(&self) -> usize {
        self.name.len() + self.round.len() + self.place.len()
    }
}

/// A finished game, with everything needed to replay, judge and rate it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in the whole batch, from 1; unique in the batch.
    pub game: usize,
    /// Number of the pair, from 1: both games of a pair have the same engines and opening, with the colours
    /// swapped. If openings are negotiated, the engines take turns to begin, and each game has the opening
    /// and the colours that they agree on. 0 in games from files that do not mark pairs.
    pub pair: usize,
    /// The seed of the batch.
    pub seed: u64,
    /// When the game began, in seconds since 1970 (UTC).
    pub began: u64,
    /// Name of the league, if the batch has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The event.
    #[serde(default, skip_serializing_if = "EventRecord::is_empty")]
    pub event: EventRecord,
    /// Name of the rule.
    pub rule: String,
    /// The board, `WxH`.
    pub size: String,
    /// The limits of a move in human-readable form: nodes, depth, time control.
    #[serde(rename = "clock")]
    pub limits: String,
    /// Black's engine.
    pub black: Side,
    /// White's engine.
    pub white: Side,
    /// Stones before the first move of an engine.
    pub opening: String,
    /// Negotiation of these stones, if they are negotiated; without answers if the game ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procedure: Option<ProcedureRecord>,
    /// All stones, including the opening; the last may be a foul.
    pub moves: String,
    /// Variations of a file of another program, each one after the line that it leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<VariationRecord>,
    /// Comment of a file of another program on the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Comments of a file of another program on turns, which are numbered from 0, except notes on the search.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub comments: BTreeMap<usize, String>,
    /// Time and search info of each move after the opening, in order.
    pub played: Vec<MoveRecord>,
    /// The result.
    pub result: GameResult,
    /// Name of the ending: `five`, `foul`, `time`, `crash`, `full-board`, ...
    pub ending: String,
    /// The ending in a sentence.
    pub detail: String,
    /// The last lines of an engine that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// A line of play that could have been chosen in place of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariationRecord {
    /// Number, from 0, of the variation that this one branches off; `None` if it branches off the game itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<usize>,
    /// Number of moves and passes from the beginning of the game to its first move.
    pub ply: usize,
    /// Its moves and passes.
    pub moves: String,
    /// Comments on its moves, which are numbered from 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub comments: BTreeMap<usize, String>,
}

impl VariationRecord {
    fn memory(&self) -> usize {
        size_of::<VariationRecord>() + self.moves.len() + memory_of(&self.comments)
    }
}

/// Approximate size of comments, in bytes.
fn memory_of(comments: &BTreeMap<usize, String>) -> usize {
    const PER_COMMENT: usize = 64;
    comments.values().map(|comment| PER_COMMENT + comment.len()).sum()
}

impl GameRecord {
    /// Number of moves, including the opening: each begins with the letter of its column.
    pub fn stones(&self) -> usize {
        self.moves.bytes().filter(u8::is_ascii_alphabetic).count()
    }

    /// Approximate size in memory, in bytes; ignores procedure and evidence, which few records have.
    pub fn memory(&self) -> usize {
        /// Bytes per allocation in addition to its content, for all allocations of a record.
        const ALLOCATIONS: usize = 12 * 16;
        let sides = [&self.black, &self.white].map(|side| side.name.len() + side.about.len());
        let texts =
            [&self.rule, &self.size, &self.limits, &self.opening, &self.moves, &self.ending, &self.detail];
        let texts = texts.map(String::len).into_iter().chain(sides).sum::<usize>();
        let variations = self.variations.iter().map(VariationRecord::memory).sum::<usize>();
        let texts = texts + self.event.memory() + self.comment.len() + variations + memory_of(&self.comments);
        size_of::<GameRecord>() + ALLOCATIONS + texts + size_of_val(self.played.as_slice())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Points(points) => write!(f, "{points}"),
            Value::Wins(plies) => write!(f, "+M{plies}"),
            Value::Loses(plies) => write!(f, "-M{plies}"),
        }
    }
}

impl FromStr for Value {
    type Err = String;

    /// Parses `85`, `-20`, `+M5` and `-M4`, the notation of Kakugo, Rapfi and other engines.
    fn from_str(text: &str) -> Result<Value, String> {
        let read = || -> Option<Value> {
            if let Some(plies) = text.strip_prefix("+M") {
                Some(Value::Wins(plies.parse().ok()?))
            } else if let Some(plies) = text.strip_prefix("-M") {
                Some(Value::Loses(plies.parse().ok()?))
            } else {
                Some(Value::Points(text.parse().ok()?))
            }
        };
        read().ok_or_else(|| format!("'{}' is not a value", kakugo::game_files::clip(text)))
    }
}

impl TryFrom<String> for Value {
    type Error = String;

    fn try_from(text: String) -> Result<Value, String> {
        text.parse()
    }
}

impl From<Value> for String {
    fn from(value: Value) -> String {
        value.to_string()
    }
}

#[cfg(test)]
impl GameRecord {
    /// A game of a pair between engines of these names, for tests of statistics.
    pub fn example(pair: usize, [black, white]: [&str; 2], result: GameResult) -> GameRecord {
        let side = |name: &str| Side { name: name.to_owned(), about: String::new(), peak_memory: None };
        GameRecord {
            game: 0,
            pair,
            seed: 1,
            began: 0,
            league: None,
            event: EventRecord::default(),
            rule: "freestyle".to_owned(),
            size: "15x15".to_owned(),
            limits: String::new(),
            black: side(black),
            white: side(white),
            opening: "h8".to_owned(),
            moves: "h8".to_owned(),
            variations: Vec::new(),
            comment: String::new(),
            comments: BTreeMap::new(),
            played: Vec::new(),
            result,
            ending: "five".to_owned(),
            detail: String::new(),
            procedure: None,
            evidence: None,
        }
    }
}
