//! What was found of positions by fours: a table of fixed size, allocated once.

use crate::board::Point;

/// Any number of moves.
pub(super) const ENDLESS: u16 = u16::MAX;

/// What is known of a position whose side to move attacks. Attacker's moves are counted, the five included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// There is no win within so many moves; 0: nothing is known, [`ENDLESS`]: there is none at all.
    pub fails_within: u16,
    /// There is a win in so many moves; 0: none was found.
    pub wins_in: u16,
    /// Index of the move that begins this win.
    best: u16,
}

impl Known {
    pub fn win(moves: u16, best: Point) -> Known {
        Known { wins_in: moves, best: best.index() as u16, fails_within: 0 }
    }

    pub fn failure(within: u16) -> Known {
        Known { fails_within: within, ..Known::default() }
    }

    /// Both: of two wins the shorter one, of two failures the longer one.
    pub fn with(mut self, other: Known) -> Known {
        if other.wins_in > 0 && (self.wins_in == 0 || other.wins_in < self.wins_in) {
            (self.wins_in, self.best) = (other.wins_in, other.best);
        }
        self.fails_within = self.fails_within.max(other.fails_within);
        self
    }

    /// Whether there is a win within `moves`.
    pub fn wins_within(&self, moves: u16) -> bool {
        0 < self.wins_in && self.wins_in <= moves
    }

    /// The move that begins the win.
    pub fn best(&self) -> Option<Point> {
        (self.wins_in > 0).then(|| Point::from_index(usize::from(self.best)))
    }
}

/// A position's hash and what is known of it: a quarter of a cache line.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    known: Known,
    generation: u8,
    /// Logarithm of the nodes that it took to know.
    work: u8,
}

const BUCKET_SLOTS: usize = 4;

/// The table. Clearing it costs nothing.
pub(super) struct Table {
    buckets: Box<[[Slot; BUCKET_SLOTS]]>,
    generation: u8,
}

impl Table {
    /// A table of at least one and at most about `entries` entries.
    pub fn new(entries: usize) -> Table {
        let buckets = 1 << (entries / BUCKET_SLOTS).max(1).ilog2();
        Table { buckets: vec![Default::default(); buckets].into_boxed_slice(), generation: 1 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill(Default::default());
            self.generation = 1;
        }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    /// What is known of the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Known> {
        let bucket = &self.buckets[self.index(hash)];
        let slot = bucket.iter().find(|slot| slot.hash == hash && slot.generation == self.generation)?;
        Some(slot.known)
    }

    /// Adds what took `nodes` to find out.
    #[inline]
    pub fn store(&mut self, hash: u64, known: Known, nodes: u64) {
        let (index, generation) = (self.index(hash), self.generation);
        let bucket = &mut self.buckets[index];
        let work = nodes.max(1).ilog2() as u8;
        if let Some(slot) = bucket.iter_mut().find(|slot| slot.hash == hash && slot.generation == generation)
        {
            slot.known = slot.known.with(known);
            slot.work = slot.work.max(work);
            return;
        }
        let least = |slot: &&mut Slot| if slot.generation == generation { 1 + slot.work } else { 0 };
        if let Some(slot) = bucket.iter_mut().min_by_key(least) {
            *slot = Slot { hash, known, generation, work };
        }
    }
}
