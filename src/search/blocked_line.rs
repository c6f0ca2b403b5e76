//! Nodes on blocked lines: positions after root moves that begin a line which must not be completed.
//!
//! The value of such a node is valid only on this path from the root, so the table is neither probed nor
//! updated. Its moves are not restricted by threats either, because the answers to a threat may be blocked.

use super::move_picker::{Context, MovePicker};
use super::node::Node;
use super::params::{LateMove, MAX_PLY, ONE_PLY};
use super::situation::Situation;
use super::worker::{NO_EVAL, Worker};
use crate::board::Point;
use crate::rules::PointClass;
use crate::think::score::{DRAW, INFINITE, Value, mate_in};

impl Worker<'_> {
    /// Like [`Worker::search_child`] with an open window; a child on a blocked line is searched without the
    /// moves that complete the line.
    pub(super) fn search_child_of_line(&mut self, child: Node, first: bool, reduction: i32) -> Value {
        let options = self.shared.setup.options;
        if !options.blocks_replies() || !options.continues(&self.moves_from_root(child.ply + 1)) {
            return self.search_child::<true>(child, first, reduction);
        }
        let Node { alpha, beta, ply, .. } = child;
        -self.search_blocked_line(Node { alpha: -beta, beta: -alpha, ply: ply + 1, ..child })
    }

    /// The value of a node on a blocked line, for the side to move.
    fn search_blocked_line(&mut self, node: Node) -> Value {
        let Node { mut alpha, beta, depth, ply, .. } = node;
        self.lines[ply].clear();
        self.evals[ply] = NO_EVAL;
        if self.must_stop() {
            return DRAW;
        }
        if ply >= self.last_ply {
            return self.draw_value(ply);
        }
        if ply + 2 >= MAX_PLY {
            return self.evaluator.value(&self.position);
        }
        let blocked = self.shared.setup.options.completing(&self.moves_from_root(ply));
        let board = self.position.board();
        let (us, previous) = (board.side_to_move(), board.last_move());
        if !(self.position.at_least(us, PointClass::Five) - blocked).is_empty() {
            return mate_in(ply as i32 + 1);
        }
        let targets = self.evaluator.candidates(&self.position) - blocked;
        let mut moves = MovePicker::new(Context { targets, ply, table_move: None, previous });
        let of_node = LateMove { plies: depth / ONE_PLY, is_pv: true, ..LateMove::default() };
        let (mut best, mut count) = (-INFINITE, 0);
        while let Some((point, behind)) = self.next_move(&mut moves) {
            if !self.position.is_allowed(point) {
                continue;
            }
            count += 1;
            let late = self.late_move(LateMove { count, ..of_node }, point, behind);
            let reduction = self.params.late_move_reduction(&late);
            self.play(point);
            let child = Node { alpha, depth: depth - ONE_PLY, ..node };
            let value = self.search_child_of_line(child, count == 1, reduction);
            self.undo();
            if self.shared.is_over() {
                return DRAW;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.begin_line(ply, point);
            }
            if value >= beta {
                break;
            }
        }
        if best > -INFINITE {
            best
        } else if self.position.board().empty().is_empty() {
            self.draw_value(ply)
        } else {
            self.only_fouls(Situation::Free, ply)
        }
    }

    /// The moves from the root to a node at `ply`.
    fn moves_from_root(&self, ply: usize) -> Vec<Point> {
        let history = self.position.board().history();
        history[history.len() - ply..].iter().copied().flatten().collect()
    }
}
