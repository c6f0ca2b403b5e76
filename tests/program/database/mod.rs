//! The position database through its public API and the command line: keys, records, files, kills.

mod commands;
mod crafted;
mod damage;
mod edits;
mod formats;
mod games;
mod keys;
mod kills;
mod libraries;
mod measure;
mod positions;
mod power_cuts;
mod rapfi;
mod records;
mod store;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Board, Size};
use kakugo::database::{Access, Reader, Record, Store};
use tempfile::TempDir;

/// The bytes of each key, in order, with its record.
pub type Content = Vec<(Vec<u8>, Record)>;

/// Everything that a reader sees.
pub fn content(reader: &Reader) -> Content {
    let entries = reader.entries().unwrap().map(Result::unwrap);
    entries.map(|(key, record)| (key.bytes().to_vec(), record)).collect()
}

/// Everything in a database.
pub fn content_of(store: &Store) -> Content {
    content(&store.reader().unwrap())
}

/// A new database in `folder`.
pub fn create(folder: &TempDir, name: &str) -> Store {
    Store::open(&folder.path().join(name), Access::Create).unwrap()
}

/// The position after some moves on 15x15.
pub fn board(moves: &str) -> Board {
    Board::of_moves(Size::default(), &parse_moves(moves, Size::default()).unwrap())
}
