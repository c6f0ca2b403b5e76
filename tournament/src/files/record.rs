//! Records of a batch: one header, then one complete record per game, as lines of JSON.
//!
//! This module defines the format of the results file: the runner writes it, and `rate`, `show`, `report` and `merge`
//! read it. The library's `game_files::results` reads the games in it and knows the same version. Neither knows engines;
//! moves are text in `h8i9j10` notation.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The version of the format that this program writes.
pub const FORMAT: u32 = 1;

/// The first line of a results file: what the batch is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of this format.
    pub format: u32,
    /// Name and version of the program that wrote the file.
    pub program: String,
    /// Identifies the configuration: files of one batch carry the same hash.
    pub config_hash: String,
    /// The whole configuration as it was read, so that the file alone reproduces the batch.
    pub config: serde_json::Value,
    /// Number of games of the whole batch, all shards together.
    pub games: usize,
    /// Share `.0` (from 1) of `.1` shares, if the batch is spread over several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
}

/// Result of a game, as on the score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// Black won.
    #[serde(rename = "1-0")]
    Black,
    /// White won.
    #[serde(rename = "0-1")]
    White,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

/// Value that an engine gave a position, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Value {
    /// Points on the engine's own scale.
    Points(i32),
    /// The engine wins in so many plies.
    Wins(u32),
    /// The engine loses in so many plies.
    Loses(u32),
}

/// One move of an engine; the opening's stones have none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Milliseconds from the request to the answer.
    pub ms: f64,
    /// Value of the position, if the engine told one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The depth it said it reached, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions it said it visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// An answer that came too late, and so is not among the moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Late {
    /// Milliseconds from the request to the answer.
    pub ms: f64,
    /// Milliseconds that were allowed, the margin not counted.
    pub limit_ms: f64,
}

/// One engine's part in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The engine's name in the batch.
    pub name: String,
    /// Its answer to `ABOUT`, as it was written; empty if it gave none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The most memory its processes held together, in bytes, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
}

/// The last things that an engine wrote and was sent, kept to explain how a game ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The end of the conversation: `> ` to the engine, `< ` from it.
    pub lines: VecDeque<String>,
    /// The last `MESSAGE` or `DEBUG` line.
    pub message: Option<String>,
    /// The end of stderr.
    pub stderr: VecDeque<String>,
    /// The answer by which the game was lost on time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
}

/// Negotiation of an opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcedureRecord {
    /// The procedure.
    pub name: String,
    /// The colour that the first person had at the end.
    pub first: String,
    /// Every answer, in order.
    pub answers: Vec<AnswerRecord>,
}

/// One answer in a procedure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// `first` or `second`, whatever colour that person has.
    pub by: String,
    /// Answer in words, points as `h8`.
    pub answer: String,
    /// Time and search info of the answer; one that came with a move took no time of its own.
    #[serde(flatten)]
    pub thought: MoveRecord,
}

/// A finished game, complete enough to replay, judge and rate it without anything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in the whole batch, from 1: no two records of a batch share it.
    pub game: usize,
    /// Number of its pair, from 1: both games of a pair have the same opening and engines, the colours swapped.
    pub pair: usize,
    /// The seed of the batch.
    pub seed: u64,
    /// When it began, seconds since 1970 (UTC).
    pub began: u64,
    /// Name of its league, in a batch of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// Name of the rule.
    pub rule: String,
    /// The board, `WxH`.
    pub size: String,
    /// The time control, as people write it.
    pub clock: String,
    /// Black's engine.
    pub black: Side,
    /// White's engine.
    pub white: Side,
    /// Stones before the first move of an engine.
    pub opening: String,
    /// Negotiation of these stones, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procedure: Option<ProcedureRecord>,
    /// All stones, the opening's included; the last may be a foul.
    pub moves: String,
    /// Time and search info of each move after the opening, in order.
    pub played: Vec<MoveRecord>,
    /// The result.
    pub result: GameResult,
    /// Name of the ending: `five`, `foul`, `time`, `crash`, `full-board`, ...
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
    /// After an engine's failure, its last lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

impl GameRecord {
    /// Bytes in memory, about; procedure and evidence aside, which few records have.
    pub fn memory(&self) -> usize {
        /// Allocations of a record, each with the bytes that it takes besides its content.
        const ALLOCATIONS: usize = 12 * 16;
        let sides = [&self.black, &self.white].map(|side| side.name.len() + side.about.len());
        let texts =
            [&self.rule, &self.size, &self.clock, &self.opening, &self.moves, &self.ending, &self.detail];
        let texts = texts.map(String::len).into_iter().chain(sides).sum::<usize>();
        size_of::<GameRecord>() + ALLOCATIONS + texts + size_of_val(self.played.as_slice())
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            GameResult::Black => "1-0",
            GameResult::White => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
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

    /// Reads `85`, `-20`, `+M5` and `-M4`, the way Kakugo, Rapfi and others write values.
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
        read().ok_or_else(|| format!("'{}' is no value", crate::files::clip(text)))
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
    /// A game of a pair between engines of these names, for tests of what is counted.
    pub fn example(pair: usize, [black, white]: [&str; 2], result: GameResult) -> GameRecord {
        let side = |name: &str| Side { name: name.to_owned(), about: String::new(), peak_memory: None };
        GameRecord {
            game: 0,
            pair,
            seed: 1,
            began: 0,
            league: None,
            rule: "freestyle".to_owned(),
            size: "15x15".to_owned(),
            clock: String::new(),
            black: side(black),
            white: side(white),
            opening: "h8".to_owned(),
            moves: "h8".to_owned(),
            played: Vec::new(),
            result,
            ending: "five".to_owned(),
            detail: String::new(),
            procedure: None,
            evidence: None,
        }
    }
}
