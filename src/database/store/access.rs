//! Keys and records, as they are read and written.

use std::cell::{RefCell, RefMut};

use super::changes::Changes;
use super::pages::Snapshot;
use super::tree::Tree;
use crate::board::Size;
use crate::database::error::DatabaseError;
use crate::database::key::Key;
use crate::database::meter::Meter;
use crate::database::record::Record;
use crate::rules::RuleKind;

/// A source of records by key.
pub trait Lookup {
    /// The record of a position, in the orientation of its key.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError>;
}

/// The content of a database at one moment.
#[derive(Debug)]
pub struct Reader {
    pub(super) tree: Tree,
    pub(super) count: u64,
    /// Keeps the pages of the tree alive.
    pub(super) _snapshot: Option<Snapshot>,
}

impl Reader {
    /// Number of positions.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        Ok(self.count)
    }

    /// Whether there are no positions.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// All positions, by rule, size and number of stones. A damaged position yields an error in its place.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn entries(
        &self,
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>>, DatabaseError> {
        self.range(&[], &[u8::MAX])
    }

    /// The positions of a rule and a size, by number of stones.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn entries_of(
        &self,
        rule: RuleKind,
        size: Size,
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>>, DatabaseError> {
        let start = Key::prefix(rule, size);
        let [rule, width, height] = start;
        self.range(&start, &[rule, width, height + 1])
    }

    /// The positions of a rule and a size with `stones` stones.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn entries_with(
        &self,
        rule: RuleKind,
        size: Size,
        stones: usize,
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>>, DatabaseError> {
        let [start, end] = [stones, stones + 1].map(|stones| Key::prefix_with(rule, size, stones));
        self.range(&start, &end)
    }

    fn range(
        &self,
        start: &[u8],
        end: &[u8],
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>> + use<>, DatabaseError> {
        let entries = self.tree.range(start, Some(end))?;
        Ok(entries.map(|entry| {
            let entry = entry?;
            read_entry(entry.key(), entry.value())
        }))
    }

    /// Bytes of the keys whose entries cannot be read.
    pub(in crate::database) fn damaged_keys(
        &self,
        meter: &mut dyn Meter,
    ) -> Result<Vec<Vec<u8>>, DatabaseError> {
        let mut damaged = Vec::new();
        let mut seen = 0;
        meter.begin(self.len()?);
        for entry in self.tree.range(&[], None)? {
            let entry = entry?;
            let is_right = read_entry(entry.key(), entry.value()).is_ok_and(|(key, _)| key.is_least());
            if !is_right {
                damaged.push(entry.key().to_vec());
            }
            seen += 1;
            meter.advance(1)?;
        }
        if seen != self.len()? {
            return Err(DatabaseError::Damaged("the number of its positions".to_owned()));
        }
        Ok(damaged)
    }
}

impl Lookup for Reader {
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError> {
        self.tree.get(key.bytes(), |bytes| Ok(Record::decode(bytes, key.size())?))
    }
}

/// The key and the record encoded in these bytes.
pub(in crate::database) fn read_entry(key: &[u8], record: &[u8]) -> Result<(Key, Record), DatabaseError> {
    let key = Key::from_bytes(key).map_err(|error| DatabaseError::Damaged(error.to_string()))?;
    let record = Record::decode(record, key.size())?;
    Ok((key, record))
}

/// Changes that are committed together.
pub struct Transaction(pub(super) RefCell<Changes>);

impl Transaction {
    /// Makes changes, which become visible to others when they are committed.
    ///
    /// # Errors
    /// Returns the errors of `change`, and an error if the file cannot be written.
    pub fn apply<T>(
        &self,
        change: impl FnOnce(&mut WriteBatch) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        change(&mut WriteBatch { changes: self.0.borrow_mut() })
    }

    /// Commits all changes to disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. This store then keeps the previous content, and so does the
    /// file, unless the previous head cannot be written back either; then the file may contain the whole transaction
    /// when it is opened again.
    pub fn commit(self) -> Result<(), DatabaseError> {
        self.0.into_inner().commit()
    }
}

/// The positions as seen and changed by a transaction.
pub struct WriteBatch<'a> {
    changes: RefMut<'a, Changes>,
}

impl WriteBatch<'_> {
    /// Number of positions.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        self.changes.count()
    }

    /// Whether there are no positions.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// Stores the record of a position, in the orientation of its key, replacing the current record.
    ///
    /// # Errors
    /// Returns an error if the record cannot be stored or has points off the board, or the file cannot be written.
    pub fn put(&mut self, key: &Key, record: &Record) -> Result<(), DatabaseError> {
        record.check_points(key.size())?;
        self.changes.put(key.bytes().to_vec(), record.encode()?)
    }

    /// Deletes a position; returns whether it existed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn remove(&mut self, key: &Key) -> Result<bool, DatabaseError> {
        self.remove_bytes(key.bytes())
    }

    pub(in crate::database) fn remove_bytes(&mut self, key: &[u8]) -> Result<bool, DatabaseError> {
        let is_there = self.changes.get(key, |_| Ok(()))?.is_some();
        if is_there {
            self.changes.remove(key.to_vec())?;
        }
        Ok(is_there)
    }
}

impl Lookup for WriteBatch<'_> {
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError> {
        self.changes.get(key.bytes(), |bytes| Ok(Record::decode(bytes, key.size())?))
    }
}
