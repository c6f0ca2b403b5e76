//! Which moves are worth a look, and in which order.

use super::super::Move;
use super::features::MAKES_FIVE;
use super::playable::{Playable, moves_to};
use super::searcher::Searcher;
use crate::board::{Bitboard, Color, Point};

/// A move with the number by which it is ordered.
pub type Scored = (i32, Move);

/// The moves of a position, the most promising first. Legality is asked when a move's turn comes: most cut off before.
///
/// Invariant: when none of the moves that look sensible is legal, all legal ones come.
pub struct Picker {
    moves: Vec<Scored>,
    next: usize,
    found_legal: bool,
    has_all: bool,
    is_sorted: bool,
    ply: usize,
}

impl Picker {
    /// The moves of the searcher's position at `ply`, to the `answers` alone when there is something to answer; `first`
    /// comes first if it is among them.
    pub fn new<G: Playable>(
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
    pub fn next<G: Playable>(&mut self, searcher: &Searcher<G>) -> Option<Scored> {
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
            // Nothing near, or nothing that answers: whatever is legal.
            (self.moves, self.next) = (searcher.legal_moves(self.ply), 0);
            (self.has_all, self.is_sorted) = (true, false);
        }
    }

    /// The moves that have been picked.
    pub fn picked(&self) -> &[Scored] {
        &self.moves[..self.next]
    }

    /// The best of the moves that are left. The first is only looked for; then it pays to sort.
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

impl<G: Playable> Searcher<G> {
    /// All legal moves.
    fn legal_moves(&self, ply: usize) -> Vec<Scored> {
        let us = self.game.side_to_move();
        self.game.legal_moves().into_iter().map(|mv| (self.promise(us, mv, ply), mv)).collect()
    }

    /// Moves to these points, legal or not.
    fn moves_among(&self, points: Bitboard, ply: usize) -> Vec<Scored> {
        let us = self.game.side_to_move();
        let mut moves: Vec<Scored> = Vec::with_capacity(96);
        for point in points.iter() {
            moves.extend(moves_to(&self.game, point).map(|mv| (self.promise(us, mv, ply), mv)));
        }
        moves
    }

    /// Empty points near stones; all of them on small boards.
    pub(super) fn candidates(&self) -> Bitboard {
        self.features.candidates()
    }

    /// When the other side wins by its next stone unless this move prevents it, and we can't win first: where a stone
    /// could.
    pub(super) fn answers(&self) -> Option<Bitboard> {
        let us = self.game.side_to_move();
        if self.game.must_break() {
            return Some(self.candidates().iter().filter(|&point| self.captures(point)).collect());
        }
        if self.features.fours(us) > 0 || self.game.awaits_win() {
            return None;
        }
        if self.features.fours(!us) > 0 && self.game.passes_turn() {
            let makes_five = |point: &Point| {
                self.features.gain(!us, *point) >= MAKES_FIVE && self.game.makes_five(!us, *point)
            };
            let mut fives = self.candidates().iter().filter(makes_five).peekable();
            if fives.peek().is_some() {
                let at_once = self.candidates().iter().filter(|&point| self.stops_five(point)).collect();
                return fives.try_fold(at_once, |answers, five| {
                    Some(answers | self.game.five_answers(&self.features, five)?)
                });
            }
        }
        self.game.track_saves(&self.features)
    }

    /// Whether a stone on `point` could prevent a five: it fills the row, or captures.
    fn stops_five(&self, point: Point) -> bool {
        let us = self.game.side_to_move();
        self.features.gain(!us, point) >= MAKES_FIVE || self.captures(point)
    }

    /// Whether the side to move captures by a stone on `point`.
    fn captures(&self, point: Point) -> bool {
        self.features.capture_at(self.game.side_to_move(), point) > 0 || self.game.captures_otherwise(point)
    }

    fn promise(&self, us: Color, mv: Move, ply: usize) -> i32 {
        let point = mv.point;
        let (own, theirs) = (self.features.gain(us, point), self.features.gain(!us, point));
        let hunt = 400 * self.features.capture_at(us, point) + 250 * self.features.capture_at(!us, point);
        let killer = if self.killers[ply].contains(&Some(mv)) { 300 } else { 0 };
        2 * own + theirs * 3 / 2 + hunt + killer + self.history[us].of(point) / 8
    }
}
