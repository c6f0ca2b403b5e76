//! Text of files on a terminal: nothing in it acts on the terminal, hides, or changes the direction of other text.

use std::fs;
use std::path::Path;

use crate::terminal::{directory, run_in, text};

/// Clears the screen, sets the title, rings, turns the direction, and has no width.
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}1m\u{202e}b\u{2066}\u{200b}\r\u{7f}";

/// Whether `c` may not reach a terminal from a file. A definition of the test's own, coarser than the program's.
fn acts(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// Both outputs of a run, in which nothing may act; standard error has a line at most.
fn shown(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run_in(folder, arguments, input);
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    let all = format!("{said}{error}");
    assert!(!all.contains(acts), "{arguments:?}: {all:?}");
    assert!(error.lines().count() <= 1, "{arguments:?}: {error}");
    all
}

#[test]
fn suites_name_positions_safely() {
    let folder = directory("visible-suite");
    let id = serde_json::to_string(HOSTILE).unwrap();
    let position = format!(r#"{{"id": {id}, "rule": "freestyle", "fen": "7/7/7/2XXX2/7/7/OOO4 b"}}"#);
    fs::write(folder.join("suite.jsonl"), &position).unwrap();
    let suite = ["suite", "suite.jsonl", "--nodes", "500"];
    let json = shown(&folder, &[&suite[..], &["--json"]].concat(), "");
    let attempt: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(attempt["id"], HOSTILE, "JSON keeps the text");
    let before = json.replace(r#""solved":true"#, r#""solved":false"#);
    fs::write(folder.join("before.jsonl"), before).unwrap();
    let compared = shown(&folder, &[&suite[..], &["--against", "before.jsonl"]].concat(), "");
    assert!(compared.contains("\ngained 1: a\\x1b[2J\\x1b]0;x\\x07\\u{9b}1m\\u{202e}b"), "{compared}");

    for bad in [
        position.replace("freestyle", "chess\\u001b[2J\\u202e"),
        position.replace("7/7/7", "7/\\u202e/7"),
        position.replace("freestyle", "renju\", \"to_move\": \"\\u001b]0;x\\u0007"),
        "{\u{1b}[2J\u{202e}".to_owned(),
    ] {
        fs::write(folder.join("bad.jsonl"), bad).unwrap();
        assert!(shown(&folder, &["suite", "bad.jsonl"], "").starts_with("error: bad.jsonl, line 1: "));
        shown(&folder, &["suite", "suite.jsonl", "--against", "bad.jsonl"], "");
    }
}

#[test]
fn databases_name_comments_safely() {
    let folder = directory("visible-db");
    let comment = HOSTILE.replace('\r', "\t") + "\nsecond \u{202e}line";
    let table =
        format!("rule,position,text,point_texts\nrenju,7/7/7/3X3/7/7/7,\"{comment}\",a1=\u{1b}[2J\u{202e}\n");
    fs::write(folder.join("a.csv"), table).unwrap();
    shown(&folder, &["db", "import", "a.kdb", "a.csv"], "");
    let query = ["db", "query", "a.kdb", "7/7/7/3X3/7/7/7", "--rule", "renju"];
    let answer = shown(&folder, &query, "");
    assert!(answer.contains("\n  | a\\x1b[2J"), "{answer}");
    assert!(answer.contains("\n  | second \\u{202e}line\n"), "{answer}");
    let json = shown(&folder, &[&query[..], &["--json"]].concat(), "");
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(answer["record"]["text"], comment.as_str(), "JSON keeps the text");
}

#[test]
fn reviews_name_players_safely() {
    let folder = directory("visible-review");
    let game = "(;GM[4]SZ[15]RU[renju]PB[a\u{9b}1m\u{202e}]PW[\u{1b}[2J\\]];B[hh];W[ii];B[jj];W[ij])";
    fs::write(folder.join("game.sgf"), game).unwrap();
    for flags in [&[][..], &["--json"], &["--all"]] {
        shown(&folder, &[&["review", "game.sgf", "--nodes", "10"], flags].concat(), "");
    }
}

#[test]
fn names_of_files_and_what_is_in_them_are_shown_safely() {
    let folder = directory("visible-names");
    // Every system has this much of it in names.
    let name = "b\u{202e}c\u{200b}";
    for content in
        ["# Kakugo game: rule=\u{202e}\u{1b}[2J\n", "\u{1b}[2J\u{202e}", "# game=\u{9b}2J\n", "{\u{1b}"]
    {
        fs::write(folder.join(name), content).unwrap();
        for arguments in [
            &["play", "--load", name][..],
            &["suite", name],
            &["review", name, "--nodes", "10"],
            &["suite", name, "--weights", name],
            &["evaluate", "h8", "--weights", name],
            &["db", "info", name],
            &["db", "check", name],
            &["db", "import", "new.kdb", name],
            &["db", "import", "new.kdb", name, "--format", "csv"],
            &["db", "import", "new.kdb", name, "--format", "lib"],
            &["db", "import", "new.kdb", name, "--format", "sgf"],
            &["db", "import", "new.kdb", name, "--format", "jsonl"],
            &["db", "export", name, "x.csv"],
            &["book", "info", name],
            &["book", "build", "new.kdb", "--openings", name, "--positions", "1", "--nodes", "10"],
            &["--log", "/nowhere/\u{202e}"],
        ] {
            shown(&folder, arguments, "");
        }
    }
    let typed = format!("{name}\nsave /nowhere/{name}\nsave {name}2\nquit\n");
    let said = shown(&folder, &["play", "--nodes", "10"], &typed);
    assert!(said.contains("saved 0 moves to b\\u{202e}c\\u{200b}2\n"), "{said}");
}
