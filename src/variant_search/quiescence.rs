//! The quiescence search after the last ply: fours and their answers, until no move is forcing.

use super::params::{MAKES_FIVE, MAKES_FOUR, MAX_PLY};
use super::searchable::{Searchable, moves_to};
use super::searcher::{SearchLimits, Searcher};
use super::window::Window;
use crate::board::{Bitboard, Point};
use crate::game::Move;
use crate::think::score::{INFINITE, Value, mated_in};

impl<G: Searchable> Searcher<G> {
    /// The value for the side to move after fours and their answers are played out.
    pub(super) fn quiescence(
        &mut self,
        limits: &SearchLimits,
        plies: i32,
        ply: usize,
        window: Window,
    ) -> Value {
        self.lines[ply].clear();
        if let Some(value) = self.settled(ply) {
            return value;
        }
        let Window { mut alpha, beta } = window.possible(ply);
        if alpha >= beta {
            return alpha;
        }
        if self.ends(limits) {
            return alpha;
        }
        self.deepest = self.deepest.max(ply);
        if plies <= 0 || ply >= MAX_PLY || self.game.is_opening() {
            return self.evaluate();
        }
        let answers = self.answers();
        let mut best = if answers.is_some() { -INFINITE } else { self.evaluate() };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        for mv in self.forcing_moves(answers) {
            if self.game.check(mv).is_err() {
                continue;
            }
            let next = |this: &mut Self, window| this.quiescence(limits, plies - 1, ply + 1, window);
            let value = self.after(mv, Window { alpha, beta }, next);
            if self.is_over {
                return alpha;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // Nothing answers the five, so the next stone loses.
        if best == -INFINITE { mated_in(ply as i32 + 2) } else { best }
    }

    /// Moves to `answers` if there is a threat to answer; otherwise the moves that make a five or a four, or
    /// win by a capture.
    fn forcing_moves(&self, answers: Option<Bitboard>) -> Vec<Move> {
        let us = self.game.side_to_move();
        let least = if self.features.fours(us) > 0 { MAKES_FIVE } else { MAKES_FOUR };
        let is_forcing = |point: &Point| {
            self.features.gain(us, *point) >= least
                || self.game.captures_win(us, self.features.capture_at(us, *point))
        };
        let forcing = answers.unwrap_or_else(|| self.candidates().iter().filter(is_forcing).collect());
        let promise = |point| (self.features.gain(us, point) + self.features.gain(!us, point), point);
        let mut points: Vec<(i32, Point)> = forcing.iter().map(promise).collect();
        points.sort_unstable_by_key(|&(gain, point)| (std::cmp::Reverse(gain), point));
        points.into_iter().flat_map(|(_, point)| moves_to(&self.game, point)).collect()
    }
}
