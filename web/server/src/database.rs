//! The database of positions that every tab reads: `--database FILE`.
//!
//! Invariant: the file does not change while the server runs. The engines of the tabs open it only for
//! reading, and the server itself keeps it open, so other programs that respect its lock cannot write to it.

use std::path::Path;

use anyhow::{Result, anyhow};
use kakugo::database::{Access, DatabaseError, Store};
use kakugo::text::visible;

/// Memory for pages of the file in the server, which only keeps it open; each engine has its own.
const CACHE_BYTES: usize = 64 << 10;
/// Maximum length of the name that the page shows, in characters.
const LONGEST_NAME: usize = 60;

/// A database that is open for reading.
#[derive(Debug)]
pub struct Database {
    held: Store,
    name: String,
}

impl Database {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// Returns an error if it does not exist, is not a database, is damaged, or another process writes to it.
    pub fn open(path: &Path) -> Result<Database> {
        let held = Store::open_with_cache(path, Access::Read, CACHE_BYTES).map_err(|error| {
            let hint = match error {
                DatabaseError::NotADatabase => "; `pbrain-kakugo db import` makes one from other formats",
                _ => "",
            };
            anyhow!("{}: {error}{hint}", path.display())
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = visible(&name.chars().take(LONGEST_NAME).collect::<String>()).to_string();
        Ok(Database { held, name })
    }

    /// The file, for the engines.
    pub fn path(&self) -> &Path {
        self.held.path()
    }

    /// The line that announces it to a page, without its folder.
    pub fn announcement(&self) -> String {
        format!("MESSAGE DATABASE FILE {}", self.name)
    }
}
