//! Selects the moves worth searching, and orders them.

use super::params::move_order;
use super::searchable::{Searchable, moves_to};
use super::searcher::Searcher;
use crate::board::{Bitboard, Color};
use crate::game::Move;

/// A move with its ordering score.
pub type Scored = (i32, Move);

/// The moves of a position, most promising first. Legality is checked when a move is picked, because most
/// nodes cut off early.
///
/// Invariant: if no promising move is legal, all legal moves are returned.
pub struct Picker {
    moves: Vec<Scored>,
    next: usize,
    found_legal: bool,
    has_all: bool,
    is_sorted: bool,
    ply: usize,
}

impl Picker {
    /// The moves of the searcher's position at `ply`, or only moves to `answers` if there is a threat to
    /// answer. `first` is returned first if it is among them.
    pub fn new<G: Searchable>(
        searcher: &Searcher<G>,
        ply: usize,
        first: Option<Move>,
        answers: Option<Bitboard>,
    ) -> Picker {
        let is_opening = searcher.game.is_opening();
        let points = answers.unwrap_or_else(|| searcher.candidates());
        let mut moves =
            if is_opening { searcher.legal_moves(ply) } else { searcher.moves_among(points, ply) };
        if let Some(first) = moves.iter_mut().find(|(_, mv)| Some(*mv) == first) {
            first.0 = i32::MAX;
        }
        Picker { moves, next: 0, found_legal: false, has_all: is_opening, is_sorted: false, ply }
    }

    /// The next legal move.
    pub fn next<G: Searchable>(&mut self, searcher: &Searcher<G>) -> Option<Scored> {
        loop {
            while let Some(scored) = self.pick() {
                let is_excluded = self.ply == 0 && searcher.excluded.contains(&scored.1);
                if searcher.game.check(scored.1).is_ok() {
                    self.found_legal = true;
                    if !is_excluded {
                        return Some(scored);
                    }
                }
            }
            if self.found_legal || self.has_all {
                return None;
            }
            // No candidate and no answer is legal, so all legal moves are used.
            (self.moves, self.next) = (searcher.legal_moves(self.ply), 0);
            (self.has_all, self.is_sorted) = (true, false);
        }
    }

    /// The moves picked so far.
    pub fn picked(&self) -> &[Scored] {
        &self.moves[..self.next]
    }

    /// The best remaining move. The first one is found by a scan; if a second is needed, the rest is sorted.
    fn pick(&mut self) -> Option<Scored> {
        let key = |&(promise, mv): &Scored| (std::cmp::Reverse(promise), mv);
        let left = &mut self.moves[self.next..];
        if self.next > 0 && !self.is_sorted {
            left.sort_unstable_by_key(key);
            self.is_sorted = true;
        } else if !self.is_sorted {
            let best = left.iter().enumerate().min_by_key(|(_, scored)| key(scored)).map(|(index, _)| index);
            left.swap(0, best?);
        }
        let picked = *left.first()?;
        self.next += 1;
        Some(picked)
    }
}

impl<G: Searchable> Searcher<G> {
    /// All legal moves.
    fn legal_moves(&self, ply: usize) -> Vec<Scored> {
        let us = self.game.side_to_move();
        self.game.legal_moves().into_iter().map(|mv| (self.order(us, mv, ply), mv)).collect()
    }

    /// Moves to these points, whether legal or not.
    fn moves_among(&self, points: Bitboard, ply: usize) -> Vec<Scored> {
        let us = self.game.side_to_move();
        let mut moves: Vec<Scored> = Vec::with_capacity(96);
        for point in points.iter() {
            moves.extend(moves_to(&self.game, point).map(|mv| (self.order(us, mv, ply), mv)));
        }
        moves
    }

    /// Empty points near stones; all empty points on small boards.
    pub(super) fn candidates(&self) -> Bitboard {
        self.features.candidates()
    }

    /// The points where a stone could prevent the other side from winning with its next stone; see
    /// [`Searchable::answers`].
    pub(super) fn answers(&self) -> Option<Bitboard> {
        self.game.answers(&self.features)
    }

    fn order(&self, us: Color, mv: Move, ply: usize) -> i32 {
        let both = |of: &dyn Fn(Color) -> i32| [of(us), of(!us)];
        let gains = both(&|color| self.features.gain(color, mv.point));
        let captures = both(&|color| self.features.capture_at(color, mv.point));
        let is_killer = self.killers[ply].contains(&Some(mv));
        move_order(gains, captures, is_killer, self.history[us].of(mv.point))
    }
}
