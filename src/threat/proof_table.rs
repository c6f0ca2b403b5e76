//! What df-pn knows of positions: a table of fixed size, allocated once.

use super::table::Known;

/// Larger than any sum of proof numbers that means something.
pub(super) const INFINITE: u32 = 1 << 30;

/// Proof and disproof number as the side to move sees them (Nagai, 2002).
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// The least number of leaves to settle for the side to move to get what it wants.
    pub phi: u32,
    /// The same for the other side.
    pub delta: u32,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The attacker's wins and failures, whoever is to move.
    pub known: Known,
    /// Numbers of a search in which the attacker had `left` moves.
    pub numbers: Numbers,
    pub left: u16,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    entry: Entry,
    generation: u8,
    /// Logarithm of the nodes that it took.
    work: u8,
}

const BUCKET_SLOTS: usize = 4;

/// The table. Cheap ones make room for costly ones.
pub(super) struct ProofTable {
    buckets: Box<[[Slot; BUCKET_SLOTS]]>,
    generation: u8,
}

impl ProofTable {
    /// A table of at most `bytes`, at least one bucket.
    pub fn new(bytes: usize) -> ProofTable {
        let buckets = 1 << (bytes / size_of::<[Slot; BUCKET_SLOTS]>()).max(1).ilog2();
        let entry = Entry { known: Known::default(), numbers: Numbers { phi: 1, delta: 1 }, left: 0 };
        let slot = Slot { hash: 0, entry, generation: 0, work: 0 };
        ProofTable { buckets: vec![[slot; BUCKET_SLOTS]; buckets].into_boxed_slice(), generation: 1 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.as_flattened_mut().iter_mut().for_each(|slot| slot.generation = 0);
            self.generation = 1;
        }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    /// What is known of the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(hash)];
        let slot = bucket.iter().find(|slot| slot.hash == hash && slot.generation == self.generation)?;
        Some(slot.entry)
    }

    /// Adds what took `nodes` to find out.
    pub fn store(&mut self, hash: u64, entry: Entry, nodes: u64) {
        let (index, generation) = (self.index(hash), self.generation);
        let bucket = &mut self.buckets[index];
        let work = nodes.max(1).ilog2() as u8;
        if let Some(slot) = bucket.iter_mut().find(|slot| slot.hash == hash && slot.generation == generation)
        {
            let known = slot.entry.known.with(entry.known);
            *slot = Slot { entry: Entry { known, ..entry }, work: slot.work.max(work), ..*slot };
            return;
        }
        let least = |slot: &&mut Slot| if slot.generation == generation { 1 + slot.work } else { 0 };
        if let Some(slot) = bucket.iter_mut().min_by_key(least) {
            *slot = Slot { hash, entry, generation, work };
        }
    }
}
