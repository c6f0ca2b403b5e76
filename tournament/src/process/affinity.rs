//! Sets the processors of engines, and ties the life of an engine to its parent thread.

use std::process::Command;

use anyhow::{Result, ensure};
use kakugo::text::counted;

/// A set of processors for one game; empty means any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cpus(Vec<usize>);

impl Cpus {
    /// Creates `slots` disjoint sets of `threads` processors each.
    ///
    /// # Errors
    /// Returns an error if there are not enough processors or the system does not support pinning.
    pub fn deal(processors: &[usize], slots: usize, threads: usize) -> Result<Vec<Cpus>> {
        ensure!(cfg!(target_os = "linux"), "engines can be pinned to processors only on Linux");
        ensure!(
            processors.len() >= slots * threads,
            "pinning {} of {} at a time needs {}; only {} available",
            counted(slots, "game"),
            counted(threads, "thread"),
            counted(slots * threads, "processor"),
            match processors.len() {
                1 => "1 is".to_owned(),
                count => format!("{count} are"),
            }
        );
        Ok(processors.chunks(threads).take(slots).map(|chunk| Cpus(chunk.to_vec())).collect())
    }
}

/// The processors that this program may use.
#[cfg(target_os = "linux")]
pub fn available() -> Vec<usize> {
    let set = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0));
    let set = set.unwrap_or_else(|_| nix::sched::CpuSet::new());
    (0..nix::sched::CpuSet::count()).filter(|&processor| set.is_set(processor).unwrap_or(false)).collect()
}

/// The processors that this program may use.
#[cfg(not(target_os = "linux"))]
pub fn available() -> Vec<usize> {
    Vec::new()
}

/// Pins the process of `command` to `cpus`.
#[cfg(target_os = "linux")]
pub(super) fn pin(command: &mut Command, cpus: &Cpus) {
    use nix::sched::{CpuSet, sched_setaffinity};
    use nix::unistd::Pid;
    use std::os::unix::process::CommandExt;

    let mut set = CpuSet::new();
    if cpus.0.is_empty() || cpus.0.iter().any(|&processor| set.set(processor).is_err()) {
        return;
    }
    // SAFETY: only async-signal-safe functions may be called between fork and exec. This is a single system
    // call; the closure neither allocates nor locks, and neither does converting an errno to an `io::Error`.
    unsafe { command.pre_exec(move || Ok(sched_setaffinity(Pid::from_raw(0), &set)?)) };
}

/// Makes the system kill the process of `command` when the thread that starts it ends, so that no engine
/// keeps thinking after this program was killed.
#[cfg(target_os = "linux")]
pub(super) fn die_with_this_thread(command: &mut Command) {
    use nix::sys::{prctl::set_pdeathsig, signal::Signal};
    use std::os::unix::process::CommandExt;

    // SAFETY: as in `pin`.
    unsafe { command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?)) };
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_: &mut Command, _: &Cpus) {}

#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_this_thread(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn games_share_no_processor() {
        let slots = Cpus::deal(&[0, 2, 3, 5, 7], 2, 2).unwrap();
        assert_eq!(slots, [Cpus(vec![0, 2]), Cpus(vec![3, 5])]);
        let error = Cpus::deal(&[0, 1, 2], 2, 2).unwrap_err().to_string();
        assert_eq!(error, "pinning 2 games of 2 threads at a time needs 4 processors; only 3 are available");
        let error = Cpus::deal(&[0], 1, 3).unwrap_err().to_string();
        assert_eq!(error, "pinning 1 game of 3 threads at a time needs 3 processors; only 1 is available");
        assert!(!available().is_empty());
    }
}
