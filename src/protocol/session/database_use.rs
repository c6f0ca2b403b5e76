//! The database of a conversation: which file it is, and when it is open.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::database::{self, Access, DatabaseError, Fixed, Meter, Store};
use crate::files;
use crate::protocol::command::Info;

/// Default name of the database in the manager's folder, or in the current folder.
const DEFAULT_NAME: &str = "kakugo.kdb";
/// Memory for pages of the file, in bytes; it is subtracted from the table's memory.
pub(super) const CACHE_BYTES: usize = 8 << 20;
/// Memory for imports and other work on the database, in bytes; also subtracted from the table's memory.
pub(super) const WORK_BYTES: usize = 8 << 20;
/// The part of it for records that wait to be written.
pub(super) const PENDING_BYTES: usize = 2 << 20;

/// The database of a conversation.
///
/// It is open for reading, together with other processes, and open for writing only while a command changes
/// it.
#[derive(Default)]
pub(super) struct DatabaseUse {
    store: Option<Store>,
    /// The file, if one was named.
    path: Option<PathBuf>,
    is_read_only: bool,
    /// Whether it is queried before a search.
    pub(super) is_used: bool,
    /// Number of games begun from a book with this seed, so that a match gets different games.
    pub(super) games: u64,
    /// Whether book moves were played in this game.
    pub(super) has_book_moves: bool,
    /// Whether searches have used values from it that the table may still hold.
    pub(super) informs: bool,
    /// Whether these values may have changed.
    pub(super) has_changed: bool,
    /// Whether memory is reserved for it; true once it has been open.
    pub(super) reserves: bool,
    /// The file that could not be opened within a move. It is not tried again until a new game begins.
    refused: Option<PathBuf>,
    /// The last error within a move that was reported.
    pub(super) reported: Option<String>,
}

impl DatabaseUse {
    /// Applies an `INFO` line, if it is about the database.
    pub(super) fn take(&mut self, info: &Info) {
        match *info {
            Info::UseDatabase(on) => {
                self.has_changed |= self.is_used != on;
                self.is_used = on;
                (self.refused, self.reported) = (None, None);
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
    /// If it cannot be opened; then the previous file stays.
    pub(super) fn choose(&mut self, path: &Path) -> Result<bool, DatabaseError> {
        self.store = None;
        self.has_changed = true;
        (self.refused, self.reported) = (None, None);
        let before = self.path.replace(path.to_owned());
        let is_there = self.reading(None).map(|store| store.is_some());
        if is_there.is_err() {
            self.path = before;
        }
        is_there
    }

    /// The path of the file; the default file is in `folder`.
    fn path(&self, folder: Option<&Path>) -> PathBuf {
        let default = || folder.unwrap_or(Path::new("")).join(DEFAULT_NAME);
        self.path.clone().unwrap_or_else(default)
    }

    /// The database opened for reading; `None` if the file does not exist yet. Waits for a process that
    /// writes to it.
    pub(super) fn reading(&mut self, folder: Option<&Path>) -> Result<Option<&Store>, DatabaseError> {
        self.reading_within(folder, files::PATIENCE)
    }

    fn reading_within(
        &mut self,
        folder: Option<&Path>,
        patience: Duration,
    ) -> Result<Option<&Store>, DatabaseError> {
        let path = self.path(folder);
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

    /// The database opened for reading within a move, without waiting for other processes; `None` if the file
    /// does not exist or could not be opened in this game.
    pub(super) fn reading_in_move(&mut self, folder: Option<&Path>) -> Result<Option<&Store>, DatabaseError> {
        let path = self.path(folder);
        if self.refused.as_ref() == Some(&path) {
            return Ok(None);
        }
        if let Err(error) = self.reading_within(folder, Duration::ZERO) {
            self.refused = Some(path);
            return Err(error);
        }
        Ok(self.store.as_ref())
    }

    /// Writes to the database, and creates it if it does not exist.
    pub(super) fn write<T, E: From<DatabaseError>>(
        &mut self,
        folder: Option<&Path>,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_read_only {
            return Err(DatabaseError::ReadOnly.into());
        }
        // A process that has the file open for reading blocks writers, and so would this one.
        self.store = None;
        let store = Store::open_with_cache(&self.path(folder), Access::Create, CACHE_BYTES)?;
        change(&store)
    }

    /// Like [`DatabaseUse::write`], for changes of values.
    pub(super) fn change<T, E: From<DatabaseError>>(
        &mut self,
        folder: Option<&Path>,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        self.has_changed = true;
        self.write(folder, change)
    }

    /// Repairs the file, if it exists.
    pub(super) fn fix(
        &mut self,
        folder: Option<&Path>,
        meter: &mut dyn Meter,
    ) -> Result<Fixed, DatabaseError> {
        let path = self.path(folder);
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
