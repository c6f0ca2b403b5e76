//! Each game in compact form, so that a page with five thousand games opens immediately.

use serde::Serialize;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Point, Size};

use super::lists::{Lists, ReportOpening};
use super::marks::{self, MarkedRow};
use super::reviews::ReportReview;
use crate::files::replay::need_plain;
use crate::model::record::{Evidence, GameRecord, GameResult, MoveRecord};

/// A game. The keys are short because there are thousands of games; values that occur in a list are stored as
/// an index.
#[derive(Debug, Serialize)]
pub struct ReportGame {
    /// Number of the game.
    #[serde(rename = "n")]
    pub number: usize,
    /// Number of the pair.
    #[serde(rename = "p")]
    pub pair: usize,
    /// When the game began, in seconds since 1970.
    #[serde(rename = "at")]
    pub began: u64,
    /// Index of the limits.
    #[serde(rename = "c")]
    pub limits: usize,
    /// Index of the engine that played black.
    #[serde(rename = "b")]
    pub black: usize,
    /// Index of the engine that played white.
    #[serde(rename = "w")]
    pub white: usize,
    /// Index of the opening, which also determines rule and board.
    #[serde(rename = "o")]
    pub opening: usize,
    /// All stones.
    #[serde(rename = "m")]
    pub moves: String,
    /// Time of each move after the opening, in tenths of a millisecond.
    #[serde(rename = "t")]
    pub times: Vec<u64>,
    /// Value of each of these moves, separated by spaces, with `.` for unknown ones; empty if all are
    /// unknown.
    #[serde(rename = "v", skip_serializing_if = "String::is_empty")]
    pub values: String,
    /// Depths, in the same form.
    #[serde(rename = "d", skip_serializing_if = "String::is_empty")]
    pub depths: String,
    /// Nodes, in the same form.
    #[serde(rename = "k", skip_serializing_if = "String::is_empty")]
    pub nodes: String,
    /// Result: 1 black won, -1 white won, 0 draw.
    #[serde(rename = "x")]
    pub result: i8,
    /// Index of the ending.
    #[serde(rename = "e")]
    pub ending: usize,
    /// The ending in a sentence.
    #[serde(rename = "s")]
    pub detail: String,
    /// Rows to draw at the end: the winning row, or the rows that make a foul.
    #[serde(rename = "r", skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkedRow>,
    /// The last lines of an engine that failed.
    #[serde(rename = "ev", skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Its review.
    #[serde(rename = "rv", skip_serializing_if = "Option::is_none")]
    pub review: Option<ReportReview>,
}

impl ReportGame {
    /// Converts `record` to a game with number `number`; new entries are added to `lists`.
    ///
    /// # Errors
    /// Returns an error if the board or the moves are invalid.
    pub(super) fn new(number: usize, record: &GameRecord, lists: &mut Lists) -> Result<ReportGame, String> {
        let fail = |what: &str| format!("game {}: {what}", record.game);
        need_plain(record, "the page").map_err(|error| fail(&error.to_string()))?;
        let size = record.size.parse::<Size>().map_err(|error| fail(&error.to_string()))?;
        let points = |text: &str| parse_moves(text, size).map_err(|error| fail(&error.to_string()));
        let moves = points(&record.moves)?;
        let stones = points(&record.opening)?;
        if !moves.starts_with(&stones) {
            return Err(fail("the moves do not begin with the opening"));
        }
        if record.played.len() > moves.len() - stones.len() + 1 {
            return Err(fail("more moves are timed than were played"));
        }
        Ok(ReportGame {
            number,
            pair: record.pair,
            began: record.began,
            limits: lists.limits.place(&record.limits),
            black: lists.engines.place(&record.black.name),
            white: lists.engines.place(&record.white.name),
            opening: opening(record, size, &stones, lists),
            moves: record.moves.clone(),
            times: record.played.iter().map(|played| tenths(played.ms)).collect(),
            values: column(&record.played, |played| played.value),
            depths: column(&record.played, |played| played.depth),
            nodes: column(&record.played, |played| played.nodes),
            result: match record.result {
                GameResult::Black => 1,
                GameResult::White => -1,
                GameResult::Draw => 0,
            },
            ending: lists.endings.place(&record.ending),
            detail: record.detail.clone(),
            marks: marks::marks(size, record, &moves),
            evidence: record.evidence.clone(),
            review: None,
        })
    }
}

fn opening(record: &GameRecord, size: Size, stones: &[Point], lists: &mut Lists) -> usize {
    let (rule, size) = (lists.rules.place(&record.rule), lists.sizes.place(&size.to_string()));
    let key = (rule, size, record.opening.clone());
    *lists.opening_places.entry(key).or_insert_with(|| {
        lists.openings.push(ReportOpening {
            rule,
            size,
            moves: record.opening.clone(),
            stones: stones.len(),
        });
        lists.openings.len() - 1
    })
}

/// Tenths of a millisecond; invalid times count as 0.
fn tenths(ms: f64) -> u64 {
    (ms * 10.0).round() as u64
}

/// A column of the `known` values of each move, separated by spaces, with `.` for unknown ones; empty if all
/// are unknown.
fn column<T: ToString>(played: &[MoveRecord], known: impl Fn(&MoveRecord) -> Option<T>) -> String {
    if played.iter().all(|played| known(played).is_none()) {
        return String::new();
    }
    let cell = |played| known(played).map_or_else(|| ".".to_owned(), |value| value.to_string());
    played.iter().map(cell).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::Value;

    #[test]
    fn a_column_keeps_its_gaps() {
        let mut played = vec![MoveRecord::default(); 3];
        assert_eq!(column(&played, |played| played.value), "");
        played[1].value = Some(Value::Wins(5));
        assert_eq!(column(&played, |played| played.value), ". +M5 .");
    }

    #[test]
    fn times_are_never_negative() {
        assert_eq!([0.04, 12.34, -1.0, f64::NAN].map(tenths), [0, 123, 0, 0]);
    }
}
