//! Queries of a position and of the moves from it, on the caller's board.

use super::error::DatabaseError;
use super::key::Canonical;
use super::record::Record;
use super::store::Lookup;
use crate::board::{Board, Point};
use crate::rules::Rule;

/// A move from a position that has data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// The move.
    pub point: Point,
    /// The record of the resulting position, for the side to move there.
    pub record: Option<Record>,
    /// Text shown on the point.
    pub text: Option<String>,
}

/// Everything known about a position. All points refer to the caller's board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryAnswer {
    /// The record of the position.
    pub record: Option<Record>,
    /// The moves that have data, row by row from the top.
    pub moves: Vec<KnownMove>,
}

/// Finds everything known about a position and about each move from it.
///
/// # Errors
/// Returns an error if the position cannot be stored, or the file cannot be read.
pub fn query(source: &impl Lookup, board: &Board, rule: Rule) -> Result<QueryAnswer, DatabaseError> {
    let record = query_one(source, board, rule)?;
    let mut moves = Vec::new();
    let mut after = board.clone();
    for point in board.empty().iter() {
        after.play(point);
        let next = query_one(source, &after, rule)?;
        after.undo();
        let text = record.as_ref().and_then(|record| record.point_texts.get(&point).cloned());
        if next.is_some() || text.is_some() {
            moves.push(KnownMove { point, record: next, text });
        }
    }
    Ok(QueryAnswer { record, moves })
}

/// Finds everything known about a position, without its moves.
///
/// # Errors
/// Returns an error if the position cannot be stored, or the file cannot be read.
pub fn query_one(source: &impl Lookup, board: &Board, rule: Rule) -> Result<Option<Record>, DatabaseError> {
    let position = Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?;
    let record = source.get(position.key())?;
    Ok(record.map(|record| position.to_asked(record)))
}
