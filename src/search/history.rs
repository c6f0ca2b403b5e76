//! Killer moves, counter moves and histories: for every move, how often it caused a cutoff.

use super::params::{MAX_PLY, Params, adjust_history, order_of_history};
use super::pattern_history::PatternHistory;
use crate::board::{ByColor, Color, POINTS, Point};
use crate::rules::Position;

/// The histories of one thread. They survive from one move of the game to the next.
pub struct History {
    values: ByColor<[i16; POINTS]>,
    killers: [[Option<Point>; 2]; MAX_PLY],
    counters: ByColor<[Option<Point>; POINTS]>,
    /// Histories of the moves' patterns.
    pub patterns: Box<PatternHistory>,
}

/// Order bonuses of the moves of one node, from the histories, killers and counter moves.
pub struct Orders<'a> {
    color: Color,
    values: &'a [i16; POINTS],
    patterns: &'a PatternHistory,
    /// Killers and counter move.
    refutations: [Option<Point>; 3],
    share: i32,
    pattern_share: i32,
    bonus: i32,
}

/// A move that caused a cutoff.
pub struct Cutoff<'a> {
    /// The move.
    pub best: Point,
    /// The moves that were searched before it without a cutoff.
    pub tried: &'a [Point],
    /// Bonus for the cutoff.
    pub bonus: i32,
    /// Distance of the node from the root.
    pub ply: usize,
    /// The opponent's move before it.
    pub previous: Option<Point>,
}

impl Orders<'_> {
    /// Points to add to the order of a move to a point with these codes.
    #[inline(always)]
    pub fn of(&self, point: Point, codes: [usize; 2]) -> i32 {
        let of_pattern = self.patterns.of(self.color, codes) * self.pattern_share / 100;
        let order = order_of_history(self.share, i32::from(self.values[point.index()])) + of_pattern;
        if self.refutations.contains(&Some(point)) { order + self.bonus } else { order }
    }
}

impl Default for History {
    fn default() -> History {
        History {
            values: ByColor([[0; POINTS]; 2]),
            killers: [[None; 2]; MAX_PLY],
            counters: ByColor([[None; POINTS]; 2]),
            patterns: Box::default(),
        }
    }
}

impl History {
    /// Prepares for the next search: clears the killers, which belong to plies of the last search, and halves
    /// the histories.
    pub fn new_search(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        self.values.0.iter_mut().flatten().for_each(|value| *value /= 2);
        self.patterns.halve();
    }

    /// Order bonuses of the moves of one node, `ply` plies from the root, after the opponent's move `previous`.
    pub fn orders(&self, params: &Params, color: Color, ply: usize, previous: Option<Point>) -> Orders<'_> {
        let counter = previous.and_then(|previous| self.counters[color][previous.index()]);
        let [first, second] = self.killers[ply];
        Orders {
            color,
            values: &self.values[color],
            patterns: &self.patterns,
            refutations: [first, second, counter],
            share: params.history_order,
            pattern_share: params.pattern_order,
            bonus: params.killer_order,
        }
    }

    /// The history value of a move. Recent cutoffs raise it towards the limit; it is negative if the move
    /// mostly failed.
    #[inline]
    pub fn value(&self, color: Color, point: Point) -> i32 {
        i32::from(self.values[color][point.index()])
    }

    /// Records that all moves of a node failed: their pattern history falls by `malus`.
    pub fn fail_low(&mut self, position: &Position, tried: &[Point], malus: i32) {
        tried.iter().for_each(|&point| self.patterns.learn(position, point, -malus));
    }

    /// Records a cutoff by a move of the side to move.
    pub fn cutoff(&mut self, position: &Position, cutoff: Cutoff) {
        let color = position.board().side_to_move();
        let Cutoff { best, tried, bonus, ply, previous } = cutoff;
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        if let Some(previous) = previous {
            self.counters[color][previous.index()] = Some(best);
        }
        let failed = tried.iter().map(|&point| (point, -bonus));
        for (point, bonus) in failed.chain([(best, bonus)]) {
            adjust_history(&mut self.values[color][point.index()], bonus);
            self.patterns.learn(position, point, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Board, Size};
    use crate::rules::{Rule, RuleKind};

    #[test]
    fn patterns_of_cutoffs_come_first_and_those_of_failures_last() {
        let size = Size::default();
        let mut position = Position::new(Board::new(size), Rule::from(RuleKind::Freestyle));
        parse_moves("h8a1h9o1", size).unwrap().into_iter().for_each(|point| position.play(point));
        let [best, other_end, tried, elsewhere]: [Point; 4] =
            parse_moves("h10h7g8k12", size).unwrap().try_into().unwrap();
        let params = Params { history_order: 0, killer_order: 0, ..Params::of(RuleKind::Freestyle) };
        let mut history = History::default();
        let previous = position.board().last_move();
        history.cutoff(&position, Cutoff { best, tried: &[], bonus: 300, ply: 0, previous });
        history.fail_low(&position, &[tried], 300);
        let orders = history.orders(&params, Color::Black, 0, previous);
        let of = |point| orders.of(point, position.codes(point));
        assert_eq!([best, other_end].map(of), [params.pattern_order / 2; 2]);
        assert_eq!([tried, elsewhere].map(of), [-params.pattern_order / 2, 0]);
    }
}
