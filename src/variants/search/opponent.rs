//! A game with someone to play it: iterative deepening, limits, reports.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::super::{Game, Move};
use super::picker::Picker;
use super::playable::Playable;
use super::searcher::{MAX_PLY, Reins, Searcher};
use crate::search::score::{self, INFINITE, Value};
use crate::search::{Iteration, Limits, Reporter, Shortage};

/// Result of a search.
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

    /// Bounds the memory of what searches remember, and forgets it.
    fn set_memory(&mut self, bytes: u64);

    /// Memory for it that the system has refused since the last call, if it has.
    fn take_shortage(&mut self) -> Option<Shortage>;

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

    fn set_memory(&mut self, bytes: u64) {
        self.searcher.set_table(bytes);
    }

    fn take_shortage(&mut self) -> Option<Shortage> {
        self.searcher.shortage.take()
    }

    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> Thought {
        let began = Instant::now();
        let searcher = &mut self.searcher;
        searcher.begin();
        let budget = limits.clock.map(|clock| clock.budget(searcher.game.progress()));
        let fallback = match searcher.game.outcome() {
            Some(_) => None,
            None => Picker::new(searcher, 0, None, searcher.answers()).next(searcher).map(|(_, mv)| mv),
        };
        let line: Vec<Move> = fallback.into_iter().collect();
        let mut thought =
            Thought { best: fallback, last: iteration(searcher, 0, searcher.evaluate(), &line, began), line };
        let Some(fallback) = fallback else { return thought };
        reporter.fallback(fallback.point);
        let reins = Reins {
            stop,
            deadline: budget.map(|budget| limits.started + budget.maximum),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
        };
        let max_depth = limits.max_depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 / 2);
        for depth in 1..=max_depth {
            let judged = best_lines(searcher, &reins, depth, limits.multi_pv.max(1));
            // A search cut short still tells a better move, if it had found one: the best so far came first.
            if let Some((_, line)) = judged.first() {
                (thought.best, thought.line) = (line.first().copied(), line.clone());
            }
            let told = |value, line: &[Move]| iteration(searcher, depth, value, line, began);
            if searcher.is_over {
                let Iteration { depth, value, .. } = thought.last;
                thought.last = iteration(searcher, depth, value, &thought.line, began);
                break;
            }
            let lines: Vec<Iteration> = judged.iter().map(|(value, line)| told(*value, line)).collect();
            let Some(best) = lines.first() else { break };
            thought.last = best.clone();
            match limits.multi_pv {
                0 | 1 => reporter.iteration(best),
                _ => reporter.lines(&lines),
            }
            let is_settled =
                |line: &Iteration| score::is_mate(line.value) && score::MATE - line.value.abs() <= depth;
            let is_late = budget.is_some_and(|budget| limits.started.elapsed() >= budget.optimum);
            if lines.iter().all(is_settled) || is_late {
                break;
            }
        }
        thought
    }

    fn evaluate(&self) -> Value {
        self.searcher.evaluate()
    }
}

/// The best moves at one depth, best first, each with its value and line. When the search is over, what it had found of
/// the first.
fn best_lines<G: Playable>(
    searcher: &mut Searcher<G>,
    reins: &Reins,
    depth: i32,
    count: usize,
) -> Vec<(Value, Vec<Move>)> {
    let mut judged: Vec<(Value, Vec<Move>)> = Vec::new();
    while judged.len() < count {
        searcher.excluded = judged.iter().filter_map(|(_, line)| line.first().copied()).collect();
        let value = searcher.search(reins, depth, 0, -INFINITE, INFINITE);
        if searcher.line().is_empty() || searcher.is_over && !judged.is_empty() {
            break;
        }
        judged.push((value, searcher.line().to_vec()));
        if searcher.is_over {
            break;
        }
    }
    searcher.excluded.clear();
    // Reductions can find a later move better.
    judged.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    judged
}

fn iteration<G: Playable>(
    searcher: &Searcher<G>,
    depth: i32,
    value: Value,
    line: &[Move],
    began: Instant,
) -> Iteration {
    Iteration {
        depth,
        selective_depth: searcher.deepest as i32,
        value,
        nodes: searcher.nodes,
        elapsed: began.elapsed(),
        pv: line.iter().map(|mv| mv.point).collect(),
    }
}
