//! History heuristic: scores of points by how good moves to them were elsewhere in the search.

use super::params::HISTORY_LIMIT;
use crate::board::{POINTS, Point};

/// The history of one side.
pub struct History(Vec<i32>);

impl Default for History {
    fn default() -> History {
        History(vec![0; POINTS])
    }
}

impl History {
    /// The score of moves to `point`: positive if they were mostly good, 0 if nothing is known.
    pub fn of(&self, point: Point) -> i32 {
        self.0[point.index()]
    }

    /// Records a good move, or a bad one with a negative bonus. The larger the current score, the smaller the
    /// change.
    pub fn remember(&mut self, point: Point, bonus: i32) {
        let entry = &mut self.0[point.index()];
        *entry += bonus - *entry * bonus.abs().min(HISTORY_LIMIT) / HISTORY_LIMIT;
    }
}
