//! The state of a whole database: its numbers, and whether it is sound.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::DatabaseError;
use super::meter::Meter;
use super::record::{Bound, Label};
use super::store::{Access, Reader, Store};
use crate::board::Size;
use crate::rules::RuleKind;

/// Numbers of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseSummary {
    /// Positions.
    pub positions: u64,
    /// Positions by rule and size, in the order of the file.
    pub by_board: Vec<(RuleKind, Size, u64)>,
    /// Positions by the character of their label.
    pub by_label: BTreeMap<char, u64>,
    /// Positions with a value.
    pub with_value: u64,
    /// Positions that games came through.
    pub with_games: u64,
    /// Positions with a best move.
    pub with_best_move: u64,
    /// Positions with a comment, or with texts of points.
    pub with_text: u64,
}

/// Counts what is in a database.
///
/// # Errors
/// When a position can't be read.
pub fn summarize(reader: &Reader, meter: &mut dyn Meter) -> Result<DatabaseSummary, DatabaseError> {
    let mut summary = DatabaseSummary::default();
    meter.begin(reader.len()?);
    for entry in reader.entries()? {
        let (key, record) = entry?;
        let board = (key.rule(), key.size());
        match summary.by_board.last_mut() {
            Some((rule, size, count)) if (*rule, *size) == board => *count += 1,
            _ => summary.by_board.push((board.0, board.1, 1)),
        }
        summary.positions += 1;
        *summary.by_label.entry(record.label.to_char()).or_default() +=
            u64::from(record.label != Label::None);
        summary.with_value += u64::from(record.bound != Bound::None);
        summary.with_games += u64::from(record.games.total() > 0);
        summary.with_best_move += u64::from(record.best_move.is_some());
        summary.with_text += u64::from(!record.text.is_empty() || !record.point_texts.is_empty());
        meter.advance(1)?;
    }
    summary.by_label.retain(|_, count| *count > 0);
    Ok(summary)
}

/// Counts the entries that can't be read, or whose keys are not the least of their positions.
///
/// # Errors
/// When the file can't be read.
pub fn count_damaged(reader: &Reader, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
    Ok(reader.damaged_keys(meter)?.len() as u64)
}

/// Deletes the entries that [`count_damaged`] counts; returns their number.
///
/// # Errors
/// When the file can't be written; then nothing is deleted.
pub fn delete_damaged(store: &Store, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
    let damaged = store.reader()?.damaged_keys(meter)?;
    store.write(|batch| {
        for key in &damaged {
            batch.remove_bytes(key)?;
        }
        Ok(damaged.len() as u64)
    })
}

/// What [`fix`] had to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// So many entries that made no sense were deleted.
    Deleted(u64),
    /// The file was damaged: a new one is in its place, with so many positions.
    Recovered(u64),
}

/// Deletes the entries that [`count_damaged`] counts. Where the file itself is damaged, a new one with all that can be
/// read takes its place.
///
/// # Errors
/// When it is no database, another process has it open, or it can't be written.
pub fn fix(path: &Path, cache_bytes: usize, meter: &mut dyn Meter) -> Result<Fixed, DatabaseError> {
    let opened = Store::open_with_cache(path, Access::Write, cache_bytes);
    match opened.and_then(|store| delete_damaged(&store, meter)) {
        Ok(deleted) => Ok(Fixed::Deleted(deleted)),
        Err(DatabaseError::Damaged(_)) => Store::recover(path, cache_bytes, meter).map(Fixed::Recovered),
        Err(error) => Err(error),
    }
}
