//! The file: a transactional store of keys and records (`redb`), which a killed process leaves whole.
//!
//! Every change is part of a transaction that is on disk, whole, when it is committed, or not at all. One process may
//! write at a time, and while none does several may read. All commits write twice and keep the state of the file's
//! free space, so that nothing has to be repaired when a writer was killed.
//!
//! A table `kakugo` has the version of the format of keys and records.

use std::fmt;
use std::fs::{OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use redb::{
    Builder, Database, ReadOnlyTable, ReadableDatabase, ReadableTable, ReadableTableMetadata, Table,
    TableDefinition, WriteTransaction,
};

use super::encoding::FORMAT;
use super::error::DatabaseError;
use super::key::{Key, KeyError};
use super::meter::Meter;
use super::overlay::Overlay;
use super::page_file::PageFile;
use super::record::Record;
use crate::board::Size;
use crate::files;
use crate::rules::RuleKind;

/// Memory for pages of the file that were read, unless another size is asked for.
pub const CACHE_BYTES: usize = 64 << 20;

const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("positions");
const ABOUT: TableDefinition<&str, u32> = TableDefinition::new("kakugo");
const FORMAT_NAME: &str = "format";
const PAUSE: Duration = Duration::from_millis(20);

/// Use that is made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read, together with others who do; the file is not written in any way.
    Read,
    /// It is read and written, by this process alone.
    Write,
    /// As [`Access::Write`]; a new file is begun where there is none.
    Create,
}

/// An open position database.
pub struct Store {
    database: Database,
    access: Access,
    path: PathBuf,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.path)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the file at `path`. A process that was killed is not gone at once, so one that has it open is waited for,
    /// for as long as [`files::PATIENCE`].
    ///
    /// # Errors
    /// When there is none (unless it may be created), when it is something else or damaged, and when another process
    /// has it open.
    pub fn open(path: &Path, access: Access) -> Result<Store, DatabaseError> {
        Store::open_with_cache(path, access, CACHE_BYTES)
    }

    /// As [`Store::open`], with up to `cache_bytes` of memory for pages of the file.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with_cache(path: &Path, access: Access, cache_bytes: usize) -> Result<Store, DatabaseError> {
        Store::open_within(path, access, cache_bytes, files::PATIENCE)
    }

    /// As [`Store::open_with_cache`], with another patience with a process that has it open.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_within(
        path: &Path,
        access: Access,
        cache_bytes: usize,
        patience: Duration,
    ) -> Result<Store, DatabaseError> {
        if access == Access::Create && path.symlink_metadata().is_err() {
            match files::create(path, new_file()?) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
                _ => {}
            }
        }
        let deadline = Instant::now() + patience;
        loop {
            match Store::open_now(path, access, cache_bytes) {
                Err(DatabaseError::Busy) if Instant::now() < deadline => thread::sleep(PAUSE),
                result => return result,
            }
        }
    }

    /// A database that is nowhere on disk, and gone when it is dropped.
    ///
    /// # Errors
    /// When the store can't begin one.
    pub fn in_memory() -> Result<Store, DatabaseError> {
        let database = Builder::new().create_with_backend(Overlay::empty())?;
        begin_tables(&database)?;
        Ok(Store { database, access: Access::Create, path: PathBuf::new() })
    }

    fn open_now(path: &Path, access: Access, cache_bytes: usize) -> Result<Store, DatabaseError> {
        // Opened to be read first: what is no regular file may not be opened in any other way.
        let file = files::open(path)?;
        let mut builder = Builder::new();
        builder.set_cache_size(cache_bytes);
        let database = if access == Access::Read {
            held(file.try_lock_shared())?;
            builder.create_with_backend(Overlay::over(PageFile::open(file)?)?)?
        } else {
            drop(file);
            let file = OpenOptions::new().read(true).write(true).open(path)?;
            held(file.try_lock())?;
            builder.create_with_backend(PageFile::open(file)?)?
        };
        check_format(&database)?;
        Ok(Store { database, access, path: path.to_owned() })
    }

    /// The name under which it was opened, empty for one in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The use that was asked for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The content as it is now, whatever is written later.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn reader(&self) -> Result<Reader, DatabaseError> {
        let table = self.database.begin_read()?.open_table(POSITIONS)?;
        Ok(Reader { table })
    }

    /// Begins to write.
    ///
    /// # Errors
    /// When it is open for reading only, or can't be written.
    pub fn begin(&self) -> Result<Transaction, DatabaseError> {
        if self.access == Access::Read {
            return Err(DatabaseError::ReadOnly);
        }
        let mut transaction = self.database.begin_write()?;
        transaction.set_quick_repair(true);
        Ok(Transaction(transaction))
    }

    /// Makes a change that is kept as a whole, or not at all when it fails.
    ///
    /// # Errors
    /// Those of `change`, and as [`Store::begin`].
    pub fn write<T>(
        &self,
        change: impl FnOnce(&mut WriteBatch) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let transaction = self.begin()?;
        let result = transaction.apply(change)?;
        transaction.commit()?;
        Ok(result)
    }

    /// Gives unused space of the file back; `false` when there was none.
    ///
    /// # Errors
    /// When it is open for reading only, or can't be written.
    pub fn compact(&mut self) -> Result<bool, DatabaseError> {
        if self.access == Access::Read {
            return Err(DatabaseError::ReadOnly);
        }
        Ok(self.database.compact()?)
    }
}

/// Bytes of a database without positions.
fn new_file() -> Result<Vec<u8>, DatabaseError> {
    let content = Overlay::empty();
    let mut database = Builder::new().create_with_backend(content.clone())?;
    begin_tables(&database)?;
    database.compact()?;
    drop(database);
    Ok(PageFile::image(&content.bytes()?))
}

fn begin_tables(database: &Database) -> Result<(), DatabaseError> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    transaction.open_table(POSITIONS)?;
    transaction.open_table(ABOUT)?.insert(FORMAT_NAME, FORMAT)?;
    Ok(transaction.commit()?)
}

/// Whether a file is locked now, where the system knows locks.
fn held(lock: Result<(), TryLockError>) -> Result<(), DatabaseError> {
    match lock {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(DatabaseError::Busy),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Whether the file is ours, and of this format.
fn check_format(database: &Database) -> Result<(), DatabaseError> {
    let about = database.begin_read()?.open_table(ABOUT)?;
    let format = about.get(FORMAT_NAME)?.ok_or(DatabaseError::NotADatabase)?.value();
    if format == FORMAT { Ok(()) } else { Err(DatabaseError::UnknownFormat(format)) }
}

/// A source of records by their keys.
pub trait Lookup {
    /// The record of a position, in the orientation of its key.
    ///
    /// # Errors
    /// When it can't be read.
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError>;
}

/// The content of a database at one moment.
#[derive(Debug)]
pub struct Reader {
    table: ReadOnlyTable<&'static [u8], &'static [u8]>,
}

impl Reader {
    /// Number of positions.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        Ok(self.table.len()?)
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// All positions, by rule, size and number of stones. One that is damaged is an error in its place.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn entries(
        &self,
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>>, DatabaseError> {
        self.range(&[], &[u8::MAX])
    }

    /// The positions of a rule and a size, by number of stones.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn entries_of(
        &self,
        rule: RuleKind,
        size: Size,
    ) -> Result<impl Iterator<Item = Result<(Key, Record), DatabaseError>>, DatabaseError> {
        let start = Key::prefix(rule, size);
        let [rule, width, height] = start;
        self.range(&start, &[rule, width, height + 1])
    }

    /// The positions of a rule and a size with so many stones.
    ///
    /// # Errors
    /// When they can't be read.
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
        let entries = self.table.range::<&[u8]>(start..end)?;
        Ok(entries.map(|entry| {
            let (key, record) = entry?;
            read_entry(key.value(), record.value())
        }))
    }

    /// Bytes of the keys whose entries can't be read.
    pub(super) fn damaged_keys(&self, meter: &mut dyn Meter) -> Result<Vec<Vec<u8>>, DatabaseError> {
        let mut damaged = Vec::new();
        meter.begin(self.len()?);
        for entry in self.table.iter()? {
            let (key, record) = entry?;
            let is_right = read_entry(key.value(), record.value()).is_ok_and(|(key, _)| key.is_least());
            if !is_right {
                damaged.push(key.value().to_vec());
            }
            meter.advance(1)?;
        }
        Ok(damaged)
    }
}

impl Lookup for Reader {
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError> {
        self.table.get(key.bytes())?.map(|bytes| Ok(Record::decode(bytes.value(), key.size())?)).transpose()
    }
}

fn read_entry(key: &[u8], record: &[u8]) -> Result<(Key, Record), DatabaseError> {
    let key = Key::from_bytes(key).map_err(|KeyError| DatabaseError::Damaged("a key is none".to_owned()))?;
    let record = Record::decode(record, key.size())?;
    Ok((key, record))
}

/// Changes that are kept together.
pub struct Transaction(WriteTransaction);

impl Transaction {
    /// Makes changes, which others see once they are committed.
    ///
    /// # Errors
    /// Those of `change`, and when the file can't be written.
    pub fn apply<T>(
        &self,
        change: impl FnOnce(&mut WriteBatch) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        change(&mut WriteBatch { table: self.0.open_table(POSITIONS)? })
    }

    /// Makes all changes last, on disk.
    ///
    /// # Errors
    /// When the file can't be written; then none of them is kept.
    pub fn commit(self) -> Result<(), DatabaseError> {
        Ok(self.0.commit()?)
    }
}

/// The positions as a transaction sees and changes them.
pub struct WriteBatch<'a> {
    table: Table<'a, &'static [u8], &'static [u8]>,
}

impl WriteBatch<'_> {
    /// Number of positions.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        Ok(self.table.len()?)
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// Stores the record of a position, in the orientation of its key, in the place of the one that is there.
    ///
    /// # Errors
    /// When the record can't be stored, or the file can't be written.
    pub fn put(&mut self, key: &Key, record: &Record) -> Result<(), DatabaseError> {
        self.table.insert(key.bytes(), record.encode()?.as_slice())?;
        Ok(())
    }

    /// Deletes a position; whether it was there.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn remove(&mut self, key: &Key) -> Result<bool, DatabaseError> {
        self.remove_bytes(key.bytes())
    }

    pub(super) fn remove_bytes(&mut self, key: &[u8]) -> Result<bool, DatabaseError> {
        Ok(self.table.remove(key)?.is_some())
    }
}

impl Lookup for WriteBatch<'_> {
    fn get(&self, key: &Key) -> Result<Option<Record>, DatabaseError> {
        self.table.get(key.bytes())?.map(|bytes| Ok(Record::decode(bytes.value(), key.size())?)).transpose()
    }
}
