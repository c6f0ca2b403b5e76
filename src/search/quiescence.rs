//! Quiescence: the value of a position that is not searched further. It is the static evaluation, or a win by
//! fours that the evaluation does not see.
//!
//! Most nodes of a search are fours tried here. They are left to the solver, which needs no evaluation on the
//! way and keeps its results from one call to the next.

use super::static_eval::StaticEval;
use super::transposition::TableEntry;
use super::worker::Worker;
use crate::board::ByColor;
use crate::rules::PointClass;
use crate::think::Bound;
use crate::think::score::{DRAW, Value, mate_in_moves, to_root};
use crate::threat::SolverResult;

impl Worker<'_> {
    /// The value, for the side to move, of a position where neither side wins immediately. `strongest` is
    /// [`Position::strongest`](crate::rules::Position::strongest).
    pub(super) fn quiescence(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        strongest: ByColor<PointClass>,
    ) -> Value {
        if self.must_stop() {
            return DRAW;
        }
        let (hash, here) = (self.position.board().hash(), ply as i32);
        let entry = self.shared.table.probe(hash, here);
        if let Some(entry) = entry.filter(|entry| entry.cuts(alpha, beta)) {
            return entry.value;
        }
        let us = self.position.board().side_to_move();
        let StaticEval { raw, corrected: eval, .. } = self.static_eval(entry, strongest);
        if eval >= beta || strongest[us] < PointClass::Four {
            return eval;
        }
        let max_nodes = self.fours_left().min(self.params.quiescence_fours as u64);
        let max_moves = self.moves_left(ply);
        let answer = self.vcf.solve_within(&mut self.position, max_moves, max_nodes);
        self.charge_fours(self.vcf.nodes());
        let (value, bound) = match answer {
            SolverResult::Win { moves, .. } => (to_root(mate_in_moves(moves), here), Bound::Lower),
            SolverResult::None | SolverResult::Unknown => (eval, Bound::Exact),
        };
        if entry.is_none() {
            let entry = TableEntry { value, eval: raw, depth: 0, bound, best: None };
            self.shared.table.store(hash, here, entry);
        }
        value
    }
}
