//! Builds a book: threads take positions from the tree, expand them, and write the results to the database.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::expansion::Expander;
use super::plan::Plan;
use super::tree::{BookTree, Excluded, Expanded, Id, Order};
use crate::board::Size;
use crate::database::{DatabaseError, Key, Lookup, Store};

/// Interval at which time and interruption are checked and progress is reported.
const INTERVAL: Duration = Duration::from_millis(100);

/// Progress of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildProgress {
    /// Number of positions in the book.
    pub positions: u64,
    /// Number of positions added by this build.
    pub added: u64,
    /// Number of positions expanded by this build.
    pub expanded: u64,
    /// Time since the start of the build.
    pub elapsed: Duration,
}

/// Why a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEnding {
    /// The book has the requested number of positions.
    Positions,
    /// The time is up.
    Time,
    /// Nothing is left to expand.
    Complete,
    /// The build was interrupted.
    Interrupted,
}

/// Result of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildOutcome {
    /// Why the build ended.
    pub ending: BuildEnding,
    /// The final progress.
    pub progress: BuildProgress,
}

/// State that the threads share.
struct Shared {
    tree: BookTree,
    progress: BuildProgress,
    ending: Option<BuildEnding>,
    error: Option<DatabaseError>,
    /// Number of positions that are being expanded.
    claimed: usize,
    /// Number of threads that are still running.
    running: usize,
}

struct Build<'a> {
    store: &'a Store,
    plan: &'a Plan,
    shared: Mutex<Shared>,
    /// Signalled when a position was expanded or a thread has ended.
    news: Condvar,
    /// Stops the searches; they are repeated by the next build.
    halt: AtomicBool,
}

/// Grows the book of `store` until the budget of `plan` is used up, nothing is left to expand, or `stop` is
/// set. The results are in the database, and a later build continues from there. Calls `report` with the
/// progress several times a second.
///
/// # Errors
/// Returns an error if the database cannot be read or written, or an opening cannot be stored. Completed
/// expansions are kept.
pub fn build(
    store: &Store,
    plan: &Plan,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&BuildProgress),
) -> Result<BuildOutcome, DatabaseError> {
    let started = Instant::now();
    let Plan { drop_out, deepest, share, moves, seed, .. } = *plan;
    let order = Order { drop_out, deepest, share, moves, seed };
    let size = plan.openings.first().map_or_else(Size::default, |board| board.size());
    let (tree, stale) = BookTree::load(&store.reader()?, plan.rule, size, &plan.openings, order)?;
    // After a merge, a position's value may be older than the values of its successors.
    if !stale.is_empty() {
        write(store, &tree, &stale)?;
    }
    let progress = BuildProgress { positions: tree.len(), ..BuildProgress::default() };
    let threads = plan.threads.max(1);
    let ending = plan.time.filter(Duration::is_zero).map(|_| BuildEnding::Time);
    let shared = Shared { tree, progress, ending, error: None, claimed: 0, running: threads };
    let build =
        Build { store, plan, shared: Mutex::new(shared), news: Condvar::new(), halt: AtomicBool::new(false) };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| build.work());
        }
        build.watch(started, stop, report);
    });
    let shared = build.shared.into_inner();
    match shared.error {
        Some(error) => Err(error),
        None => Ok(BuildOutcome {
            ending: shared.ending.unwrap_or(BuildEnding::Complete),
            progress: BuildProgress { elapsed: started.elapsed(), ..shared.progress },
        }),
    }
}

impl Build<'_> {
    /// Checks the clock and `stop` until all threads have ended.
    fn watch(&self, started: Instant, stop: &AtomicBool, report: &mut dyn FnMut(&BuildProgress)) {
        let mut shared = self.shared.lock();
        while shared.running > 0 {
            let is_late = self.plan.time.is_some_and(|time| started.elapsed() >= time);
            let ending = match () {
                () if stop.load(Ordering::Relaxed) => Some(BuildEnding::Interrupted),
                () if is_late => Some(BuildEnding::Time),
                () => None,
            };
            if let Some(ending) = ending {
                shared.ending.get_or_insert(ending);
                self.halt.store(true, Ordering::Relaxed);
                self.news.notify_all();
            }
            report(&BuildProgress { elapsed: started.elapsed(), ..shared.progress });
            self.news.wait_for(&mut shared, INTERVAL);
        }
    }

    /// Expands one position after the other.
    fn work(&self) {
        let mut expander = Expander::new(self.plan, &self.halt);
        while let Some((id, key, excluded)) = self.claim() {
            let expanded = expander.expand(&key, &excluded, |key| self.shared.lock().tree.knows(key));
            self.finish(id, expanded);
        }
        self.shared.lock().running -= 1;
        self.news.notify_all();
    }

    /// The next position; waits while other threads expand theirs. `None` at the end.
    fn claim(&self) -> Option<(Id, Key, Excluded)> {
        let mut shared = self.shared.lock();
        loop {
            if self.plan.positions.is_some_and(|wanted| shared.progress.positions >= wanted) {
                shared.ending.get_or_insert(BuildEnding::Positions);
            }
            if shared.ending.is_some() || shared.error.is_some() {
                return None;
            }
            if let Some(id) = shared.tree.next() {
                shared.tree.claim(id);
                shared.claimed += 1;
                let key = shared.tree.entry(id).0.clone();
                return Some((id, key, shared.tree.excluded_moves(id)));
            }
            if shared.claimed == 0 {
                return None;
            }
            self.news.wait(&mut shared);
        }
    }

    /// Records the result of an expansion, if it was not stopped.
    fn finish(&self, id: Id, expanded: Option<Expanded>) {
        let mut shared = self.shared.lock();
        shared.claimed -= 1;
        match expanded {
            None => shared.tree.release(id),
            Some(expanded) => {
                let changed = shared.tree.complete(id, expanded);
                if let Err(error) = write(self.store, &shared.tree, &changed) {
                    shared.error.get_or_insert(error);
                    self.halt.store(true, Ordering::Relaxed);
                }
                let positions = shared.tree.len();
                shared.progress.added += positions - shared.progress.positions;
                shared.progress.positions = positions;
                shared.progress.expanded += 1;
            }
        }
        self.news.notify_all();
    }
}

/// Writes the tree's data of some positions to the database, in one transaction; the other parts of their
/// records are kept.
fn write(store: &Store, tree: &BookTree, changed: &[Id]) -> Result<(), DatabaseError> {
    store.write(|batch| {
        for &id in changed {
            let (key, judgement) = tree.entry(id);
            let Some(judgement) = judgement else { continue };
            let mut record = batch.get(key)?.unwrap_or_default();
            judgement.write_to(&mut record);
            batch.put(key, &record)?;
        }
        Ok(())
    })
}
