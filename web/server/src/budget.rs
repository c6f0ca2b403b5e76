//! Resources that the tabs share: places, threads and memory; and the rate limit of a tab.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The resources of all tabs together.
#[derive(Debug)]
pub struct TabBudget {
    most_tabs: usize,
    threads: usize,
    memory: u64,
    open: AtomicUsize,
}

impl TabBudget {
    /// A budget of places and threads, and of bytes for all engines together.
    pub fn new(most_tabs: usize, threads: usize, memory: u64) -> TabBudget {
        TabBudget { most_tabs, threads, memory, open: AtomicUsize::new(0) }
    }

    /// A place for an engine, if one is free.
    pub fn admit(self: &Arc<TabBudget>) -> Option<Place> {
        let grow = |open| (open < self.most_tabs).then_some(open + 1);
        let grown = self.open.fetch_update(Ordering::AcqRel, Ordering::Acquire, grow);
        grown.ok().map(|_| Place { budget: Arc::clone(self) })
    }

    /// Bytes for each engine.
    pub fn memory_per_tab(&self) -> u64 {
        self.memory / self.most_tabs as u64
    }

    /// Threads for a search that begins now: all threads, divided among the open tabs.
    pub fn threads_now(&self) -> usize {
        (self.threads / self.open.load(Ordering::Acquire).max(1)).max(1)
    }
}

/// The place of a tab; it becomes free when this is dropped.
#[derive(Debug)]
pub struct Place {
    budget: Arc<TabBudget>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.budget.open.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A leaky bucket of bytes: it empties at a steady rate, so bursts pass and floods overflow.
#[derive(Debug)]
pub struct Bucket {
    filled: f64,
    at: Instant,
}

impl Bucket {
    /// Maximum number of bytes that may arrive at the same time.
    const CAPACITY: f64 = 768.0 * 1024.0;
    /// Maximum number of bytes per second in the long run. A key that is held steps through a game about 30 times
    /// per second, and each step sends all moves several times.
    const RATE: f64 = 256.0 * 1024.0;
    /// Number of bytes that each message counts in addition to its text.
    const PER_MESSAGE: f64 = 128.0;

    /// An empty bucket.
    pub fn new(now: Instant) -> Bucket {
        Bucket { filled: 0.0, at: now }
    }

    /// Adds a message; `false` if the bucket overflows.
    pub fn take(&mut self, bytes: usize, now: Instant) -> bool {
        let drained = now.saturating_duration_since(self.at).as_secs_f64() * Bucket::RATE;
        self.filled = (self.filled - drained).max(0.0) + bytes as f64 + Bucket::PER_MESSAGE;
        self.at = now;
        self.filled <= Bucket::CAPACITY
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn places_are_limited_and_come_back() {
        let budget = Arc::new(TabBudget::new(2, 7, 300));
        assert_eq!((budget.threads_now(), budget.memory_per_tab()), (7, 150));
        let first = budget.admit().unwrap();
        let second = budget.admit();
        assert_eq!(budget.threads_now(), 3);
        assert!(second.is_some() && budget.admit().is_none());
        drop(first);
        assert!(budget.admit().is_some());
    }

    #[test]
    fn a_burst_passes_and_a_flood_does_not() {
        let start = Instant::now();
        let mut bucket = Bucket::new(start);
        assert!((0..1_000).all(|_| bucket.take(20, start)));
        assert!((0..10_000).any(|number| !bucket.take(10, start + Duration::from_micros(number * 100))));
        assert!(bucket.take(20, start + Duration::from_secs(60)));
        let mut steady = Bucket::new(start);
        assert!((0..10_000).all(|number| steady.take(400, start + Duration::from_millis(number * 10))));
    }

    #[test]
    fn a_held_key_steps_through_a_long_game() {
        let start = Instant::now();
        let mut bucket = Bucket::new(start);
        for ply in 1..=225_u32 {
            let now = start + Duration::from_secs(1) * ply / 30;
            assert!((0..5).all(|_| bucket.take(7 * ply as usize, now)), "{ply}");
        }
    }
}
