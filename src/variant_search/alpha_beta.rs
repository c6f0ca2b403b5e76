//! The recursive search: principal variation search with a transposition table, killers, history, reductions
//! and forward pruning.

use super::params::{
    MAKES_FOUR, MAX_PLY, QUIESCENCE_PLIES, SHALLOW, extension_plies, late_move_count, late_move_reduction,
    reverse_futility_margin,
};
use super::picker::Picker;
use super::searchable::Searchable;
use super::searcher::{SearchLimits, Searcher};
use super::table::GameTableEntry;
use super::window::Window;
use crate::game::Move;
use crate::think::Bound;
use crate::think::score::{INFINITE, MATE_THRESHOLD, Value};

/// A move of a node, which is searched next.
#[derive(Clone, Copy)]
struct Attempt {
    mv: Move,
    /// Number of moves searched before it.
    index: usize,
    /// Whether it promises less than a four.
    is_quiet: bool,
    /// Depth of the node in plies.
    depth: i32,
    /// Distance of the node from the root.
    ply: usize,
}

impl<G: Searchable> Searcher<G> {
    /// The value of the position for the side to move, searched to `depth` plies.
    pub fn search(&mut self, limits: &SearchLimits, mut depth: i32, ply: usize, window: Window) -> Value {
        self.lines[ply].clear();
        if let Some(value) = self.settled(ply) {
            return value;
        }
        let is_pv = window.beta - window.alpha > 1;
        let Window { mut alpha, beta } = window.possible(ply);
        if alpha >= beta {
            return alpha;
        }
        // A forced answer costs no depth, within limits.
        let answers = self.answers();
        let is_forced = ply > 0 && answers.is_some();
        if is_forced && extension_plies(depth).contains(&ply) {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(limits, QUIESCENCE_PLIES, ply, Window { alpha, beta });
        }
        if self.ends(limits) {
            return alpha;
        }
        self.deepest = self.deepest.max(ply);
        let hash = self.game.hash();
        let known = self.table.probe(hash, ply as i32);
        if let Some(entry) = known.filter(|entry| i32::from(entry.depth) >= depth && !is_pv && ply > 0)
            && entry.bound.cuts(entry.value, alpha, beta)
        {
            return entry.value;
        }
        // The side to move is so far ahead that a few plies will not change it.
        if !is_pv && !is_forced && depth <= SHALLOW {
            let value = self.evaluate();
            if value - reverse_futility_margin(depth) >= beta
                && self.features.fours(!self.game.side_to_move()) == 0
            {
                return value;
            }
        }
        let mut picker = Picker::new(self, ply, known.and_then(|entry| entry.best), answers);
        let old_alpha = alpha;
        let mut best = (-INFINITE, None);
        for index in 0.. {
            let Some((promise, mv)) = picker.next(self) else { break };
            let is_quiet = promise < MAKES_FOUR;
            // Late quiet moves at low depth are skipped: the move ordering has ranked them low.
            let is_late = depth <= SHALLOW && index >= late_move_count(depth);
            if !is_pv && is_quiet && is_late && best.0 > -MATE_THRESHOLD {
                break;
            }
            let attempt = Attempt { mv, index, is_quiet, depth, ply };
            let value = self.try_move(limits, attempt, Window { alpha, beta });
            if self.is_over {
                return alpha;
            }
            if value > best.0 {
                best = (value, Some(mv));
                if value > alpha {
                    alpha = value;
                    self.note_line(ply, mv);
                }
            }
            if alpha >= beta {
                if is_quiet {
                    self.note_cutoff(&picker, depth, ply);
                }
                break;
            }
        }
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // A root without its best moves is a different position and is not stored.
        if ply > 0 || self.excluded.is_empty() {
            let entry = GameTableEntry { value: best.0, depth: depth as i16, bound, best: best.1 };
            self.table.store(hash, ply as i32, entry);
        }
        best.0
    }

    /// Sets the line from `ply` to `mv` followed by the line found after it.
    fn note_line(&mut self, ply: usize, mv: Move) {
        let rest = std::mem::take(&mut self.lines[ply + 1]);
        let line = &mut self.lines[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&rest);
        self.lines[ply + 1] = rest;
    }

    /// Records that the last picked move caused a cutoff and the earlier ones did not.
    fn note_cutoff(&mut self, picker: &Picker, depth: i32, ply: usize) {
        let Some((&(_, mv), earlier)) = picker.picked().split_last() else { return };
        let history = &mut self.history[self.game.side_to_move()];
        history.remember(mv.point, depth * depth);
        for &(_, earlier) in earlier {
            history.remember(earlier.point, -depth * depth / 2);
        }
        if self.killers[ply][0] != Some(mv) {
            self.killers[ply] = [Some(mv), self.killers[ply][0]];
        }
    }

    /// Searches the first move with the full window, the others with a null window first, and late ones with
    /// reduced depth.
    fn try_move(&mut self, limits: &SearchLimits, attempt: Attempt, window: Window) -> Value {
        let Attempt { mv, index, is_quiet, depth, ply } = attempt;
        let full = |this: &mut Self, window| this.search(limits, depth - 1, ply + 1, window);
        if index == 0 {
            return self.after(mv, window, full);
        }
        let Window { alpha, beta } = window;
        let reduction = if is_quiet { late_move_reduction(index, depth) } else { 0 };
        if reduction > 0 {
            let reduced =
                |this: &mut Self, window| this.search(limits, depth - 1 - reduction, ply + 1, window);
            let value = self.after(mv, window.null(), reduced);
            if value <= alpha || self.is_over {
                return value;
            }
        }
        let value = self.after(mv, window.null(), full);
        if value > alpha && value < beta && !self.is_over { self.after(mv, window, full) } else { value }
    }
}
