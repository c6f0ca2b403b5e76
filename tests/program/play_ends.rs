//! `play` in a terminal that is closed, or ended by a signal: the program ends and saves the game.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Closing the window takes the terminal away from the program, which can then read the end of its input for ever.
#[test]
fn a_closed_terminal_ends_the_full_screen() {
    ends_the_full_screen(|terminal, _| terminal.kill().expect("it is a child"));
}

/// A program in its own session, without a controlling terminal, gets no signal when the window is closed.
#[test]
fn a_closed_terminal_of_another_session_ends_the_full_screen() {
    let command = format!("exec setsid --wait sh -c '{PLAY}'");
    ends_the_game(&command, "lists the keys", b"\r", |terminal, _| terminal.kill().expect("it is a child"));
}

#[test]
fn a_signal_to_terminate_ends_the_full_screen() {
    ends_the_full_screen(|_, id| kill("-TERM", id));
}

#[test]
fn a_closed_terminal_ends_the_line_mode() {
    let command = format!("{PLAY} --line");
    ends_the_game(&command, "Move 1,", b"h8\n", |terminal, _| terminal.kill().expect("it is a child"));
}

#[test]
fn a_signal_to_terminate_ends_the_line_mode() {
    ends_the_game(&format!("{PLAY} --line"), "Move 1,", b"h8\n", |_, id| {
        // Ctrl-C only asks.
        kill("-INT", id);
        thread::sleep(Duration::from_millis(300));
        kill("-TERM", id);
    });
}

fn kill(signal: &str, id: &str) {
    assert!(Command::new("kill").args([signal, id]).status().expect("there is kill").success());
}

fn ends_the_full_screen(end: impl FnOnce(&mut Child, &str)) {
    ends_the_game(PLAY, "lists the keys", b"\r", end);
}

/// Shell command that writes its process ID and plays.
const PLAY: &str = r#"echo $$ > pid; exec "$KAKUGO" play --nodes 100"#;

/// Runs `command` in a terminal: types `keys` when the `greeting` is shown, and after the engine's move calls `end`
/// with the terminal and the process ID. Checks that the program ends and the game is saved.
fn ends_the_game(command: &str, greeting: &str, keys: &[u8], end: impl FnOnce(&mut Child, &str)) {
    let directory = tempfile::tempdir().unwrap();
    if Command::new("script").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("no script (util-linux): no terminal can be closed here");
        return;
    }
    let mut terminal = Command::new("script")
        .args(["-qfc", &format!("stty rows 24 cols 80; {command}"), "/dev/null"])
        .current_dir(directory.path())
        .env("KAKUGO", env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .env("KAKUGO_DATA", directory.path())
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script makes a terminal");
    let mut screen = Vec::new();
    let output = terminal.stdout.as_mut().expect("it is piped");
    let mut wait_for = |wanted: &str| {
        while !String::from_utf8_lossy(&screen).contains(wanted) {
            let mut byte = [0];
            assert_eq!(output.read(&mut byte).expect("the screen can be read"), 1, "the screen is drawn");
            screen.extend(byte);
        }
    };
    wait_for(greeting);
    terminal.stdin.as_mut().expect("it is piped").write_all(keys).expect("keys can be pressed");
    wait_for("plays");
    let id = fs::read_to_string(directory.path().join("pid")).expect("the shell has written it");
    end(&mut terminal, id.trim());
    // The terminal ends with the program, or has ended.
    let (process, deadline) = (Path::new("/proc").join(id.trim()), Instant::now() + Duration::from_secs(30));
    while process.exists() {
        assert!(Instant::now() < deadline, "the program goes on");
        thread::sleep(Duration::from_millis(20));
    }
    // After a signal the terminal ends with the program.
    let _ = terminal.kill();
    terminal.wait().expect("it is a child");
    let saved = fs::read_to_string(directory.path().join("kakugo-unsaved.sgf")).expect("the game is saved");
    assert!(saved.contains(";B[hh];W["), "{saved}");
}
