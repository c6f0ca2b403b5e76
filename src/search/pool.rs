//! The threads of a search: each has its own worker, all share the table and the stop flags (Lazy SMP).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;

use super::iterative_deepening::Deepening;
use super::params::{MAX_DEPTH, Params, ROOT_VCT_BYTES};
use super::report::{Reporter, SearchReport, Silent};
use super::time::{Limits, Progress};
use super::transposition::Table;
use super::vote;
use super::worker::{Memory, Shared, Worker};
use crate::rules::Position;
use crate::threat::VctSolver;

/// Stack of a search thread: [`MAX_PLY`](super::params::MAX_PLY) nodes of some kilobytes, with room to spare.
/// Only what is touched is taken from the system.
const STACK_BYTES: usize = 16 << 20;

/// What the threads keep from one search to the next.
pub struct Pool {
    memories: Vec<Memory>,
    /// Looks for forced wins at the root, for the first thread.
    solver: Box<VctSolver>,
}

impl Pool {
    /// A pool of `threads` threads, at least one.
    pub fn new(threads: usize) -> Pool {
        Pool {
            memories: (0..threads.max(1)).map(|_| Memory::default()).collect(),
            solver: Box::new(VctSolver::new(ROOT_VCT_BYTES)),
        }
    }

    /// Becomes a pool of `threads` threads, at least one, that remembers nothing, without new memory for the solvers.
    pub fn restart(&mut self, threads: usize) {
        self.memories.iter_mut().for_each(Memory::forget);
        self.memories.resize_with(threads.max(1), Memory::default);
        self.solver.clear();
    }

    /// Searches `position` until a limit is reached or `stop` is set. What the reporter hears is the first thread's;
    /// the move is what the threads [vote](vote::choose) for.
    pub fn search(
        &mut self,
        position: &Position,
        table: &Table,
        params: &Params,
        limits: &Limits,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        table.new_search();
        let mut solver = limits.solvers.then_some(&mut *self.solver);
        let budget = limits.clock.map(|clock| clock.budget(Progress::of(position.board())));
        let shared = Shared {
            table,
            params,
            stop,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            deadline: budget.map(|budget| limits.started + budget.maximum),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
        };
        let deepening = |thread, reporter| Deepening {
            thread,
            started: limits.started,
            budget,
            max_depth: limits.max_depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            reporter,
        };
        thread::scope(|scope| {
            let (done, first_is_done) = channel();
            let mut threads = Vec::new();
            for (index, memory) in self.memories.iter_mut().enumerate() {
                memory.history.new_search();
                let deepening = deepening(index, if index == 0 { reporter } else { &Silent });
                let shared = &shared;
                let solver = solver.take();
                let done = (index == 0).then(|| done.clone());
                let run = move || {
                    let mut worker = Worker::new(position, memory, shared);
                    worker.solver = solver;
                    let report = match limits.multi_pv {
                        0 | 1 => worker.deepen(&deepening),
                        count => worker.analyze(&deepening, count),
                    };
                    // Dropping the sender tells the caller, even if this thread panicked.
                    drop(done);
                    report
                };
                let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
                threads.push(thread.expect("the system gives a thread"));
            }
            drop(done);
            wait(&shared, &first_is_done);
            shared.finished.store(true, Ordering::Relaxed);
            let reports = threads.into_iter().map(|thread| thread.join().expect("a search does not panic"));
            let mut reports: Vec<SearchReport> = reports.collect();
            // The lines of an analysis are those that were told, the first thread's.
            let chosen = if limits.multi_pv > 1 { 0 } else { vote::choose(&reports) };
            let mut report = reports.swap_remove(chosen);
            report.last.nodes = shared.nodes.load(Ordering::Relaxed);
            if chosen > 0 {
                reporter.iteration(&report.last);
            }
            report
        })
    }
}

/// Sleeps until the first thread is done or the time is up. A search thread that gets no processor can't look at the
/// clock; the caller, asleep until now, is the first to be woken and ends the search for it.
fn wait(shared: &Shared, first_is_done: &Receiver<()>) {
    if let Some(deadline) = shared.deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        if first_is_done.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
    // Nothing is ever sent: this returns when the sender is dropped.
    let _ = first_is_done.recv();
}
