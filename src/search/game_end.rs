//! The end of a game that is drawn at a given number of stones: a row completed later does not win.
//!
//! Mates count plies, so a bound on the plies is enough almost everywhere. Only near the end, where the
//! threats on the board would promise wins that come too late, this module searches the nodes exactly.

use super::situation::Situation;
use super::worker::Worker;
use crate::rules::RuleKind;
use crate::think::score::{DRAW, INFINITE, Value, mate_plies, mated_in};
use crate::threat::{ENDLESS, fours};

/// Whether the point classes of a rule show every four that cannot be answered.
fn has_all_fours(kind: RuleKind) -> bool {
    matches!(kind, RuleKind::Freestyle | RuleKind::Standard)
}

/// Maximum number of empty points with which the search also finds renju positions that leave black only fouls. With
/// more, this hardly ever happens in the moves that are left.
const FEW: usize = 6;

/// Number of plies within which [`Situation`] can promise a win or a loss.
pub const SITUATION_PLIES: usize = 4;

impl Worker<'_> {
    /// The value of a draw for the side to move at `ply`.
    #[inline]
    pub(super) fn draw_value(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) { self.root_draw_value } else { -self.root_draw_value }
    }

    /// Whether the game ends as a draw at a given number of stones.
    #[inline]
    pub(super) fn has_stone_limit(&self) -> bool {
        self.last_ply < usize::MAX
    }

    /// Number of moves that the side to move at `ply` has before the game ends; [`ENDLESS`] if the game has no
    /// such end.
    #[inline]
    pub(super) fn moves_left(&self, ply: usize) -> u16 {
        self.last_ply.saturating_sub(ply).div_ceil(2).min(usize::from(ENDLESS)) as u16
    }

    /// Whether the game ends so soon that a win promised by [`Situation`] may come too late.
    #[inline]
    pub(super) fn is_near_end(&self, ply: usize) -> bool {
        ply + SITUATION_PLIES >= self.last_ply
    }

    /// The value of a node at the end of the game or near it, for the side to move.
    #[inline]
    pub(super) fn value_at_end(&mut self, alpha: Value, beta: Value, ply: usize) -> Option<Value> {
        if self.is_near_end(ply) {
            return Some(self.search_near_end(alpha, beta, ply));
        }
        (ply >= self.full_ply).then(|| self.draw_value(ply))
    }

    /// The value of a node near the end, for the side to move; meaningless if the search was interrupted.
    #[cold]
    pub(super) fn search_near_end(&mut self, mut alpha: Value, beta: Value, ply: usize) -> Value {
        if self.must_stop() {
            return DRAW;
        }
        let (left, draw, here) = (self.last_ply.saturating_sub(ply), self.draw_value(ply), ply as i32);
        if left == 0 || ply >= self.full_ply {
            return draw;
        }
        let us = self.position.board().side_to_move();
        let situation = Situation::find(&mut self.position);
        if let Some(value) = situation
            .value(here)
            .filter(|&value| mate_plies(value).is_some_and(|plies| (plies - here) as usize <= left))
        {
            return value;
        }
        if self.must_play_foul() {
            return mated_in(here + 1);
        }
        let (empty, kind) = (*self.position.board().empty(), self.position.rule().kind);
        let may_run_out = kind == RuleKind::Renju && empty.len() <= FEW;
        if left < 2 || left < 3 && !may_run_out {
            return draw;
        }
        let (targets, others) = match situation {
            Situation::MustBlock(set) => (set, -INFINITE),
            // Any move may leave black nothing but fouls.
            _ if may_run_out => (empty, -INFINITE),
            Situation::MustDefend(set) if left > 3 => (set, -INFINITE),
            // Point classes do not show all fours that win: in caro two at once, in renju one whose only answer is a foul.
            _ if left > 3 && !has_all_fours(kind) => (self.evaluator.candidates(&self.position), -INFINITE),
            // Only a four that cannot be answered can still win. Everything else draws.
            _ => (fours(&mut self.position, us), draw),
        };
        let mut best = others;
        alpha = alpha.max(best);
        for point in targets {
            if best >= beta || !self.position.is_allowed(point) {
                continue;
            }
            self.play(point);
            let value = -self.search_near_end(-beta, -alpha, ply + 1);
            self.undo();
            if self.shared.is_over() {
                return DRAW;
            }
            best = best.max(value);
            alpha = alpha.max(best);
        }
        if best == -INFINITE { self.only_fouls(situation, ply) } else { best }
    }

    /// Whether every empty point is a foul for the side to move, which therefore loses at once.
    pub(super) fn must_play_foul(&mut self) -> bool {
        let empty = *self.position.board().empty();
        !empty.iter().any(|point| self.position.is_allowed(point))
    }
}
