//! The transposition table: shared by all threads without locks, sized by memory.
//!
//! An entry is two atomic words, the data and the data XORed with the hash (Hyatt and Mann, 2002): a torn pair fails
//! the comparison and counts as absent, so plain relaxed accesses suffice and there is no data race.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::params::ONE_PLY;
use crate::board::{Board, POINTS, Point, Size};
use crate::system::host::{Instant, is_past};
use crate::system::memory::{enlarge, prefetch, small_pages};
use crate::think::Bound;
use crate::think::score::{MATE, MATE_THRESHOLD, Value, from_root, is_mate, to_root};

/// Transposition table entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// Value for the side to move; mates are counted from the root here, and from the position in the table.
    pub value: Value,
    /// Static evaluation.
    pub eval: Value,
    /// Depth of the search that found the value.
    pub depth: i32,
    /// Bound type of the value.
    pub bound: Bound,
    /// The best move, or the move that caused the cutoff.
    pub best: Option<Point>,
}

impl TableEntry {
    /// Whether the value settles a search with this window.
    pub fn cuts(&self, alpha: Value, beta: Value) -> bool {
        self.bound.cuts(self.value, alpha, beta)
    }

    /// The best move if it can be played on `board`: hashes may collide.
    #[inline]
    pub(super) fn playable_move(&self, board: &Board) -> Option<Point> {
        self.best.filter(|&point| board.size().contains(point) && board.is_empty(point))
    }

    /// Whether the value proves a win or a loss: an exact mate, a win with a lower bound, or a loss with an
    /// upper bound.
    pub(super) fn is_proven(&self) -> bool {
        match self.bound {
            Bound::Exact => is_mate(self.value),
            Bound::Lower => self.value > MATE_THRESHOLD,
            Bound::Upper => self.value < -MATE_THRESHOLD,
            Bound::None => false,
        }
    }

    /// Whether the value is more than a bound: the true value, or a proven win or loss.
    pub(super) fn is_exact_or_proven(&self) -> bool {
        self.bound == Bound::Exact || self.is_proven()
    }

    /// Whether the entry is kept when a search of its position finds `new`; `is_current`: whether the entry is of the
    /// same search. Proven wins and losses are always stored, and only they replace proven ones, whatever the depths.
    #[inline]
    fn outlives(&self, new: &TableEntry, is_current: bool) -> bool {
        let is_better_known = self.bound == Bound::Exact
            && new.bound != Bound::Exact
            && self.depth > new.depth + 3 * ONE_PLY
            && is_current;
        !new.is_proven() && (self.is_proven() || is_better_known)
    }

    /// The static evaluation `eval`, corrected by the value as far as its bound requires. Mates say nothing
    /// about it.
    pub fn corrected(&self, eval: Value) -> Value {
        match self.bound {
            _ if is_mate(self.value) => eval,
            Bound::Exact => self.value,
            Bound::Lower => eval.max(self.value),
            Bound::Upper => eval.min(self.value),
            Bound::None => eval,
        }
    }
}

/// An entry as stored in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawEntry {
    /// Hash of the position.
    pub hash: u64,
    /// Its entry, packed; mates are counted from the position.
    pub data: u64,
}

impl RawEntry {
    /// Whether the data can come from a search on a board of `size`.
    pub fn is_valid(self, size: Size) -> bool {
        let index = (self.data >> 32 & NO_MOVE) as usize;
        let is_move = || index < POINTS && size.contains(Point::from_index(index));
        if index != NO_MOVE as usize && !is_move() {
            return false;
        }
        let TableEntry { value, eval, bound, .. } = unpack(self.data, 0);
        bound != Bound::None && value.abs() <= MATE && !is_mate(eval)
    }
}

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Slots of a bucket: one cache line.
const BUCKET_SLOTS: usize = 4;
/// Number of buckets that [`TranspositionTable::usage`] samples.
const SAMPLED_BUCKETS: usize = 1000;
const BUCKET_BYTES: usize = BUCKET_SLOTS * size_of::<Slot>();

/// The table. Its address space is reserved at once; the system provides the memory when it is first touched.
pub struct TranspositionTable {
    /// The slots are aligned by hand: the first bucket begins at `first`. The allocator provides zeroed
    /// memory at no cost only for small alignments.
    slots: Box<[Slot]>,
    first: usize,
    buckets: usize,
    /// Number of pieces that have large pages, and whether all pieces have them.
    enlarged: usize,
    is_large: bool,
    age: AtomicU8,
}

const NO_MOVE: u64 = 0x3ff;
const AGES: u8 = 64;

impl TranspositionTable {
    /// A table of at most `bytes`, but at least one bucket. It is smaller if the system refuses the memory.
    pub fn new(bytes: u64) -> TranspositionTable {
        TranspositionTable::with_room(bytes, 0)
    }

    /// Like [`TranspositionTable::new`], but leaves `room` bytes for other uses.
    pub fn with_room(bytes: u64, room: u64) -> TranspositionTable {
        let buckets = usize::try_from(bytes).unwrap_or(usize::MAX) / BUCKET_BYTES;
        let mut slots: Vec<[Slot; BUCKET_SLOTS]> = small_pages(buckets.max(2), room).into_vec();
        // One bucket is lost to the alignment.
        slots.resize_with(slots.len().max(2), Zeroable::zeroed);
        let buckets = slots.len() - 1;
        let slots = slots.into_flattened().into_boxed_slice();
        let address = slots.as_ptr() as usize;
        let first = (address.next_multiple_of(BUCKET_BYTES) - address) / size_of::<Slot>();
        TranspositionTable { slots, first, buckets, enlarged: 0, is_large: false, age: AtomicU8::new(0) }
    }

    /// Requests large pages, which make the table faster, piece by piece until `stop` is set or the time
    /// `until` is reached: a machine that is short of large pages provides them slowly.
    pub fn enlarge(&mut self, stop: &AtomicBool, until: Option<Instant>) {
        while !self.is_large && !stop.load(Ordering::Relaxed) && !is_past(until) {
            if !enlarge(&self.slots, self.enlarged) {
                self.is_large = self.enlarged > 0;
                return;
            }
            self.enlarged += 1;
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        if self.is_large {
            self.slots.fill_with(Slot::zeroed);
        } else {
            // New memory costs nothing until it is touched. The old memory is freed first, because both may
            // not fit.
            let bytes = self.bytes();
            self.slots = Box::default();
            *self = TranspositionTable::new(bytes);
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }

    /// Share of the table filled by the current search, in thousandths, estimated from its first buckets.
    pub fn usage(&self) -> u32 {
        let slots = &self.slots[self.first..self.first + self.buckets.min(SAMPLED_BUCKETS) * BUCKET_SLOTS];
        let age = self.age.load(Ordering::Relaxed);
        let is_fresh = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && data_age(data) == age
        };
        (slots.iter().filter(is_fresh).count() * 1000 / slots.len()) as u32
    }

    /// The entries of positions on a board of `size`.
    pub fn raw_entries(&self, size: Size) -> impl Iterator<Item = RawEntry> {
        let slots = &self.slots[self.first..self.first + self.buckets * BUCKET_SLOTS];
        slots.iter().enumerate().filter_map(move |(index, slot)| {
            let data = slot.data.load(Ordering::Relaxed);
            let entry = RawEntry { hash: slot.check.load(Ordering::Relaxed) ^ data, data };
            // The hash of an entry torn by two threads belongs to another bucket.
            let is_here = self.bucket_index(entry.hash) == index / BUCKET_SLOTS;
            (data != 0 && is_here && entry.is_valid(size)).then_some(entry)
        })
    }

    /// Stores an entry of another table as if it had just been found.
    pub fn store_raw(&self, entry: RawEntry) {
        self.store(entry.hash, 0, unpack(entry.data, 0));
    }

    /// Begins a new search: entries of older searches are replaced first.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    /// Entry of the position with this hash, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, hash: u64, ply: i32) -> Option<TableEntry> {
        self.bucket(hash).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == hash && data != 0).then(|| unpack(data, ply))
        })
    }

    /// Prefetches the memory of the position with this hash, which is about to be probed.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// Stores an entry found `ply` plies from the root.
    #[inline]
    pub fn store(&self, hash: u64, ply: i32, entry: TableEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(hash);
        let same = bucket.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == hash).then_some((slot, data))
        });
        let (slot, best) = match same {
            Some((slot, data)) => {
                let old = unpack(data, ply);
                if old.outlives(&entry, data_age(data) == age) {
                    return;
                }
                (slot, entry.best.or(old.best))
            }
            None => (&bucket[least_valuable(bucket, age)], entry.best),
        };
        let data = pack(TableEntry { best, ..entry }, ply, age);
        slot.check.store(hash ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    #[inline]
    fn bucket_index(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[Slot; BUCKET_SLOTS] {
        let start = self.first + self.bucket_index(hash) * BUCKET_SLOTS;
        self.slots[start..start + BUCKET_SLOTS].try_into().expect("four slots")
    }
}

/// The index of the slot to replace by an entry of another position.
#[inline]
fn least_valuable(bucket: &[Slot; BUCKET_SLOTS], age: u8) -> usize {
    let mut least = (i32::MAX, 0);
    for (index, slot) in bucket.iter().enumerate() {
        let data = slot.data.load(Ordering::Relaxed);
        // Each search since then makes an entry four plies less worth keeping.
        let passed = i32::from((AGES + age - data_age(data)) % AGES);
        let worth = if data == 0 { i32::MIN } else { data_depth(data) - 4 * ONE_PLY * passed };
        if worth < least.0 {
            least = (worth, index);
        }
    }
    least.1
}

/// Mates are stored as distances from the position, so that they are valid wherever it occurs.
fn pack(entry: TableEntry, ply: i32, age: u8) -> u64 {
    let value = from_root(entry.value, ply);
    let best = entry.best.map_or(NO_MOVE, |point| point.index() as u64);
    u64::from(value as i16 as u16)
        | u64::from(entry.eval as i16 as u16) << 16
        | best << 32
        | (entry.depth.clamp(0, 0xfff) as u64) << 42
        | (entry.bound as u64) << 56
        | u64::from(age) << 58
}

fn unpack(data: u64, ply: i32) -> TableEntry {
    let best = data >> 32 & NO_MOVE;
    TableEntry {
        value: to_root(Value::from(data as u16 as i16), ply),
        eval: Value::from((data >> 16) as u16 as i16),
        depth: data_depth(data),
        bound: [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][(data >> 56 & 3) as usize],
        best: (best != NO_MOVE).then(|| Point::from_index(best as usize)),
    }
}

fn data_depth(data: u64) -> i32 {
    (data >> 42 & 0xfff) as i32
}

fn data_age(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::score::{mate_in, mated_in};

    #[test]
    fn an_entry_reads_as_it_was_stored() {
        let table = TranspositionTable::new(1 << 16);
        let entry = TableEntry {
            value: -123,
            eval: 45,
            depth: 7,
            bound: Bound::Lower,
            best: Some(Point::new(3, 21)),
        };
        table.store(42, 5, entry);
        assert_eq!(table.probe(42, 5), Some(entry));
        assert_eq!(table.probe(43, 5), None);
    }

    #[test]
    fn only_data_of_a_search_are_valid() {
        let best = Some(Point::new(3, 14));
        let entry = TableEntry { value: mate_in(9), eval: 45, depth: 7, bound: Bound::Lower, best };
        let is_valid = |entry| RawEntry { hash: 1, data: pack(entry, 0, 0) }.is_valid(Size::default());
        assert!(is_valid(entry) && is_valid(TableEntry { best: None, ..entry }));
        let faults = [
            TableEntry { value: MATE + 1, ..entry },
            TableEntry { eval: mate_in(9), ..entry },
            TableEntry { eval: mated_in(9), ..entry },
            TableEntry { eval: MATE + 100, ..entry },
            TableEntry { bound: Bound::None, ..entry },
            TableEntry { best: Some(Point::new(3, 21)), ..entry },
        ];
        for fault in faults {
            assert!(!is_valid(fault), "{fault:?}");
        }
    }

    #[test]
    fn mates_count_from_the_position() {
        let table = TranspositionTable::new(1 << 16);
        for (value, at_other_ply) in [(mate_in(9), mate_in(6)), (mated_in(9), mated_in(6))] {
            table.store(1, 5, TableEntry { value, eval: 0, depth: 1, bound: Bound::Exact, best: None });
            assert_eq!(table.probe(1, 2).map(|entry| entry.value), Some(at_other_ply));
        }
    }

    #[test]
    fn proven_entries_outlive_deep_ones() {
        let table = TranspositionTable::new(1 << 16);
        let deep = TableEntry { value: 12, eval: 0, depth: 20 * ONE_PLY, bound: Bound::Exact, best: None };
        let won = TableEntry { value: mate_in(9), depth: ONE_PLY, bound: Bound::Lower, ..deep };
        let lost = TableEntry { value: mated_in(8), bound: Bound::Upper, ..won };
        for (hash, proven) in [(1, won), (2, lost)] {
            for entry in [deep, proven, deep] {
                table.store(hash, 0, entry);
            }
            assert_eq!(table.probe(hash, 0), Some(proven));
        }
        // At least a loss in 8, which says nothing.
        let unsure = TableEntry { bound: Bound::Lower, ..lost };
        for entry in [unsure, deep, unsure] {
            table.store(3, 0, entry);
        }
        assert_eq!(table.probe(3, 0), Some(deep));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = TranspositionTable::new(128);
        let entry = |depth| TableEntry { value: 0, eval: 0, depth, bound: Bound::Exact, best: None };
        for hash in 1..=4 {
            table.store(hash, 0, entry(10 - hash as i32));
        }
        table.store(5, 0, entry(1));
        assert_eq!(table.probe(4, 0), None, "the shallowest went");
        assert!((1..=3).all(|hash| table.probe(hash, 0).is_some()));
    }
}
