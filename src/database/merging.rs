//! Records that come to a database, in batches, and meet those that are there.

use super::error::DatabaseError;
use super::key::{Canonical, Key};
use super::meter::Meter;
use super::record::{Bound, Label, MOST_TEXT_BYTES, Record};
use super::store::{Lookup, Reader, Store, Transaction, WriteBatch};
use crate::board::Board;
use crate::rules::Rule;

/// Positions of a transaction unless another number is asked for.
pub const BATCH: usize = 50_000;
/// Positions that are sorted before they are written: neighbours then share pages.
const SORTED: usize = 50_000;

/// Which of two records of a position counts, where both know something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// The better one, see [`Record::is_better_than`]; texts that differ are put together.
    #[default]
    Better,
    /// The one that is there already.
    Stored,
    /// The one that comes.
    New,
}

/// Meeting of two records of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeRule {
    /// Whose label, value, best move and texts count.
    pub prefer: Prefer,
    /// Adds the games of both; otherwise those of the record with more of them count, so that a file may come twice.
    pub adds_games: bool,
}

impl MergeRule {
    /// Knowledge of both: nothing that only one of them knows is lost.
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
        if best.bound == Bound::None && (best.value, best.depth) == (0, 0) {
            (best.value, best.depth, best.bound) = (other.value, other.depth, other.bound);
        }
        best.games = games;
        best.best_move = best.best_move.or(other.best_move);
        best.is_marked |= other.is_marked;
        best.is_start |= other.is_start;
        self.join(&mut best.text, other.text);
        for (point, text) in other.point_texts {
            self.join(best.point_texts.entry(point).or_default(), text);
        }
        best
    }

    /// Puts the other record's text to the one that counts.
    fn join(self, text: &mut String, other: String) {
        let is_known = text.contains(other.as_str());
        if text.is_empty() {
            *text = other;
        } else if self.prefer == Prefer::Better && !is_known && text.len() + other.len() < MOST_TEXT_BYTES / 2
        {
            *text += &format!("\n{other}");
        }
    }
}

/// Numbers of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeTally {
    /// Records that came.
    pub read: u64,
    /// Positions that were not there before.
    pub added: u64,
    /// Positions of which more is known now.
    pub changed: u64,
    /// Records that came and are safe on disk.
    pub committed: u64,
}

/// Takes records into a database, many in a transaction.
pub struct Importer<'a> {
    store: &'a Store,
    rule: MergeRule,
    /// Records of a transaction.
    batch: usize,
    pending: Vec<(Key, Record)>,
    transaction: Option<Transaction>,
    tally: MergeTally,
    on_commit: Box<dyn FnMut(&MergeTally) + 'a>,
}

impl<'a> Importer<'a> {
    /// One that makes what came last after every [`BATCH`] records.
    pub fn new(store: &'a Store, rule: MergeRule) -> Importer<'a> {
        Importer {
            store,
            rule,
            batch: BATCH,
            pending: Vec::new(),
            transaction: None,
            tally: MergeTally::default(),
            on_commit: Box::new(|_| {}),
        }
    }

    /// Makes transactions of `batch` records; with `usize::MAX` all are kept together, or none is.
    pub fn with_batch(self, batch: usize) -> Importer<'a> {
        Importer { batch: batch.max(1), ..self }
    }

    /// Calls `told` after every transaction.
    pub fn with_commits(self, told: impl FnMut(&MergeTally) + 'a) -> Importer<'a> {
        Importer { on_commit: Box::new(told), ..self }
    }

    /// Adds the games of records that come to those that are there.
    pub fn adds_games(self) -> Importer<'a> {
        Importer { rule: MergeRule { adds_games: true, ..self.rule }, ..self }
    }

    /// Takes what is known of the position on `board`, whose orientation the record has.
    ///
    /// # Errors
    /// When the position has no entry, the record can't be stored, or the file can't be written.
    pub fn add(&mut self, board: &Board, rule: Rule, record: Record) -> Result<(), DatabaseError> {
        self.add_position(&Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?, record)
    }

    /// Takes what is known of a position; the record has the orientation of the board that it was found on.
    ///
    /// # Errors
    /// When the record can't be stored, or the file can't be written.
    pub fn add_position(&mut self, position: &Canonical, record: Record) -> Result<(), DatabaseError> {
        let record = position.to_stored(record);
        self.add_entry(position.key().clone(), record)
    }

    /// Takes a record in the orientation of its key, which is the least of its position.
    ///
    /// # Errors
    /// When the record can't be stored, or the file can't be written.
    pub fn add_entry(&mut self, key: Key, record: Record) -> Result<(), DatabaseError> {
        record.check()?;
        self.pending.push((key, record));
        self.tally.read += 1;
        let uncommitted = self.tally.read - self.tally.committed;
        if uncommitted >= self.batch as u64 {
            self.commit()?;
        } else if self.pending.len() >= SORTED {
            self.flush()?;
        }
        Ok(())
    }

    /// Numbers so far.
    pub fn tally(&self) -> MergeTally {
        self.tally
    }

    /// Makes all that came last.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finish(mut self) -> Result<MergeTally, DatabaseError> {
        if self.tally.committed < self.tally.read {
            self.commit()?;
        }
        Ok(self.tally)
    }

    fn flush(&mut self) -> Result<(), DatabaseError> {
        let transaction = match self.transaction.take() {
            Some(transaction) => transaction,
            None => self.store.begin()?,
        };
        let mut entries = std::mem::take(&mut self.pending);
        // Records of one position stay in their order.
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (rule, tally) = (self.rule, &mut self.tally);
        transaction.apply(|batch| {
            entries.into_iter().try_for_each(|(key, record)| put_merged(batch, &key, record, rule, tally))
        })?;
        self.transaction = Some(transaction);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), DatabaseError> {
        self.flush()?;
        if let Some(transaction) = self.transaction.take() {
            transaction.commit()?;
        }
        self.tally.committed = self.tally.read;
        (self.on_commit)(&self.tally);
        Ok(())
    }
}

fn put_merged(
    batch: &mut WriteBatch,
    key: &Key,
    record: Record,
    rule: MergeRule,
    tally: &mut MergeTally,
) -> Result<(), DatabaseError> {
    let Some(stored) = batch.get(key)? else {
        tally.added += 1;
        return batch.put(key, &record);
    };
    let merged = rule.merge(stored.clone(), record);
    if merged != stored {
        tally.changed += 1;
        batch.put(key, &merged)?;
    }
    Ok(())
}

/// Takes all positions of `from` into the database of `into`.
///
/// # Errors
/// When one can't be read or written; what was committed before stays.
pub fn merge(from: &Reader, mut into: Importer, meter: &mut dyn Meter) -> Result<MergeTally, DatabaseError> {
    meter.begin(from.len()?);
    for entry in from.entries()? {
        let (key, record) = entry?;
        into.add_entry(key, record)?;
        meter.advance(1);
    }
    into.finish()
}
