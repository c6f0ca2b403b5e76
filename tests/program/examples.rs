//! The examples of the library, as a reader of the documentation runs them. Cargo builds them next to the tests.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::terminal::directory;

/// The output of an example that must succeed.
fn run(name: &str, arguments: &[&str], input: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = target.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_position_is_analysed() {
    let text = run("analyse", &["h8i9g9i7"], "");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.lines().all(|line| line.contains(" %  ") && line.contains("depth")), "{text}");
}

#[test]
fn a_win_is_proven() {
    let text = run("prove_win", &[], "");
    assert!(text.contains("the shortest win: 13 moves, proven in "), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn a_game_is_refereed() {
    let text = run("referee", &[], "");
    assert!(text.ends_with("black wins: five in a row\n"), "{text}");
    let text = run("referee", &["h8a1i8a3h9o15i9c1g10"], "");
    assert!(text.ends_with("white to move\n"), "{text}");
    let text = run("referee", &["f6a1g6a3h7o15h8c1h6"], "");
    assert!(text.ends_with("white wins: double-three\n"), "{text}");
}

#[test]
fn games_are_evaluated() {
    let text = run("evaluate_games", &[], "");
    assert_eq!(text.lines().count(), 7, "{text}");
    assert!(text.lines().all(|line| line.contains("to move wins with ")), "{text}");
    // A game of another family, and one that white begins.
    let file = directory("examples-games").join("games.sgf");
    std::fs::write(&file, "(;GM[4]SZ[15]RU[pente];B[hh];W[ii])(;GM[4]SZ[15];W[hh];B[ii])").unwrap();
    let text = run("evaluate_games", &[file.to_str().unwrap()], "");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.starts_with("  1 pass white to move wins with "), "{text}");
}

#[test]
fn a_short_engine_plays() {
    let lines = "START 15\nBEGIN\nTURN 0,0\nBOARD\n7,7,1\n8,8,2\nDONE\nTURN 7,7\nSTART 99\nHELLO\nEND\n";
    let text = run("gomocup", &[], lines);
    let answers: Vec<&str> = text.lines().collect();
    assert_eq!(answers.len(), 7, "{text}");
    assert_eq!(
        [answers[0], answers[4], answers[5], answers[6]],
        ["OK", "ERROR not an empty point", "ERROR unsupported size", "UNKNOWN command"]
    );
    for mv in [answers[1], answers[2], answers[3]] {
        assert!(
            mv.split(',').filter(|number| number.parse::<u8>().is_ok_and(|n| n < 15)).count() == 2,
            "{text}"
        );
    }
}
