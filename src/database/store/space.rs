//! Free pages.

use std::collections::BTreeMap;

/// Free pages, as runs.
#[derive(Clone, Debug, Default)]
pub struct FreePages(BTreeMap<u64, u64>);

impl FreePages {
    /// The pages from `start` up to `end` that are in none of the `used` runs; `None` if two runs overlap or
    /// a run is outside the pages.
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
        let (&start, &length) = self.0.iter().find(|(_, length)| **length >= pages)?;
        self.0.remove(&start);
        if length > pages {
            self.0.insert(start + pages, length - pages);
        }
        Some(start)
    }

    /// Frees a run of pages.
    pub fn add(&mut self, start: u64, pages: u64) {
        if pages == 0 {
            return;
        }
        let (mut start, mut pages) = (start, pages);
        if let Some((&before, &length)) = self.0.range(..start).next_back()
            && before + length == start
        {
            self.0.remove(&before);
            (start, pages) = (before, length + pages);
        }
        if let Some(length) = self.0.remove(&(start + pages)) {
            pages += length;
        }
        self.0.insert(start, pages);
    }

    /// Drops the free run at the end of `length` pages; returns the number of remaining pages.
    pub fn cut_end(&mut self, length: u64) -> u64 {
        match self.0.last_key_value() {
            Some((&start, &pages)) if start + pages == length => {
                self.0.remove(&start);
                start
            }
            _ => length,
        }
    }
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
        for wrong in [vec![(5, 2), (6, 1)], vec![(2, 1)], vec![(19, 2)], vec![(u64::MAX, 3)]] {
            assert!(FreePages::between(3, 20, wrong).is_none());
        }
    }
}
