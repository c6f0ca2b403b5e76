//! The transposition table in a file, so that a long analysis can be continued later.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Engine;
use crate::search::{TableDump, TableScope};

impl Engine {
    /// Writes the table to a file, replacing it; returns the number of entries.
    ///
    /// # Errors
    /// If nothing has been searched, or if the file cannot be written; then an existing file is kept.
    pub fn dump_table(&self, path: &Path) -> io::Result<u64> {
        self.dump_table_until(path, &AtomicBool::new(false))
    }

    /// Like [`Engine::dump_table`], but ends when `stop` is set.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::dump_table`], and an error if `stop` was set; then an existing file is kept.
    pub fn dump_table_until(&self, path: &Path, stop: &AtomicBool) -> io::Result<u64> {
        let searched = self.table.as_ref().filter(|_| self.has_searched);
        let table = searched.ok_or_else(|| io::Error::other("the table is empty"))?;
        TableDump::write(table, &self.table_scope(), path, stop)
    }

    /// Adds the entries of a file written by [`Engine::dump_table`] to the table; returns their number. The
    /// current entries are discarded if they were searched with another meaning of a draw than in the file,
    /// or if the table is less than half as large as it may be.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has another rule, board size or network. The file is checked first,
    /// so the table is unchanged unless a later read fails.
    pub fn load_table(&mut self, path: &Path) -> io::Result<u64> {
        self.load_table_until(path, &AtomicBool::new(false))
    }

    /// Like [`Engine::load_table`], but ends when `stop` is set.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::load_table`], and an error if `stop` was set; then the table may have some
    /// entries.
    pub fn load_table_until(&mut self, path: &Path, stop: &AtomicBool) -> io::Result<u64> {
        let dump = TableDump::open(path, &self.table_scope(), stop)?;
        if dump.scope().draw_terms != self.draw_terms {
            self.clear_table();
            self.draw_terms = dump.scope().draw_terms;
        }
        let most = self.most_table_bytes();
        let kept = self.table.take().filter(|table| table.bytes() >= most / 2);
        let mut table = kept.unwrap_or_else(|| self.new_table(most));
        table.enlarge(stop, None);
        let loaded = dump.load_into(&table, stop);
        self.table = Some(table);
        self.has_searched = true;
        self.is_new_game = false;
        loaded
    }

    /// The scope of the table's entries.
    fn table_scope(&self) -> TableScope {
        let (kind, size) = (self.position().rule().kind, self.position().board().size());
        TableScope::new(kind, size, self.draw_terms, self.networks.of(kind))
    }
}
