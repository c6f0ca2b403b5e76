//! Runs the real binary like a person or a script: arguments, typed input, printed output.
#![allow(dead_code, reason = "`house` takes only a part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No command here takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the binary with `input` in a directory that belongs to the test, where it also stores unlocked
/// levels.
pub fn run_in(directory: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("KAKUGO_LOG")
        .env("KAKUGO_DATA", directory.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that rejects its arguments may exit before it has read anything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let id = child.id();
    let waiting = thread::spawn(move || child.wait_with_output().expect("its pipes can be read"));
    let deadline = Instant::now() + PATIENCE;
    while !waiting.is_finished() {
        assert!(Instant::now() < deadline, "process {id} is still at {arguments:?}");
        thread::sleep(Duration::from_millis(2));
    }
    waiting.join().expect("the thread only waits")
}

/// Runs the binary without leaving files behind.
pub fn run(arguments: &[&str], input: &str) -> Output {
    run_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, input)
}

/// The printed text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it prints UTF-8")
}

/// Plays a game, which must end without an error and without output on stderr; returns its output.
pub fn play_in(directory: &Path, arguments: &[&str], input: &str) -> String {
    // Both limits: fast on an idle machine, and never slow.
    let arguments = [&["play", "--time", "0.2", "--nodes", "3000"], arguments].concat();
    let output = run_in(directory, &arguments, input);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout).to_owned()
}

/// Plays a game like [`play_in`], without leaving files behind.
pub fn play(arguments: &[&str], input: &str) -> String {
    play_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, input)
}

/// Checks that a run fails at the start: exit status 2 and one line on stderr that contains `word`.
pub fn assert_refused(arguments: &[&str], word: &str) {
    let output = run(arguments, "");
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!((said, error.lines().count()), ("", 1), "{arguments:?}: {error}");
    assert!(error.starts_with("error: ") && error.contains(word), "{arguments:?}: {error}");
}

/// A new directory for the files of one test.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target directory can be written");
    path
}
