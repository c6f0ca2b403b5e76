//! The moves of the root as a data structure.
//!
//! The list is kept between iterations: moves are ordered by their results in the last iteration, an analysis
//! judges several moves one after the other, and the time management sees how the nodes were distributed.

use crate::board::{Bitboard, Point};
use crate::think::score::{INFINITE, Value};

/// A move of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The point of the stone.
    pub point: Point,
    /// Its value in this iteration; `-INFINITE` if it was not searched or is only known to be no better than
    /// another move.
    pub value: Value,
    /// Its value in the previous iteration.
    pub previous: Value,
    /// The line that starts with it.
    pub line: Vec<Point>,
    /// Number of nodes spent on it in all iterations.
    pub nodes: u64,
    /// Difference between its policy score and the score of the first move in the list, in points.
    pub behind: Value,
    /// Whether its value needs no search and is kept in all iterations.
    pub is_sure: bool,
}

impl RootMove {
    fn new(point: Point, behind: Value) -> RootMove {
        RootMove {
            point,
            value: -INFINITE,
            previous: -INFINITE,
            line: vec![point],
            nodes: 0,
            behind,
            is_sure: false,
        }
    }
}

/// The moves of the root, best first. Moves at the front may be judged: their value is known, and the search
/// looks for the best of the rest.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    pub(super) moves: Vec<RootMove>,
    pub(super) judged: usize,
}

impl RootMoves {
    /// The moves to these points, in this order.
    pub fn new(points: impl IntoIterator<Item = (Point, Value)>) -> RootMoves {
        RootMoves {
            moves: points.into_iter().map(|(point, behind)| RootMove::new(point, behind)).collect(),
            judged: 0,
        }
    }

    /// Keeps only the moves to `points`, if there are any; returns the others.
    pub fn keep(&mut self, points: Bitboard) -> Vec<Point> {
        if !self.moves.iter().any(|root| points.contains(root.point)) {
            return Vec::new();
        }
        let others = self.moves.extract_if(.., |root| !points.contains(root.point));
        others.map(|root| root.point).collect()
    }

    /// Adds moves to these points, which are not in the list, as its last ones.
    pub fn add(&mut self, points: Bitboard) {
        self.moves.extend(points.iter().map(|point| RootMove::new(point, 0)));
    }

    /// Whether the list contains the move to `point`.
    pub fn contains(&self, point: Point) -> bool {
        self.moves.iter().any(|root| root.point == point)
    }

    /// Removes the move to `point`, which must not be judged, if the list contains it.
    pub fn remove(&mut self, point: Point) {
        debug_assert!(self.judged().iter().all(|root| root.point != point), "{point:?} is judged");
        self.moves.retain(|root| root.point != point);
    }

    /// The judged moves, best first.
    pub fn judged(&self) -> &[RootMove] {
        &self.moves[..self.judged]
    }

    /// The best of all moves.
    pub fn first(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The best of the moves that are not judged.
    pub fn best_unjudged(&self) -> Option<&RootMove> {
        self.moves.get(self.judged)
    }

    /// Begins an iteration. The moves that need no search come first and stay judged, even if a better move
    /// was found in the last iteration.
    pub fn begin_iteration(&mut self) {
        self.moves.sort_by_key(|root| !root.is_sure);
        self.judged = self.moves.partition_point(|root| root.is_sure);
        for root in &mut self.moves[self.judged..] {
            root.previous = root.value;
            root.value = -INFINITE;
        }
    }

    /// Marks the best of the rest as judged, unless the search ended before the value of any of them was known.
    pub fn judge(&mut self) {
        if self.best_unjudged().is_none_or(|best| best.value == -INFINITE) {
            return;
        }
        self.judged += 1;
        self.moves[..self.judged].sort_by_key(|root| -root.value);
    }

    /// Marks a move that needs no search as judged; `line` begins with it.
    pub fn judge_unsearched(&mut self, value: Value, line: Vec<Point>) {
        let Some(&point) = line.first() else { return };
        self.remove(point);
        let root = RootMove { value, line, is_sure: true, ..RootMove::new(point, 0) };
        self.moves.insert(self.judged, root);
        self.judged += 1;
    }

    /// Moves the best of the rest to the front. Moves that are only known to be no better keep their order
    /// from earlier iterations.
    pub(super) fn sort(&mut self) {
        self.moves[self.judged..].sort_by_key(|root| -root.value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::score::{mate_in, mated_in};

    fn points<const N: usize>(columns: [u8; N]) -> [Point; N] {
        columns.map(|column| Point::new(column, 0))
    }

    fn columns(roots: &RootMoves) -> Vec<u8> {
        roots.moves.iter().map(|root| root.point.x()).collect()
    }

    #[test]
    fn the_best_move_comes_first_and_the_rest_keep_their_order() {
        let mut roots = RootMoves::new(points([4, 5, 6, 7]).map(|point| (point, 0)));
        roots.begin_iteration();
        roots.moves[0].value = 10;
        roots.moves[2].value = 30;
        roots.sort();
        assert_eq!(columns(&roots), [6, 4, 5, 7]);
        roots.begin_iteration();
        assert_eq!(roots.best_unjudged().map(|root| (root.value, root.previous)), Some((-INFINITE, 30)));
        roots.sort();
        assert_eq!(columns(&roots), [6, 4, 5, 7], "an iteration without a result changes nothing");
    }

    #[test]
    fn judged_moves_are_left_unchanged() {
        let mut roots = RootMoves::new(points([4, 5, 6]).map(|point| (point, 0)));
        let [five, nine] = points([5, 9]);
        roots.judge_unsearched(100, vec![five, nine]);
        roots.judge_unsearched(90, vec![nine]);
        assert_eq!(columns(&roots), [5, 9, 4, 6]);
        roots.begin_iteration();
        roots.moves[3].value = 95;
        roots.sort();
        assert_eq!(roots.best_unjudged().map(|root| root.point.x()), Some(6));
        roots.judge();
        let judged: Vec<u8> = roots.judged().iter().map(|root| root.point.x()).collect();
        assert_eq!(judged, [5, 6, 9], "the judged are sorted by value");
        assert_eq!(roots.best_unjudged().map(|root| root.point.x()), Some(4));
    }

    #[test]
    fn a_move_without_a_value_is_not_judged() {
        let mut roots = RootMoves::new(points([4, 5]).map(|point| (point, 0)));
        roots.begin_iteration();
        roots.judge();
        assert!(roots.judged().is_empty());
        roots.moves[0].value = mated_in(4);
        roots.judge();
        assert_eq!(roots.judged().len(), 1, "a loss is a value");
    }

    #[test]
    fn a_sure_win_is_kept_after_a_shorter_one_was_found() {
        let mut roots = RootMoves::new(points([4, 5, 6]).map(|point| (point, 0)));
        let [sure] = points([5]);
        roots.judge_unsearched(mate_in(15), vec![sure]);
        for iteration in 1..4 {
            roots.begin_iteration();
            let judged: Vec<(u8, Value)> =
                roots.judged().iter().map(|root| (root.point.x(), root.value)).collect();
            assert_eq!(judged, [(5, mate_in(15))], "iteration {iteration}");
            assert_eq!(columns(&roots).len(), 3);
            let better = roots.moves.iter_mut().find(|root| root.point.x() == 6).expect("it is listed");
            better.value = mate_in(9);
            roots.sort();
            roots.judge();
            assert_eq!(columns(&roots), [6, 5, 4], "iteration {iteration}");
        }
    }

    #[test]
    fn only_listed_moves_can_be_kept() {
        let mut roots = RootMoves::new(points([4, 5, 6]).map(|point| (point, 0)));
        assert_eq!(roots.keep(points([8]).into_iter().collect()), []);
        assert_eq!(columns(&roots), [4, 5, 6]);
        assert_eq!(roots.keep(points([6, 8]).into_iter().collect()), points([4, 5]));
        assert_eq!(columns(&roots), [6]);
    }
}
