//! What the search has learnt about moves: killers, counter moves, and how often a move caused a cutoff.

use super::params::{HISTORY_LIMIT, MAX_PLY, Params};
use crate::board::{ByColor, Color, POINTS, Point};

/// The histories of one thread. They survive from one move of the game to the next.
pub struct History {
    quiet: ByColor<[i16; POINTS]>,
    killers: [[Option<Point>; 2]; MAX_PLY],
    counters: ByColor<[Option<Point>; POINTS]>,
}

impl Default for History {
    fn default() -> History {
        History {
            quiet: ByColor([[0; POINTS]; 2]),
            killers: [[None; 2]; MAX_PLY],
            counters: ByColor([[None; POINTS]; 2]),
        }
    }
}

impl History {
    /// Prepares for the next search: killers belong to plies of the last one.
    pub fn new_search(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for table in &mut self.quiet.0 {
            table.iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// What to add to the order of a quiet move.
    #[inline]
    pub fn order(
        &self,
        params: &Params,
        color: Color,
        point: Point,
        ply: usize,
        previous: Option<Point>,
    ) -> i32 {
        let mut order = params.order_of_history(self.value(color, point));
        let counter = previous.and_then(|previous| self.counters[color][previous.index()]);
        if self.killers[ply].contains(&Some(point)) || counter == Some(point) {
            order += params.killer_order;
        }
        order
    }

    /// How often a quiet move led to a cutoff of late, up to [`HISTORY_LIMIT`], or below 0 when it failed.
    #[inline]
    pub fn value(&self, color: Color, point: Point) -> i32 {
        i32::from(self.quiet[color][point.index()])
    }

    /// A quiet move of `color` caused a cutoff, which is worth `bonus`; `tried` were searched before it in vain.
    pub fn cutoff(
        &mut self,
        color: Color,
        best: Point,
        tried: &[Point],
        bonus: i32,
        ply: usize,
        previous: Option<Point>,
    ) {
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        if let Some(previous) = previous {
            self.counters[color][previous.index()] = Some(best);
        }
        self.adjust(color, best, bonus);
        for &point in tried {
            self.adjust(color, point, -bonus);
        }
    }

    /// Moves a value towards the limit of the bonus's sign, the slower the nearer it is.
    fn adjust(&mut self, color: Color, point: Point, bonus: i32) {
        let value = &mut self.quiet[color][point.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
