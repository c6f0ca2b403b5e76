//! The root: the list of its moves, and the search of the root node.

use super::move_picker::{Context, MovePicker};
use super::node::Node;
use super::params::{LateMove, ONE_PLY};
use super::root_moves::RootMoves;
use super::situation::Situation;
use super::transposition::TableEntry;
use super::worker::{NO_EVAL, Worker};
use crate::board::{Bitboard, Point};
use crate::rules::{Position, Symmetries};
use crate::think::score::{DRAW, INFINITE, MATE_THRESHOLD, Value, mated_in};
use crate::think::{Bound, RootEvent};

impl Worker<'_> {
    /// Lists the moves of the root, the table's move first; of moves with known values, wins come first and losses
    /// last. The list is empty only if no point is empty or all are excluded.
    pub(super) fn list_root_moves(&mut self) {
        let options = self.shared.setup.options;
        let excluded = options.root_exclusions();
        let forced = match Situation::find(&mut self.position) {
            Situation::MustBlock(set) | Situation::MustDefend(set) if self.trusts_threats() => set - excluded,
            _ => Bitboard::EMPTY,
        };
        let targets =
            if forced.is_empty() { self.evaluator.candidates(&self.position) - excluded } else { forced };
        let board = self.position.board();
        let entry = self.shared.table.probe(board.hash(), 0);
        let table_move = entry.and_then(|entry| entry.playable_move(board));
        let previous = board.last_move();
        let mut moves = MovePicker::new(Context { targets, ply: 0, table_move, previous });
        let mut points = Vec::new();
        while let Some((point, behind)) = self.next_move(&mut moves) {
            if self.position.is_allowed(point) {
                points.push((point, behind));
            }
        }
        if points.is_empty() {
            points.extend(self.remaining_moves(excluded).into_iter().map(|point| (point, 0)));
        }
        if !options.known.is_empty() {
            // If a threat must be answered, other moves lose at once, whatever is known about them.
            let others = if forced.is_empty() { *self.position.board().empty() - excluded } else { forced };
            self.list_known_moves(&mut points, others);
        }
        if let Some(symmetries) = self.counted_symmetries() {
            let distinct = symmetries.distinct(points.iter().map(|&(point, _)| point));
            points.retain(|(point, _)| distinct.contains(point));
        }
        self.root = RootMoves::new(points);
    }

    /// Adds the unlisted points of `others` whose value is known and no loss, and sorts wins first, losses last:
    /// even a search that ends in its first iteration then plays a known win, and a known loss only if it must.
    fn list_known_moves(&mut self, points: &mut Vec<(Point, Value)>, others: Bitboard) {
        let known = &self.shared.setup.options.known;
        let result = |position: &Position, point| known.result_of_move(position.board().hash_after(point));
        let listed: Bitboard = points.iter().map(|&(point, _)| point).collect();
        for point in others - listed {
            let holds = result(&self.position, point).is_some_and(|value| value >= DRAW);
            if holds && self.position.is_allowed(point) {
                points.push((point, 0));
            }
        }
        points.sort_by_key(|&(point, _)| -result(&self.position, point).unwrap_or(DRAW));
    }

    /// Adds the unlisted points of `points` to the list: they are far from all stones.
    pub(super) fn list_far_moves(&mut self, points: Bitboard) {
        let listed: Bitboard = self.root.moves.iter().map(|root| root.point).collect();
        let mut far = points - listed - self.shared.setup.options.root_exclusions();
        if let Some(symmetries) = self.counted_symmetries() {
            let distinct = symmetries.distinct(listed.iter().chain(far.iter()));
            far = far.iter().filter(|point| distinct.contains(point)).collect();
        }
        self.root.add(far);
    }

    /// The symmetries of the position, if symmetric moves count as one.
    pub(super) fn counted_symmetries(&self) -> Option<Symmetries> {
        let options = self.shared.setup.options;
        let applies = options.distinct && !options.blocks_replies();
        applies.then(|| Symmetries::of_board(self.position.board()))
    }

    /// Whether the promises of [`Situation`] are reliable: all replies are allowed, and the game does not end
    /// before a promised win.
    pub(super) fn trusts_threats(&self) -> bool {
        !self.shared.setup.options.blocks_replies() && !self.is_near_end(0)
    }

    /// The moves for the case that all nearby moves are fouls or excluded: any point that is not a foul, or all
    /// such points if moves are excluded, because an analysis may compare just these. Otherwise a foul, because black
    /// must move.
    fn remaining_moves(&mut self, excluded: Bitboard) -> Vec<Point> {
        let empty = *self.position.board().empty() - excluded;
        let most = if excluded.is_empty() { 1 } else { usize::MAX };
        let allowed = empty.iter().filter(|&point| self.position.is_allowed(point));
        let mut points: Vec<Point> = allowed.take(most).collect();
        if points.is_empty() {
            points.extend(empty.iter().next());
        }
        points
    }

    /// Searches the moves that are not judged with the window `alpha` to `beta`, and sorts them by the
    /// result. Returns the value of the best, which is meaningless if the search was interrupted.
    pub(super) fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32) -> Value {
        if self.must_stop() {
            return DRAW;
        }
        self.root_depth = depth;
        let situation = Situation::find(&mut self.position);
        let static_eval = self.evaluator.value(&self.position);
        let must_block = situation.must_block();
        self.evals[0] = if must_block { NO_EVAL } else { static_eval };
        let first = self.root.judged;
        let cost = if must_block && self.root.moves.len() == 1 { 0 } else { ONE_PLY };
        let of_node = LateMove { plies: depth / ONE_PLY, is_pv: true, ..LateMove::default() };
        let (mut best, mut best_move, mut bound) = (-INFINITE, None, Bound::Upper);
        for index in first..self.root.moves.len() {
            let point = self.root.moves[index].point;
            let count = index - first + 1;
            let behind = self.root.moves[index].behind - self.root.moves[first].behind;
            let late = self.late_move(LateMove { count, ..of_node }, point, behind);
            let reduction = self.params.late_move_reduction(&late);
            let before = self.nodes;
            self.reporter.root_event(RootEvent::Enter(point));
            let child = Node { alpha, beta, depth: depth - cost, ply: 0, is_cut: false };
            let value = self.search_root_move(point, child, count == 1, reduction);
            self.reporter.root_event(RootEvent::Leave(point));
            let root = &mut self.root.moves[index];
            root.nodes += self.nodes - before;
            if self.shared.is_over() {
                break;
            }
            // Below beta the value is exact or an upper bound.
            if value < -MATE_THRESHOLD && value < beta {
                self.reporter.root_event(RootEvent::Lost(point));
            }
            root.value = -INFINITE;
            best = best.max(value);
            if count == 1 || value > alpha {
                root.value = value;
                best_move = Some(point);
            }
            if value > alpha {
                root.line.truncate(1);
                root.line.extend(self.lines[1].points());
                alpha = value;
                bound = if value >= beta { Bound::Lower } else { Bound::Exact };
                if value >= beta {
                    break;
                }
            }
        }
        self.root.sort();
        // The best value does not describe the position if only some of its moves were searched, or if it has none.
        if first == 0
            && !self.root.moves.is_empty()
            && !self.shared.is_over()
            && !self.shared.setup.options.leaves_out()
        {
            let entry = TableEntry { value: best, eval: static_eval, depth, bound, best: best_move };
            self.shared.table.store(self.position.board().hash(), 0, entry);
        }
        best
    }

    /// The value of a move of the root. A foul, which is only listed if black has no other move, loses at once.
    fn search_root_move(&mut self, point: Point, child: Node, first: bool, reduction: i32) -> Value {
        if !self.position.is_allowed(point) {
            self.lines[1].clear();
            return mated_in(1);
        }
        self.play(point);
        let value = self.search_child_of_line(child, first, reduction);
        self.undo();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::known::{KnownPositions, KnownValue};
    use super::super::root_options::RootOptions;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::Board;
    use crate::board::notation::{parse_fen, parse_point};
    use crate::rules::Rule;
    use crate::think::score::mate_in;

    /// The moves listed at the root, if these values of moves are known for the side that replies to them.
    fn listed(board: &Board, known: &[(Point, Value, Bound)], excluded: Bitboard) -> Vec<Point> {
        let mut positions = KnownPositions::default();
        for &(point, value, bound) in known {
            let mut after = board.clone();
            after.play(point);
            positions.add(&after, 1, KnownValue { value, depth: 9, bound });
        }
        let options = RootOptions { excluded, known: positions, ..RootOptions::default() };
        let position = Position::new(board.clone(), Rule::default());
        with_worker(
            &position,
            &options,
            |_| (),
            |mut worker| {
                worker.list_root_moves();
                worker.root.moves.iter().map(|root| root.point).collect()
            },
        )
    }

    #[test]
    fn known_moves_are_listed_wins_first_and_losses_last() {
        let board = parse_fen("15/15/15/15/15/15/15/7X7/6O8/15/15/15/15/15/15 b").expect("a position");
        let [win, level, loss] =
            ["a1", "o15", "a15"].map(|name| parse_point(name, board.size()).expect("a point"));
        let plain = listed(&board, &[], Bitboard::EMPTY);
        assert!(
            [win, level, loss].iter().all(|point| !plain.contains(point)),
            "they are far from the stones"
        );
        let (best, last) = (plain[0], plain[plain.len() - 1]);
        let known = [
            (win, mated_in(8), Bound::Exact),
            (level, 30, Bound::Exact),
            (loss, mate_in(7), Bound::Exact),
            (best, mate_in(483), Bound::Lower),
            (last, mated_in(484), Bound::Upper),
        ];
        let found = listed(&board, &known, Bitboard::EMPTY);
        assert_eq!((found[0], found[1], found.last()), (win, last, Some(&best)));
        assert!(found.contains(&level) && !found.contains(&loss), "{found:?}");
        assert_eq!(found.len(), plain.len() + 2);
        let without = listed(&board, &known, Bitboard::of(win));
        assert!(!without.contains(&win) && without.len() == found.len() - 1, "{without:?}");
    }

    #[test]
    fn only_moves_that_answer_a_threat_are_listed_whatever_is_known() {
        // White has four stones in a row; only f10 stops the fifth.
        let board = parse_fen("15/15/15/15/15/6OOOOX4/15/7X7/15/15/15/15/15/3X3X7/15 b").expect("a position");
        let [far, only] = ["a1", "f10"].map(|name| parse_point(name, board.size()).expect("a point"));
        let known = [(far, mated_in(8), Bound::Exact), (only, mate_in(29), Bound::Exact)];
        assert_eq!(listed(&board, &known, Bitboard::EMPTY), [only]);
    }
}
