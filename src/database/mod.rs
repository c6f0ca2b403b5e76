//! A database of positions on disk: the data of each position, found in any orientation of the board.
//!
//! - [`Key`], [`Canonical`]: one key for a position and its images, and the conversion of points.
//! - [`Record`]: label, value, games, best move, texts.
//! - [`Store`]: the file, or another [`Storage`], with [`Reader`] and [`Transaction`].
//! - [`query()`], [`edit()`], [`delete()`]: a position and the moves from it, on the caller's board.
//! - [`Importer`], [`merge`], [`delete_moves`]: many positions at once; [`Subtree`]: the positions that a position leads to.
//! - [`mod@format`]: text tables and the files of other programs; [`renlib`]: RenLib's files.
//! - [`summarize`], [`count_damaged`], [`delete_damaged`], [`fix`]: the state of a whole database.
//! - [`Probe`]: the queries of a search.
//!
//! Invariant: every stored key is the smallest of its position's images, and committed data survives a killed
//! process and a power cut. The database knows boards and rules; it neither searches nor prints.

mod edit;
mod encoding;
mod error;
pub mod format;
mod key;
mod merging;
mod meter;
mod probe;
mod query;
mod record;
pub mod renlib;
mod sorter;
mod store;
mod subtree;
mod texts;
mod upkeep;

pub use edit::{Edit, delete, edit, edit_data};
pub use encoding::FORMAT;
pub use error::DatabaseError;
pub use key::{Canonical, Key, KeyError};
pub use merging::{BATCH, Importer, MergeRule, MergeTally, Prefer, merge};
pub use meter::{Interrupted, Meter, Metered};
pub use probe::{Probe, ProbeResult};
pub use query::{KnownMove, QueryAnswer, query, query_one};
pub(crate) use record::FAR_WIN;
pub use record::{GameCounts, Label, MOST_TEXT_BYTES, Record, RecordError};
pub use store::{Access, CACHE_BYTES, Lookup, Memory, Reader, Storage, Store, Transaction, WriteBatch};
pub use subtree::{Selection, Subtree, delete_moves};
pub use upkeep::{DatabaseSummary, Fixed, count_damaged, delete_damaged, fix, summarize};
