//! Memory use of engines: the process of each engine together with all processes that it started.
//!
//! One thread reads `/proc` for all engines of a batch and kills an engine above its limit. Resident memory
//! counts. The engine's own process is checked often, which is cheap. Finding its children requires reading
//! all processes of the machine, which is done as often as a small share of a processor allows. The peak of a
//! single process is exact, because the system records it. With several processes, the sum is taken at each
//! check, so that a peak between two checks is missed.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::table::{self, Member};
use super::tree::{Killer, ProcessTree};

/// Interval between two checks of the engines' own processes.
const INTERVAL: Duration = Duration::from_millis(50);
/// Reading all processes uses at most 1/`SHARE` of a processor, however many there are.
const SHARE: u32 = 100;

/// Monitors the memory of engines. Clones share one monitor; its thread ends soon after the last clone is
/// dropped.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Mutex<Vec<Arc<WatchedProcess>>>>);

/// An engine that is monitored until this value is dropped.
#[derive(Debug)]
pub struct Watched {
    watch: Watch,
    entry: Arc<WatchedProcess>,
}

#[derive(Debug)]
struct WatchedProcess {
    /// The engine's process, which leads its own process group.
    engine: i32,
    /// Start time of the process.
    began: Option<u64>,
    /// The process whose descendants are all of the engine's processes.
    root: i32,
    killer: Killer,
    /// Memory limit, in bytes.
    limit: Option<u64>,
    /// Peak memory so far, in bytes.
    peak: AtomicU64,
    /// Memory at which the engine was killed, in bytes; 0 if it was not.
    killed_for: AtomicU64,
}

impl Watch {
    /// Starts monitoring.
    ///
    /// # Errors
    /// Returns an error if no thread can be created.
    pub fn start() -> io::Result<Watch> {
        let entries = Arc::default();
        let observed = Arc::downgrade(&entries);
        thread::Builder::new().name("memory".to_owned()).spawn(move || look_around(&observed))?;
        Ok(Watch(entries))
    }

    /// Monitors an engine, which is killed above `limit` bytes.
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
        self.0.lock().push(Arc::clone(&entry));
        Watched { watch: self.clone(), entry }
    }
}

impl WatchedProcess {
    /// The engine's own process, if it still exists: its pid may have been reused.
    fn own(&self) -> Option<Member> {
        table::member(self.engine).filter(|member| Some(member.began) == self.began)
    }
}

impl Watched {
    /// Peak memory of the engine so far, in bytes; `None` if the system does not report it.
    pub(super) fn peak(&self) -> Option<u64> {
        let seen = self.entry.peak.load(Ordering::Relaxed);
        let own = self.entry.own().and_then(|_| table::peak_of_process(self.entry.engine));
        Some(seen.max(own.unwrap_or(0))).filter(|&peak| peak > 0)
    }

    /// Memory in bytes at which the engine was killed, if it was.
    pub(super) fn killed_for(&self) -> Option<u64> {
        Some(self.entry.killed_for.load(Ordering::Acquire)).filter(|&held| held > 0)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.watch.0.lock().retain(|entry| !Arc::ptr_eq(entry, &self.entry));
    }
}

fn look_around(observed: &Weak<Mutex<Vec<Arc<WatchedProcess>>>>) {
    let mut next_full = Instant::now();
    while let Some(entries) = observed.upgrade() {
        // The lock is not held during the checks, because engines come and go meanwhile.
        let watched = entries.lock().clone();
        let (began, cost) = (Instant::now(), table::processor_time());
        let is_full = !watched.is_empty() && began >= next_full;
        let processes = is_full.then(table::all_processes);
        for entry in &watched {
            let held = held(entry, processes.as_deref());
            entry.peak.fetch_max(held, Ordering::Relaxed);
            // An entry that has been dropped since then is dead.
            let is_there = || entries.lock().iter().any(|other| Arc::ptr_eq(other, entry));
            if entry.limit.is_some_and(|limit| held > limit) && is_there() {
                log::info!("killed process {}, which uses {held} bytes", entry.engine);
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

/// Memory of the engine in bytes: its own process at each check, and its children at the last reading of all
/// processes.
fn held(entry: &WatchedProcess, all: Option<&[Member]>) -> u64 {
    let own = entry.own();
    let Some(processes) = all else { return own.map_or(0, |member| member.resident) };
    let below = table::descendants(entry.root, processes);
    let is_other = |member: &&Member| member.pid != entry.engine;
    // Without a supervisor, orphans are identified by their group.
    let is_orphan = |process: &&Member| {
        entry.root == entry.engine
            && process.group == entry.engine
            && below.iter().all(|member| member.pid != process.pid)
    };
    let orphans = processes.iter().filter(is_orphan);
    let others = below.iter().chain(orphans).filter(is_other);
    own.iter().chain(others).map(|member| member.resident).sum()
}
