//! How much memory engines hold: each one's process, its process group and all their descendants, together.
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

/// Time between two looks at the engines' own processes.
const INTERVAL: Duration = Duration::from_millis(50);
/// Looking at all processes takes at most one part in so many of a processor, however many there are.
const SHARE: u32 = 100;

/// Watches over the memory of engines. Clones watch together; the thread ends soon after the last is gone.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Mutex<Vec<Arc<Entry>>>>);

/// An engine that is watched, until this is dropped.
#[derive(Debug)]
pub struct Watched {
    watch: Watch,
    entry: Arc<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The engine's process, which leads a group of its own.
    pid: i32,
    /// Bytes that it may hold.
    limit: Option<u64>,
    /// The most bytes seen.
    peak: AtomicU64,
    /// The bytes that it was killed for; 0 while it has not been.
    killed_for: AtomicU64,
    /// Descendants that left the group, at the last look.
    strays: Mutex<Vec<Member>>,
}

/// A process of an engine; the time it began tells it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    pid: i32,
    parent: i32,
    group: i32,
    began: u64,
    resident: u64,
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

    /// Watches the engine whose process is `pid`; above `limit` bytes it is killed.
    pub(super) fn over(&self, pid: u32, limit: Option<u64>) -> Watched {
        let entry = Arc::new(Entry {
            pid: pid as i32,
            limit,
            peak: AtomicU64::new(0),
            killed_for: AtomicU64::new(0),
            strays: Mutex::default(),
        });
        lock(&self.0).push(Arc::clone(&entry));
        Watched { watch: self.clone(), entry }
    }
}

impl Watched {
    /// The most bytes that the engine held so far; `None` where the system does not tell.
    pub(super) fn peak(&self) -> Option<u64> {
        let seen = self.entry.peak.load(Ordering::Relaxed);
        Some(seen.max(peak_of_process(self.entry.pid).unwrap_or(0))).filter(|&peak| peak > 0)
    }

    /// The bytes that the engine held when it was killed for them.
    pub(super) fn killed_for(&self) -> Option<u64> {
        Some(self.entry.killed_for.load(Ordering::Acquire)).filter(|&held| held > 0)
    }

    /// Kills every process of the engine that is known.
    pub(super) fn kill(&self) {
        kill_group(self.entry.pid);
        for stray in lock(&self.entry.strays).drain(..) {
            stray.kill();
        }
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

fn look_around(observed: &Weak<Mutex<Vec<Arc<Entry>>>>) {
    let mut next_full = Instant::now();
    while let Some(entries) = observed.upgrade() {
        // Not looked at under the lock: engines come and go meanwhile.
        let watched = lock(&entries).clone();
        let (began, cost) = (Instant::now(), processor_time());
        let is_full = !watched.is_empty() && began >= next_full;
        let processes = if is_full { all_processes() } else { Vec::new() };
        for entry in &watched {
            let members =
                if is_full { tree(entry.pid, &processes) } else { Vec::from_iter(member(entry.pid)) };
            if is_full {
                *lock(&entry.strays) =
                    members.iter().filter(|member| member.group != entry.pid).copied().collect();
            }
            let held = members.iter().map(|member| member.resident).sum();
            entry.peak.fetch_max(held, Ordering::Relaxed);
            // One that has been dropped since is dead, and its number may be another's.
            let is_there = || lock(&entries).iter().any(|other| Arc::ptr_eq(other, entry));
            if entry.limit.is_some_and(|limit| held > limit) && is_there() {
                log::info!("process {} holds {held} bytes: killed", entry.pid);
                entry.killed_for.store(held, Ordering::Release);
                kill_group(entry.pid);
                lock(&entry.strays).iter().for_each(Member::kill);
            }
        }
        if is_full {
            next_full = began + (processor_time() - cost) * SHARE;
        }
        drop(entries);
        thread::sleep(INTERVAL);
    }
}

/// The process `root`, its group, and everything that they started.
fn tree(root: i32, processes: &[Member]) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
    loop {
        let is_new = |process: &&Member| !members.iter().any(|member| member.pid == process.pid);
        let belongs = |process: &&Member| {
            process.pid == root
                || process.group == root
                || members.iter().any(|member| member.pid == process.parent)
        };
        let found: Vec<Member> = processes.iter().filter(belongs).filter(is_new).copied().collect();
        if found.is_empty() {
            return members;
        }
        members.extend(found);
    }
}

#[cfg(unix)]
fn kill_group(leader: i32) {
    use nix::sys::signal::{Signal, killpg};
    // An error only says that there is nobody left.
    let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill_group(_: i32) {}

#[cfg(target_os = "linux")]
mod system {
    use std::time::Duration;

    use super::Member;
    use procfs::process::{Process, Stat};

    pub fn all_processes() -> Vec<Member> {
        let Ok(processes) = procfs::process::all_processes() else { return Vec::new() };
        processes.flatten().filter_map(|process| process.stat().ok()).map(Member::from).collect()
    }

    /// What this thread has used of a processor: on a busy machine much less than has passed.
    pub fn processor_time() -> Duration {
        use nix::time::{ClockId, clock_gettime};
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
    }

    pub fn member(pid: i32) -> Option<Member> {
        Some(Process::new(pid).ok()?.stat().ok()?.into())
    }

    pub fn peak_of_process(pid: i32) -> Option<u64> {
        Some(Process::new(pid).ok()?.status().ok()?.vmhwm? * 1024)
    }

    impl From<Stat> for Member {
        fn from(stat: Stat) -> Member {
            Member {
                pid: stat.pid,
                parent: stat.ppid,
                group: stat.pgrp,
                began: stat.starttime,
                resident: stat.rss * procfs::page_size(),
            }
        }
    }

    impl Member {
        /// Kills the process, unless it has ended and its number is another's.
        pub fn kill(&self) {
            use nix::sys::signal::{Signal, kill};
            if member(self.pid).is_some_and(|now| now.began == self.began) {
                let _ = kill(nix::unistd::Pid::from_raw(self.pid), Signal::SIGKILL);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    use super::Member;

    pub fn all_processes() -> Vec<Member> {
        Vec::new()
    }

    pub fn processor_time() -> Duration {
        Duration::ZERO
    }

    pub fn member(_: i32) -> Option<Member> {
        None
    }

    pub fn peak_of_process(_: i32) -> Option<u64> {
        None
    }

    impl Member {
        pub fn kill(&self) {}
    }
}

use system::{all_processes, member, peak_of_process, processor_time};

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pid: i32, parent: i32, group: i32) -> Member {
        Member { pid, parent, group, began: 0, resident: 1 }
    }

    #[test]
    fn a_tree_is_the_group_and_all_descendants() {
        // 10 is the engine; 12 its grandchild in a session of its own; 13 an orphan of its group; 20 is a stranger.
        let processes = [
            of(12, 11, 12),
            of(1, 0, 1),
            of(10, 5, 10),
            of(11, 10, 10),
            of(13, 1, 10),
            of(20, 5, 20),
            of(5, 1, 5),
        ];
        let mut pids: Vec<i32> = tree(10, &processes).iter().map(|member| member.pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [10, 11, 12, 13]);
        assert!(tree(99, &processes).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_seen() {
        let pid = std::process::id() as i32;
        let seen = all_processes().into_iter().find(|member| member.pid == pid).unwrap();
        assert!(seen.resident > 1 << 20, "{seen:?}");
        assert!(peak_of_process(pid).unwrap() >= seen.resident / 2);
    }
}
