//! The database of a conversation: which file it is, and for how long it is open.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::database::{self, Access, DatabaseError, Fixed, Meter, Store};
use crate::files;
use crate::protocol::command::Info;

/// Name of the database in the folder of the manager, or in the current one, where none was named.
const DEFAULT_NAME: &str = "kakugo.kdb";
/// Memory for pages of the file, in bytes: it is taken from the table's.
pub(super) const CACHE_BYTES: usize = 8 << 20;
/// Memory for what imports and other work on the database hold, in bytes: taken from the table's too.
pub(super) const WORK_BYTES: usize = 8 << 20;
/// The part of that for records that wait to be written.
pub(super) const PENDING_BYTES: usize = 2 << 20;

/// The database of a conversation.
///
/// It is open for reading, together with other processes, and for writing only while a command changes it.
#[derive(Default)]
pub(super) struct DatabaseUse {
    store: Option<Store>,
    /// The file, if one was named.
    path: Option<PathBuf>,
    is_read_only: bool,
    /// Whether it is asked before a search.
    pub(super) is_used: bool,
    /// Games that were begun from a book with this seed so far, so that a match sees different ones.
    pub(super) games: u64,
    /// Whether this game has moves of a book.
    pub(super) has_book_moves: bool,
    /// Whether searches have had values of it that the table may still hold.
    pub(super) informs: bool,
    /// Whether these values may be others now.
    pub(super) has_changed: bool,
    /// Whether memory is reserved for it, from the first time that it is open.
    pub(super) reserves: bool,
    /// The file that could not be opened within a move. It is left alone until another game begins.
    refused: Option<PathBuf>,
    /// The last error within a move that was reported.
    pub(super) reported: Option<String>,
}

impl DatabaseUse {
    /// Takes one `INFO` in, if it is about the database.
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

    /// Another game begins.
    pub(super) fn new_game(&mut self) {
        self.games += u64::from(std::mem::take(&mut self.has_book_moves));
        self.refused = None;
    }

    /// Closes the file and takes the one at `path` in its place, if it is none or a database; whether it is there.
    ///
    /// # Errors
    /// When it can't be opened; then the one before stays.
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

    /// The path of the file; the default one is in `folder`.
    fn path(&self, folder: Option<&Path>) -> PathBuf {
        let default = || folder.unwrap_or(Path::new("")).join(DEFAULT_NAME);
        self.path.clone().unwrap_or_else(default)
    }

    /// The open database, to be read; `None` where there is no file yet. A process that writes to it is waited for.
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

    /// The open database, to be read within a move, where nobody is waited for; `None` where there is no file, or it
    /// refused in this game.
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

    /// Writes to the database, which is begun where there is none.
    pub(super) fn write<T, E: From<DatabaseError>>(
        &mut self,
        folder: Option<&Path>,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_read_only {
            return Err(DatabaseError::ReadOnly.into());
        }
        // A process that has it open for reading keeps writers out, and so would this one.
        self.store = None;
        let store = Store::open_with_cache(&self.path(folder), Access::Create, CACHE_BYTES)?;
        change(&store)
    }

    /// As [`DatabaseUse::write`], where values change.
    pub(super) fn change<T, E: From<DatabaseError>>(
        &mut self,
        folder: Option<&Path>,
        change: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        self.has_changed = true;
        self.write(folder, change)
    }

    /// Repairs the file, where there is one.
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
