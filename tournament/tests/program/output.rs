//! Output that nobody reads: every command ends quietly, a batch before its games are over.

use std::process::{Command, Output, Stdio};

use crate::common::{NO_PAUSE, scripted, survivors_with};

/// Runs the tournament without a reader of its standard output.
fn unread(arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tournament"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn assert_quiet(arguments: &[&str]) {
    let output = unread(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
}

#[test]
fn a_batch_ends_quietly_when_its_reader_leaves() {
    let folder = std::env::temp_dir().join(format!("kakugo-unread-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let log = folder.join("batch.jsonl");
    let log = log.to_str().unwrap();
    let mark = format!("kakugo-unread-{}", std::process::id());
    let engine = format!("'{}' random 1 {mark}", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--max-moves", "20", "--openings", "random:4"];
    // Far more games than are played before the missing reader is noticed.
    let batch = [&engines[..], &NO_PAUSE, &["--games", "10000"]].concat();
    for flags in [&["--no-log"][..], &["--json"], &["--log", log]] {
        assert_quiet(&[&batch, flags].concat());
        assert_eq!(survivors_with(&mark), Vec::<String>::new());
    }
    let kept = std::fs::read_to_string(log).unwrap().lines().count();
    assert!((2..1000).contains(&kept), "the games played until then are kept: {kept}");
    // The final table of a short batch, and every command that shows results.
    assert_quiet(&[&engines[..], &NO_PAUSE, &["--games", "2", "--quiet", "--no-log"]].concat());
    for command in [&["rate", log][..], &["rate", log, "--json"], &["show", log], &["tune", "--example"]] {
        assert_quiet(command);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_progress_line_has_the_width_of_the_terminal_of_standard_error() {
    let engine = format!("'{}' random 1", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--max-moves", "20", "--openings", "random:4"];
    let batch = [&engines[..], &NO_PAUSE, &["--games", "4", "--sprt", "0:10", "--no-log"]].concat();
    let words = shell_words::join([&[env!("CARGO_BIN_EXE_tournament")], &batch[..]].concat());
    // `script` makes the terminal.
    let command = format!("stty cols 80 rows 24; {words} > /dev/null");
    let mut terminal = Command::new("script");
    terminal.args(["-qfc", &command, "/dev/null"]).env_remove("NO_COLOR").env("TERM", "xterm");
    terminal.stdin(Stdio::null());
    let Some(output) = terminal.output().ok().filter(|output| !output.stdout.is_empty()) else {
        return eprintln!("script (util-linux) is missing or has no terminal");
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(" of -2.94 to 2.94"), "{shown:?}");
}
