//! A table of facts about positions. Its size is fixed and it is allocated once.

use std::ops::Range;

use bytemuck::Zeroable;

use crate::system::memory::{large_pages, prefetch};

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
/// Bytes that the processor reads at once.
const CACHE_LINE: usize = 64;

/// The table. Facts that took little work are replaced first. Clearing takes constant time.
pub(super) struct FactTable<F> {
    /// The first bucket begins at `first`, so that no bucket of 64 bytes crosses a cache line. The memory is
    /// not allocated with this alignment, because the allocator provides zeroed memory at no cost only for
    /// small alignments.
    slots: Box<[Slot<F>]>,
    first: usize,
    /// A power of two.
    buckets: usize,
    generation: u8,
}

impl<F: Fact> FactTable<F> {
    /// A table of at most `bytes` and one more bucket, at least two buckets. If the system refuses the memory,
    /// the size is halved until it fits, so that the number of buckets stays a power of two.
    pub fn new(bytes: usize) -> FactTable<F> {
        let buckets = 1 << (bytes / size_of::<[Slot<F>; BUCKET_SLOTS]>()).max(1).ilog2();
        let mut slots: Vec<[Slot<F>; BUCKET_SLOTS]> = large_pages(buckets + 1).into_vec();
        // One bucket is lost to the alignment.
        slots.resize_with(slots.len().max(2), Zeroable::zeroed);
        let buckets = 1 << (slots.len() - 1).ilog2();
        let slots = slots.into_flattened().into_boxed_slice();
        let first = slots.as_ptr().align_offset(CACHE_LINE);
        FactTable { first: if first < BUCKET_SLOTS { first } else { 0 }, slots, buckets, generation: 1 }
    }

    /// Removes all facts.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Zeroable::zeroed());
            self.generation = 1;
        }
    }

    /// The slots of a position.
    #[inline]
    fn bucket(&self, hash: u64) -> Range<usize> {
        let start = self.first + BUCKET_SLOTS * (hash as usize & (self.buckets - 1));
        start..start + BUCKET_SLOTS
    }

    /// Prefetches the memory of the position with this hash, which is about to be probed.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[self.bucket(hash)]);
    }

    /// The facts about the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<F> {
        let bucket = &self.slots[self.bucket(hash)];
        let slot = bucket.iter().find(|slot| slot.hash == hash && slot.generation == self.generation)?;
        Some(slot.fact)
    }

    /// Adds a fact that took `nodes` nodes to find.
    #[inline]
    pub fn store(&mut self, hash: u64, fact: F, nodes: u64) {
        let generation = self.generation;
        let range = self.bucket(hash);
        let bucket = &mut self.slots[range];
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
