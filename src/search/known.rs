//! Values of positions near the root from another source, such as a database. If the search, without
//! reductions, would look no deeper than such a value, the value replaces the search, even on the principal
//! variation. A proven win or loss always does.

use std::collections::HashMap;

use super::params::ONE_PLY;
use super::transposition::TableEntry;
use crate::board::Board;
use crate::think::Bound;
use crate::think::score::{DRAW, Value, to_root};

/// The value of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// The value; mates are counted from the position.
    pub value: Value,
    /// Depth in plies of the search that found it.
    pub depth: i32,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
}

/// Positions near the root with known values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPositions {
    /// By hash; mates are counted from the root.
    entries: HashMap<u64, TableEntry>,
    /// The largest distance of a known position from the root.
    plies: usize,
}

impl KnownPositions {
    /// Adds the position on `board`, which is `ply` plies (at least 1) from the root.
    pub fn add(&mut self, board: &Board, ply: usize, known: KnownValue) {
        let KnownValue { value, depth, bound } = known;
        let value_at_root = to_root(value, ply as i32);
        let entry =
            TableEntry { value: value_at_root, eval: value, depth: depth * ONE_PLY, bound, best: None };
        self.entries.insert(board.hash(), entry);
        self.plies = self.plies.max(ply);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of the position with this hash, `ply` plies from the root, if it decides a search with this
    /// window and depth.
    #[inline]
    pub(super) fn settle(
        &self,
        hash: u64,
        ply: usize,
        depth: i32,
        [alpha, beta]: [Value; 2],
    ) -> Option<Value> {
        if ply > self.plies {
            return None;
        }
        let entry = self.entries.get(&hash)?;
        // A proven result settles every window, although a search might find a shorter way to it: in an open window a
        // bound never cuts.
        let settles = entry.is_proven() || entry.depth >= depth && entry.cuts(alpha, beta);
        settles.then_some(entry.value)
    }

    /// The result of the root move that leads to the position with this hash, for the side that makes the move: its
    /// value if it is proven to win or lose, otherwise [`DRAW`]; `None` if the position is not known.
    pub(crate) fn result_of_move(&self, hash: u64) -> Option<Value> {
        let entry = self.entries.get(&hash)?;
        Some(if entry.is_proven() { -entry.value } else { DRAW })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::think::score::{INFINITE, mate_in, mated_in};

    #[test]
    fn a_value_replaces_searches_up_to_its_depth_and_mates_count_from_the_root() {
        let board = Board::new(Size::default());
        let mut known = KnownPositions::default();
        let window = [-50, 50];
        assert_eq!(known.settle(board.hash(), 1, 0, window), None);
        known.add(&board, 2, KnownValue { value: 30, depth: 9, bound: Bound::Exact });
        assert_eq!(known.settle(board.hash(), 2, 9 * ONE_PLY, window), Some(30));
        assert_eq!(known.settle(board.hash(), 2, 9 * ONE_PLY + 1, window), None);
        assert_eq!(known.settle(board.hash(), 3, 0, window), None, "too far from the root");
        known.add(&board, 2, KnownValue { value: 30, depth: 9, bound: Bound::Lower });
        assert_eq!(known.settle(board.hash(), 2, 0, window), None, "it may be more than 50");
        assert_eq!(known.settle(board.hash(), 2, 0, [-50, 30]), Some(30));
        known.add(&board, 2, KnownValue { value: mated_in(6), depth: 0, bound: Bound::Exact });
        assert_eq!(known.settle(board.hash(), 2, 99 * ONE_PLY, window), Some(mated_in(8)));
        known.add(&board, 1, KnownValue { value: mate_in(5), depth: 0, bound: Bound::Lower });
        assert_eq!(known.settle(board.hash(), 1, 99 * ONE_PLY, window), Some(mate_in(6)));
        assert_eq!(known.len(), 1);
    }

    #[test]
    fn a_proven_bound_settles_an_open_window() {
        let board = Board::new(Size::default());
        let mut known = KnownPositions::default();
        let mut settled = |value, bound| {
            known.add(&board, 1, KnownValue { value, depth: 0, bound });
            known.settle(board.hash(), 1, 99 * ONE_PLY, [-INFINITE, INFINITE])
        };
        assert_eq!(settled(mate_in(5), Bound::Lower), Some(mate_in(6)));
        assert_eq!(settled(mated_in(6), Bound::Upper), Some(mated_in(7)));
        assert_eq!(settled(mate_in(5), Bound::Upper), None, "it need not win");
        assert_eq!(settled(mated_in(6), Bound::Lower), None, "it need not lose");
    }

    #[test]
    fn the_result_of_a_move_is_that_of_its_position_for_the_other_side() {
        let board = Board::new(Size::default());
        let mut known = KnownPositions::default();
        assert_eq!(known.result_of_move(board.hash()), None);
        let mut result = |value, bound| {
            known.add(&board, 1, KnownValue { value, depth: 9, bound });
            known.result_of_move(board.hash())
        };
        assert_eq!(result(mated_in(6), Bound::Exact), Some(mate_in(7)));
        assert_eq!(result(mate_in(5), Bound::Lower), Some(mated_in(6)));
        assert_eq!(result(50, Bound::Exact), Some(DRAW));
    }
}
