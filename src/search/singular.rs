//! Singular extension: the table's move is searched deeper if no other move comes close to it.
//!
//! The other moves are searched half as deep, with a null window just below the value that the table has for
//! its move. If this search fails low, the table's move is the only good one. If it fails high above beta,
//! several moves are good enough, and the node is cut off (multi-cut).

use std::ops::ControlFlow;

use super::node::{Node, NodeFacts};
use super::params::ONE_PLY;
use super::transposition::TableEntry;
use super::worker::Worker;
use crate::think::Bound;
use crate::think::score::{DRAW, Value, is_mate};

impl Worker<'_> {
    /// Compares the table's move with the other moves of a node. Returns the depth to add to it, in parts of
    /// a ply, which is negative if other moves are as good and the table's value is at least beta. If the node is cut
    /// off, breaks with a lower bound of its value; if the search is stopped, breaks with a value that means nothing.
    pub(super) fn singular<const PV: bool>(
        &mut self,
        node: &Node,
        facts: &NodeFacts,
    ) -> ControlFlow<Value, i32> {
        let &Node { beta, depth, ply, .. } = node;
        let Some(entry) = facts.entry.filter(|entry| self.may_be_singular(node, entry)) else {
            return ControlFlow::Continue(0);
        };
        let target = entry.value - self.params.singular_margin * (depth / ONE_PLY) / 100;
        let others = NodeFacts { excluded: entry.best, ..*facts };
        let window = Node { alpha: target - 1, beta: target, depth: depth / 2, ..*node };
        let value = self.search_moves::<false>(window, &others).value;
        // This line belongs to the search of the other moves, not to the node.
        self.lines[ply].clear();
        if self.shared.is_over() {
            return ControlFlow::Break(DRAW);
        }
        if value < target {
            let is_far_below = !PV && value < target - self.params.singular_double;
            return ControlFlow::Continue(if is_far_below { 2 * ONE_PLY } else { ONE_PLY });
        }
        if !PV && value >= beta && !is_mate(value) {
            return ControlFlow::Break(value);
        }
        let is_good = entry.value >= beta;
        ControlFlow::Continue(if is_good { -self.params.singular_negative * ONE_PLY / 1000 } else { 0 })
    }

    /// Whether the table's value of its move is reliable enough to justify a search of the others.
    fn may_be_singular(&self, node: &Node, entry: &TableEntry) -> bool {
        let &Node { depth, ply, .. } = node;
        entry.best.is_some()
            && depth >= self.params.singular_depth * ONE_PLY
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.depth >= depth - self.params.singular_missing * ONE_PLY
            && !is_mate(entry.value)
            // Extensions must end: no line becomes longer than twice the depth of its iteration.
            && (ply as i32) * ONE_PLY < 2 * self.root_depth
    }
}

#[cfg(test)]
mod tests {
    use super::super::root_options::RootOptions;
    use super::super::situation::Situation;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Board, Size};
    use crate::rules::{Position, Rule};
    use crate::think::score::mate_in;

    /// Compares `h7`, which has this entry, with the other moves of a quiet position (values near 0), and
    /// also returns the number of nodes of their search.
    fn compared<const PV: bool>(entry: TableEntry, beta: Value) -> (ControlFlow<Value, i32>, u64) {
        compared_within::<PV>(entry, beta, u64::MAX)
    }

    /// Like `compared`, with a node limit.
    fn compared_within<const PV: bool>(
        entry: TableEntry,
        beta: Value,
        max_nodes: u64,
    ) -> (ControlFlow<Value, i32>, u64) {
        let moves = parse_moves("h8i9g10", Size::default()).expect("moves");
        let position = Position::new(Board::of_moves(Size::default(), &moves), Rule::default());
        with_worker(
            &position,
            &RootOptions::default(),
            |shared| shared.max_nodes = max_nodes,
            |mut worker| {
                let depth = 8 * ONE_PLY;
                worker.root_depth = depth;
                let strongest = worker.position.strongest();
                let (facts, _) = worker.facts(1, Situation::Free, strongest, Some(entry));
                let node = Node { alpha: beta - 1, beta, depth, ply: 1, is_cut: true };
                let singular = worker.singular::<PV>(&node, &facts);
                assert!(worker.lines[1].points().is_empty(), "the line of another move");
                let stored = worker.shared.table.probe(position.board().hash(), 1);
                assert_eq!(stored, None, "the value without a move is not the node's");
                (singular, worker.nodes)
            },
        )
    }

    fn entry(value: Value) -> TableEntry {
        let best = parse_moves("h7", Size::default()).expect("a move").first().copied();
        TableEntry { value, eval: 0, depth: 7 * ONE_PLY, bound: Bound::Lower, best }
    }

    #[test]
    fn a_move_far_better_than_the_others_is_extended() {
        assert_eq!(compared::<false>(entry(400), 300).0, ControlFlow::Continue(2 * ONE_PLY));
        assert_eq!(compared::<true>(entry(400), 300).0, ControlFlow::Continue(ONE_PLY));
    }

    #[test]
    fn several_good_moves_cut_off() {
        let (singular, nodes) = compared::<false>(entry(-300), -300);
        assert!(matches!(singular, ControlFlow::Break(value) if value >= -300), "{singular:?}");
        assert!(nodes > 0);
        assert_eq!(compared::<true>(entry(-300), -300).0, ControlFlow::Continue(-ONE_PLY / 2));
        assert_eq!(compared::<false>(entry(-300), 300).0, ControlFlow::Continue(0));
    }

    #[test]
    fn nothing_is_searched_after_a_comparison_that_was_stopped() {
        let (whole, nodes) = compared::<false>(entry(400), 300);
        assert_eq!(whole, ControlFlow::Continue(2 * ONE_PLY));
        for max_nodes in 1..nodes {
            let (singular, used) = compared_within::<false>(entry(400), 300, max_nodes);
            assert_eq!(singular, ControlFlow::Break(DRAW), "{max_nodes} of {nodes} nodes");
            assert!(used <= max_nodes, "{used} nodes of {max_nodes}");
        }
    }

    #[test]
    fn entries_that_say_too_little_are_not_compared() {
        let upper = TableEntry { bound: Bound::Upper, ..entry(400) };
        let shallow = TableEntry { depth: 4 * ONE_PLY, ..entry(400) };
        let without_move = TableEntry { best: None, ..entry(400) };
        for entry in [upper, shallow, without_move, entry(mate_in(9))] {
            assert_eq!(compared::<false>(entry, 300), (ControlFlow::Continue(0), 0), "{entry:?}");
        }
    }
}
