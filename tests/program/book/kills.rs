//! Kills: a build that is killed at any moment continues from the file without any difference.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tempfile::tempdir;

use crate::book::entries;
#[cfg(unix)]
use crate::process::PATIENCE;

/// A build of `positions` positions by one thread.
fn build(folder: &Path, name: &str, positions: u64) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let arguments =
        ["book", "build", name, "--openings", "h8i9", "--nodes", "5000", "--moves", "3", "--threads", "1"];
    command.args(arguments).args(["--positions", &positions.to_string()]);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether a build that was killed repeatedly, within the time of an uninterrupted one, equals an
/// uninterrupted one.
fn kill_and_compare(positions: u64, kills: usize) {
    let folder = tempdir().unwrap();
    let begun = Instant::now();
    assert!(build(folder.path(), "whole.kdb", positions).status().unwrap().success());
    let lasted = begun.elapsed();
    let whole = entries(&folder.path().join("whole.kdb"));
    assert!(whole.len() as u64 >= positions);
    let mut rng = StdRng::seed_from_u64(20);
    let killed = folder.path().join("killed.kdb");
    let mut partial = 0;
    for _ in 0..kills {
        let mut child = build(folder.path(), "killed.kdb", positions).spawn().unwrap();
        thread::sleep(lasted.mul_f64(rng.random_range(0.0..0.8)));
        child.kill().unwrap();
        child.wait().unwrap();
        let length = if killed.exists() { entries(&killed).len() } else { 0 };
        partial += usize::from(0 < length && length < whole.len());
        if length == whole.len() {
            assert_eq!(entries(&killed), whole);
            fs::remove_file(&killed).unwrap();
        }
    }
    assert!(partial > 0, "no kill came during a build");
    assert!(build(folder.path(), "killed.kdb", positions).status().unwrap().success());
    assert_eq!(entries(&killed), whole);
}

#[test]
fn a_build_that_is_killed_goes_on_as_if_nothing_had_happened() {
    kill_and_compare(60, 6);
}

#[test]
#[ignore = "a minute or two"]
fn a_larger_build_survives_a_hundred_kills() {
    kill_and_compare(400, 100);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_build_in_good_order() {
    let folder = tempdir().unwrap();
    let mut command = build(folder.path(), "a.kdb", 1_000_000);
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    // Ctrl-C is handled once the file has content.
    let file = folder.path().join("a.kdb");
    let deadline = Instant::now() + PATIENCE;
    while !file.exists() {
        assert!(Instant::now() < deadline, "the build writes no file");
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("; interrupted, run the same command to continue\n"), "{said}");
    let positions: usize = said.split_once(' ').unwrap().0.parse().unwrap();
    assert_eq!(entries(&file).len(), positions);
}
