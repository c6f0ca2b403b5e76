//! The transposition table of this search.
//!
//! The main engine's table stores a point as the best move and is shared by threads. Here a move may include
//! a choice, and a single thread searches, so ordinary memory is enough. The system provides it zeroed: parts
//! that no search touches take no memory and no time.

use bytemuck::Zeroable;

use crate::board::Point;
use crate::game::Move;
use crate::system::memory::small_pages;
use crate::think::Bound;
use crate::think::score::{Value, from_root, to_root};

/// The result of an earlier search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTableEntry {
    /// The value for the side to move. In the table, mate distances are counted from the position.
    pub value: Value,
    /// Depth of the search that found it.
    pub depth: i16,
    /// Bound type of the value.
    pub bound: Bound,
    /// The best move, or the move that caused the cutoff.
    pub best: Option<Move>,
}

/// An entry as stored in the table; all zero if there is none.
#[derive(Clone, Copy, Zeroable)]
struct TableSlot {
    hash: u64,
    value: Value,
    depth: i16,
    /// The search that stored it, modulo 65536.
    search: u16,
    /// The point of the best move plus one.
    best: u16,
    choice: u8,
    /// `None` in an empty slot.
    bound: Bound,
}

/// The table, with one entry per index. An entry is replaced by one of the same position, of a newer search,
/// or of at least the same depth.
pub struct GameTable {
    slots: Box<[TableSlot]>,
    search: u16,
}

impl GameTable {
    /// An empty table of at most `bytes` bytes, but at least one entry. If the system refuses the memory, the
    /// table is smaller.
    pub fn new(bytes: u64) -> GameTable {
        let slots = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<TableSlot>();
        GameTable { slots: small_pages(slots, 0), search: 0 }
    }

    /// Number of bytes in use.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }

    /// Marks the start of a new search.
    pub fn new_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    /// The entry of the position `ply` plies from the root, if it is in the table.
    pub fn probe(&self, hash: u64, ply: i32) -> Option<GameTableEntry> {
        let slot = self.slots[self.place(hash)];
        let point = slot.best.checked_sub(1).map(|index| Point::from_index(usize::from(index)));
        (slot.bound != Bound::None && slot.hash == hash).then(|| GameTableEntry {
            value: to_root(slot.value, ply),
            depth: slot.depth,
            bound: slot.bound,
            best: point.map(|point| Move { point, choice: slot.choice }),
        })
    }

    /// Stores a result found `ply` plies from the root.
    pub fn store(&mut self, hash: u64, ply: i32, entry: GameTableEntry) {
        let GameTableEntry { value, depth, bound, best } = entry;
        let place = self.place(hash);
        let old = self.slots[place];
        let mut slot = TableSlot {
            hash,
            value: from_root(value, ply),
            depth,
            search: self.search,
            best: best.map_or(0, |mv| mv.point.index() as u16 + 1),
            choice: best.map_or(0, |mv| mv.choice),
            bound,
        };
        if old.bound != Bound::None && old.hash == hash {
            if best.is_none() {
                (slot.best, slot.choice) = (old.best, old.choice);
            }
        } else if old.bound != Bound::None && old.search == self.search && old.depth > depth {
            return;
        }
        self.slots[place] = slot;
    }

    /// Maps the high bits of the hash to an index of the table.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::score::{mate_in, mated_in};

    fn exact(depth: i16, value: Value) -> GameTableEntry {
        GameTableEntry { value, depth, bound: Bound::Exact, best: None }
    }

    #[test]
    fn mates_count_from_the_position() {
        let mut table = GameTable::new(1 << 20);
        for (value, at_other_ply) in [(mate_in(9), mate_in(6)), (mated_in(9), mated_in(6)), (17, 17)] {
            table.store(1 << 40, 5, exact(3, value));
            assert_eq!(table.probe(1 << 40, 2).map(|entry| entry.value), Some(at_other_ply));
        }
        assert_eq!(table.probe(2 << 40, 2), None);
    }

    #[test]
    fn a_deeper_entry_stays_until_the_next_search() {
        let mut table = GameTable::new(1 << 20);
        let (deep, shallow) = (7 << 32, (7 << 32) + 1);
        table.store(deep, 0, exact(9, 1));
        table.store(shallow, 0, exact(2, 2));
        assert!(table.probe(deep, 0).is_some() && table.probe(shallow, 0).is_none());
        table.new_search();
        table.store(shallow, 0, exact(2, 2));
        assert!(table.probe(deep, 0).is_none() && table.probe(shallow, 0).is_some());
    }

    #[test]
    fn the_smallest_table_returns_a_move_with_its_choice() {
        let mut table = GameTable::new(0);
        let best = Some(Move { point: Point::new(3, 4), choice: 2 });
        table.store(u64::MAX, 0, GameTableEntry { value: -5, depth: 1, bound: Bound::Lower, best });
        table.store(u64::MAX, 0, GameTableEntry { value: -6, depth: 1, bound: Bound::Upper, best: None });
        let found = GameTableEntry { value: -6, depth: 1, bound: Bound::Upper, best };
        assert_eq!(table.probe(u64::MAX, 0), Some(found));
    }
}
