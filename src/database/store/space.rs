//! Free pages.

use std::collections::{BTreeMap, BTreeSet};

/// Runs of this number of pages or more are searched one by one; shorter ones are found by their length.
const LONG: usize = 16;

/// Where new nodes go.
#[derive(Clone, Copy, Debug)]
pub enum Placement {
    /// The first free pages that are long enough; the end of the file if there are none.
    FirstFit,
    /// The end of the file.
    AtEnd,
}

/// Free pages, as runs.
#[derive(Clone, Debug, Default)]
pub struct FreePages {
    /// Length by start.
    runs: BTreeMap<u64, u64>,
    /// Starts of the runs of each length; the last set has all runs of [`LONG`] or more pages. A file may
    /// have a million runs of one page, which must not be searched for each larger node.
    starts: [BTreeSet<u64>; LONG + 1],
}

impl FreePages {
    /// The pages from `start` up to `end` that are not in any of the `used` runs; `None` if two runs overlap
    /// or a run is outside the pages.
    pub fn between(start: u64, end: u64, mut used: Vec<(u64, u32)>) -> Option<FreePages> {
        used.sort_unstable();
        let mut free = FreePages::default();
        let mut at = start;
        for (page, pages) in used {
            if page < at {
                return None;
            }
            free.add(at, page - at);
            at = page.checked_add(u64::from(pages))?;
        }
        free.add(at, end.checked_sub(at)?);
        Some(free)
    }

    /// Allocates the first run that is long enough.
    pub fn take(&mut self, pages: u64) -> Option<u64> {
        let is_enough = |start: &&u64| self.runs.get(start).is_some_and(|&length| length >= pages);
        let fitting = self.starts[class(pages)..].iter().filter_map(|starts| starts.iter().find(is_enough));
        let start = *fitting.min()?;
        let length = self.remove(start)?;
        if length > pages {
            self.insert(start + pages, length - pages);
        }
        Some(start)
    }

    fn insert(&mut self, start: u64, pages: u64) {
        self.runs.insert(start, pages);
        self.starts[class(pages)].insert(start);
    }

    fn remove(&mut self, start: u64) -> Option<u64> {
        let pages = self.runs.remove(&start)?;
        self.starts[class(pages)].remove(&start);
        Some(pages)
    }

    /// Frees a run of pages.
    pub fn add(&mut self, start: u64, pages: u64) {
        if pages == 0 {
            return;
        }
        let (mut start, mut pages) = (start, pages);
        if let Some((&before, &length)) = self.runs.range(..start).next_back()
            && before + length == start
        {
            self.remove(before);
            (start, pages) = (before, length + pages);
        }
        if let Some(length) = self.remove(start + pages) {
            pages += length;
        }
        self.insert(start, pages);
    }

    /// Drops the free run at the end of `length` pages; returns the number of remaining pages.
    pub fn cut_end(&mut self, length: u64) -> u64 {
        match self.runs.last_key_value() {
            Some((&start, &pages)) if start + pages == length => {
                self.remove(start);
                start
            }
            _ => length,
        }
    }
}

/// Index of the starts of runs of this length.
fn class(pages: u64) -> usize {
    usize::try_from(pages).map_or(LONG, |pages| pages.min(LONG))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_are_allocated_from_the_front() {
        let mut free = FreePages::between(3, 20, vec![(5, 2), (10, 1)]).unwrap();
        assert_eq!((free.take(2), free.take(3), free.take(9)), (Some(3), Some(7), Some(11)));
        assert_eq!(free.take(1), None);
        free.add(5, 2);
        free.add(8, 1);
        free.add(7, 1);
        assert_eq!(free.take(4), Some(5));
        free.add(15, 5);
        assert_eq!((free.cut_end(20), free.cut_end(15)), (15, 15));
        // This would take minutes if all runs of one page were searched for each larger node.
        let singles = (0..500_000).map(|number| (2 * number + 4, 1)).collect();
        let mut long = FreePages::between(3, 1_500_000, singles).unwrap();
        assert!((0..200_000).all(|number| long.take(2) == Some(1_000_003 + 2 * number)));
        let mut mixed = FreePages::between(3, 200, vec![(4, 6), (12, 1), (33, 7), (60, 1)]).unwrap();
        // Free: 3, 10 to 11, 13 to 32, 40 to 59, 61 to 199.
        assert_eq!((mixed.take(21), mixed.take(2), mixed.take(17)), (Some(61), Some(10), Some(13)));
        assert_eq!((mixed.take(2), mixed.take(1), mixed.take(20)), (Some(30), Some(3), Some(40)));
        for wrong in [vec![(5, 2), (6, 1)], vec![(2, 1)], vec![(19, 2)], vec![(u64::MAX, 3)]] {
            assert!(FreePages::between(3, 20, wrong).is_none());
        }
    }
}
