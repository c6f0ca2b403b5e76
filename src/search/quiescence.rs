//! Quiescence: fours and the replies that they force, until neither side has one worth trying.

use super::move_picker::{Context, MovePicker};
use super::params::MAX_PLY;
use super::score::{DRAW, Value, mate_in, mated_in};
use super::situation::Situation;
use super::transposition::{Bound, Entry};
use super::worker::Worker;
use crate::board::ByColor;
use crate::rules::PointClass;

/// Bounds and place of a node, and how much longer the chain of fours may get.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub alpha: Value,
    pub beta: Value,
    pub ply: usize,
    pub plies: i32,
    /// The count of nodes at which fours are no longer tried.
    pub until: u64,
}

impl Chain {
    /// The node after a move, where the mover is sure of `alpha`.
    fn next(self, alpha: Value) -> Chain {
        Chain { alpha: -self.beta, beta: -alpha, ply: self.ply + 1, plies: self.plies - 1, ..self }
    }
}

impl Worker<'_> {
    /// The static evaluation, or a win by fours that it does not see. `plies` is how much longer a chain may get.
    fn quiescence(&mut self, chain: Chain) -> Value {
        let strongest = self.position.strongest();
        let situation = Situation::of(&mut self.position, strongest);
        self.quiescence_of(situation, strongest, chain)
    }

    /// The same where the threats are known already.
    pub(super) fn quiescence_of(
        &mut self,
        situation: Situation,
        strongest: ByColor<PointClass>,
        chain: Chain,
    ) -> Value {
        let Chain { mut alpha, beta, ply, plies, until } = chain;
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let here = ply as i32;
        let us = self.position.board().side_to_move();
        match situation {
            Situation::Wins => return mate_in(here + 1),
            Situation::WinsByFour => return mate_in(here + 3),
            Situation::MustBlock(set) => {
                let mut best = mated_in(here + 2);
                for point in set.iter() {
                    self.play(point);
                    best = best.max(-self.quiescence(chain.next(alpha)));
                    self.undo();
                    if self.shared.is_over() {
                        return DRAW;
                    }
                    alpha = alpha.max(best);
                    if alpha >= beta {
                        break;
                    }
                }
                return best;
            }
            Situation::MustDefend(set) if set.is_empty() => return mated_in(here + 4),
            Situation::MustDefend(_) | Situation::Free => {}
        }

        let eval = self.evaluator.value(&self.position);
        let mut best = eval;
        if best >= beta
            || plies <= 0
            || self.nodes >= until
            || strongest[us] < PointClass::Four
            || ply + 2 >= MAX_PLY
        {
            return best;
        }
        // Chains of fours meet again in many orders, and a deeper search may know more.
        let hash = self.position.board().hash();
        let known = self.shared.table.probe(hash, here);
        if let Some(entry) = known.filter(|entry| entry.cuts(alpha, beta)) {
            return entry.value;
        }
        let fours = self.position.at_least(us, PointClass::Four);
        let context =
            Context { params: &self.params, history: self.history, ply, table_move: None, previous: None };
        let mut moves = MovePicker::new(&self.position, &self.evaluator, fours, &context);
        while let Some(point) = moves.next() {
            self.play(point);
            let value = -self.quiescence(chain.next(alpha.max(best)));
            self.undo();
            if self.shared.is_over() {
                return DRAW;
            }
            if value > best {
                best = value;
                if best >= beta {
                    break;
                }
            }
            alpha = alpha.max(best);
        }
        if known.is_none() {
            let bound = if best >= beta { Bound::Lower } else { Bound::Exact };
            let entry = Entry { value: best, eval, depth: 0, bound, best: None };
            self.shared.table.store(hash, here, entry);
        }
        best
    }
}
