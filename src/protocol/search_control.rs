//! Lets the driver's loop stop a running search, and answer in its place if it is late.
//!
//! On a loaded machine a search thread may have to wait for a processor just when its time is up, and so may
//! every thread that handles its answer. The loop, which has slept until then, is scheduled first: it takes
//! the best move so far and writes it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::board::Point;

/// Set in a draft that the loop has used as its answer; the bits below hold the index of the point.
const TAKEN: u32 = 1 << 31;
/// A draft without a move.
const NOTHING: u32 = TAKEN - 1;

/// The stop flag of a search, and the move that it would play if it had to end now.
///
/// Invariant: once [`SearchControl::take_draft`] has returned a move, [`SearchControl::taken`] returns the
/// same move forever.
#[derive(Debug)]
pub struct SearchControl {
    stop: AtomicBool,
    draft: AtomicU32,
}

impl Default for SearchControl {
    fn default() -> SearchControl {
        SearchControl { stop: AtomicBool::new(false), draft: AtomicU32::new(NOTHING) }
    }
}

impl SearchControl {
    /// Asks the search to end soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search should end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that the search checks.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Sets the move that the search would play if it had to end now. No effect once the draft is taken.
    pub fn set_draft(&self, point: Point) {
        let change = |draft| (draft & TAKEN == 0).then_some(point.index() as u32);
        // An error means that the draft is taken.
        let _ = self.draft.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
    }

    /// Takes the move so far as the answer; `None` if there is no move yet or it was already taken.
    pub fn take_draft(&self) -> Option<Point> {
        let take = |draft| (draft < NOTHING).then_some(draft | TAKEN);
        let draft = self.draft.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(Point::from_index(draft as usize))
    }

    /// The move that was used as the answer before the search ended.
    pub fn taken(&self) -> Option<Point> {
        let draft = self.draft.load(Ordering::Relaxed);
        (draft & TAKEN != 0).then(|| Point::from_index((draft & !TAKEN) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_taken_once_and_stays() {
        let (first, second) = (Point::new(7, 7), Point::new(0, 0));
        let control = SearchControl::default();
        assert_eq!((control.take_draft(), control.taken()), (None, None));
        control.set_draft(first);
        control.set_draft(second);
        assert_eq!(control.taken(), None);
        assert_eq!(control.take_draft(), Some(second));
        control.set_draft(first);
        assert_eq!((control.take_draft(), control.taken()), (None, Some(second)));
    }
}
