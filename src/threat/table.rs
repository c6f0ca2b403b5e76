//! A table of facts about positions. Its size is fixed and it is allocated once.

use bytemuck::Zeroable;

use crate::system::memory::large_pages;

/// Facts about a position, as stored in a table.
pub(super) trait Fact: Copy + Zeroable {
    /// Combines these facts with the `newer` ones, which were found later.
    fn with(self, newer: Self) -> Self;
}

/// A position's hash and the facts about it.
#[derive(Clone, Copy, Zeroable)]
struct Slot<F> {
    hash: u64,
    fact: F,
    /// 0 in a slot that was never used.
    generation: u8,
    /// Logarithm of the number of nodes spent on the facts.
    work: u8,
}

const BUCKET_SLOTS: usize = 4;

/// The table. Facts that took little work are replaced first. Clearing takes constant time.
pub(super) struct FactTable<F> {
    buckets: Box<[[Slot<F>; BUCKET_SLOTS]]>,
    generation: u8,
}

impl<F: Fact> FactTable<F> {
    /// A table of at most `bytes`, but at least one bucket. If the system refuses the memory, the size is
    /// halved until it fits, so that the number of buckets stays a power of two.
    pub fn new(bytes: usize) -> FactTable<F> {
        let buckets = 1 << (bytes / size_of::<[Slot<F>; BUCKET_SLOTS]>()).max(1).ilog2();
        FactTable { buckets: large_pages(buckets), generation: 1 }
    }

    /// Removes all facts.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill(Zeroable::zeroed());
            self.generation = 1;
        }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    /// The facts about the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<F> {
        let bucket = &self.buckets[self.index(hash)];
        let slot = bucket.iter().find(|slot| slot.hash == hash && slot.generation == self.generation)?;
        Some(slot.fact)
    }

    /// Adds a fact that took `nodes` nodes to find.
    #[inline]
    pub fn store(&mut self, hash: u64, fact: F, nodes: u64) {
        let (index, generation) = (self.index(hash), self.generation);
        let bucket = &mut self.buckets[index];
        let work = nodes.max(1).ilog2() as u8;
        if let Some(slot) = bucket.iter_mut().find(|slot| slot.hash == hash && slot.generation == generation)
        {
            slot.fact = slot.fact.with(fact);
            slot.work = slot.work.max(work);
            return;
        }
        let least = |slot: &&mut Slot<F>| if slot.generation == generation { 1 + slot.work } else { 0 };
        if let Some(slot) = bucket.iter_mut().min_by_key(least) {
            *slot = Slot { hash, fact, generation, work };
        }
    }
}
