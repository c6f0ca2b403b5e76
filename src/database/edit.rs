//! Edits of single records by the user of a board. All points refer to the caller's board.

use super::error::DatabaseError;
use super::key::{Canonical, Key, Stones};
use super::record::{GameCounts, Label, Record, RecordError};
use super::store::{Lookup, WriteBatch};
use crate::board::{Board, Point};
use crate::rules::Rule;
use crate::think::Bound;

/// A change of one part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Sets the label.
    Label(Label),
    /// Sets the value and its bound.
    Value(i16, Bound),
    /// Sets the depth.
    Depth(i16),
    /// Sets the counts of games.
    Games(GameCounts),
    /// Sets or clears the best move.
    BestMove(Option<Point>),
    /// Sets the mark.
    Marked(bool),
    /// Sets whether this is the position that is shown first.
    Start(bool),
    /// Sets the comment.
    Text(String),
    /// Sets the text of a point, or removes it if the text is empty.
    PointText(Point, String),
}

/// Changes the record of a position, creating it if necessary, and returns the new record.
///
/// # Errors
/// Returns an error if the position cannot be stored, a point is off the board, the record cannot be stored, or
/// the file cannot be written.
pub fn edit(
    batch: &mut WriteBatch,
    board: &Board,
    rule: Rule,
    edits: &[Edit],
) -> Result<Record, DatabaseError> {
    let position = Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?;
    let mut record = batch.get(position.key())?.unwrap_or_default();
    for edit in edits.iter().cloned() {
        match edit {
            // Only points on the board have a stored orientation.
            Edit::BestMove(Some(point)) | Edit::PointText(point, _) if !board.size().contains(point) => {
                return Err(RecordError::OffBoard.into());
            }
            Edit::Label(label) => record.label = label,
            Edit::Value(value, bound) => (record.value, record.bound) = (value, bound),
            Edit::Depth(depth) => record.depth = depth,
            Edit::Games(games) => record.games = games,
            Edit::BestMove(point) => record.best_move = point.map(|point| position.stored(point)),
            Edit::Marked(is_marked) => record.is_marked = is_marked,
            Edit::Start(is_start) => record.is_start = is_start,
            Edit::Text(text) => record.text = text,
            Edit::PointText(point, text) if text.is_empty() => {
                record.point_texts.remove(&position.stored(point));
            }
            Edit::PointText(point, text) => {
                record.point_texts.insert(position.stored(point), text);
            }
        }
    }
    batch.put(position.key(), &record)?;
    Ok(position.to_asked(record))
}

/// Changes the record of a position like [`edit`], but keeps no record without data: such a record is deleted, or not
/// created.
///
/// # Errors
/// Returns the errors of [`edit`].
pub fn edit_data(
    batch: &mut WriteBatch,
    board: &Board,
    rule: Rule,
    edits: &[Edit],
) -> Result<(), DatabaseError> {
    if edit(batch, board, rule, edits)? == Record::default() {
        let position = Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?;
        batch.remove(position.key())?;
    }
    Ok(())
}

/// Stores a record from which something was removed, or deletes it if it has no data left.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(super) fn put_rest(batch: &mut WriteBatch, key: &Key, record: &Record) -> Result<(), DatabaseError> {
    if *record == Record::default() { batch.remove(key).map(drop) } else { batch.put(key, record) }
}

/// Deletes the record of a position, and in the positions before it the texts of the move that leads to it.
/// Returns whether there was a record.
///
/// # Errors
/// Returns an error if the position cannot be stored, or the file cannot be written.
pub fn delete(batch: &mut WriteBatch, board: &Board, rule: Rule) -> Result<bool, DatabaseError> {
    let position = Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?;
    for (parent, played) in Stones::of(position.key()).parents() {
        let Some(mut record) = batch.get(parent.key())? else { continue };
        if record.point_texts.remove(&parent.stored(played)).is_some() {
            put_rest(batch, parent.key(), &record)?;
        }
    }
    batch.remove(position.key())
}
