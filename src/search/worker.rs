//! One search thread: its own position, evaluation and histories, and a reference to the state that all
//! threads share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::correction::CorrectionHistory;
use super::eval_cache::EvalCache;
use super::harvest::Harvest;
use super::history::History;
use super::move_picker::MovePicker;
use super::params::{MAX_PLY, NODES_PER_CLOCK_CHECK, Params, QUIESCENCE_ENTRIES};
use super::root_moves::RootMoves;
#[cfg(test)]
use super::root_options::RootOptions;
use super::sampler::Sampler;
use super::setup::Setup;
use super::transposition::TranspositionTable;
use crate::board::Point;
use crate::eval::Evaluator;
#[cfg(test)]
use crate::eval::Networks;
use crate::rules::Position;
use crate::system::host::{Instant, is_past, look};
use crate::think::score::{INFINITE, Value};
use crate::think::{Reporter, Silent};
use crate::threat::{VcfSolver, VctSolver};

/// The state shared by all threads of one search.
pub struct SharedState<'a> {
    /// The root position and the search parameters; each thread has its own copy of them.
    pub setup: Setup<'a>,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// Set from outside to stop the search.
    pub stop: &'a AtomicBool,
    /// Set by the search itself when a limit is reached.
    pub finished: AtomicBool,
    /// Number of nodes visited by all threads, as of each thread's last check of the clock.
    pub nodes: AtomicU64,
    /// Time at which all threads stop.
    pub deadline: Option<Instant>,
    /// Number of nodes at which all threads stop.
    pub max_nodes: u64,
    /// Receives the evaluated positions.
    pub sampler: Option<&'a Sampler>,
    /// Receives the values of nodes with many nodes below them.
    pub harvest: Option<&'a Harvest>,
    /// Value of the root and its depth, if the last search expected this position.
    pub expected: Option<(Value, i32)>,
}

impl SharedState<'_> {
    /// Whether the search has to stop now.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.finished.load(Ordering::Relaxed)
    }

    /// Whether the stop flag is set or the deadline is reached. For work that counts no nodes, during which
    /// [`SharedState::is_over`] may not notice the deadline.
    pub fn is_interrupted(&self) -> bool {
        look(self.stop);
        self.stop.load(Ordering::Relaxed) || self.is_late()
    }

    /// Whether the deadline is reached.
    pub fn is_late(&self) -> bool {
        is_past(self.deadline)
    }
}

/// A principal variation.
#[derive(Clone, Copy)]
pub struct PvLine {
    moves: [Option<Point>; MAX_PLY],
    len: usize,
}

impl PvLine {
    /// The empty line.
    pub const EMPTY: PvLine = PvLine { moves: [None; MAX_PLY], len: 0 };

    /// The moves.
    pub fn points(&self) -> Vec<Point> {
        self.moves[..self.len].iter().copied().flatten().collect()
    }

    /// Sets the line to `first` followed by `rest`.
    pub fn set(&mut self, first: Point, rest: &PvLine) {
        self.len = (rest.len + 1).min(MAX_PLY);
        self.moves[0] = Some(first);
        self.moves[1..self.len].copy_from_slice(&rest.moves[..self.len - 1]);
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// Data of a thread that is kept between searches.
pub struct ThreadData {
    /// Histories, killers and counter moves.
    pub history: History,
    /// Errors of the static evaluation.
    pub correction: CorrectionHistory,
    /// The solver of wins by fours, with its table.
    pub vcf: VcfSolver,
}

impl Default for ThreadData {
    fn default() -> ThreadData {
        ThreadData {
            history: History::default(),
            correction: CorrectionHistory::default(),
            vcf: VcfSolver::new(QUIESCENCE_ENTRIES),
        }
    }
}

impl ThreadData {
    /// Resets everything to the initial state.
    pub fn forget(&mut self) {
        self.history = History::default();
        self.correction = CorrectionHistory::default();
        self.vcf.clear();
    }
}

/// The static evaluation of a node that was not evaluated because a five has to be stopped.
pub const NO_EVAL: Value = INFINITE + 1;

/// One search thread.
pub struct Worker<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    eval_cache: EvalCache,
    pub(super) params: Params,
    pub(super) history: &'a mut History,
    pub(super) correction: &'a mut CorrectionHistory,
    /// Searches for wins by fours at the leaves, and for defences to them at losing nodes.
    pub(super) vcf: &'a mut VcfSolver,
    /// Searches for forced wins at the root; only one thread has it.
    pub(super) vct: Option<&'a mut VctSolver>,
    /// Receives the progress; helper threads have a silent one.
    pub(super) reporter: &'a dyn Reporter,
    /// The moves of the root; the first one is played.
    pub(super) root: RootMoves,
    pub(super) shared: &'a SharedState<'a>,
    pub(super) nodes: u64,
    /// The node count at which the clock is checked next.
    next_look: u64,
    /// The part of the node count that is already included in [`SharedState::nodes`].
    published: u64,
    pub(super) selective_depth: usize,
    /// The depth of the root search, in units of [`ONE_PLY`](super::params::ONE_PLY).
    pub(super) root_depth: i32,
    /// The ply at which the game ends as a draw because of its number of stones.
    pub(super) last_ply: usize,
    /// The ply at which the board is full.
    pub(super) full_ply: usize,
    /// Value of a draw for the side to move at the root.
    pub(super) root_draw_value: Value,
    /// The static evaluation at each ply of the current line, or [`NO_EVAL`].
    pub(super) evals: [Value; MAX_PLY],
    /// The principal variation from each ply on.
    pub(super) lines: Box<[PvLine]>,
}

impl<'a> Worker<'a> {
    /// A worker at the root position.
    pub fn new(data: &'a mut ThreadData, shared: &'a SharedState<'a>) -> Worker<'a> {
        let ThreadData { history, correction, vcf } = data;
        let Setup { position, network, params, options } = shared.setup;
        let position = position.clone();
        let us = position.board().side_to_move();
        let draw = options.draw_terms(us);
        let last_ply = draw.last_ply(position.board().stone_count());
        let full_ply = position.board().empty().len();
        let evaluator = Evaluator::with_network(&position, Arc::clone(network));
        Worker {
            position,
            evaluator,
            params: params.clone(),
            eval_cache: EvalCache::default(),
            history,
            correction,
            vcf,
            next_look: 0,
            vct: None,
            reporter: &Silent,
            root: RootMoves::default(),
            shared,
            nodes: 0,
            published: 0,
            selective_depth: 0,
            root_depth: 0,
            last_ply,
            full_ply,
            root_draw_value: draw.value_for(us),
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

    /// The next move of `moves`, a picker for the current position, and how far it is behind the first move.
    #[inline]
    pub(super) fn next_move(&mut self, moves: &mut MovePicker) -> Option<(Point, Value)> {
        moves.next(&self.position, &mut self.evaluator, &self.params, self.history)
    }

    /// Sets the principal variation from `ply` on to `point`, followed by the variation from the next ply on.
    #[inline]
    pub(super) fn begin_line(&mut self, ply: usize, point: Point) {
        let (line, rest) = self.lines.split_at_mut(ply + 1);
        line[ply].set(point, &rest[0]);
    }

    /// The static evaluation of the position, for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        if let Some(sampler) = self.shared.sampler {
            sampler.see(self.position.board());
        }
        let Worker { position, evaluator, .. } = self;
        self.eval_cache.get_or(position.board().hash(), || evaluator.value(position))
    }

    /// The number of fours that a solver may still try, each with its reply. It is less than the remaining
    /// nodes, because the move played afterwards is also a node.
    pub(super) fn fours_left(&self) -> u64 {
        self.shared.max_nodes.saturating_sub(self.nodes + 1) / 2
    }

    /// Counts the fours that a solver has tried inside the search: two nodes each, the four and its reply. At the root
    /// a four counts as one node, because the solver's budget there
    /// ([`root_vcf_nodes`](super::params::root_vcf_nodes)) is a share of the nodes, in fours.
    #[inline]
    pub(super) fn charge_fours(&mut self, fours: u64) {
        self.nodes += 2 * fours;
    }

    /// Whether to unwind immediately. Checks the clock regularly.
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
        look(self.shared.stop);
        let total = self.total_nodes();
        if self.shared.is_late() || total >= self.shared.max_nodes {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
    }

    /// The node count of all threads: exact for this thread, and as of their last check of the clock for the
    /// others.
    pub(super) fn total_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.published;
        self.published = self.nodes;
        self.shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh
    }
}

/// Calls `run` with a worker whose search ends only by the stop flag, unless `change` sets limits.
#[cfg(test)]
pub fn with_worker<R>(
    position: &Position,
    options: &RootOptions,
    change: impl FnOnce(&mut SharedState),
    run: impl FnOnce(Worker) -> R,
) -> R {
    let (networks, params) = (Networks::default(), Params::of(position.rule().kind));
    let (table, stop) = (TranspositionTable::new(1 << 20), AtomicBool::new(false));
    let mut shared = SharedState {
        setup: Setup::of(position, &networks, &params, options),
        table: &table,
        stop: &stop,
        finished: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        deadline: None,
        max_nodes: u64::MAX,
        sampler: None,
        harvest: None,
        expected: None,
    };
    change(&mut shared);
    let mut data = ThreadData::default();
    run(Worker::new(&mut data, &shared))
}
