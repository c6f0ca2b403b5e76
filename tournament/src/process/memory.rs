//! Memory of engines: that of each one's process and of everything that it has started, together.
//!
//! One thread looks at `/proc` for all engines of a batch; an engine above its limit is killed there and then. What
//! counts is resident memory. The engine's own process is looked at often, which is cheap; what it started is found
//! among all processes of the machine, as often as a small share of a processor allows. The peak of a single process is
//! exact (the system keeps it), several are summed up at each look, so that a peak between two looks is missed.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::table::{self, Member};
use super::tree::{Killer, ProcessTree};

/// Time between two looks at the engines' own processes.
const INTERVAL: Duration = Duration::from_millis(50);
/// Looking at all processes takes at most one part in so many of a processor, however many there are.
const SHARE: u32 = 100;

/// Watches over the memory of engines. Clones watch together; the thread ends soon after the last is gone.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Mutex<Vec<Arc<WatchedProcess>>>>);

/// An engine that is watched, until this is dropped.
#[derive(Debug)]
pub struct Watched {
    watch: Watch,
    entry: Arc<WatchedProcess>,
}

#[derive(Debug)]
struct WatchedProcess {
    /// The engine's process, which leads a group of its own.
    engine: i32,
    /// When it began.
    began: Option<u64>,
    /// The process below which all of the engine's are.
    root: i32,
    killer: Killer,
    /// Bytes that it may hold.
    limit: Option<u64>,
    /// The most bytes seen.
    peak: AtomicU64,
    /// The bytes that it was killed for; 0 while it has not been.
    killed_for: AtomicU64,
}

impl Watch {
    /// Begins to watch.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn start() -> io::Result<Watch> {
        let entries = Arc::default();
        let observed = Arc::downgrade(&entries);
        thread::Builder::new().name("memory".to_owned()).spawn(move || look_around(&observed))?;
        Ok(Watch(entries))
    }

    /// Watches an engine; above `limit` bytes it is killed.
    pub(super) fn over(&self, tree: &ProcessTree, limit: Option<u64>) -> Watched {
        let engine = tree.engine();
        let entry = Arc::new(WatchedProcess {
            engine,
            began: table::member(engine).map(|member| member.began),
            root: tree.root(),
            killer: tree.killer(),
            limit,
            peak: AtomicU64::new(0),
            killed_for: AtomicU64::new(0),
        });
        lock(&self.0).push(Arc::clone(&entry));
        Watched { watch: self.clone(), entry }
    }
}

impl WatchedProcess {
    /// The engine's own process, if it is still there: its number may be another's by now.
    fn own(&self) -> Option<Member> {
        table::member(self.engine).filter(|member| Some(member.began) == self.began)
    }
}

impl Watched {
    /// The most bytes that the engine held so far; `None` where the system does not tell.
    pub(super) fn peak(&self) -> Option<u64> {
        let seen = self.entry.peak.load(Ordering::Relaxed);
        let own = self.entry.own().and_then(|_| table::peak_of_process(self.entry.engine));
        Some(seen.max(own.unwrap_or(0))).filter(|&peak| peak > 0)
    }

    /// The bytes that the engine held when it was killed for them.
    pub(super) fn killed_for(&self) -> Option<u64> {
        Some(self.entry.killed_for.load(Ordering::Acquire)).filter(|&held| held > 0)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        lock(&self.watch.0).retain(|entry| !Arc::ptr_eq(entry, &self.entry));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn look_around(observed: &Weak<Mutex<Vec<Arc<WatchedProcess>>>>) {
    let mut next_full = Instant::now();
    while let Some(entries) = observed.upgrade() {
        // Not looked at under the lock: engines come and go meanwhile.
        let watched = lock(&entries).clone();
        let (began, cost) = (Instant::now(), table::processor_time());
        let is_full = !watched.is_empty() && began >= next_full;
        let processes = is_full.then(table::all_processes);
        for entry in &watched {
            let held = held(entry, processes.as_deref());
            entry.peak.fetch_max(held, Ordering::Relaxed);
            // One that has been dropped since is dead.
            let is_there = || lock(&entries).iter().any(|other| Arc::ptr_eq(other, entry));
            if entry.limit.is_some_and(|limit| held > limit) && is_there() {
                log::info!("process {} holds {held} bytes: killed", entry.engine);
                entry.killed_for.store(held, Ordering::Release);
                entry.killer.kill();
            }
        }
        if is_full {
            next_full = began + (table::processor_time() - cost) * SHARE;
        }
        drop(entries);
        thread::sleep(INTERVAL);
    }
}

/// Memory that the engine holds, in bytes: its own process at each look, and everything that it has started when all
/// processes were looked at.
fn held(entry: &WatchedProcess, all: Option<&[Member]>) -> u64 {
    let own = entry.own();
    let Some(processes) = all else { return own.map_or(0, |member| member.resident) };
    let below = table::descendants(entry.root, processes);
    let is_other = |member: &&Member| member.pid != entry.engine;
    // Without a supervisor, an orphan is found by its group.
    let is_orphan = |process: &&Member| {
        entry.root == entry.engine
            && process.group == entry.engine
            && below.iter().all(|member| member.pid != process.pid)
    };
    let orphans = processes.iter().filter(is_orphan);
    let others = below.iter().chain(orphans).filter(is_other);
    own.iter().chain(others).map(|member| member.resident).sum()
}
