//! The file: a transactional store of keys and records that survives a killed process and a power cut.
//!
//! Every change is part of a transaction, which is either completely on disk when it is committed, or not at
//! all. Either one process has the file open for writing, or any number of processes have it open for
//! reading.
//!
//! - [`pages`]: the file, and how commits are written; [`space`]: its free pages; [`cache`]: recently read nodes.
//! - [`access`]: keys and records in it.
//! - [`head`], [`node`], [`content`]: bytes of the tree's nodes; [`tree`]: reading; [`changes`]: writing.
//! - [`compaction`]: the tree without gaps.
//! - [`layout_1`]: files of the old layout; [`mod@salvage`]: damaged files; [`storage`]: the underlying bytes.
//!
//! Why not a library: the previous store (`redb`) aborts the process when pages have correct checksums but
//! invalid content, and when a file is truncated while it is open. This store checks everything that it
//! reads, and returns every error as a value.

mod access;
mod cache;
mod changes;
mod compaction;
mod content;
mod head;
mod layout_1;
mod node;
mod pages;
mod salvage;
mod space;
mod storage;
mod tree;

use std::cell::RefCell;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(super) use access::read_entry;
pub use access::{Lookup, Reader, Transaction, WriteBatch};
pub use storage::{Memory, Storage};

use self::changes::Changes;
use self::compaction::compact;
use self::layout_1::OldPages;
use self::pages::{MAGIC, Pages};
use self::salvage::{DamagedFile, DamagedLayout1, DamagedLayout2, salvage};
use self::tree::Tree;
use super::error::DatabaseError;
use super::meter::Meter;
use crate::files;

/// Default memory for pages of the file.
pub const CACHE_BYTES: usize = 64 << 20;

const PAUSE: Duration = Duration::from_millis(20);

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// For reading, together with other readers; the file is not modified in any way.
    Read,
    /// For reading and writing, by this process alone.
    Write,
    /// Like [`Access::Write`]; creates the file if it does not exist.
    Create,
}

/// An open position database.
#[derive(Debug)]
pub struct Store {
    layout: Layout,
    access: Access,
    path: PathBuf,
}

#[derive(Debug)]
enum Layout {
    Current(Arc<Pages>),
    /// Layout 1, with the number of entries.
    First {
        tree: Tree,
        count: u64,
    },
}

impl Store {
    /// Opens the file at `path`. If another process has it open, waits for up to [`files::PATIENCE`], because
    /// a killed process does not disappear immediately.
    ///
    /// # Errors
    /// Returns an error if it does not exist (unless it may be created), is not a database or is damaged, or
    /// if another process has it open.
    pub fn open(path: &Path, access: Access) -> Result<Store, DatabaseError> {
        Store::open_with_cache(path, access, CACHE_BYTES)
    }

    /// Like [`Store::open`], with up to `cache_bytes` of memory for pages of the file.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::open`].
    pub fn open_with_cache(path: &Path, access: Access, cache_bytes: usize) -> Result<Store, DatabaseError> {
        Store::open_within(path, access, cache_bytes, files::PATIENCE)
    }

    /// Like [`Store::open_with_cache`], with another limit for waiting for other processes.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::open`].
    pub fn open_within(
        path: &Path,
        access: Access,
        cache_bytes: usize,
        patience: Duration,
    ) -> Result<Store, DatabaseError> {
        if access == Access::Create && path.symlink_metadata().is_err() {
            match files::create(path, Pages::beginning()) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
                _ => {}
            }
        }
        patiently(patience, || Store::open_now(path, access, cache_bytes))
    }

    /// The folder of its file; `None` if it is not in a file.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        (!self.path.as_os_str().is_empty()).then(|| files::directory(&self.path).to_owned())
    }

    /// A database in memory.
    ///
    /// # Errors
    /// Returns an error if the store cannot create one.
    pub fn in_memory() -> Result<Store, DatabaseError> {
        Store::on(Box::new(Memory::new(Pages::beginning())), Access::Write)
    }

    /// A database on a storage of the caller's choice. Creates it if there are no bytes and `access` allows
    /// it.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::open`], and an error if the bytes are a file of layout 1 that
    /// should be written.
    pub fn on(storage: Box<dyn Storage>, access: Access) -> Result<Store, DatabaseError> {
        Store::on_with_cache(storage, access, CACHE_BYTES)
    }

    /// Like [`Store::on`], but with up to `cache_bytes` of memory for pages.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::on`].
    pub fn on_with_cache(
        storage: Box<dyn Storage>,
        access: Access,
        cache_bytes: usize,
    ) -> Result<Store, DatabaseError> {
        if access == Access::Create && storage.length()? == 0 {
            storage.write(0, &Pages::beginning())?;
            storage.sync()?;
        }
        let layout = match version(&*storage)? {
            layout_1::VERSION if access == Access::Read => Layout::first(storage, cache_bytes)?,
            pages::VERSION => Layout::Current(Pages::open(storage, cache_bytes, access != Access::Read)?),
            other => return Err(DatabaseError::UnknownFormat(other)),
        };
        Ok(Store { layout, access, path: PathBuf::new() })
    }

    fn open_now(path: &Path, access: Access, cache_bytes: usize) -> Result<Store, DatabaseError> {
        let store = |layout| Store { layout, access, path: path.to_owned() };
        if access == Access::Read {
            let file = files::open(path)?;
            held(file.try_lock_shared())?;
            if !files::has_name(&file, path)? {
                return Err(DatabaseError::Busy);
            }
            let layout = match version(&file)? {
                layout_1::VERSION => Layout::first(Box::new(file), cache_bytes)?,
                _ => Layout::Current(Pages::open(Box::new(file), cache_bytes, false)?),
            };
            return Ok(store(layout));
        }
        let file = open_alone(path)?;
        if version(&file)? == layout_1::VERSION {
            renew(path, &file, cache_bytes)?;
            drop(file);
            return Store::open_now(path, access, cache_bytes);
        }
        Ok(store(Layout::Current(Pages::open(Box::new(file), cache_bytes, true)?)))
    }

    /// Replaces a damaged file by a new one with everything that can be read; returns the number of
    /// positions.
    ///
    /// # Errors
    /// Returns an error if it is not a database, another process has it open, or the new file cannot be
    /// written.
    pub fn recover(path: &Path, cache_bytes: usize, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
        let file = patiently(files::PATIENCE, || open_alone(path))?;
        let bytes = || file.try_clone().map(Box::new);
        let damaged: Box<dyn DamagedFile> = match version(&file)? {
            layout_1::VERSION => Box::new(match OldPages::open(bytes()?, cache_bytes) {
                Ok((pages, (tree, _))) => DamagedLayout1 { pages, root: tree.root },
                Err(_) => {
                    DamagedLayout1 { pages: OldPages::without_tree(bytes()?, cache_bytes)?, root: None }
                }
            }),
            _ => Box::new(DamagedLayout2::new(bytes()?)?),
        };
        let mut recovered = 0;
        files::replace_held(path, |draft| {
            let mut changes = salvage::begin(Box::new(draft), cache_bytes)?;
            salvage(&*damaged, &mut changes, meter)?;
            recovered = changes.count()?;
            if recovered == 0 && !damaged.is_empty() {
                return Err(DatabaseError::Damaged("no position in it can be read".to_owned()));
            }
            changes.commit()
        })?;
        Ok(recovered)
    }

    /// The path under which it was opened, empty for a database in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How it was opened.
    pub fn access(&self) -> Access {
        self.access
    }

    /// A snapshot of the current content, unaffected by later writes.
    ///
    /// # Errors
    /// Currently none: unreadable content is reported when it is requested.
    pub fn reader(&self) -> Result<Reader, DatabaseError> {
        Ok(match &self.layout {
            Layout::Current(pages) => {
                let snapshot = pages.snapshot();
                let (tree, count) = (snapshot.tree.clone(), snapshot.count());
                Reader { tree, count, _snapshot: Some(snapshot) }
            }
            Layout::First { tree, count } => Reader { tree: tree.clone(), count: *count, _snapshot: None },
        })
    }

    /// Begins to write, after any other transaction of this store has ended.
    ///
    /// # Errors
    /// Returns an error if it is open for reading only.
    pub fn begin(&self) -> Result<Transaction, DatabaseError> {
        Ok(Transaction(RefCell::new(Changes::begin(self.writable()?))))
    }

    fn writable(&self) -> Result<&Arc<Pages>, DatabaseError> {
        match &self.layout {
            Layout::Current(pages) if self.access != Access::Read => Ok(pages),
            _ => Err(DatabaseError::ReadOnly),
        }
    }

    /// Makes a change that is committed as a whole, or not at all if it fails.
    ///
    /// # Errors
    /// Returns the errors of `change`; see also [`Store::begin`] and [`Transaction::commit`].
    pub fn write<T>(
        &self,
        change: impl FnOnce(&mut WriteBatch) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let transaction = self.begin()?;
        let result = transaction.apply(change)?;
        transaction.commit()?;
        Ok(result)
    }

    /// Releases unused space of the file; returns `false` if there was none.
    ///
    /// # Errors
    /// Returns an error if it is open for reading only, or cannot be written.
    pub fn compact(&mut self) -> Result<bool, DatabaseError> {
        let pages = self.writable()?;
        if pages.is_read() {
            let what = std::io::Error::new(ErrorKind::ResourceBusy, "it is being read");
            return Err(DatabaseError::Io(what));
        }
        compact(pages)
    }
}

impl Layout {
    fn first(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Layout, DatabaseError> {
        let (_, (tree, count)) = OldPages::open(storage, cache_bytes)?;
        Ok(Layout::First { tree, count })
    }
}

/// Repeats `attempt` as long as another process has the file open, for up to `patience`.
fn patiently<T>(
    patience: Duration,
    mut attempt: impl FnMut() -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    let deadline = Instant::now() + patience;
    loop {
        match attempt() {
            Err(DatabaseError::Busy) if Instant::now() < deadline => thread::sleep(PAUSE),
            result => return result,
        }
    }
}

/// Opens a file for writing, with a lock that excludes other processes.
fn open_alone(path: &Path) -> Result<File, DatabaseError> {
    // Opened for reading first: something that is not a regular file must not be opened in any other way.
    drop(files::open(path)?);
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    held(file.try_lock())?;
    // The previous owner may have replaced it by another file.
    if files::has_name(&file, path)? { Ok(file) } else { Err(DatabaseError::Busy) }
}

/// Version of the layout of a file.
fn version(storage: &dyn Storage) -> Result<u32, DatabaseError> {
    let mut beginning = [0; MAGIC.len() + 4];
    match storage.read(0, &mut beginning) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(DatabaseError::NotADatabase),
        read => read?,
    }
    let (magic, version) = beginning.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(DatabaseError::NotADatabase);
    }
    let version = u32::from_le_bytes(version.try_into().expect("four bytes are left"));
    let is_known = [layout_1::VERSION, pages::VERSION].contains(&version);
    if is_known { Ok(version) } else { Err(DatabaseError::UnknownFormat(version)) }
}

/// Replaces a locked file of layout 1 by a file of the current layout.
fn renew(path: &Path, held: &File, cache_bytes: usize) -> Result<(), DatabaseError> {
    let (_, (tree, _)) = OldPages::open(Box::new(held.try_clone()?), cache_bytes)?;
    files::replace_held(path, |draft| {
        let pages = Pages::create(Box::new(draft), cache_bytes)?;
        let mut changes = Changes::begin(&pages);
        changes.put_all(&tree)?;
        changes.commit()
    })
}

/// Whether the lock was taken, on systems that support locks.
fn held(lock: Result<(), TryLockError>) -> Result<(), DatabaseError> {
    match lock {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(DatabaseError::Busy),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod layout_1_tests;
#[cfg(test)]
mod tests;
