//! The database of a conversation: which file it is, when it is open, and how much memory it needs.

mod advice;
mod near_root;
mod requests;
mod transfer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::board::Size;
use crate::database::{self, Access, DatabaseError, Fixed, Memory, Meter, Reader, Store};
use crate::files;
use crate::protocol::command::Info;
use crate::rules::Rule;

/// Default name of the database in the manager's folder, or in the current folder.
const DEFAULT_NAME: &str = "kakugo.kdb";
/// Memory for pages of the file, in bytes; it is subtracted from the table's memory.
const CACHE_BYTES: usize = 8 << 20;
/// Memory for imports and other work on the database, in bytes; also subtracted from the table's memory.
const WORK_BYTES: usize = 8 << 20;
/// Memory that a conversation reserves for its database, in bytes.
pub const DATABASE_BYTES: usize = CACHE_BYTES + WORK_BYTES;
/// The part of it for records that wait to be written.
const PENDING_BYTES: usize = 2 << 20;

/// Maximum time that a query waits while another process writes to the file, such as an engine that stores an edit.
/// Queries are executed between two lines, so the wait delays `END`.
const QUERY_PATIENCE: Duration = Duration::from_millis(50);

/// The game whose positions a request is about.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    pub(super) size: Size,
    pub(super) rule: Rule,
    /// Points per unit of log odds.
    pub(super) points_per_unit: i32,
}

/// The database of a conversation.
///
/// It is open for reading, together with other processes, and open for writing only while a command changes
/// it.
#[derive(Default)]
pub(super) struct DatabaseUse {
    store: Option<Store>,
    /// The file, if one was named.
    path: Option<PathBuf>,
    /// The folder of the default file, if the manager has set one.
    folder: Option<PathBuf>,
    is_read_only: bool,
    /// Whether it is queried before a search.
    is_used: bool,
    /// Number of games begun from a book with this seed, so that a match gets different games.
    games: u64,
    /// Whether book moves were played in this game.
    has_book_moves: bool,
    /// Whether searches have used values from it that the table may still hold.
    informs: bool,
    /// Whether these values may have changed.
    has_changed: bool,
    /// Whether memory is reserved for it; true once it has been open.
    reserves: bool,
    /// Memory of the bytes of a database in memory.
    held_bytes: usize,
    /// Memory for a library that is being written, in bytes, if it is limited.
    library_bytes: Option<usize>,
    /// The file that could not be opened within a move. It is not tried again until a new game begins.
    refused: Option<PathBuf>,
    /// The last error within a move.
    error: Option<String>,
    /// Whether that error was reported.
    is_reported: bool,
}

impl DatabaseUse {
    /// Applies an `INFO` line, if it is about the database.
    pub(super) fn take(&mut self, info: &Info) {
        match *info {
            Info::UseDatabase(on) => {
                self.has_changed |= self.is_used != on;
                self.is_used = on;
                (self.refused, self.error) = (None, None);
            }
            Info::Folder(ref path) => {
                let folder = Some(path.clone()).filter(|path| !path.as_os_str().is_empty());
                // Another default file has other values.
                self.has_changed |= self.path.is_none() && self.folder != folder;
                self.folder = folder;
            }
            Info::Seed(_) => (self.games, self.has_book_moves) = (0, false),
            Info::DatabaseReadOnly(on) => self.is_read_only = on,
            _ => {}
        }
    }

    /// Begins a new game.
    pub(super) fn new_game(&mut self) {
        self.games += u64::from(std::mem::take(&mut self.has_book_moves));
        self.refused = None;
    }

    /// Closes the file and uses the file at `path` instead, which must be a database or not exist yet;
    /// returns whether it exists.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened; then the previous file stays.
    fn choose(&mut self, path: &Path) -> Result<bool, DatabaseError> {
        self.store = None;
        self.has_changed = true;
        (self.refused, self.error) = (None, None);
        let before = self.path.replace(path.to_owned());
        let is_there = self.reading().map(|store| store.is_some());
        if is_there.is_err() {
            self.path = before;
        }
        is_there
    }

    /// Uses a file from now on, and never writes to it.
    pub(super) fn use_for_reading(&mut self, path: &Path) {
        (self.store, self.held_bytes) = (None, 0);
        (self.path, self.is_read_only) = (Some(path.to_owned()), true);
    }

    /// Uses a database in memory from now on: the bytes of its file.
    ///
    /// # Errors
    /// Returns an error if they are not a database; then the previous one stays.
    pub(super) fn use_bytes(&mut self, bytes: Vec<u8>) -> Result<(), DatabaseError> {
        let length = bytes.len();
        let store = Store::on_with_cache(Box::new(Memory::new(bytes)), Access::Read, CACHE_BYTES)?;
        self.use_for_reading(store.path());
        (self.store, self.reserves, self.held_bytes) = (Some(store), true, length);
        Ok(())
    }

    /// The path of the file.
    fn path(&self) -> PathBuf {
        let default = || self.folder.as_deref().unwrap_or(Path::new("")).join(DEFAULT_NAME);
        self.path.clone().unwrap_or_else(default)
    }

    /// The database opened for reading; `None` if the file does not exist yet. Waits for a process that
    /// writes to it.
    fn reading(&mut self) -> Result<Option<&Store>, DatabaseError> {
        self.reading_within(files::PATIENCE)
    }

    fn reading_within(&mut self, patience: Duration) -> Result<Option<&Store>, DatabaseError> {
        let path = self.path();
        if self.store.as_ref().is_none_or(|store| store.path() != path) {
            self.store = None;
            if path.symlink_metadata().is_err() {
                return Ok(None);
            }
            self.store = Some(Store::open_within(&path, Access::Read, CACHE_BYTES, patience)?);
            self.reserves = true;
        }
        Ok(self.store.as_ref())
    }

    /// The database opened for a query, like [`DatabaseUse::reading`] with less patience.
    fn reading_in_query(&mut self) -> Result<Option<&Store>, DatabaseError> {
        self.reading_within(QUERY_PATIENCE)
    }

    /// The database opened for reading within a move, without waiting for other processes; `None` if the file
    /// does not exist or could not be opened in this game.
    fn reading_in_move(&mut self) -> Result<Option<&Store>, DatabaseError> {
        let path = self.path();
        if self.refused.as_ref() == Some(&path) {
            return Ok(None);
        }
        if let Err(error) = self.reading_within(Duration::ZERO) {
            self.refused = Some(path);
            return Err(error);
        }
        Ok(self.store.as_ref())
    }

    /// Writes to the database, and creates it if it does not exist.
    fn write<T, E: From<DatabaseError>>(
        &mut self,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_read_only {
            return Err(DatabaseError::ReadOnly.into());
        }
        // A process that has the file open for reading blocks writers, and so would this one.
        self.store = None;
        let store = Store::open_with_cache(&self.path(), Access::Create, CACHE_BYTES)?;
        change(&store)
    }

    /// Like [`DatabaseUse::write`], for changes of values.
    fn change<T, E: From<DatabaseError>>(
        &mut self,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        self.has_changed = true;
        self.write(change)
    }

    /// Queries the database within a move, without waiting for other processes; `None` if there is no
    /// database or it cannot be read. An error is kept for [`DatabaseUse::take_error`].
    fn consult<T>(&mut self, ask: impl FnOnce(&Store) -> Result<T, DatabaseError>) -> Option<T> {
        let store = self.reading_in_move();
        match store.and_then(|store| store.map(ask).transpose()) {
            Ok(Some(answer)) => {
                self.error = None;
                Some(answer)
            }
            Ok(None) | Err(DatabaseError::NoEntry) => None,
            Err(error) => {
                let error = Some(format!("database: {error}"));
                if self.error != error {
                    (self.error, self.is_reported) = (error, false);
                }
                None
            }
        }
    }

    /// The last error within a move, once.
    pub(super) fn take_error(&mut self) -> Option<String> {
        let is_reported = std::mem::replace(&mut self.is_reported, true);
        self.error.clone().filter(|_| !is_reported)
    }

    /// The database as a source of values for decisions in openings, if it is used.
    pub(super) fn book(&mut self) -> Option<Reader> {
        if self.is_used { self.consult(Store::reader) } else { None }
    }

    /// Whether searches have used values that may have changed since the last call.
    pub(super) fn take_outdated(&mut self) -> bool {
        std::mem::take(&mut self.has_changed) && std::mem::take(&mut self.informs)
    }

    /// Reserves memory before long work on the file, if it exists.
    pub(super) fn reserve(&mut self) {
        self.reserves |= self.path().symlink_metadata().is_ok();
    }

    /// Memory that the database needs now, in bytes.
    pub(super) fn needed_bytes(&self) -> usize {
        match self.library_bytes {
            Some(bytes) => CACHE_BYTES.saturating_add(bytes),
            None if self.reserves => DATABASE_BYTES + self.held_bytes,
            None => 0,
        }
    }

    /// Repairs the file, if it exists.
    fn fix(&mut self, meter: &mut dyn Meter) -> Result<Fixed, DatabaseError> {
        let path = self.path();
        if self.is_read_only {
            return Err(DatabaseError::ReadOnly);
        }
        (self.store, self.has_changed) = (None, true);
        if path.symlink_metadata().is_err() {
            return Ok(Fixed::Deleted(0));
        }
        database::fix(&path, CACHE_BYTES, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::FileUse;

    #[test]
    fn memory_is_reserved_before_the_first_work_on_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.kdb");
        let unused = || DatabaseUse { path: Some(file.clone()), ..DatabaseUse::default() };
        let needed = |file_use: FileUse| {
            let mut database = unused();
            database.prepare(file_use, None);
            database.needed_bytes()
        };
        let exports = [FileUse::Split, FileUse::ToText, FileUse::AllToText];
        assert_eq!(exports.map(needed), [0; 3], "there is no database");
        drop(Store::open(&file, Access::Create).unwrap());
        assert_eq!(exports.map(needed), [DATABASE_BYTES; 3]);
        assert_eq!(needed(FileUse::OpenDatabase), 0);
        let mut checked = unused();
        checked.reserve();
        assert_eq!(checked.needed_bytes(), DATABASE_BYTES);
    }

    #[test]
    fn values_of_a_database_in_another_folder_are_outdated() {
        let mut database = DatabaseUse { informs: true, ..DatabaseUse::default() };
        let folder = |name: &str| Info::Folder(PathBuf::from(name));
        database.take(&folder("there"));
        assert!(database.take_outdated());
        database.informs = true;
        database.take(&folder("there"));
        assert!(!database.take_outdated(), "the same folder again");
        let mut named =
            DatabaseUse { path: Some(PathBuf::from("a.kdb")), informs: true, ..DatabaseUse::default() };
        named.take(&folder("there"));
        assert!(!named.take_outdated(), "a file that was named stays");
    }
}
