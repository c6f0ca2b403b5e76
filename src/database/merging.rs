//! Adds records to a database in batches and merges them with the stored ones.

use super::error::DatabaseError;
use super::key::{Canonical, Key};
use super::meter::{Interrupted, Meter};
use super::record::{Label, MOST_TEXT_BYTES, Record};
use super::sorter::Sorter;
use super::store::{Lookup, Reader, Store, Transaction, WriteBatch, read_entry};
use super::texts::{append_new_lines, has_lines, is_comment_copy, is_point_text_copy};
use crate::board::Board;
use crate::rules::Rule;
use crate::think::Bound;

/// Default number of positions per transaction. A transaction rewrites each page that it changes. In a
/// database of millions of positions, almost every one of a few thousand positions is on a different page.
pub const BATCH: usize = 500_000;
/// Memory for positions that are sorted before they are written, so that neighbours share pages.
pub(super) const SORTED_BYTES: usize = 24 << 20;
/// Different texts are joined up to this many bytes, because each new text is searched for in the stored
/// text.
const MOST_JOINED_BYTES: usize = 32 << 10;

/// Which of two records of a position takes precedence where both have data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// The better one, see [`Record::is_better_than`]; different texts are joined.
    #[default]
    Better,
    /// The stored one.
    Stored,
    /// The new one.
    New,
}

/// Rule for merging two records of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeRule {
    /// The record whose label, value, best move and texts take precedence.
    pub prefer: Prefer,
    /// Whether games are added up; otherwise the record with more games counts, so that importing a file
    /// twice changes nothing.
    pub adds_games: bool,
}

impl MergeRule {
    /// Merges two records: data that only one of them has is kept.
    pub fn merge(self, stored: Record, new: Record) -> Record {
        let games = if self.adds_games {
            stored.games.plus(new.games)
        } else if new.games.total() > stored.games.total() {
            new.games
        } else {
            stored.games
        };
        let prefers_new = match self.prefer {
            Prefer::Better => new.is_better_than(&stored),
            Prefer::Stored => false,
            Prefer::New => true,
        };
        let (mut best, other) = if prefers_new { (new, stored) } else { (stored, new) };
        if best.label == Label::None {
            best.label = other.label;
        }
        if best.bound == Bound::None && best.value == 0 {
            (best.value, best.depth, best.bound) = (other.value, other.depth, other.bound);
        }
        best.games = games;
        best.best_move = best.best_move.or(other.best_move);
        best.is_marked |= other.is_marked;
        best.is_start |= other.is_start;
        // A text for which the record has no room is left out.
        let mut room = MOST_TEXT_BYTES.saturating_sub(best.text_bytes());
        if other.text.len() < room {
            room -= self.join(&mut best.text, other.text, is_comment_copy);
        }
        for (point, text) in other.point_texts {
            if text.len() < room {
                room -= self.join(best.point_texts.entry(point).or_default(), text, is_point_text_copy);
            }
        }
        best
    }

    /// Joins the new lines of the other record's text to the text that takes precedence. A text that has the lines of
    /// the other one replaces both, and so does the original of a text that another format has stored with fewer
    /// characters (`is_copy`). Returns the number of added bytes.
    fn join(self, text: &mut String, other: String, is_copy: fn(&str, &str) -> bool) -> usize {
        let before = text.len();
        let is_joined = self.prefer == Prefer::Better
            && !other.is_empty()
            && text.len() + other.len() < MOST_JOINED_BYTES;
        if text.is_empty() || is_joined && (has_lines(&other, text) || is_copy(text, &other)) {
            *text = other;
        } else if is_joined && !has_lines(text, &other) && !is_copy(&other, text) {
            append_new_lines(text, &other);
        }
        text.len() - before
    }
}

/// Statistics of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeTally {
    /// Records read.
    pub read: u64,
    /// New positions.
    pub added: u64,
    /// Positions with changed data.
    pub changed: u64,
    /// Records that are safely on disk.
    pub committed: u64,
}

/// Adds records to a database, many per transaction.
pub struct Importer<'a> {
    store: &'a Store,
    rule: MergeRule,
    /// Number of records per transaction.
    batch: usize,
    pending: Sorter,
    transaction: Option<Transaction>,
    tally: MergeTally,
    on_commit: Box<dyn FnMut(&MergeTally) + 'a>,
}

impl<'a> Importer<'a> {
    /// An importer that commits after every [`BATCH`] records.
    pub fn new(store: &'a Store, rule: MergeRule) -> Importer<'a> {
        Importer {
            store,
            rule,
            batch: BATCH,
            pending: Sorter::new(SORTED_BYTES, store.folder()),
            transaction: None,
            tally: MergeTally::default(),
            on_commit: Box::new(|_| {}),
        }
    }

    /// Commits after every `batch` records; with `usize::MAX` all records are committed together or not at
    /// all.
    pub fn with_batch(self, batch: usize) -> Importer<'a> {
        Importer { batch: batch.max(1), ..self }
    }

    /// Limits the memory for pending records to about `bytes`; more of them wait in a temporary file in the folder of the
    /// database.
    pub fn with_memory(self, bytes: usize) -> Importer<'a> {
        Importer { pending: Sorter::new(bytes, self.store.folder()), ..self }
    }

    /// Calls `on_commit` after every transaction.
    pub fn with_commits(self, on_commit: impl FnMut(&MergeTally) + 'a) -> Importer<'a> {
        Importer { on_commit: Box::new(on_commit), ..self }
    }

    /// Adds the games of new records to the stored ones.
    pub fn adds_games(self) -> Importer<'a> {
        Importer { rule: MergeRule { adds_games: true, ..self.rule }, ..self }
    }

    /// Adds data of the position on `board`; the record is in the board's orientation.
    ///
    /// # Errors
    /// Returns an error if the position or the record cannot be stored, or the file cannot be written.
    pub fn add(&mut self, board: &Board, rule: Rule, record: Record) -> Result<(), DatabaseError> {
        self.add_position(&Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?, record)
    }

    /// Adds data of a position; the record is in the orientation of the caller's board.
    ///
    /// # Errors
    /// Returns an error if the record cannot be stored, or the file cannot be written.
    pub fn add_position(&mut self, position: &Canonical, record: Record) -> Result<(), DatabaseError> {
        record.check_points(position.key().size())?;
        let record = position.to_stored(record);
        self.add_entry(position.key(), &record)
    }

    /// Adds more data for a position that has already been added; it is not counted again.
    ///
    /// # Errors
    /// Returns the same errors as [`Importer::add_position`].
    pub(super) fn add_more(&mut self, position: &Canonical, record: Record) -> Result<(), DatabaseError> {
        record.check_points(position.key().size())?;
        self.gather(position.key(), &position.to_stored(record))
    }

    /// Adds a record in the orientation of its key, which must be the smallest of its position.
    ///
    /// # Errors
    /// Returns an error if the record cannot be stored, or the file cannot be written.
    pub fn add_entry(&mut self, key: &Key, record: &Record) -> Result<(), DatabaseError> {
        self.gather(key, record)?;
        self.tally.read += 1;
        let uncommitted = self.tally.read - self.tally.committed;
        if uncommitted >= self.batch as u64 { self.commit(&mut ()) } else { Ok(()) }
    }

    fn gather(&mut self, key: &Key, record: &Record) -> Result<(), DatabaseError> {
        record.check_points(key.size())?;
        self.pending.push(key, record)?;
        if !self.pending.is_full() {
            Ok(())
        } else if self.pending.can_spill() {
            self.pending.spill()
        } else {
            self.flush(&mut ())
        }
    }

    /// The statistics so far.
    pub fn tally(&self) -> MergeTally {
        self.tally
    }

    /// Commits everything that is pending.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(self) -> Result<MergeTally, DatabaseError> {
        self.finish_with(&mut ())
    }

    /// Like [`Importer::finish`], with a meter for the records that wait in a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or the meter interrupts the work.
    pub fn finish_with(mut self, meter: &mut dyn Meter) -> Result<MergeTally, DatabaseError> {
        if self.tally.committed < self.tally.read {
            self.commit(meter)?;
        }
        Ok(self.tally)
    }

    /// Passes the pending records on to the transaction.
    fn flush(&mut self, meter: &mut dyn Meter) -> Result<(), DatabaseError> {
        let transaction = match self.transaction.take() {
            Some(transaction) => transaction,
            None => self.store.begin()?,
        };
        let (rule, tally) = (self.rule, &mut self.tally);
        let mut current: Option<MergedRecord> = None;
        self.pending.drain(meter, &mut |key, record| {
            if current.as_ref().is_none_or(|current| current.key.bytes() != key) {
                let (key, record) = read_entry(key, record)?;
                let next = transaction.apply(|batch| MergedRecord::begin(batch, key, record, rule))?;
                let Some(done) = current.replace(next) else { return Ok(()) };
                return transaction.apply(|batch| done.put(batch, tally));
            }
            current.iter_mut().try_for_each(|current| current.add(record, rule))
        })?;
        if let Some(last) = current {
            transaction.apply(|batch| last.put(batch, tally))?;
        }
        self.transaction = Some(transaction);
        Ok(())
    }

    fn commit(&mut self, meter: &mut dyn Meter) -> Result<(), DatabaseError> {
        self.flush(meter)?;
        if let Some(transaction) = self.transaction.take() {
            transaction.commit()?;
        }
        self.tally.committed = self.tally.read;
        (self.on_commit)(&self.tally);
        Ok(())
    }
}

/// A position whose records are merged before the result is stored once.
struct MergedRecord {
    key: Key,
    stored: Option<Record>,
    merged: Record,
}

impl MergedRecord {
    /// Merges the first record with the stored one.
    fn begin(
        batch: &WriteBatch,
        key: Key,
        record: Record,
        rule: MergeRule,
    ) -> Result<MergedRecord, DatabaseError> {
        let stored = batch.get(&key)?;
        let merged = match stored.clone() {
            Some(stored) => rule.merge(stored, record),
            None => record,
        };
        Ok(MergedRecord { key, stored, merged })
    }

    /// Merges another record, encoded.
    fn add(&mut self, record: &[u8], rule: MergeRule) -> Result<(), DatabaseError> {
        let record = Record::decode(record, self.key.size())?;
        self.merged = rule.merge(std::mem::take(&mut self.merged), record);
        Ok(())
    }

    /// Stores the result if it is new.
    fn put(self, batch: &mut WriteBatch, tally: &mut MergeTally) -> Result<(), DatabaseError> {
        let count = match &self.stored {
            Some(stored) if *stored == self.merged => return Ok(()),
            Some(_) => &mut tally.changed,
            None => &mut tally.added,
        };
        *count += 1;
        batch.put(&self.key, &self.merged)
    }
}

/// Adds all positions of `from` to the database of `into`.
///
/// # Errors
/// Returns an error if a position cannot be read or written; what was committed before is kept.
pub fn merge(from: &Reader, into: Importer, meter: &mut dyn Meter) -> Result<MergeTally, DatabaseError> {
    merge_with(from, into, meter, |error| error, |error| error)
}

/// Like [`merge`], with another error type: `reading` converts errors of `from`, and `adding` converts errors of the
/// records that are added.
///
/// # Errors
/// Returns the same errors as [`merge`].
pub(super) fn merge_with<E: From<DatabaseError> + From<Interrupted>>(
    from: &Reader,
    mut into: Importer,
    meter: &mut dyn Meter,
    reading: impl Fn(DatabaseError) -> E,
    adding: impl Fn(DatabaseError) -> E,
) -> Result<MergeTally, E> {
    meter.begin(from.len().map_err(&reading)?);
    for entry in from.entries().map_err(&reading)? {
        let (key, record) = entry.map_err(&reading)?;
        into.add_entry(&key, &record).map_err(&adding)?;
        meter.advance(1)?;
    }
    Ok(into.finish_with(meter)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    #[test]
    fn merged_records_are_never_too_long() {
        let long = |length: usize| "x".repeat(length);
        let stored = Record { text: long(MOST_TEXT_BYTES / 2), ..Record::default() };
        let texts = [(Point::new(0, 0), long(MOST_TEXT_BYTES / 2)), (Point::new(1, 0), "short".to_owned())];
        let new = Record { point_texts: texts.into(), ..Record::default() };
        for prefer in [Prefer::Better, Prefer::Stored, Prefer::New] {
            let merged = MergeRule { prefer, adds_games: false }.merge(stored.clone(), new.clone());
            assert_eq!(merged.check(), Ok(()), "{prefer:?}");
            assert_eq!(merged.point_texts[&Point::new(1, 0)], "short", "{prefer:?}");
        }
    }

    #[test]
    fn copies_that_have_lost_white_space_are_not_joined() {
        let point = Point::new(0, 0);
        let record =
            |text: &str| Record { point_texts: [(point, text.to_owned())].into(), ..Record::default() };
        let of_point = |stored: &str, new: &str| {
            MergeRule::default().merge(record(stored), record(new)).point_texts[&point].clone()
        };
        for (stored, new, joined) in [
            ("see I7", "seeI7", "see I7"),
            ("seeI7", "see I7", "see I7"),
            ("two\nlines here", "twolineshere", "two\nlines here"),
            ("two\nlines here", "lineshere", "two\nlines here"),
            ("see I7", "see", "see I7\nsee"),
            ("see I7", "I7", "see I7\nI7"),
        ] {
            assert_eq!(of_point(stored, new), joined);
        }
        let record = |text: &str| Record { text: text.to_owned(), ..Record::default() };
        let comment = |stored: &str, new: &str| MergeRule::default().merge(record(stored), record(new)).text;
        assert_eq!(comment("one\r\ntwo\u{8}three", "one\ntwo\nthree"), "one\r\ntwo\u{8}three");
        assert_eq!(comment("one\ntwo", "one\r\ntwo"), "one\r\ntwo");
        assert_eq!(comment("see I7", "seeI7"), "see I7\nseeI7", "comments keep their white space");
    }
}
