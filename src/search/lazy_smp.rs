//! Lazy SMP: every search thread has its own worker; all share the transposition table and the stop flags.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::helpers;
use super::iterative_deepening::Deepening;
use super::params::{MAX_DEPTH, ROOT_VCT_BYTES};
use super::setup::Setup;
use super::transposition::TranspositionTable;
use super::worker::{SharedState, ThreadData, Worker};
use crate::rules::Position;
use crate::system::host::{HAS_THREADS, Instant};
use crate::system::memory::{HEADROOM, has_room};
use crate::think::score::{Value, from_root};
use crate::think::{Budget, GameProgress, Iteration, Limits, Reporter, SearchReport, Shortage};
use crate::threat::VctSolver;

/// Stack size of a search thread in bytes. Up to [`MAX_PLY`](super::params::MAX_PLY) nodes, or a solver's
/// frames for each point of the board, take up to 3 KB each, 1.4 MB at most; searches of several seconds
/// touched 350 KB. The system provides only touched pages, but the full size counts against `ulimit -v`.
pub const STACK_BYTES: usize = 8 << 20;
/// A shorter search may be over before the system has run a newly started thread.
const SHORT: Duration = Duration::from_millis(100);
/// Memory of a search thread in addition to its stack, in bytes: its position, histories and table of fours.
pub const THREAD_BYTES: u64 = 5 << 20;

/// The parallel search: the data of each thread, kept between searches, and the solver of the first thread.
/// The data are allocated by the first search, when the memory limits are known. The threads exist only
/// during a search.
pub struct LazySmp {
    threads: Vec<ThreadData>,
    /// Searches for forced wins at the root, for the first thread; allocated on first use.
    solver: Option<Box<VctSolver>>,
    /// The expected results for the positions after the first moves of the last search's line.
    expected: Vec<Expected>,
    /// Number of threads requested.
    wanted: usize,
    /// Number of threads that the system allows, once it has refused any.
    limit: usize,
    shortage: Option<Shortage>,
}

/// The expected result of the next search, if the game follows the line of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Expected {
    /// Hash of the position.
    hash: u64,
    /// Value for the side to move there.
    value: Value,
    depth: i32,
}

/// The data and solver of one thread during a search; the thread takes them when it starts.
struct ThreadResources<'a> {
    data: &'a mut ThreadData,
    solver: Option<&'a mut VctSolver>,
    /// Dropped when the first thread is done, even if it panicked, which wakes the receiver.
    done: Option<Sender<()>>,
}

impl LazySmp {
    /// A search by `threads` threads (at least one), or by fewer if memory is short. Does not start any
    /// thread.
    pub fn new(threads: usize) -> LazySmp {
        LazySmp {
            threads: Vec::new(),
            solver: None,
            expected: Vec::new(),
            wanted: threads.max(1),
            limit: usize::MAX,
            shortage: None,
        }
    }

    /// Changes to `threads` threads (at least one) and clears all data. The solvers keep their memory.
    pub fn restart(&mut self, threads: usize) {
        self.wanted = threads.max(1);
        self.threads.truncate(self.most_threads());
        self.threads.iter_mut().for_each(ThreadData::forget);
        self.solver.iter_mut().for_each(|solver| solver.clear());
        self.expect_nothing();
    }

    /// Clears all data and frees their memory.
    pub fn free(&mut self) {
        (self.threads, self.solver) = (Vec::new(), None);
        self.expect_nothing();
    }

    /// Clears the expected results, because the last search was of another game or used other parameters.
    pub fn expect_nothing(&mut self) {
        self.expected.clear();
    }

    /// The solver of forced wins at the root.
    pub fn solver(&mut self) -> &mut VctSolver {
        self.solver.get_or_insert_with(|| Box::new(VctSolver::new(ROOT_VCT_BYTES)))
    }

    /// Number of requested threads, up to the number that the system is known to allow.
    fn most_threads(&self) -> usize {
        self.wanted.min(self.limit.max(1))
    }

    /// Allocates the data of threads that have none yet.
    pub fn prepare(&mut self) {
        self.solver();
        let most = self.most_threads();
        while self.threads.len() < most {
            let stacks = (self.threads.len() + 1) * STACK_BYTES;
            if !self.threads.is_empty() && !has_room(stacks as u64 + THREAD_BYTES + HEADROOM) {
                self.shrink(self.threads.len(), None);
                return;
            }
            self.threads.push(ThreadData::default());
        }
    }

    /// Records that the system allows only this many threads, so that more are not requested again. Only the first
    /// shortage is reported: a later one may only mean that the system still counts a thread that has just ended.
    fn shrink(&mut self, threads: usize, error: Option<&io::Error>) {
        if self.limit == usize::MAX {
            self.shortage = Some(Shortage::of_threads(self.wanted, threads, error));
        }
        self.limit = self.limit.min(threads);
        self.threads.truncate(threads.max(1));
    }

    /// The shortage of threads since the last call.
    pub fn take_shortage(&mut self) -> Option<Shortage> {
        let mut shortage = self.shortage.take();
        if let Some(Shortage::Threads { got, .. }) = &mut shortage {
            *got = self.limit;
        }
        shortage
    }

    /// Address space that the threads of a search need, in bytes.
    pub fn room(&self) -> u64 {
        self.most_threads() as u64 * (STACK_BYTES as u64 + THREAD_BYTES)
    }

    /// Searches the position of `setup` until a limit is reached or `stop` is set. The reporter receives the
    /// first thread's progress. The move is the one that the threads [vote](helpers::vote) for, or the first
    /// thread's in an analysis. If the system provides no thread, the caller searches.
    pub fn search(
        &mut self,
        setup: Setup,
        table: &TranspositionTable,
        limits: &Limits,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        table.new_search();
        self.prepare();
        let progress = GameProgress::of(setup.position.board());
        let budget = limits.budget(progress);
        let hash = setup.position.board().hash();
        let predicted = self.expected.iter().find(|expected| expected.hash == hash);
        let shared = SharedState {
            setup,
            table,
            stop,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            deadline: limits.deadline(progress),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
            sampler: setup.options.sampler.as_deref(),
            harvest: setup.options.harvest.as_deref(),
            expected: predicted.map(|predicted| (predicted.value, predicted.depth)),
        };
        let (mut reports, refused) = self.run(&Job { shared: &shared, limits, budget, reporter });
        // An analysis returns the lines that were reported, which are the first thread's.
        let chosen = if limits.multi_pv > 1 { 0 } else { helpers::vote(&reports) };
        let mut report = reports.swap_remove(chosen);
        report.last.nodes = shared.nodes.load(Ordering::Relaxed);
        if chosen > 0 && report.last.depth > 0 {
            reporter.iteration(&report.last);
        }
        if report.last.depth > 0 {
            // If replies were blocked, the value does not hold for the positions on the line.
            let holds = !setup.options.blocks_replies();
            self.expected = if holds { expected(setup.position, &report.last) } else { Vec::new() };
        }
        if let Some((threads, error)) = refused {
            self.shrink(threads, error.as_ref());
        }
        report
    }

    /// The reports of all threads. If the system refuses a thread, also the number of threads that it provides and its
    /// error, which is `None` if there is not enough memory.
    fn run(&mut self, job: &Job) -> (Vec<SearchReport>, Option<(usize, Option<io::Error>)>) {
        let (done, first_is_done) = channel();
        let mut of_first = self.solver.as_deref_mut().filter(|_| job.limits.solvers).into_iter();
        let mut done_sender = Some(done).into_iter();
        let resources = self.threads.iter_mut().map(|data| {
            data.history.new_search();
            Mutex::new(Some(ThreadResources { data, solver: of_first.next(), done: done_sender.next() }))
        });
        let resources: Vec<Mutex<Option<ThreadResources>>> = resources.collect();
        if job.budget.is_some_and(|budget| budget.maximum < SHORT) {
            draft(&resources[0], job.shared, job.reporter);
        }
        if !HAS_THREADS {
            return (vec![job.think(0, &resources[0])], None);
        }
        thread::scope(|scope| {
            let mut threads = Vec::new();
            let mut refused = None;
            for (index, resources) in resources.iter().enumerate() {
                if index > 0 && has_ended(job.shared, &first_is_done) {
                    break;
                }
                match spawn(scope, index, move || job.think(index, resources)) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        refused = Some((index, error));
                        break;
                    }
                }
            }
            if threads.is_empty() {
                return (vec![job.think(0, &resources[0])], refused);
            }
            wait(job.shared, &first_is_done);
            job.shared.finished.store(true, Ordering::Relaxed);
            let reports = threads.into_iter().map(|thread| thread.join().expect("a search does not panic"));
            (reports.collect(), refused)
        })
    }
}

/// One search, as each of its threads sees it.
struct Job<'a> {
    shared: &'a SharedState<'a>,
    limits: &'a Limits,
    budget: Option<Budget>,
    /// Receives the first thread's progress.
    reporter: &'a dyn Reporter,
}

impl Job<'_> {
    /// Searches as thread `index`, which takes its resources.
    fn think(&self, index: usize, resources: &Mutex<Option<ThreadResources>>) -> SearchReport {
        let own = resources.lock().take();
        let ThreadResources { data, solver, done } = own.expect("each thread takes its own, once");
        let Job { shared, limits, budget, reporter } = *self;
        let max_depth = limits.max_depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let start_depth = shared.setup.options.start_depth.clamp(1, max_depth);
        let deepening = Deepening {
            started: limits.started,
            budget,
            start_depth,
            max_depth,
            thread: index,
            solvers: limits.solvers,
        };
        let mut worker = Worker::new(data, shared);
        worker.vct = solver;
        if index == 0 {
            worker.reporter = reporter;
        }
        let report = match limits.multi_pv {
            0 | 1 => worker.deepen(&deepening),
            count => worker.analyze(&deepening, count),
        };
        drop(done);
        report
    }
}

/// Reports the move to play if the first thread gets no processor before the time is up.
fn draft(first: &Mutex<Option<ThreadResources>>, shared: &SharedState, reporter: &dyn Reporter) {
    let mut resources = first.lock();
    let Some(ThreadResources { data, .. }) = resources.as_mut() else { return };
    if let Some(point) = Worker::new(data, shared).first_draft() {
        reporter.fallback(point);
    }
}

/// The expected results for the next two positions of an iteration's line: the opponent's, for a search during its
/// time, and our own.
fn expected(position: &Position, last: &Iteration) -> Vec<Expected> {
    let mut board = position.board().clone();
    let (mut value, mut depth) = (last.value, last.depth);
    let plies = last.pv.iter().take(2).map_while(|&point| {
        // For the other side, a mate is one ply nearer.
        value = -from_root(value, 1);
        depth -= 1;
        board.play(point);
        (depth > 0).then(|| Expected { hash: board.hash(), value, depth })
    });
    plies.collect()
}

/// Starts thread `index` of a search. Returns `None` if there is not enough memory, and an error if the
/// system refuses.
///
/// Memory is checked because a thread that gets no memory at its start would panic. Threads started earlier may not
/// have allocated theirs yet; this thread's data were allocated by [`LazySmp::prepare`].
fn spawn<'scope, R: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    index: usize,
    run: impl FnOnce() -> R + Send + 'scope,
) -> Result<thread::ScopedJoinHandle<'scope, R>, Option<io::Error>> {
    if !has_room(STACK_BYTES as u64 + index as u64 * THREAD_BYTES + HEADROOM / 2) {
        return Err(None);
    }
    thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).map_err(Some)
}

/// Whether a search is over before all of its threads have been started. Starting hundreds takes longer than a
/// short search lasts, and each one would delay the move.
fn has_ended(shared: &SharedState, first_is_done: &Receiver<()>) -> bool {
    shared.is_late() || shared.is_over() || first_is_done.try_recv() == Err(TryRecvError::Disconnected)
}

/// Sleeps until the first thread is done or the time is up. A search thread without a processor cannot check
/// the clock; the caller, which was asleep, is scheduled first and ends the search.
fn wait(shared: &SharedState, first_is_done: &Receiver<()>) {
    if let Some(deadline) = shared.deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        if first_is_done.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
    // Nothing is ever sent: this returns when the sender is dropped.
    let _ = first_is_done.recv();
}

#[cfg(test)]
mod tests {
    use super::super::root_options::RootOptions;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Board, Size};
    use crate::rules::Rule;
    use crate::think::Silent;
    use crate::think::score::{mate_in, mated_in};

    #[test]
    fn a_search_that_is_over_starts_no_more_threads() {
        let position = Position::new(Board::new(Size::default()), Rule::default());
        let limits = Limits::infinite();
        let mut threads = LazySmp::new(16);
        threads.prepare();
        let (reports, refused) = with_worker(
            &position,
            &RootOptions::default(),
            |shared| shared.stop.store(true, Ordering::Relaxed),
            |worker| {
                let shared = worker.shared;
                threads.run(&Job { shared, limits: &limits, budget: None, reporter: &Silent })
            },
        );
        assert!(reports.len() == 1 && refused.is_none(), "{} reports", reports.len());
    }

    #[test]
    fn a_line_predicts_the_results_of_the_next_searches() {
        let size = Size::default();
        let pv = parse_moves("h8i9j10", size).expect("moves");
        let position = Position::new(Board::new(size), Rule::default());
        let after = |plies: usize| {
            let mut board = position.board().clone();
            pv[..plies].iter().for_each(|&point| board.play(point));
            board.hash()
        };
        for (value, next, own) in
            [(35, -35, 35), (mate_in(9), mated_in(8), mate_in(7)), (mated_in(30), mate_in(29), mated_in(28))]
        {
            let last = Iteration {
                depth: 12,
                selective_depth: 20,
                value,
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: pv.clone(),
            };
            let of = |plies: usize, value| Expected { hash: after(plies), value, depth: 12 - plies as i32 };
            assert_eq!(expected(&position, &last), [of(1, next), of(2, own)]);
            assert_eq!(expected(&position, &Iteration { depth: 2, ..last.clone() }).len(), 1);
            assert!(expected(&position, &Iteration { depth: 0, ..last }).is_empty());
        }
    }
}
