//! The interface between an engine and its callers, for any game.

use std::sync::atomic::AtomicBool;

use super::{Iteration, Limits, Reporter, SearchReport, Shortage};
use crate::game::{Game, Move, Refusal};

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The move to play; `None` only if there is no move.
    pub best: Option<Move>,
    /// The expected line, the best move first.
    pub line: Vec<Move>,
    /// The last iteration.
    pub last: Iteration,
}

impl From<SearchReport> for SearchResult {
    fn from(report: SearchReport) -> SearchResult {
        let line = report.last.pv.iter().map(|&point| point.into()).collect();
        SearchResult { best: report.best_move.map(Move::from), line, last: report.last }
    }
}

/// A game and an engine that plays any side of it.
pub trait GameEngine: Send {
    /// The game.
    fn game(&self) -> &dyn Game;

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// Passes for the side to move.
    ///
    /// # Errors
    /// When the rules do not allow it.
    fn pass(&mut self) -> Result<(), Refusal>;

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// When there is nothing to take back.
    fn undo(&mut self);

    /// Searches until a limit is reached or `stop` is set; plays nothing.
    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult;

    /// Like [`GameEngine::think`], but always at full strength.
    fn advise(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        self.think(limits, stop, reporter)
    }

    /// Memory that the system has refused since the last call.
    fn take_shortages(&mut self) -> Vec<Shortage>;
}
