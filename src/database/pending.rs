//! Records that wait to be written, encoded: a megabyte holds tens of thousands of them.

use super::error::DatabaseError;
use super::key::{Key, KeyError};
use super::record::{Record, RecordError};

/// Records in the order of their arrival.
#[derive(Debug, Default)]
pub struct Pending {
    /// Keys and records, one after the other.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// The place of a key, and of the record behind it, in the bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    record: usize,
    end: usize,
}

impl Pending {
    /// Adds the record of a position.
    ///
    /// # Errors
    /// If the record cannot be encoded.
    pub fn push(&mut self, key: &Key, record: &Record) -> Result<(), RecordError> {
        let encoded = record.encode()?;
        let start = self.bytes.len();
        self.bytes.extend(key.bytes());
        let record = self.bytes.len();
        self.bytes.extend(encoded);
        self.entries.push(Entry { start, record, end: self.bytes.len() });
        Ok(())
    }

    /// Bytes of the records with their places.
    pub fn memory(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }

    /// Removes all records and passes them on by the order of their keys, with the records of a position in
    /// the order of their arrival. The memory is kept for later records.
    ///
    /// # Errors
    /// Errors of `take`, and if a record names a point outside the board of its position; the records are removed
    /// nevertheless.
    pub fn drain_sorted(
        &mut self,
        mut take: impl FnMut(&Key, Vec<Record>) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let Pending { bytes, entries } = self;
        let key = |entry: &Entry| &bytes[entry.start..entry.record];
        entries.sort_by(|one, other| key(one).cmp(key(other)));
        let taken = entries.chunk_by(|one, other| key(one) == key(other)).try_for_each(|group| {
            let of = Key::from_bytes(key(&group[0])).map_err(|KeyError| RecordError::BadBytes)?;
            let size = of.size();
            let records = group.iter().map(|entry| Record::decode(&bytes[entry.record..entry.end], size));
            take(&of, records.collect::<Result<_, _>>()?)
        });
        bytes.clear();
        entries.clear();
        taken
    }
}
