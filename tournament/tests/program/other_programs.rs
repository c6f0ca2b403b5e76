//! Files of c-gomoku-cli on the command line: rated, shown, converted in both directions, and used as
//! openings.

use std::fs;
use std::path::Path;

use crate::common::{run, tournament};

const SGF: &str = include_str!("../../../tests/fuzz/corpus/sgf/c-gomoku-cli.sgf");
const PGN: &str = include_str!("../../../tests/fuzz/corpus/pgn/c-gomoku-cli.pgn");

/// Status and output of a command.
fn error_of(arguments: &[&str]) -> (Option<i32>, String) {
    let output = tournament(arguments);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// The games of a file, converted to results.
fn games(input: &Path) -> String {
    let output = input.with_extension("converted.jsonl");
    let (status, message) = error_of(&["convert", input.to_str().unwrap(), output.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{message}");
    fs::read_to_string(output).unwrap()
}

#[test]
fn games_are_rated_shown_and_converted_there_and_back() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    fs::write(at("games.sgf"), SGF).unwrap();
    fs::write(at("games.pgn"), PGN).unwrap();
    for name in ["games.sgf", "games.pgn"] {
        let (status, message) = error_of(&["rate", &text(name), "--duels"]);
        assert_eq!(status, Some(0), "{message}");
        assert!(message.contains("1 game of 2 players; black 0.0%"), "{message}");
    }
    let (_, shown) = error_of(&["show", &text("games.sgf"), "--plain", "--game", "1"]);
    assert!(shown.contains("1. h8  2. h7  3. i6  4. g8  5. g9  6. o15"), "{shown}");
    let results = games(&at("games.sgf"));
    assert!(results.contains(r#""opening":"h8h7i6","moves":"h8h7i6g8g9o15""#), "{results}");
    assert!(results.contains(r#""ending":"time","detail":"White win by time forfeit""#), "{results}");
    fs::write(at("results.jsonl"), &results).unwrap();
    let (status, message) = error_of(&["convert", &text("results.jsonl"), &text("back.sgf")]);
    assert_eq!(status, Some(0), "{message}");
    assert_eq!(games(&at("back.sgf")), results);
}

#[test]
fn matches_begin_from_lists_and_games_of_any_kind() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("openings");
    let first = SGF.split("\n\n(").next().unwrap();
    for (content, openings) in [
        ("7,-7, 0,0\r\n-7,7, 1,1\r\n", ["o15h8", "a1i7"]),
        ("o15h8\na1i7\n", ["o15h8", "a1i7"]),
        (&format!("{first}\n(;B[aa];W[hh])\n{first}"), ["h8h7i6", "a15h8"]),
    ] {
        fs::write(&path, content).unwrap();
        let flags = ["--openings", path.to_str().unwrap(), "--games", "4", "--max-moves", "4"];
        let played = run(["random 1", "random 2"], &flags);
        let found: Vec<&str> = played.records.iter().map(|game| game["opening"].as_str().unwrap()).collect();
        let [one, other] = openings;
        assert_eq!(found, [one, one, other, other], "{}", played.stderr);
    }
    let torn = &SGF[..SGF.find("W[gh]").unwrap()];
    for (content, wanted) in [
        ("7,-7, 0,0\n7,-7, 0\n", "openings: line 2: an odd number of coordinates"),
        ("o15h8\nz9\n", "openings: line 2: z9 is off the board"),
        (torn, "openings: line 1: the game has no end"),
        (PGN, "line 1: the game is finished, and none of its moves is marked as the opening"),
    ] {
        fs::write(&path, content).unwrap();
        let (status, message) =
            error_of(&["run", "--openings", path.to_str().unwrap(), "--engine1", "a", "--engine2", "b"]);
        assert!(
            status == Some(2) && message.trim_end().ends_with(wanted) && message.lines().count() == 1,
            "{message}"
        );
    }
}
