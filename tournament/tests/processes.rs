//! What becomes of the processes of engines: nothing outlives a game or the runner, nothing hides its memory.

// The helpers are test code too, but clippy knows that only of the tests themselves.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{NO_PAUSE, processes_with, run, scripted, survivors_with, tournament};

/// A short game that decides nothing, enough for every behaviour to show.
const SHORT: [&str; 8] =
    ["--games", "1", "--max-moves", "20", "--openings", "random:2", "--time-turn-ms", "5000"];

/// A command of `scripted` that a shell starts and waits for.
fn in_a_shell(behaviour: &str, mark: &str) -> String {
    let inner = format!("'{}' {behaviour} 1 {mark}; exit $?", scripted().display());
    shell_words::join(["sh", "-c", &inner])
}

/// A mark that no other test has.
fn mark(name: &str) -> String {
    format!("kakugo-{name}-{}", std::process::id())
}

#[test]
fn a_process_that_left_its_group_goes_with_its_engine() {
    // That none is left, `run` sees to.
    run(["daemon", "random"], &SHORT).ended("move-limit", "1/2-1/2");
    let mark = mark("reused");
    let engine = format!("'{}' daemon 1 {mark}", scripted().display());
    let flags = [&SHORT[2..], &NO_PAUSE, &["--games", "4", "--reuse"]].concat();
    let output = tournament(&[&["--engine1", &engine, "--engine2", &engine], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
}

#[test]
fn memory_counts_in_a_process_that_left_its_group() {
    let limited = [&SHORT[..], &["--max-memory", "60M", "--memory-tolerance", "10M"]].concat();
    let played = run(["hidden-hoard 200", "random"], &limited);
    played.ended("memory", "0-1");
    assert!(played.game()["black"]["peak_memory"].as_u64().unwrap() > 200 << 20, "{:#}", played.game());
    let played = run(["hidden-hoard 30", "random"], &limited);
    played.ended("move-limit", "1/2-1/2");
    assert!(played.game()["black"]["peak_memory"].as_u64().unwrap() > 30 << 20, "{:#}", played.game());
}

#[test]
fn nothing_outlives_a_runner_that_is_killed() {
    let mark = mark("orphaned");
    // The first engine hangs, behind a shell; the second has left a process behind that is in no group of ours.
    let engines = [in_a_shell("hang", &mark), format!("'{}' daemon 1 {mark}", scripted().display())];
    let [black, white] = &engines;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(["--engine1", black, "--engine2", white, "--time-turn-ms", "60000", "--games", "1"]);
    let mut runner = command.args(NO_PAUSE).stdout(Stdio::null()).spawn().unwrap();
    let is_ready = || {
        let running = processes_with(&mark);
        // The daemon is a sleeper, and the hanging engine waits for the end of time by then: it moves first.
        running.iter().any(|command| command.contains(" sleep 1 ")) && running.len() > 4
    };
    let patience = Instant::now() + Duration::from_secs(20);
    while !is_ready() {
        assert!(Instant::now() < patience, "{:?}", processes_with(&mark));
        std::thread::sleep(Duration::from_millis(5));
    }
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
}

#[test]
fn an_engine_that_kills_its_group_kills_itself() {
    let played = run(["kill-group", "random"], &SHORT);
    played.ended("crash", "0-1");
    assert!(played.game()["detail"].as_str().unwrap().contains("signal: 9"), "{:#}", played.game());
}

#[test]
fn a_supervisor_is_not_for_people() {
    for arguments in
        [&["supervise-engine"][..], &["supervise-engine", "99", "true"], &["supervise-engine", "1"]]
    {
        let output = tournament(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not for people"), "{output:?}");
    }
}
