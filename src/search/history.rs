//! Killer moves, counter moves and histories: for every move, how often it caused a cutoff.

use super::params::{HISTORY_LIMIT, MAX_PLY, Params, order_of_history};
use crate::board::{ByColor, Color, POINTS, Point};

/// The histories of one thread. They survive from one move of the game to the next.
pub struct History {
    values: ByColor<[i16; POINTS]>,
    killers: [[Option<Point>; 2]; MAX_PLY],
    counters: ByColor<[Option<Point>; POINTS]>,
}

/// Order bonuses of the moves of one node, from the histories, killers and counter moves.
pub struct Orders<'a> {
    values: &'a [i16; POINTS],
    /// Killers and counter move.
    refutations: [Option<Point>; 3],
    share: i32,
    bonus: i32,
}

/// A move that caused a cutoff.
pub struct Cutoff<'a> {
    /// The move.
    pub best: Point,
    /// The moves that were searched before it in vain.
    pub tried: &'a [Point],
    /// Bonus for the cutoff.
    pub bonus: i32,
    /// Distance of the node from the root.
    pub ply: usize,
    /// The opponent's move before it.
    pub previous: Option<Point>,
}

impl Orders<'_> {
    /// Points to add to the order of a move.
    #[inline]
    pub fn of(&self, point: Point) -> i32 {
        let order = order_of_history(self.share, i32::from(self.values[point.index()]));
        if self.refutations.contains(&Some(point)) { order + self.bonus } else { order }
    }
}

impl Default for History {
    fn default() -> History {
        History {
            values: ByColor([[0; POINTS]; 2]),
            killers: [[None; 2]; MAX_PLY],
            counters: ByColor([[None; POINTS]; 2]),
        }
    }
}

impl History {
    /// Prepares for the next search: killers go, for they belong to plies of the last one, and histories are halved.
    pub fn new_search(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for table in &mut self.values.0 {
            table.iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// Order bonuses of the moves of one node, `ply` plies from the root, after the opponent's move `previous`.
    pub fn orders(&self, params: &Params, color: Color, ply: usize, previous: Option<Point>) -> Orders<'_> {
        let counter = previous.and_then(|previous| self.counters[color][previous.index()]);
        let [first, second] = self.killers[ply];
        Orders {
            values: &self.values[color],
            refutations: [first, second, counter],
            share: params.history_order,
            bonus: params.killer_order,
        }
    }

    /// The history value of a move: the more cutoffs it caused of late the nearer to [`HISTORY_LIMIT`], below 0 when it
    /// failed.
    #[inline]
    pub fn value(&self, color: Color, point: Point) -> i32 {
        i32::from(self.values[color][point.index()])
    }

    /// Records a cutoff by a move of `color`.
    pub fn cutoff(&mut self, color: Color, cutoff: Cutoff) {
        let Cutoff { best, tried, bonus, ply, previous } = cutoff;
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
        let value = &mut self.values[color][point.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
