//! A game that is being searched, with all that the search keeps of it from move to move.
//!
//! Invariant: what is played is taken back, so that after a search the game and its features are as before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::features::Features;
use super::history::History;
use super::params::{CLOCK_NODES, MAX_PLY, USUAL_TABLE_BYTES, turn_worth};
use super::searchable::Searchable;
use super::table::GameTable;
use crate::board::{ByColor, Cell, Color};
use crate::game::Move;
use crate::search::Shortage;
use crate::search::score::{DRAW, Value, mate_in, mated_in};

/// Limits of one search.
pub struct SearchLimits<'a> {
    /// Set from outside to end it.
    pub stop: &'a AtomicBool,
    /// When it has to end.
    pub deadline: Option<Instant>,
    /// Nodes that it may visit.
    pub max_nodes: u64,
}

/// The game, and what is known of it.
pub struct Searcher<G> {
    /// The game; the search leaves it as it was.
    pub game: G,
    pub(super) features: Features,
    pub(super) table: GameTable,
    /// Size that the table is to have, in bytes. It is made when a search begins: games that are only played need none.
    table_bytes: u64,
    is_sized: bool,
    /// Memory for it that the system has refused, if it has.
    pub(super) shortage: Option<Shortage>,
    pub(super) history: ByColor<History>,
    pub(super) killers: Vec<[Option<Move>; 2]>,
    /// The principal variation from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
    /// Moves that the root leaves out: the better ones, when several are asked for.
    pub excluded: Vec<Move>,
    /// Positions visited in this search.
    pub nodes: u64,
    /// Deepest ply of this search.
    pub deepest: usize,
    /// Set when the search has to end: values that come back then mean nothing.
    pub is_over: bool,
}

/// Part of a window that can be reached at `ply`, where the game goes on: nobody wins or loses sooner than by the next
/// stone. A win that is found once leaves nothing to look for.
pub(super) fn possible(ply: usize, alpha: Value, beta: Value) -> (Value, Value) {
    let next = ply as i32 + 1;
    (alpha.max(mated_in(next)), beta.min(mate_in(next)))
}

impl<G: Searchable> Searcher<G> {
    /// A searcher for a game at any point.
    pub fn new(game: G) -> Searcher<G> {
        let mut features =
            Features::new(&game.lines(), game.capture_sizes(), G::IS_SMALL, |point| game.counts(point));
        for point in game.size().points().filter(|&point| game.counts(point)) {
            features.change(point, Cell::Empty, game.cell(point));
        }
        Searcher {
            game,
            features,
            table: GameTable::new(0),
            table_bytes: USUAL_TABLE_BYTES,
            is_sized: false,
            shortage: None,
            history: ByColor::default(),
            killers: vec![[None; 2]; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
            excluded: Vec::new(),
            nodes: 0,
            deepest: 0,
            is_over: false,
        }
    }

    /// Makes the table take so many bytes, and forgets what it held.
    pub fn set_table(&mut self, bytes: u64) {
        (self.table, self.table_bytes, self.is_sized) = (GameTable::new(0), bytes, false);
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
        self.excluded.clear();
        self.killers.fill([None; 2]);
        if !self.is_sized {
            (self.table, self.is_sized) = (GameTable::new(self.table_bytes), true);
            self.shortage = Shortage::of_table(self.table_bytes, self.table.bytes());
        }
        self.table.new_search();
    }

    /// The best line that the last finished search found.
    pub fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// The value of the position for the side to move, without looking ahead.
    pub fn evaluate(&self) -> Value {
        let us = self.game.side_to_move();
        let side = |color: Color, stone: Value| {
            self.features.worth(color) + self.game.assets(color) + stone * self.features.capturable(color)
        };
        let [ours, theirs] = self.game.capturable_stone();
        side(us, ours) - side(!us, theirs) + turn_worth(self.features.worth(us))
    }

    /// Counts a node; whether the search has to end.
    pub(super) fn ends(&mut self, limits: &SearchLimits) -> bool {
        self.nodes += 1;
        self.is_over |= self.nodes > limits.max_nodes;
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            let late = limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.is_over |= late || limits.stop.load(Ordering::Relaxed);
        }
        self.is_over
    }

    /// The value for the side to move, and the line, where nothing needs to be searched: the game has ended, or the
    /// next stone wins by the track stone. Counts a node then.
    pub(super) fn settled(&mut self, ply: usize) -> Option<Value> {
        let value = self.ended(ply).or_else(|| self.hidden_win(ply))?;
        self.nodes += 1;
        Some(value)
    }

    fn ended(&self, ply: usize) -> Option<Value> {
        let outcome = self.game.outcome()?;
        Some(match outcome.winner {
            None => DRAW,
            Some(winner) if winner == self.game.side_to_move() => mate_in(ply as i32),
            Some(_) => mated_in(ply as i32),
        })
    }

    fn hidden_win(&mut self, ply: usize) -> Option<Value> {
        let mv = Move::from(self.game.hidden_win(&self.features)?);
        if ply == 0 && self.excluded.contains(&mv) {
            return None;
        }
        self.lines[ply].push(mv);
        Some(mate_in(ply as i32 + 1))
    }

    /// The value of the position after `mv` for the side that plays it, by `search` on the window as the next side sees
    /// it.
    pub(super) fn after(
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
}
