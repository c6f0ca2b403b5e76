//! The state of a whole database: statistics and damage.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::DatabaseError;
use super::meter::Meter;
use super::record::Label;
use super::store::{Access, Reader, Store};
use crate::board::Size;
use crate::rules::RuleKind;
use crate::think::Bound;

/// Statistics of a database.
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
    /// Positions with games.
    pub with_games: u64,
    /// Positions with a best move.
    pub with_best_move: u64,
    /// Positions with a comment or with texts of points.
    pub with_text: u64,
}

/// Computes the statistics of a database.
///
/// # Errors
/// Returns an error if a position cannot be read.
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

/// Counts the entries that cannot be read, or whose keys are not the smallest of their positions.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn count_damaged(reader: &Reader, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
    Ok(reader.damaged_keys(meter)?.len() as u64)
}

/// Deletes the entries counted by [`count_damaged`]; returns their number.
///
/// # Errors
/// Returns an error if the file cannot be read or written; see [`Transaction::commit`](super::Transaction::commit).
pub fn delete_damaged(store: &Store, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
    let damaged = store.reader()?.damaged_keys(meter)?;
    store.write(|batch| {
        for key in &damaged {
            batch.remove_bytes(key)?;
        }
        Ok(damaged.len() as u64)
    })
}

/// The result of [`fix`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Number of invalid entries that were deleted.
    Deleted(u64),
    /// The file was damaged and was replaced by a new one with this number of positions.
    Recovered(u64),
}

/// Deletes the entries counted by [`count_damaged`]. If the file itself is damaged, replaces it by a new file
/// with everything that can be read.
///
/// # Errors
/// Returns an error if it is not a database, another process has it open, or it cannot be written.
pub fn fix(path: &Path, cache_bytes: usize, meter: &mut dyn Meter) -> Result<Fixed, DatabaseError> {
    let opened = Store::open_with_cache(path, Access::Write, cache_bytes);
    match opened.and_then(|store| delete_damaged(&store, meter)) {
        Ok(deleted) => Ok(Fixed::Deleted(deleted)),
        Err(DatabaseError::Damaged(_)) => Store::recover(path, cache_bytes, meter).map(Fixed::Recovered),
        Err(error) => Err(error),
    }
}
