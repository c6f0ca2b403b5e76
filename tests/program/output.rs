//! Output that is not read or cannot be written: a quiet end, or one clear line.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_pbrain-kakugo");
/// Commands that write to standard output; the first one runs the protocol.
const RUNS: [&[&str]; 11] = [
    &[],
    &["--help"],
    &["--version"],
    &["play", "--help"],
    &["games"],
    &["rules", "pente"],
    &["evaluate", "h8i9j10"],
    &["forbidden", "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15"],
    &["play"],
    &["suite", "tests/data/quiet.jsonl", "--nodes", "10,20,30"],
    &["suite", "tests/data/quiet.jsonl", "--nodes", "10,20,30", "--json"],
];

/// Starts `command` and sends it lines that the protocol and `play` answer.
fn run(command: &mut Command) -> Output {
    let mut child = command
        .env_remove("KAKUGO_LOG")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    // Closed before anything is written, if it is a pipe.
    drop(child.stdout.take());
    if let Some(mut stdin) = child.stdin.take() {
        for _ in 0..3 {
            let _ = stdin.write_all(b"ABOUT\n");
        }
    }
    child.wait_with_output().expect("the engine ends")
}

#[test]
fn whoever_stops_reading_ends_it_quietly() {
    for arguments in RUNS {
        let output = run(Command::new(ENGINE).args(arguments).stdout(Stdio::piped()));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_in_one_clear_line() {
    for arguments in RUNS {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = run(Command::new(ENGINE).args(arguments).stdout(full));
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(text.starts_with("error: cannot write to standard output: "), "{arguments:?}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_error_need_not_be_read() {
    for (arguments, status) in [(&["rules", "chess"][..], 2), (&["--log", "/nowhere/at/all.log"], 2)] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let status_of = Command::new(ENGINE).args(arguments).stderr(full).stdout(Stdio::null()).status();
        assert_eq!(status_of.expect("the engine ends").code(), Some(status), "{arguments:?}");
    }
}
