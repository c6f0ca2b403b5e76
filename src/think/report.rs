//! Reports of a search, during the search and at its end.

use std::iter;
use std::time::Duration;

use super::score::Value;
use crate::board::Point;

/// A completed iteration, or the last one, which may be interrupted.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Nominal depth in plies; 0 if nothing was searched and the value is an estimate.
    pub depth: i32,
    /// Deepest ply reached.
    pub selective_depth: i32,
    /// Value for the side to move at the root.
    pub value: Value,
    /// Nodes of the search so far: positions visited, and the work of the solvers at a fixed number of nodes for
    /// each four or position.
    pub nodes: u64,
    /// Time since the command to think was read ([`Limits::started`](super::Limits::started)), or since the search
    /// began in games outside the Gomocup family.
    pub elapsed: Duration,
    /// Principal variation, the best move first.
    pub pv: Vec<Point>,
}

impl Iteration {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// The result of a search.
///
/// An analysis ([`Limits::multi_pv`](super::Limits::multi_pv)) finds several [lines](SearchReport::lines). There are
/// fewer than requested if fewer moves are searched (a threat must be answered, moves are excluded or symmetric, or
/// the position has fewer), or if the search was stopped early.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The move to play, the first of the best line; `None` only if no point is empty or all are excluded.
    pub best_move: Option<Point>,
    /// The best move's last iteration: its value, depth and line.
    pub last: Iteration,
    /// The next best moves, best first, if more than one was requested.
    pub others: Vec<Iteration>,
}

impl SearchReport {
    /// The lines of the best moves, best first: at least one.
    pub fn lines(&self) -> impl Iterator<Item = &Iteration> {
        iter::once(&self.last).chain(&self.others)
    }

    /// Like [`SearchReport::lines`], but moves the lines out of the report.
    pub fn into_lines(self) -> Vec<Iteration> {
        iter::once(self.last).chain(self.others).collect()
    }
}

/// An event of the search at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootEvent {
    /// An iteration to this depth in plies begins.
    Iteration(i32),
    /// The search of this move begins. A move may be searched several times in one iteration, with wider
    /// windows.
    Enter(Point),
    /// The search of this move ends.
    Leave(Point),
    /// This move is proven to lose, by the search or by the solver.
    Lost(Point),
    /// The solver has proven that this move wins.
    Won(Point),
}

/// Receives the progress of a search. The search itself never prints.
pub trait Reporter: Sync {
    /// An iteration is complete.
    fn iteration(&self, iteration: &Iteration);

    /// An iteration of a search for several moves is complete: the best moves, best first, at least one. Also called if
    /// an iteration is interrupted after it has found another best move: its line comes first, followed by the lines of
    /// the previous iteration that begin with other moves.
    fn lines(&self, lines: &[Iteration]) {
        self.iteration(&lines[0]);
    }

    /// The search ends within an iteration whose best move differs from the previous iteration's. If all moves searched
    /// so far lose, the value and depth are those of the previous iteration, because other moves may hold. The move is
    /// the one to play, unless the threads choose another.
    fn interrupted_iteration(&self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// An event at the root. Only the first thread reports its events.
    fn root_event(&self, event: RootEvent) {
        let _ = event;
    }

    /// The search would play `point` if it had to end before its first iteration. The last call counts.
    fn fallback(&self, point: Point) {
        let _ = point;
    }
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn iteration(&self, _: &Iteration) {}
}

/// Records every iteration and every event at the root, for tests and `bench`.
#[derive(Debug, Default)]
pub struct Recording {
    iterations: parking_lot::Mutex<Vec<Iteration>>,
    root_events: parking_lot::Mutex<Vec<RootEvent>>,
}

impl Recording {
    /// The iterations recorded so far.
    pub fn iterations(&self) -> Vec<Iteration> {
        self.iterations.lock().clone()
    }

    /// The events at the root recorded so far.
    pub fn root_events(&self) -> Vec<RootEvent> {
        self.root_events.lock().clone()
    }
}

impl Reporter for Recording {
    fn iteration(&self, iteration: &Iteration) {
        self.iterations.lock().push(iteration.clone());
    }

    fn root_event(&self, event: RootEvent) {
        self.root_events.lock().push(event);
    }
}
