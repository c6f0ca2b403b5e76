//! Files named by a person for `play` and `--log`, and everything that can be wrong with them: the real
//! binary.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::terminal::{directory, play_in, run_in, text};

/// Runs a shell script in which `$KAKUGO` is the binary.
fn shell(directory: &Path, script: &str) -> Output {
    Command::new("sh")
        .args(["-c", script])
        .env("KAKUGO", env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .env_remove("KAKUGO_LOG")
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell")
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn a_game_is_saved_through_a_link_and_keeps_the_mode_of_its_file() {
    let directory = directory("save-link");
    let at = |name: &str| directory.join(name);
    fs::write(at("game.txt"), "old").unwrap();
    fs::set_permissions(at("game.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("game.txt", at("link")).unwrap();
    let shown = play_in(&directory, &[], "save link\nsave! link\nquit\n");
    assert!(shown.contains("link exists; use save! link to overwrite it\n"), "{shown}");
    assert!(shown.contains("saved 0 moves to link\n"), "{shown}");
    assert!(at("link").symlink_metadata().unwrap().is_symlink());
    assert_eq!(mode(&at("game.txt")), 0o600);
    assert!(fs::read_to_string(at("game.txt")).unwrap().starts_with("(;FF[4]GM[4]"));
    assert_eq!(names(&directory), ["game.txt", "link"]);
}

#[test]
fn a_game_takes_the_place_of_nothing_but_files() {
    let directory = directory("save-device");
    assert!(Command::new("mkfifo").arg(directory.join("pipe")).status().unwrap().success());
    for (name, target) in [("null", "/dev/null"), ("out", "/dev/stdout"), ("circle", "circle")] {
        symlink(target, directory.join(name)).unwrap();
    }
    let shown = play_in(&directory, &[], "save! pipe\nsave! null\nsave! out\nsave! circle\nquit\n");
    for line in [
        "cannot write pipe: it is a pipe, not a regular file\n",
        "cannot write null: it is a device, not a regular file\n",
        "cannot write out: it is a pipe, not a regular file\n",
        "cannot write circle: its symbolic links go in a circle\n",
    ] {
        assert!(shown.contains(line), "no {line:?} in:\n{shown}");
    }
    assert!(!shown.contains("saved "), "{shown}");
    assert_eq!(names(&directory), ["circle", "null", "out", "pipe"]);
    assert!(!directory.join("pipe").symlink_metadata().unwrap().is_file());
}

#[test]
fn a_full_disk_leaves_the_old_game() {
    let directory = directory("save-full");
    fs::write(directory.join("game.txt"), "old").unwrap();
    // Files may not have any bytes: as on a full disk, a new file can be created but not written.
    let script = "trap '' XFSZ; ulimit -f 0; printf 'save! game.txt\\nsave new\\nquit\\n' | \"$KAKUGO\" play";
    let output = shell(&directory, script);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}{}", text(&output.stderr));
    assert_eq!(shown.matches("cannot write ").count(), 2, "{shown}");
    assert_eq!(fs::read_to_string(directory.join("game.txt")).unwrap(), "old");
    assert_eq!(names(&directory), ["game.txt"], "no draft is left");
}

#[test]
fn only_files_of_some_size_are_loaded() {
    let directory = directory("load-refused");
    assert!(Command::new("mkfifo").arg(directory.join("pipe")).status().unwrap().success());
    fs::write(directory.join("long"), " ".repeat(70_000)).unwrap();
    fs::write(directory.join("bytes"), b"h8\xff").unwrap();
    for (name, expected) in [
        ("pipe", "it is a pipe, not a regular file"),
        ("/dev/zero", "it is a device, not a regular file"),
        (".", "it is a directory, not a regular file"),
        ("long", "it has more than 65536 bytes"),
        ("bytes", "it is not a text in UTF-8"),
    ] {
        let output = run_in(&directory, &["play", "--load", name], "");
        let said = text(&output.stderr);
        assert_eq!(said, format!("error: cannot load {name}: {expected}\n"));
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name}: {:?}", output.status);
    }
}

#[test]
fn a_damaged_challenge_file_is_an_error_where_it_is_no_file() {
    let directory = directory("challenge-pipe");
    fs::create_dir(directory.join("data")).unwrap();
    let pipe = directory.join("data/challenge.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let output = run_in(&directory, &["play", "--challenge"], "");
    let said = text(&output.stderr);
    assert!(said.contains("it is a pipe, not a regular file") && said.lines().count() == 1, "{said}");
    assert_eq!(names(&directory.join("data")), ["challenge.json"]);
}

#[test]
fn standard_output_is_no_log() {
    let directory = directory("log-stream");
    let output = run_in(&directory, &["--log", "-"], "ABOUT\nEND\n");
    let said = text(&output.stderr);
    assert!(said.contains("./- is a file of this name"), "{said}");
    assert_eq!((output.status.code(), directory.join("-").exists()), (Some(2), false));
}

/// A log without a reader must not prevent the engine from starting or playing.
#[test]
#[cfg(target_os = "linux")]
fn a_log_never_blocks_the_engine() {
    let directory = directory("log-pipe");
    assert!(Command::new("mkfifo").arg(directory.join("pipe")).status().unwrap().success());
    let output = run_in(&directory, &["--log", "pipe"], "ABOUT\nEND\n");
    let said = text(&output.stderr);
    assert_eq!(said, "error: cannot write the log file pipe: it is a pipe without a reader\n");
    assert_eq!(output.status.code(), Some(2));
    // Its reader never reads: entries that do not fit are dropped.
    let lines = "ABOUT\n".repeat(3000);
    fs::write(directory.join("lines"), lines).unwrap();
    // Opening it for writing waits for the reader.
    let script = "sleep 60 < pipe & : > pipe; \"$KAKUGO\" --log pipe < lines > answers; kill $!";
    let output = shell(&directory, script);
    assert_eq!(text(&output.stderr), "");
    let answers = fs::read_to_string(directory.join("answers")).unwrap();
    assert_eq!(answers.lines().count(), 3000);
}

#[test]
#[cfg(target_os = "linux")]
fn errors_that_cannot_be_told_are_no_panic() {
    let directory = directory("deaf");
    for (arguments, expected) in [("solve nonsense", 2), ("--log .", 2), ("play --load none", 1)] {
        let output = shell(&directory, &format!("\"$KAKUGO\" {arguments} 2> /dev/full"));
        assert_eq!(output.status.code(), Some(expected), "{arguments}");
    }
}
