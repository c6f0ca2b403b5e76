//! The transposition table of this search.
//!
//! The core's table keeps a point as the best move and is shared by threads; here a move may carry a choice, and one thread
//! searches, so that plain memory does.

use super::super::Move;
use crate::search::score::{MATE_THRESHOLD, Value};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the true value.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    hash: u64,
    /// Value for the side to move; in the table, mates are counted from the position.
    pub value: Value,
    /// Depth of the search that found it.
    pub depth: i16,
    /// What the value says.
    pub bound: Bound,
    /// The move that was best, or caused the cutoff.
    pub best: Option<Move>,
}

/// The table: one entry for each place, a deeper one yields only to a newer search or an equal depth.
pub struct Table {
    entries: Vec<Option<(u16, Entry)>>,
    search: u16,
}

/// Entries, some 8 MB.
const ENTRIES: usize = 1 << 18;

impl Default for Table {
    fn default() -> Table {
        Table { entries: vec![None; ENTRIES], search: 0 }
    }
}

impl Table {
    /// Tells that a new search begins.
    pub fn new_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    /// What is known of the position, `ply` plies from the root.
    pub fn probe(&self, hash: u64, ply: i32) -> Option<Entry> {
        let (_, entry) = self.entries[place(hash)].filter(|(_, entry)| entry.hash == hash)?;
        Some(Entry { value: from_table(entry.value, ply), ..entry })
    }

    /// Stores what was found `ply` plies from the root.
    pub fn store(&mut self, hash: u64, ply: i32, depth: i32, value: Value, bound: Bound, best: Option<Move>) {
        let slot = &mut self.entries[place(hash)];
        let mut best = best;
        if let Some((search, old)) = slot {
            if old.hash == hash {
                best = best.or(old.best);
            } else if *search == self.search && i32::from(old.depth) > depth {
                return;
            }
        }
        let entry = Entry { hash, value: to_table(value, ply), depth: depth as i16, bound, best };
        *slot = Some((self.search, entry));
    }
}

fn place(hash: u64) -> usize {
    (hash >> 32) as usize % ENTRIES
}

/// Mates are stored by their distance from the position, so that they hold wherever it turns up.
fn to_table(value: Value, ply: i32) -> Value {
    value + ply * mate_sign(value)
}

fn from_table(value: Value, ply: i32) -> Value {
    value - ply * mate_sign(value)
}

fn mate_sign(value: Value) -> i32 {
    if value.abs() > MATE_THRESHOLD { value.signum() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn mates_count_from_the_position() {
        let mut table = Table::default();
        for (value, at_other_ply) in [(mate_in(9), mate_in(6)), (mated_in(9), mated_in(6)), (17, 17)] {
            table.store(1 << 40, 5, 3, value, Bound::Exact, None);
            assert_eq!(table.probe(1 << 40, 2).map(|entry| entry.value), Some(at_other_ply));
        }
        assert_eq!(table.probe(2 << 40, 2), None);
    }

    #[test]
    fn a_deeper_entry_stays_until_the_next_search() {
        let mut table = Table::default();
        let (deep, shallow) = (7 << 32, (7 << 32) + 1);
        table.store(deep, 0, 9, 1, Bound::Exact, None);
        table.store(shallow, 0, 2, 2, Bound::Exact, None);
        assert!(table.probe(deep, 0).is_some() && table.probe(shallow, 0).is_none());
        table.new_search();
        table.store(shallow, 0, 2, 2, Bound::Exact, None);
        assert!(table.probe(deep, 0).is_none() && table.probe(shallow, 0).is_some());
    }
}
