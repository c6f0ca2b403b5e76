//! One search thread: its own position, evaluation and histories, and a view of what all threads share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::game_end::last_ply;
use super::history::History;
use super::lazy_smp::Setup;
use super::params::{MAX_PLY, NODES_PER_CLOCK_CHECK, Params, QUIESCENCE_ENTRIES};
use super::report::{Reporter, Silent};
use super::root::RootMoves;
use super::root_options::DrawTerms;
use super::sampler::Sampler;
use super::score::{INFINITE, Value};
use super::transposition::TranspositionTable;
use crate::board::{Color, Point};
use crate::eval::Evaluator;
use crate::rules::Position;
use crate::threat::{VcfSolver, VctSolver};

/// State that all threads of one search share.
pub struct SharedState<'a> {
    /// The root and the numbers that it is searched by; each thread has a copy of them.
    pub setup: Setup<'a>,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Set from inside when a limit is reached.
    pub finished: AtomicBool,
    /// Nodes that all threads have visited, up to the last look at the clock of each.
    pub nodes: AtomicU64,
    /// The moment after which no thread searches on.
    pub deadline: Option<Instant>,
    /// Nodes after which no thread searches on.
    pub max_nodes: u64,
    /// Hears of the positions that are evaluated.
    pub sampler: Option<&'a Sampler>,
    /// Value of the root and its depth, if the last search expected this position.
    pub expected: Option<(Value, i32)>,
}

impl SharedState<'_> {
    /// Whether the search is to end now.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.finished.load(Ordering::Relaxed)
    }
}

/// A principal variation.
#[derive(Clone, Copy)]
pub struct PvLine {
    moves: [Option<Point>; MAX_PLY],
    len: usize,
}

impl PvLine {
    /// The line without moves.
    pub const EMPTY: PvLine = PvLine { moves: [None; MAX_PLY], len: 0 };

    /// The moves.
    pub fn points(&self) -> Vec<Point> {
        self.moves[..self.len].iter().copied().flatten().collect()
    }

    /// Becomes `first` followed by `rest`.
    pub fn set(&mut self, first: Point, rest: &PvLine) {
        self.len = (rest.len + 1).min(MAX_PLY);
        self.moves[0] = Some(first);
        self.moves[1..self.len].copy_from_slice(&rest.moves[..self.len - 1]);
    }

    /// Forgets the moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// Thread data that is kept from one search to the next.
pub struct ThreadData {
    /// Histories, killers and counter moves.
    pub history: History,
    /// Solver of wins by fours, with its table.
    pub fours: VcfSolver,
}

impl Default for ThreadData {
    fn default() -> ThreadData {
        ThreadData { history: History::default(), fours: VcfSolver::new(QUIESCENCE_ENTRIES) }
    }
}

impl ThreadData {
    /// Becomes as it was at first.
    pub fn forget(&mut self) {
        self.history = History::default();
        self.fours.clear();
    }
}

/// The static evaluation of a node that has none, because a five has to be stopped.
pub const NO_EVAL: Value = INFINITE + 1;

/// One search thread.
pub struct Worker<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) params: Params,
    pub(super) history: &'a mut History,
    /// Looks for wins by fours where the search ends, and for defences to them where moves lose.
    pub(super) fours: &'a mut VcfSolver,
    /// Looks for forced wins at the root; one thread has it.
    pub(super) solver: Option<&'a mut VctSolver>,
    /// Hears of the search; that of the first thread is somebody.
    pub(super) reporter: &'a dyn Reporter,
    /// The moves of the root; the first is played.
    pub(super) root: RootMoves,
    pub(super) shared: &'a SharedState<'a>,
    pub(super) nodes: u64,
    /// The count of nodes at which it looks at the clock.
    next_look: u64,
    /// Nodes of these that [`SharedState::nodes`] has.
    published: u64,
    pub(super) selective_depth: usize,
    /// The depth that the root is searched to, in units of [`ONE_PLY`](super::params::ONE_PLY).
    pub(super) root_depth: i32,
    /// The ply at which the game ends as a draw.
    pub(super) last_ply: usize,
    /// Value of a draw for the side to move at the root.
    pub(super) root_draw_value: Value,
    /// The static evaluation at each ply of the line that is being searched, or [`NO_EVAL`].
    pub(super) evals: [Value; MAX_PLY],
    /// Principal variation from each ply on.
    pub(super) lines: Box<[PvLine]>,
}

impl<'a> Worker<'a> {
    /// A worker at the root.
    pub fn new(data: &'a mut ThreadData, shared: &'a SharedState<'a>) -> Worker<'a> {
        let ThreadData { history, fours } = data;
        let Setup { position, network, params, options } = shared.setup;
        let position = position.clone();
        let us = position.board().side_to_move();
        let DrawTerms { max_stones, black_value } = options.draw_terms(us);
        let last_ply = last_ply(position.board().stone_count(), max_stones);
        let evaluator = Evaluator::with_network(&position, Arc::clone(network));
        Worker {
            position,
            evaluator,
            params: params.clone(),
            history,
            fours,
            next_look: 0,
            solver: None,
            reporter: &Silent,
            root: RootMoves::default(),
            shared,
            nodes: 0,
            published: 0,
            selective_depth: 0,
            root_depth: 0,
            last_ply,
            root_draw_value: if us == Color::Black { black_value } else { -black_value },
            evals: [NO_EVAL; MAX_PLY],
            lines: vec![PvLine::EMPTY; MAX_PLY + 1].into_boxed_slice(),
        }
    }

    #[inline]
    pub(super) fn play(&mut self, point: Point) {
        self.nodes += 1;
        self.shared.table.prefetch(self.position.board().hash_after(point));
        self.position.play(point);
        self.evaluator.make();
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.evaluator.undo();
        self.position.undo();
    }

    /// The static evaluation of the position, for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        if let Some(sampler) = self.shared.sampler {
            sampler.see(self.position.board());
        }
        self.evaluator.value(&self.position)
    }

    /// Fours that a solver may still try, each with its reply: less than the nodes that are left, for a move that is
    /// played afterwards is one too.
    pub(super) fn fours_left(&self) -> u64 {
        self.shared.max_nodes.saturating_sub(self.nodes + 1) / 2
    }

    /// Whether to unwind at once. Looks at the clock now and then.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.shared.max_nodes {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_PER_CLOCK_CHECK;
            self.look_at_clock();
        }
        self.shared.is_over()
    }

    #[cold]
    fn look_at_clock(&mut self) {
        let total = self.total_nodes();
        let late = self.shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || total >= self.shared.max_nodes {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads: our own exactly, the others' up to their last look at the clock.
    pub(super) fn total_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.published;
        self.published = self.nodes;
        self.shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh
    }
}
