//! Values that a search found for positions inside it, for training an evaluation (Veness et al., *Bootstrapping from
//! game tree search*, 2009): each searched node with a large subtree has a value at no further cost.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::board::{Board, Point};
use crate::think::Bound;
use crate::think::score::{Value, is_mate};

/// A position inside a search, with what the search found out about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarvestedPosition {
    /// The moves that lead to it, from the first move of the game on. Passes are omitted.
    pub line: Vec<Point>,
    /// Its value for the side to move.
    pub value: Value,
    /// Bound type of the value; proven values are exact.
    pub bound: Bound,
    /// The best move, or the one that caused a cutoff; none if all moves were too weak.
    pub best: Option<Point>,
    /// Number of nodes in its subtree.
    pub nodes: u64,
}

/// Collects the positions of a search whose subtrees have a minimum number of nodes. Of several searches of a position,
/// the largest counts.
#[derive(Debug)]
pub struct Harvest {
    min_nodes: u64,
    found: Mutex<HashMap<u64, HarvestedPosition>>,
}

impl Harvest {
    /// A collection of positions with at least this number of nodes below them.
    pub fn new(min_nodes: u64) -> Harvest {
        Harvest { min_nodes, found: Mutex::default() }
    }

    /// Processes a node whose search has ended.
    #[inline]
    pub(super) fn see(&self, board: &Board, value: Value, bound: Bound, best: Option<Point>, nodes: u64) {
        if nodes >= self.min_nodes {
            self.keep(board, value, bound, best, nodes);
        }
    }

    #[cold]
    fn keep(&self, board: &Board, value: Value, bound: Bound, best: Option<Point>, nodes: u64) {
        let Some(bound) = informative(value, bound) else { return };
        let mut found = self.found.lock();
        if found.get(&board.hash()).is_none_or(|old| old.nodes <= nodes) {
            let line = board.history().iter().copied().flatten().collect();
            found.insert(board.hash(), HarvestedPosition { line, value, bound, best, nodes });
        }
    }

    /// The positions, those with the most nodes first.
    pub fn into_positions(self) -> Vec<HarvestedPosition> {
        let mut positions: Vec<_> = self.found.into_inner().into_values().collect();
        positions.sort_by(|a, b| b.nodes.cmp(&a.nodes).then_with(|| a.line.cmp(&b.line)));
        positions
    }
}

/// Bound type of a value as a training label. A mate that its bound proves is exact, such as a win with a
/// lower bound; any other mate says nothing.
fn informative(value: Value, bound: Bound) -> Option<Bound> {
    match bound {
        Bound::None => None,
        Bound::Exact => Some(Bound::Exact),
        _ if !is_mate(value) => Some(bound),
        _ => ((bound == Bound::Lower) == (value > 0)).then_some(Bound::Exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::board::notation::parse_moves;
    use crate::think::score::{mate_in, mated_in};

    fn board(moves: &str) -> Board {
        let size = Size::default();
        Board::of_moves(size, &parse_moves(moves, size).expect("moves"))
    }

    #[test]
    fn the_largest_search_of_a_position_counts() {
        let harvest = Harvest::new(100);
        let best = Some(Point::new(1, 1));
        harvest.see(&board("h8i9"), 5, Bound::Exact, best, 99);
        harvest.see(&board("h8i9j8"), 10, Bound::Exact, best, 300);
        harvest.see(&board("j8i9h8"), 20, Bound::Lower, None, 200);
        harvest.see(&board("h8h9"), 30, Bound::Upper, None, 400);
        let positions = harvest.into_positions();
        let found: Vec<_> = positions.iter().map(|found| (found.value, found.bound, found.nodes)).collect();
        assert_eq!(found, [(30, Bound::Upper, 400), (10, Bound::Exact, 300)]);
        assert_eq!(
            positions[1].line,
            board("h8i9j8").history().iter().copied().flatten().collect::<Vec<_>>()
        );
    }

    #[test]
    fn proven_values_are_exact_or_say_nothing() {
        let (win, loss) = (mate_in(9), mated_in(8));
        let cases = [
            (win, Bound::Lower, Some(Bound::Exact)),
            (win, Bound::Upper, None),
            (loss, Bound::Upper, Some(Bound::Exact)),
            (loss, Bound::Lower, None),
            (win, Bound::Exact, Some(Bound::Exact)),
            (12, Bound::Upper, Some(Bound::Upper)),
            (12, Bound::None, None),
        ];
        for (value, bound, expected) in cases {
            assert_eq!(informative(value, bound), expected, "{value} {bound:?}");
        }
    }
}
