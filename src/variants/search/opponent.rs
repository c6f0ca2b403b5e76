//! A game with someone to play it: iterative deepening, limits, reports.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::super::{Game, Move};
use super::alpha_beta::{MAX_PLY, Reins, Searcher};
use super::playable::Playable;
use crate::search::score::{self, INFINITE, Value};
use crate::search::{Iteration, Limits, Reporter};

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move to play; `None` only when the game has ended.
    pub best: Option<Move>,
    /// The line that is expected, the best move first.
    pub line: Vec<Move>,
    /// The last iteration.
    pub last: Iteration,
}

/// A game and an engine that plays any side of it, whatever the game is.
pub trait Opponent: Send {
    /// The game.
    fn game(&self) -> &dyn Game;

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// Takes the last move back.
    fn undo(&mut self);

    /// Searches until a limit is reached or `stop` is set.
    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> Thought;

    /// The value of the position for the side to move, without looking ahead.
    fn evaluate(&self) -> Value;
}

/// An [`Opponent`] for one kind of game.
pub struct Seat<G> {
    searcher: Searcher<G>,
}

impl<G: Playable> Seat<G> {
    /// Sits down at a game.
    pub fn new(game: G) -> Seat<G> {
        Seat { searcher: Searcher::new(game) }
    }

    /// The game.
    pub fn playable(&self) -> &G {
        &self.searcher.game
    }
}

impl<G: Playable> Opponent for Seat<G> {
    fn game(&self) -> &dyn Game {
        &self.searcher.game
    }

    fn play(&mut self, mv: Move) {
        self.searcher.play(mv);
    }

    fn undo(&mut self) {
        self.searcher.undo();
    }

    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> Thought {
        let began = Instant::now();
        let budget = limits.clock.map(|clock| clock.budget(self.searcher.game.moves().len()));
        let reins = Reins {
            stop,
            deadline: budget.map(|budget| limits.started + budget.maximum),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
        };
        let searcher = &mut self.searcher;
        searcher.begin();
        let fallback = match searcher.game.outcome() {
            Some(_) => None,
            None => searcher.ordered_moves(0, None).first().map(|&(_, mv)| mv),
        };
        let mut thought = Thought {
            best: fallback,
            line: fallback.into_iter().collect(),
            last: Iteration {
                depth: 0,
                selective_depth: 0,
                value: searcher.evaluate(),
                nodes: 0,
                elapsed: began.elapsed(),
                pv: fallback.iter().map(|mv| mv.point).collect(),
            },
        };
        let Some(fallback) = fallback else { return thought };
        reporter.fallback(fallback.point);
        let max_depth = limits.max_depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 / 2);
        for depth in 1..=max_depth {
            let value = searcher.search(&reins, depth, 0, -INFINITE, INFINITE);
            // A search cut short still tells a better move, if it had found one: the best so far came first.
            if !searcher.line().is_empty() {
                thought.best = searcher.line().first().copied();
                thought.line = searcher.line().to_vec();
            }
            let value = if searcher.is_over { thought.last.value } else { value };
            thought.last = Iteration {
                depth: if searcher.is_over { thought.last.depth } else { depth },
                selective_depth: searcher.deepest as i32,
                value,
                nodes: searcher.nodes,
                elapsed: began.elapsed(),
                pv: thought.line.iter().map(|mv| mv.point).collect(),
            };
            if searcher.is_over {
                break;
            }
            reporter.iteration(&thought.last);
            let is_settled = score::is_mate(value) && score::MATE - value.abs() <= depth;
            if is_settled || budget.is_some_and(|budget| limits.started.elapsed() >= budget.optimum) {
                break;
            }
        }
        thought
    }

    fn evaluate(&self) -> Value {
        self.searcher.evaluate()
    }
}
