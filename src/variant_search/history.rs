//! History of the moves that were good or bad elsewhere in the search, by their points.

use super::params::HISTORY_LIMIT;
use crate::board::{POINTS, Point};

/// The memory of one side.
pub struct History(Vec<i32>);

impl Default for History {
    fn default() -> History {
        History(vec![0; POINTS])
    }
}

impl History {
    /// Score of moves to `point`: positive where they were good rather than bad, 0 where nothing is remembered.
    pub fn of(&self, point: Point) -> i32 {
        self.0[point.index()]
    }

    /// Remembers a good move, or a bad one by a negative bonus; the more is known already, the less it changes.
    pub fn remember(&mut self, point: Point, bonus: i32) {
        let entry = &mut self.0[point.index()];
        *entry += bonus - *entry * bonus.abs().min(HISTORY_LIMIT) / HISTORY_LIMIT;
    }
}
