//! A game under search, with the state that the search keeps from move to move.
//!
//! Invariant: every move played is taken back, so after a search the game and its features are unchanged.

use std::sync::atomic::{AtomicBool, Ordering};

use super::features::Features;
use super::history::History;
use super::params::{CLOCK_NODES, MAX_PLY, USUAL_TABLE_BYTES, turn_worth};
use super::searchable::Searchable;
use super::table::GameTable;
use super::window::Window;
use crate::board::{ByColor, Cell, Color};
use crate::game::Move;
use crate::system::host::{Instant, is_past, look};
use crate::think::Shortage;
use crate::think::score::{DRAW, Value, mate_in, mated_in};

/// The limits of one search.
pub struct SearchLimits<'a> {
    /// Set by another thread to stop the search.
    pub stop: &'a AtomicBool,
    /// Time at which the search stops.
    pub deadline: Option<Instant>,
    /// Maximum number of nodes.
    pub max_nodes: u64,
}

/// The game, and the state of its search.
pub struct Searcher<G> {
    /// The game; a search leaves it unchanged.
    pub game: G,
    pub(super) features: Features,
    pub(super) table: GameTable,
    /// Size of the table in bytes. It is allocated when a search begins, because games that are only played
    /// need no table.
    table_bytes: u64,
    is_sized: bool,
    /// The memory for the table that the system refused, if any.
    pub(super) shortage: Option<Shortage>,
    pub(super) history: ByColor<History>,
    pub(super) killers: Vec<[Option<Move>; 2]>,
    /// The principal variation from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
    /// The moves excluded at the root: the better ones, when several lines are requested.
    pub excluded: Vec<Move>,
    /// Number of positions visited in this search.
    pub nodes: u64,
    /// The node count at which the clock is checked next.
    next_look: u64,
    /// Deepest ply of this search.
    pub deepest: usize,
    /// Set when the search has to stop; values returned after that are meaningless.
    pub is_over: bool,
}

impl<G: Searchable> Searcher<G> {
    /// A searcher for a game in any state.
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
            next_look: 0,
            deepest: 0,
            is_over: false,
        }
    }

    /// Sets the size of the table in bytes, and clears it.
    pub fn set_table(&mut self, bytes: u64) {
        (self.table, self.table_bytes, self.is_sized) = (GameTable::new(0), bytes, false);
    }

    /// Clears everything that earlier searches have left: the table and the histories of moves.
    pub fn forget(&mut self) {
        self.set_table(self.table_bytes);
        self.history = ByColor::default();
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

    /// Undoes the last move.
    pub fn undo(&mut self) {
        for change in self.game.changes().into_iter().rev() {
            if self.game.counts(change.point) {
                self.features.change(change.point, change.to, change.from);
            }
        }
        self.game.undo();
    }

    /// Resets the state that only the last search needed.
    pub fn begin(&mut self) {
        self.nodes = 0;
        self.next_look = CLOCK_NODES;
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

    /// The best line that the last completed search found.
    pub fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// The value of the position for the side to move, without searching.
    pub fn evaluate(&self) -> Value {
        let us = self.game.side_to_move();
        let side = |color: Color, stone: Value| {
            self.features.worth(color) + self.game.assets(color) + stone * self.features.capturable(color)
        };
        let [ours, theirs] = self.game.capturable_stone();
        side(us, ours) - side(!us, theirs) + turn_worth(self.features.worth(us))
    }

    /// Counts a node, and returns whether the search has to stop.
    pub(super) fn ends(&mut self, limits: &SearchLimits) -> bool {
        self.nodes += 1;
        self.is_over |= self.nodes > limits.max_nodes;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + CLOCK_NODES;
            look(limits.stop);
            self.is_over |= is_past(limits.deadline) || limits.stop.load(Ordering::Relaxed);
        }
        self.is_over
    }

    /// The value for the side to move, with its line, if no search is needed: the game is over, or the next
    /// stone wins by the track stone. Counts a node in that case.
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

    /// The value of the position after `mv` for the side that plays it. `search` gets the window from the
    /// view of the side to move next.
    pub(super) fn after(
        &mut self,
        mv: Move,
        window: Window,
        search: impl FnOnce(&mut Self, Window) -> Value,
    ) -> Value {
        let us = self.game.side_to_move();
        self.play(mv);
        let value = if self.game.side_to_move() == us {
            search(self, window)
        } else {
            -search(self, window.reversed())
        };
        self.undo();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::variants::double_three::{DoubleThreeGame, DoubleThreeRules};

    #[test]
    fn the_clock_is_kept_after_settled_positions() {
        let rules = DoubleThreeRules::parse(DoubleThreeRules::NAME).expect("a game");
        let mut searcher = Searcher::new(DoubleThreeGame::new(rules));
        searcher.set_table(0);
        searcher.begin();
        // Black completes a row: the position is settled.
        let row = (0..5).flat_map(|x| [Point::new(x, 0), Point::new(x, 5)]).take(9);
        row.for_each(|point| searcher.play(point.into()));
        let stop = AtomicBool::new(false);
        let limits = SearchLimits { stop: &stop, deadline: Some(Instant::now()), max_nodes: u64::MAX };
        // Every second node is settled, among them each whose number is a multiple of `CLOCK_NODES`.
        while searcher.nodes < 2 * CLOCK_NODES && !searcher.ends(&limits) {
            assert!(searcher.settled(1).is_some(), "black has won");
        }
        assert!(searcher.is_over, "{} nodes after the deadline", searcher.nodes);
    }
}
