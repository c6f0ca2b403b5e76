//! Statistics of a book, and its best line.

use std::collections::BTreeMap;

use super::judgement::Judgement;
use crate::board::{Board, Point};
use crate::database::{Canonical, DatabaseError, Label, Lookup, Reader, query_one};
use crate::rules::Rule;
use crate::think::score::Value;

/// Statistics of the positions with the same number of stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlySummary {
    /// Positions.
    pub positions: u64,
    /// Positions with a best move in the book.
    pub expanded: u64,
    /// Positions with a known result.
    pub decided: u64,
}

/// The judgement of a book's start position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartJudgement {
    /// The result if it is known, otherwise no label.
    pub result: Label,
    /// The value; `None` for a win or loss in an unknown number of plies.
    pub value: Option<Value>,
    /// Depth of the search that found the value, in plies.
    pub depth: i16,
}

/// Statistics of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookSummary {
    /// Positions by their number of stones.
    pub by_stones: BTreeMap<usize, PlySummary>,
    /// The judgement of the start position; `None` if the position is not in the book.
    pub start: Option<StartJudgement>,
    /// The best moves of the book from the start position.
    pub main_line: Vec<Point>,
}

/// Counts the positions of a book with the rule on boards of the size of `start`, and follows the best moves
/// from `start`.
///
/// # Errors
/// Returns an error if `start` cannot be stored, or a position cannot be read.
pub fn summarize(reader: &Reader, start: &Board, rule: Rule) -> Result<BookSummary, DatabaseError> {
    let record = query_one(reader, start, rule)?;
    let judged = record.as_ref().and_then(Judgement::of_record).map(|judgement| StartJudgement {
        result: judgement.label(),
        value: (!judgement.is_far()).then_some(judgement.value),
        depth: judgement.depth,
    });
    let mut summary = BookSummary { start: judged, ..BookSummary::default() };
    for entry in reader.entries_of(rule.kind, start.size())? {
        let (key, record) = entry?;
        let Some(judgement) = Judgement::of_record(&record) else { continue };
        let ply = summary.by_stones.entry(key.stone_count()).or_default();
        ply.positions += 1;
        ply.decided += u64::from(judgement.is_proven);
        ply.expanded += u64::from(!judgement.is_proven && judgement.best.is_some());
    }
    summary.main_line = main_line(reader, start, rule)?;
    Ok(summary)
}

/// The best moves from a position; ends with the first move that leads to a position that is not in the database.
fn main_line(reader: &Reader, start: &Board, rule: Rule) -> Result<Vec<Point>, DatabaseError> {
    let (mut board, mut line) = (start.clone(), Vec::new());
    while let Some(best) = query_one(reader, &board, rule)?.and_then(|record| record.best_move) {
        if !board.is_empty(best) {
            break;
        }
        board.play(best);
        line.push(best);
        let is_there = match Canonical::of(&board, rule) {
            Some(position) => reader.get(position.key())?.is_some(),
            None => false,
        };
        if !is_there {
            break;
        }
    }
    Ok(line)
}
