//! The system's process table: parents and memory of processes. Empty if the system does not provide it.

/// A process. Its start time distinguishes it from a later process with the same pid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The pid.
    pub pid: i32,
    /// The pid of the process that started or inherited it.
    pub parent: i32,
    /// Its process group.
    pub group: i32,
    /// Start time, in ticks since the system started.
    pub began: u64,
    /// Resident memory, in bytes.
    pub resident: u64,
}

/// All descendants of `root`, without `root` itself.
pub fn descendants(root: i32, processes: &[Member]) -> Vec<Member> {
    let mut parents = vec![root];
    let mut found: Vec<Member> = Vec::new();
    while let Some(parent) = parents.pop() {
        let is_new = |child: &&Member| child.pid != root && found.iter().all(|known| known.pid != child.pid);
        let children: Vec<Member> =
            processes.iter().filter(|process| process.parent == parent).filter(is_new).copied().collect();
        parents.extend(children.iter().map(|child| child.pid));
        found.extend(children);
    }
    found
}

#[cfg(target_os = "linux")]
mod system {
    use std::time::Duration;

    use super::Member;
    use procfs::process::{Process, Stat};

    /// All processes of the machine.
    pub fn all_processes() -> Vec<Member> {
        let Ok(processes) = procfs::process::all_processes() else { return Vec::new() };
        processes.flatten().filter_map(|process| process.stat().ok()).map(Member::from).collect()
    }

    /// Processor time of this thread; on a busy machine much less than the elapsed time.
    pub fn processor_time() -> Duration {
        use nix::time::{ClockId, clock_gettime};
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
    }

    /// The process `pid`, if it exists.
    pub fn member(pid: i32) -> Option<Member> {
        Some(Process::new(pid).ok()?.stat().ok()?.into())
    }

    /// Peak memory of process `pid`, in bytes.
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
        /// Kills the process, unless it has ended and its pid was reused.
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

    /// All processes of the machine: not available on this system.
    pub fn all_processes() -> Vec<Member> {
        Vec::new()
    }

    /// Processor time of this thread: not available on this system.
    pub fn processor_time() -> Duration {
        Duration::ZERO
    }

    /// The process `pid`: not available on this system.
    pub fn member(_: i32) -> Option<Member> {
        None
    }

    /// Peak memory of process `pid`: not available on this system.
    pub fn peak_of_process(_: i32) -> Option<u64> {
        None
    }
}

pub use system::{all_processes, member, peak_of_process, processor_time};

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pid: i32, parent: i32, group: i32) -> Member {
        Member { pid, parent, group, began: 0, resident: 1 }
    }

    #[test]
    fn descendants_are_found_in_whichever_group() {
        // 10 is the engine and 12 its grandchild in another session; 20 is unrelated, and so is 13, although
        // it is in 10's group.
        let processes = [
            of(12, 11, 12),
            of(1, 0, 1),
            of(10, 5, 10),
            of(11, 10, 10),
            of(13, 1, 10),
            of(20, 5, 20),
            of(5, 1, 5),
        ];
        let pids = |root| {
            let mut pids: Vec<i32> = descendants(root, &processes).iter().map(|member| member.pid).collect();
            pids.sort_unstable();
            pids
        };
        assert_eq!(pids(10), [11, 12]);
        assert_eq!(pids(5), [10, 11, 12, 20]);
        assert!(pids(99).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_seen() {
        let pid = std::process::id() as i32;
        let seen = all_processes().into_iter().find(|member| member.pid == pid).unwrap();
        assert!(seen.resident > 1 << 20, "{seen:?}");
        assert!(peak_of_process(pid).unwrap() >= seen.resident / 2);
        assert_eq!(member(pid).unwrap().began, seen.began);
    }
}
