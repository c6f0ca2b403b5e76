//! Signals to the match runner: no engine loses a game by a signal to all processes, a halt or a closed terminal.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::common::{NO_PAUSE, SHORT, at_once, mark, processes_with, scripted, survivors_with};

/// Process ids of the processes that carry `mark`.
fn pids_with(mark: &str) -> Vec<i32> {
    let carries = |pid: &i32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(mark)
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(carries).collect()
}

/// Starts a game of an engine against itself, with its results in `file`.
fn start_game(engine: &str, file: &Path, flags: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(["--engine1", engine, "--engine2", engine, "--games", "1"]).args(flags);
    command.args(NO_PAUSE).arg("--log").arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Number of lines of a file; 0 if it does not exist.
fn line_count(file: &Path) -> usize {
    std::fs::read_to_string(file).unwrap_or_default().lines().count()
}

#[test]
fn a_signal_to_all_processes_is_nobodys_loss() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..6 {
        let mark = mark(&format!("signalled-{round}"));
        let file = directory.path().join(format!("{round}.jsonl"));
        let engine = format!("'{}' hang 1 {mark}", scripted().display());
        let mut runner = start_game(&engine, &file, &["--time-turn-ms", "60000"]);
        let lines = || line_count(&file);
        let patience = Instant::now() + Duration::from_secs(20);
        // The runner and both engines.
        while lines() == 0 || pids_with(&mark).len() < 3 {
            assert!(Instant::now() < patience, "{:?}", processes_with(&mark));
            std::thread::sleep(Duration::from_millis(5));
        }
        // The runner is first or last.
        let own = runner.id() as i32;
        let mut all = pids_with(&mark);
        all.sort_by_key(|&pid| (pid == own) == (round % 2 == 1));
        for pid in all {
            // A process whose supervisor was signalled may be gone.
            let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
        }
        assert_eq!(runner.wait().unwrap().code(), Some(1), "round {round}");
        assert_eq!(lines(), 1, "{}", std::fs::read_to_string(&file).unwrap());
        assert_eq!(survivors_with(&mark), Vec::<String>::new());
    }
}

#[test]
fn a_line_that_a_signal_causes_is_nobodys_loss() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.jsonl");
    let mark = mark("last-words");
    let program = scripted().display().to_string();
    let engine = format!("'{program}' last-words 1 {mark}");
    let mut runner = start_game(&engine, &file, &["--time-turn-ms", "60000"]);
    // Without the supervisors, because the engines end with them.
    let is_engine = |pid: &i32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).starts_with(&program)
    };
    let engines = || pids_with(&mark).into_iter().filter(is_engine).collect::<Vec<i32>>();
    let patience = Instant::now() + Duration::from_secs(20);
    while line_count(&file) == 0 || engines().len() < 2 {
        assert!(Instant::now() < patience, "{:?}", processes_with(&mark));
        std::thread::sleep(Duration::from_millis(5));
    }
    // Both engines have made their first two moves, and one hangs.
    std::thread::sleep(Duration::from_millis(500));
    for pid in engines() {
        kill(Pid::from_raw(pid), Signal::SIGTERM).unwrap();
    }
    std::thread::sleep(Duration::from_millis(20));
    kill(Pid::from_raw(runner.id() as i32), Signal::SIGTERM).unwrap();
    assert_eq!(runner.wait().unwrap().code(), Some(1));
    assert_eq!(line_count(&file), 1, "{}", std::fs::read_to_string(&file).unwrap());
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
}

#[test]
fn a_halt_of_the_match_runner_is_nobodys_loss() {
    let clocks = [&["--time-turn-ms", "1500"][..], &["--time-match-ms", "4000"]];
    at_once(&clocks, |clock| {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("games.jsonl");
        let mark = mark(&format!("halted{}", clock[0]));
        let engine = format!("'{}' steady 200 {mark}", scripted().display());
        let flags = [*clock, &["--max-moves", "12", "--openings", "random:2"]].concat();
        let mut runner = start_game(&engine, &file, &flags);
        let patience = Instant::now() + Duration::from_secs(20);
        while line_count(&file) == 0 || pids_with(&mark).len() < 3 {
            assert!(Instant::now() < patience, "{:?}", processes_with(&mark));
            std::thread::sleep(Duration::from_millis(5));
        }
        // The engines have begun to move, and one of them answers during the halt.
        std::thread::sleep(Duration::from_millis(700));
        let own = Pid::from_raw(runner.id() as i32);
        kill(own, Signal::SIGSTOP).unwrap();
        std::thread::sleep(Duration::from_secs(5));
        kill(own, Signal::SIGCONT).unwrap();
        assert_eq!(runner.wait().unwrap().code(), Some(0));
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("\"ending\":\"move-limit\""), "{text}");
    });
}

#[test]
fn a_match_under_nohup_survives_its_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.jsonl");
    let engine = format!("'{}' slow 200", scripted().display());
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tournament")]);
    command.args(["--engine1", &engine, "--engine2", &engine, "--quiet", "--log", file.to_str().unwrap()]);
    command.args([&SHORT[2..], &NO_PAUSE, &["--games", "4"]].concat()).stdout(Stdio::null());
    let mut runner = command.spawn().unwrap();
    let lines = || std::fs::read_to_string(&file).unwrap_or_default().lines().count();
    let patience = Instant::now() + Duration::from_secs(20);
    while lines() == 0 {
        assert!(Instant::now() < patience, "the match does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(runner.id() as i32), Signal::SIGHUP).unwrap();
    assert_eq!((runner.wait().unwrap().code(), lines()), (Some(0), 5));
}
