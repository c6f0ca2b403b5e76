//! The root: its moves as a separate data structure, and the search of the root node.
//!
//! The list is kept between iterations: moves are ordered by their results in the last iteration, an analysis
//! judges several moves one after the other, and the time management sees how the nodes were distributed.

use super::alpha_beta::Node;
use super::move_picker::{Context, MovePicker};
use super::params::{LateMove, ONE_PLY};
use super::situation::Situation;
use super::transposition::TableEntry;
use super::worker::{NO_EVAL, Worker};
use crate::board::{Bitboard, Point};
use crate::rules::procedure::Symmetries;
use crate::think::score::{DRAW, INFINITE, MATE_THRESHOLD, Value};
use crate::think::{Bound, RootEvent};

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
}

impl RootMove {
    fn new(point: Point, behind: Value) -> RootMove {
        RootMove { point, value: -INFINITE, previous: -INFINITE, line: vec![point], nodes: 0, behind }
    }
}

/// The moves of the root, best first. Moves at the front may be judged: their value is known, and the search
/// looks for the best of the rest.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    judged: usize,
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
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.get(self.judged)
    }

    /// Begins an iteration in which the first `judged` moves keep their values.
    pub fn begin_iteration(&mut self, judged: usize) {
        self.judged = judged;
        for root in &mut self.moves[judged..] {
            root.previous = root.value;
            root.value = -INFINITE;
        }
    }

    /// Marks the best of the rest as judged. It counts as a draw if the search ended before its value was
    /// known.
    pub fn judge(&mut self) {
        let Some(best) = self.moves.get_mut(self.judged) else { return };
        if best.value == -INFINITE {
            best.value = DRAW;
        }
        self.judged += 1;
        self.moves[..self.judged].sort_by_key(|root| -root.value);
    }

    /// Marks a move that needs no search as judged; `line` begins with it.
    pub fn judge_unsearched(&mut self, value: Value, line: Vec<Point>) {
        let Some(&point) = line.first() else { return };
        self.remove(point);
        let root = RootMove { value, line, ..RootMove::new(point, 0) };
        self.moves.insert(self.judged, root);
        self.judged += 1;
    }

    /// Moves the best of the rest to the front. Moves that are only known to be no better keep their order
    /// from earlier iterations.
    fn sort(&mut self) {
        self.moves[self.judged..].sort_by_key(|root| -root.value);
    }
}

impl Worker<'_> {
    /// Lists the moves of the root, the table's move first. The list is empty only if no point is empty or
    /// all are excluded.
    pub(super) fn list_root_moves(&mut self) {
        let options = self.shared.setup.options;
        let excluded = options.root_exclusions();
        let strongest = self.position.strongest();
        let forced = match Situation::of(&mut self.position, strongest) {
            Situation::MustBlock(set) | Situation::MustDefend(set) if self.trusts_threats() => set - excluded,
            _ => Bitboard::EMPTY,
        };
        let targets =
            if forced.is_empty() { self.evaluator.candidates(&self.position) - excluded } else { forced };
        let board = self.position.board();
        let known = self.shared.table.probe(board.hash(), 0).and_then(|entry| entry.best);
        let table_move = known.filter(|&point| self.can_play(point));
        let previous = board.last_move();
        let mut moves = MovePicker::new(Context { targets, ply: 0, table_move, previous });
        let mut points = Vec::new();
        while let Some((point, behind)) =
            moves.next(&self.position, &mut self.evaluator, &self.params, self.history)
        {
            if targets.contains(point) && self.position.is_allowed(point) {
                points.push((point, behind));
            }
        }
        if points.is_empty() {
            points.extend(self.any_move(excluded).map(|point| (point, 0)));
        }
        if let Some(symmetries) = self.counted_symmetries() {
            let distinct = symmetries.distinct(points.iter().map(|&(point, _)| point));
            points.retain(|(point, _)| distinct.contains(point));
        }
        self.root = RootMoves::new(points);
    }

    /// The symmetries of the position, if symmetric moves count as one.
    pub(super) fn counted_symmetries(&self) -> Option<Symmetries> {
        let options = self.shared.setup.options;
        let applies = options.distinct && !options.blocks_replies();
        applies.then(|| Symmetries::of_board(self.position.board()))
    }

    /// Whether the promises of [`Situation`] are reliable: all replies are allowed, and the game does not end
    /// before.
    pub(super) fn trusts_threats(&self) -> bool {
        !self.shared.setup.options.blocks_replies() && !self.is_near_end(0)
    }

    /// A move for the case that all nearby moves are fouls: any point that is not a foul, or otherwise a
    /// foul, because black must move.
    fn any_move(&mut self, excluded: Bitboard) -> Option<Point> {
        let empty = *self.position.board().empty() - excluded;
        empty.iter().find(|&point| self.position.is_allowed(point)).or_else(|| empty.iter().next())
    }

    /// Searches the moves that are not judged with the window `alpha` to `beta`, and sorts them by the
    /// result. Returns the value of the best, which is meaningless if the search was interrupted.
    pub(super) fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32) -> Value {
        if self.must_stop() {
            return DRAW;
        }
        self.root_depth = depth;
        let strongest = self.position.strongest();
        let situation = Situation::of(&mut self.position, strongest);
        let static_eval = self.evaluator.value(&self.position);
        let must_block = matches!(situation, Situation::MustBlock(_));
        self.evals[0] = if must_block { NO_EVAL } else { static_eval };
        let first = self.root.judged;
        let cost = if must_block && self.root.moves.len() == 1 { 0 } else { ONE_PLY };
        let (mut best, mut best_move, mut bound) = (-INFINITE, None, Bound::Upper);
        for index in first..self.root.moves.len() {
            let point = self.root.moves[index].point;
            let count = index - first + 1;
            let behind = self.root.moves[index].behind - self.root.moves[first].behind;
            let itself = self.late_move(point, behind);
            let late = LateMove { plies: depth / ONE_PLY, count, is_pv: true, ..itself };
            let reduction = self.params.late_move_reduction(&late);
            let before = self.nodes;
            self.reporter.root_event(RootEvent::Enter(point));
            self.play(point);
            let child = Node { alpha, beta, depth: depth - cost, ply: 0, is_cut: false };
            let value = self.search_child_of_line(child, count == 1, reduction);
            self.undo();
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
        // If only some of the moves were searched, the best value does not describe the position.
        if first == 0 && !self.shared.is_over() && !self.shared.setup.options.leaves_out() {
            let entry = TableEntry { value: best, eval: static_eval, depth, bound, best: best_move };
            self.shared.table.store(self.position.board().hash(), 0, entry);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(columns: [u8; N]) -> [Point; N] {
        columns.map(|column| Point::new(column, 0))
    }

    fn columns(roots: &RootMoves) -> Vec<u8> {
        roots.moves.iter().map(|root| root.point.x()).collect()
    }

    #[test]
    fn the_best_move_comes_first_and_the_rest_keep_their_order() {
        let mut roots = RootMoves::new(points([4, 5, 6, 7]).map(|point| (point, 0)));
        roots.begin_iteration(0);
        roots.moves[0].value = 10;
        roots.moves[2].value = 30;
        roots.sort();
        assert_eq!(columns(&roots), [6, 4, 5, 7]);
        roots.begin_iteration(0);
        assert_eq!(roots.best().map(|root| (root.value, root.previous)), Some((-INFINITE, 30)));
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
        roots.begin_iteration(2);
        roots.moves[3].value = 95;
        roots.sort();
        assert_eq!(roots.best().map(|root| root.point.x()), Some(6));
        roots.judge();
        let judged: Vec<u8> = roots.judged().iter().map(|root| root.point.x()).collect();
        assert_eq!(judged, [5, 6, 9], "the judged are sorted by value");
        assert_eq!(roots.best().map(|root| root.point.x()), Some(4));
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
