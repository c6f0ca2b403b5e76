//! The file: a transactional store of keys and records, which no kill and no power cut damages.
//!
//! Every change is part of a transaction that is on disk, whole, when it is committed, or not at all. One process may
//! write at a time, and while none does several may read.
//!
//! - [`pages`]: the file, and how a commit gets there; [`space`]: its free pages; [`cache`]: what was read.
//! - [`access`]: keys and records in it.
//! - [`head`], [`node`], [`content`]: bytes of the tree's nodes; [`tree`]: reading; [`changes`]: writing.
//! - [`layout_1`]: files of another layout; [`salvage`]: damaged ones; [`storage`]: what is under all this.
//!
//! Why a store of our own: the one before (`redb`) ends the process at pages whose checksums are right and whose
//! content is not, and so does it where a file is cut off while it is open. This one checks all that it reads, and
//! every error comes back as a value.

mod access;
mod cache;
mod changes;
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

pub use access::{Lookup, Reader, Transaction, WriteBatch};
pub use storage::{Memory, Storage};

use self::changes::{Changes, compact};
use self::layout_1::OldPages;
use self::pages::{MAGIC, Pages};
use self::salvage::{OldRemains, Remains, Ruin, salvage};
use self::tree::Tree;
use super::error::DatabaseError;
use super::meter::Meter;
use crate::files;

/// Memory for pages of the file that were read, unless another size is asked for.
pub const CACHE_BYTES: usize = 64 << 20;

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
#[derive(Debug)]
pub struct Store {
    content: Content,
    access: Access,
    path: PathBuf,
}

#[derive(Debug)]
enum Content {
    Present(Arc<Pages>),
    /// A file of layout 1, with the number of its entries.
    Old(Tree, u64),
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
            match files::create(path, Pages::beginning()) {
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
        Store::on(Box::new(Memory::new(Pages::beginning())), Access::Write)
    }

    /// A database whose bytes are in a place of the caller's. It is begun where there are none, if it may be created.
    ///
    /// # Errors
    /// As [`Store::open`], and when the bytes are a file of layout 1 that is to be written.
    pub fn on(storage: Box<dyn Storage>, access: Access) -> Result<Store, DatabaseError> {
        if access == Access::Create && storage.length()? == 0 {
            storage.write(0, &Pages::beginning())?;
            storage.sync()?;
        }
        let content = match version(&*storage)? {
            layout_1::VERSION if access == Access::Read => Content::old(storage, CACHE_BYTES)?,
            pages::VERSION => Content::Present(Pages::open(storage, CACHE_BYTES, access != Access::Read)?),
            other => return Err(DatabaseError::UnknownFormat(other)),
        };
        Ok(Store { content, access, path: PathBuf::new() })
    }

    fn open_now(path: &Path, access: Access, cache_bytes: usize) -> Result<Store, DatabaseError> {
        let store = |content| Store { content, access, path: path.to_owned() };
        if access == Access::Read {
            let file = files::open(path)?;
            held(file.try_lock_shared())?;
            let content = match version(&file)? {
                layout_1::VERSION => Content::old(Box::new(file), cache_bytes)?,
                _ => Content::Present(Pages::open(Box::new(file), cache_bytes, false)?),
            };
            return Ok(store(content));
        }
        let file = open_alone(path)?;
        if version(&file)? == layout_1::VERSION {
            renew(path, &file, cache_bytes)?;
            drop(file);
            return Store::open_now(path, access, cache_bytes);
        }
        Ok(store(Content::Present(Pages::open(Box::new(file), cache_bytes, true)?)))
    }

    /// Puts a new file with all that can be read in the place of a damaged one; returns the number of positions.
    ///
    /// # Errors
    /// When it is no database, another process has it open, or the new file can't be written.
    pub fn recover(path: &Path, cache_bytes: usize, meter: &mut dyn Meter) -> Result<u64, DatabaseError> {
        let deadline = Instant::now() + files::PATIENCE;
        let file = loop {
            match open_alone(path) {
                Err(DatabaseError::Busy) if Instant::now() < deadline => thread::sleep(PAUSE),
                opened => break opened?,
            }
        };
        let bytes = || file.try_clone().map(Box::new);
        let ruin: Box<dyn Ruin> = match version(&file)? {
            layout_1::VERSION => Box::new(match OldPages::open(bytes()?, cache_bytes) {
                Ok((pages, (tree, _))) => OldRemains { pages, root: tree.root },
                Err(_) => OldRemains { pages: OldPages::without_tree(bytes()?, cache_bytes)?, root: None },
            }),
            _ => Box::new(Remains::new(bytes()?)?),
        };
        let mut recovered = 0;
        files::replace_held(path, |draft| {
            let mut changes = salvage::begin(Box::new(draft), cache_bytes)?;
            salvage(&*ruin, &mut changes, meter)?;
            recovered = changes.count()?;
            if recovered == 0 && !ruin.is_empty() {
                return Err(DatabaseError::Damaged("no position in it can be read".to_owned()));
            }
            changes.commit()
        })?;
        Ok(recovered)
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
    /// None as yet: what can't be read shows when it is asked for.
    pub fn reader(&self) -> Result<Reader, DatabaseError> {
        Ok(match &self.content {
            Content::Present(pages) => {
                let snapshot = pages.snapshot();
                let (tree, count) = (snapshot.tree.clone(), snapshot.count());
                Reader { tree, count, _snapshot: Some(snapshot) }
            }
            Content::Old(tree, count) => Reader { tree: tree.clone(), count: *count, _snapshot: None },
        })
    }

    /// Begins to write, when no other transaction of this store does any more.
    ///
    /// # Errors
    /// When it is open for reading only.
    pub fn begin(&self) -> Result<Transaction, DatabaseError> {
        Ok(Transaction(RefCell::new(Changes::begin(self.writable()?))))
    }

    fn writable(&self) -> Result<&Arc<Pages>, DatabaseError> {
        match &self.content {
            Content::Present(pages) if self.access != Access::Read => Ok(pages),
            _ => Err(DatabaseError::ReadOnly),
        }
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
        let pages = self.writable()?;
        if pages.is_read() {
            let what = std::io::Error::new(ErrorKind::ResourceBusy, "it is being read");
            return Err(DatabaseError::Io(what));
        }
        compact(pages)
    }
}

impl Content {
    fn old(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Content, DatabaseError> {
        let (_, (tree, count)) = OldPages::open(storage, cache_bytes)?;
        Ok(Content::Old(tree, count))
    }
}

/// Opens a file to write to it, and keeps all others from it.
fn open_alone(path: &Path) -> Result<File, DatabaseError> {
    // Opened to be read first: what is no regular file may not be opened in any other way.
    drop(files::open(path)?);
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    held(file.try_lock())?;
    // The one who had it may have put another in its place.
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

/// Puts a file of the present layout in the place of one of layout 1, which is held.
fn renew(path: &Path, held: &File, cache_bytes: usize) -> Result<(), DatabaseError> {
    let (_, (tree, _)) = OldPages::open(Box::new(held.try_clone()?), cache_bytes)?;
    files::replace_held(path, |draft| {
        let pages = Pages::create(Box::new(draft), cache_bytes)?;
        let mut changes = Changes::begin(&pages);
        for entry in tree.range(&[], None)? {
            let entry = entry?;
            changes.put(entry.key().to_vec(), entry.value().to_vec())?;
        }
        changes.commit()
    })
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

#[cfg(test)]
mod tests;
