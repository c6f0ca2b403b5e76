//! The recursive search: principal variation search with a table, killers, history, reductions, and a quiescence search
//! over fours and their answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::super::Move;
use super::features::{Features, MAKES_FIVE, MAKES_FOUR};
use super::history::History;
use super::playable::{Playable, moves_to};
use super::table::{Bound, Table};
use crate::board::{ByColor, Cell, Color, Point};
use crate::search::score::{DRAW, INFINITE, MATE_THRESHOLD, Value, mate_in, mated_in};

/// Deepest ply from the root.
pub const MAX_PLY: usize = 128;
/// Plies of fours that the quiescence search follows.
const QUIET_PLIES: i32 = 10;
/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 512;
/// What a turn is worth besides the rest.
const TEMPO: Value = 12;
/// Depths at which the static evaluation may speak for the search, and late moves are left out.
const SHALLOW: i32 = 3;
/// What one ply may change, as far as that cutoff trusts the evaluation.
const MARGIN_PER_PLY: Value = 90;

/// Quiet moves that are looked at near the leaves.
fn late_move_count(depth: i32) -> usize {
    (6 + 6 * depth) as usize
}

/// Plies that a late quiet move is searched less, at first.
fn reduction(index: usize, depth: i32) -> i32 {
    match (index, depth) {
        (3.., 3..) => 1 + i32::from(index >= 10) + i32::from(depth >= 6 && index >= 6),
        _ => 0,
    }
}

/// What ends a search.
pub struct Reins<'a> {
    /// Set from outside to end it.
    pub stop: &'a AtomicBool,
    /// When it has to end.
    pub deadline: Option<Instant>,
    /// Nodes that it may visit.
    pub max_nodes: u64,
}

/// A move with the number by which it is ordered.
type Scored = (i32, Move);

/// A game being searched, with all that the search keeps of it.
pub struct Searcher<G> {
    /// The game; the search leaves it as it was.
    pub game: G,
    features: Features,
    table: Table,
    history: ByColor<History>,
    killers: Vec<[Option<Move>; 2]>,
    /// The principal variation from each ply on.
    lines: Vec<Vec<Move>>,
    /// Positions visited in this search.
    pub nodes: u64,
    /// Deepest ply of this search.
    pub deepest: usize,
    /// Set when the search has to end: values that come back then mean nothing.
    pub is_over: bool,
}

impl<G: Playable> Searcher<G> {
    /// A searcher for a game at any point.
    pub fn new(game: G) -> Searcher<G> {
        let mut features = Features::new(&game.lines(), game.prey());
        for point in game.size().points().filter(|&point| game.counts(point)) {
            features.change(point, Cell::Empty, game.cell(point));
        }
        Searcher {
            game,
            features,
            table: Table::default(),
            history: ByColor::default(),
            killers: vec![[None; 2]; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            deepest: 0,
            is_over: false,
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
        for change in self.game.changes() {
            if self.game.counts(change.point) {
                self.features.change(change.point, change.from, change.to);
            }
        }
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        for change in self.game.changes().into_iter().rev() {
            if self.game.counts(change.point) {
                self.features.change(change.point, change.to, change.from);
            }
        }
        self.game.undo();
    }

    /// Forgets what only the last search needed.
    pub fn begin(&mut self) {
        self.nodes = 0;
        self.deepest = 0;
        self.is_over = false;
        self.killers.fill([None; 2]);
        self.table.new_search();
    }

    /// The best line that the last finished search found.
    pub fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// The value of the position for the side to move, without looking ahead.
    pub fn evaluate(&self) -> Value {
        let us = self.game.side_to_move();
        let side = |color, is_turn| {
            self.features.worth(color)
                + self.game.assets(color)
                + self.game.hunting(self.features.capturable(color), is_turn)
        };
        side(us, true) - side(!us, false) + self.features.worth(us) / 8 + TEMPO
    }

    /// The legal moves worth a look, the most promising first.
    pub fn ordered_moves(&self, ply: usize, first: Option<Move>) -> Vec<Scored> {
        let us = self.game.side_to_move();
        let must_answer = self.must_answer();
        let mut moves: Vec<Scored> = Vec::with_capacity(64);
        if self.game.is_opening() {
            moves.extend(self.game.legal_moves().into_iter().map(|mv| (0, mv)));
        } else {
            for point in self.candidates() {
                let answers = self.answers(point);
                if must_answer && !answers {
                    continue;
                }
                moves.extend(moves_to(&self.game, point).map(|mv| (self.promise(us, mv, ply), mv)));
            }
            moves.retain(|&(_, mv)| self.game.check(mv).is_ok());
        }
        if moves.is_empty() {
            // Nothing near, or nothing that answers: whatever is legal.
            moves.extend(self.game.legal_moves().into_iter().map(|mv| (self.promise(us, mv, ply), mv)));
        }
        if let Some(first) = moves.iter_mut().find(|(_, mv)| Some(*mv) == first) {
            first.0 = i32::MAX;
        }
        moves.sort_by_key(|&(promise, mv)| (std::cmp::Reverse(promise), mv));
        moves
    }

    /// Empty points near stones; all of them on small boards.
    fn candidates(&self) -> impl Iterator<Item = Point> + '_ {
        let is_empty = |&point: &Point| self.game.cell(point) == Cell::Empty && self.game.counts(point);
        let near = |&point: &Point| !G::FORCING || self.features.is_near(point);
        self.game.size().points().filter(is_empty).filter(near)
    }

    /// Whether the other side wins by its next stone unless this move prevents it, and we can't win first.
    fn must_answer(&self) -> bool {
        let us = self.game.side_to_move();
        G::FORCING
            && self.features.fours(!us) > 0
            && self.features.fours(us) == 0
            && self
                .candidates()
                .any(|point| self.features.gain(!us, point) >= MAKES_FIVE && self.game.makes_five(!us, point))
    }

    /// Whether a stone on `point` could prevent a five: it fills the row, or captures.
    fn answers(&self, point: Point) -> bool {
        let us = self.game.side_to_move();
        self.features.gain(!us, point) >= MAKES_FIVE || self.features.capture_at(us, point) > 0
    }

    fn promise(&self, us: Color, mv: Move, ply: usize) -> i32 {
        let point = mv.point;
        let (own, theirs) = (self.features.gain(us, point), self.features.gain(!us, point));
        let hunt = 400 * self.features.capture_at(us, point) + 250 * self.features.capture_at(!us, point);
        let killer = if self.killers[ply].contains(&Some(mv)) { 300 } else { 0 };
        2 * own + theirs * 3 / 2 + hunt + killer + self.history[us].of(point) / 8
    }

    fn ends(&mut self, reins: &Reins) -> bool {
        self.nodes += 1;
        self.is_over |= self.nodes > reins.max_nodes;
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            let late = reins.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.is_over |= late || reins.stop.load(Ordering::Relaxed);
        }
        self.is_over
    }

    /// The value of a game that has ended, for the side to move.
    fn ended(&self, ply: usize) -> Option<Value> {
        let outcome = self.game.outcome()?;
        Some(match outcome.winner {
            None => DRAW,
            Some(winner) if winner == self.game.side_to_move() => mate_in(ply as i32),
            Some(_) => mated_in(ply as i32),
        })
    }

    /// The value of the position after `mv` for the side that plays it, by `search` on the window as the next side sees it.
    fn after(
        &mut self,
        mv: Move,
        (alpha, beta): (Value, Value),
        search: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let us = self.game.side_to_move();
        self.play(mv);
        let value = if self.game.side_to_move() == us {
            search(self, alpha, beta)
        } else {
            -search(self, -beta, -alpha)
        };
        self.undo();
        value
    }

    /// The value of the position for the side to move, `depth` plies deep.
    pub fn search(
        &mut self,
        reins: &Reins,
        mut depth: i32,
        ply: usize,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        self.lines[ply].clear();
        if let Some(value) = self.ended(ply) {
            self.nodes += 1;
            return value;
        }
        // A forced answer costs no depth, within reason.
        let is_forced = ply > 0 && self.must_answer();
        if is_forced && ply < 3 * (depth.max(1) as usize) + 24 {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiet(reins, QUIET_PLIES, ply, alpha, beta);
        }
        if self.ends(reins) {
            return alpha;
        }
        self.deepest = self.deepest.max(ply);
        let is_pv = beta - alpha > 1;
        let hash = self.game.hash();
        let known = self.table.probe(hash, ply as i32);
        if let Some(entry) = known.filter(|entry| i32::from(entry.depth) >= depth && !is_pv && ply > 0) {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Lower if entry.value >= beta => return entry.value,
                Bound::Upper if entry.value <= alpha => return entry.value,
                _ => {}
            }
        }
        // So far ahead that a few plies change nothing.
        if !is_pv && !is_forced && depth <= SHALLOW {
            let value = self.evaluate();
            if value - MARGIN_PER_PLY * depth >= beta && self.features.fours(!self.game.side_to_move()) == 0 {
                return value;
            }
        }
        let us = self.game.side_to_move();
        let moves = self.ordered_moves(ply, known.and_then(|entry| entry.best));
        let old_alpha = alpha;
        let mut best = (-INFINITE, None);
        for (index, &(promise, mv)) in moves.iter().enumerate() {
            let is_quiet = promise < MAKES_FOUR;
            // Late quiet moves at low depth: the ordering has seen enough of them.
            let is_late = depth <= SHALLOW && index >= late_move_count(depth);
            if !is_pv && is_quiet && is_late && best.0 > -MATE_THRESHOLD {
                break;
            }
            let value = self.try_move(reins, mv, (depth, ply), (index, is_quiet), (alpha, beta));
            if self.is_over {
                return alpha;
            }
            if value > best.0 {
                best = (value, Some(mv));
                if value > alpha {
                    alpha = value;
                    let rest = std::mem::take(&mut self.lines[ply + 1]);
                    let line = &mut self.lines[ply];
                    line.clear();
                    line.push(mv);
                    line.extend_from_slice(&rest);
                    self.lines[ply + 1] = rest;
                }
            }
            if alpha >= beta {
                if is_quiet {
                    self.history[us].remember(mv.point, depth * depth);
                    for &(_, earlier) in &moves[..index] {
                        self.history[us].remember(earlier.point, -depth * depth / 2);
                    }
                    if self.killers[ply][0] != Some(mv) {
                        self.killers[ply] = [Some(mv), self.killers[ply][0]];
                    }
                }
                break;
            }
        }
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.store(hash, ply as i32, depth, best.0, bound, best.1);
        best.0
    }

    /// The first move with the whole window, the others with a null window and, late ones, less depth first.
    fn try_move(
        &mut self,
        reins: &Reins,
        mv: Move,
        (depth, ply): (i32, usize),
        (index, is_quiet): (usize, bool),
        (alpha, beta): (Value, Value),
    ) -> Value {
        let full = |this: &mut Self, alpha, beta| this.search(reins, depth - 1, ply + 1, alpha, beta);
        if index == 0 {
            return self.after(mv, (alpha, beta), full);
        }
        let reduction = if is_quiet { reduction(index, depth) } else { 0 };
        if reduction > 0 {
            let reduced = |this: &mut Self, alpha, beta| {
                this.search(reins, depth - 1 - reduction, ply + 1, alpha, beta)
            };
            let value = self.after(mv, (alpha, alpha + 1), reduced);
            if value <= alpha || self.is_over {
                return value;
            }
        }
        let value = self.after(mv, (alpha, alpha + 1), full);
        if value > alpha && value < beta && !self.is_over {
            self.after(mv, (alpha, beta), full)
        } else {
            value
        }
    }

    /// The value once fours and their answers are played out.
    fn quiet(&mut self, reins: &Reins, plies: i32, ply: usize, mut alpha: Value, beta: Value) -> Value {
        self.lines[ply].clear();
        if let Some(value) = self.ended(ply) {
            self.nodes += 1;
            return value;
        }
        if self.ends(reins) {
            return alpha;
        }
        self.deepest = self.deepest.max(ply);
        if plies <= 0 || ply >= MAX_PLY || self.game.is_opening() {
            return self.evaluate();
        }
        let us = self.game.side_to_move();
        let forced = self.must_answer();
        let mut best = if forced { -INFINITE } else { self.evaluate() };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let least = if self.features.fours(us) > 0 { MAKES_FIVE } else { MAKES_FOUR };
        let mut points: Vec<(i32, Point)> = self
            .candidates()
            .filter(
                |&point| if forced { self.answers(point) } else { self.features.gain(us, point) >= least },
            )
            .map(|point| (self.features.gain(us, point) + self.features.gain(!us, point), point))
            .collect();
        points.sort_by_key(|&(gain, point)| (std::cmp::Reverse(gain), point));
        for (_, point) in points {
            if self.game.check(point.into()).is_err() {
                continue;
            }
            let next = |this: &mut Self, alpha, beta| this.quiet(reins, plies - 1, ply + 1, alpha, beta);
            let value = self.after(point.into(), (alpha, beta), next);
            if self.is_over {
                return alpha;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // A five that nothing answers: the next stone loses.
        if best == -INFINITE { mated_in(ply as i32 + 2) } else { best }
    }
}
