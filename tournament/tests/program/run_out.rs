//! Openings that run out: they are repeated in a new order, with a warning.

use std::path::Path;

use serde_json::Value;

use crate::common::{NO_PAUSE, scripted, tournament};

/// Plays two random players; returns the openings of the games in order, and the errors.
fn play(log: &Path, flags: &[&str]) -> (Vec<String>, String) {
    let engine = |number: u32| format!("'{}' random {number}", scripted().display());
    let [first, second] = [1, 2].map(engine);
    let engines = ["--engine1", &first, "--engine2", &second, "--log", log.to_str().unwrap(), "--quiet"];
    let output = tournament(&[&engines[..], &NO_PAUSE, &["--max-moves", "10"], flags].concat());
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(log).unwrap();
    let records = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let openings = records.map(|record| record["opening"].as_str().unwrap().to_owned()).collect();
    (openings, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_test_repeats_its_openings_and_warns_once_they_have_run_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("book.txt"), "h8i9j10\nh8h9\nh8i8g6\n").unwrap();
    let book = path("book.txt");
    let book = book.to_str().unwrap();
    let openings = ["--openings", book, "--games"];
    let test = ["--sprt", "0:400", "--sprt-error", "0.0001"];
    // As long as there are enough, there is nothing to warn of.
    let (_, message) = play(&path("short.jsonl"), &[&openings[..], &["6"], &test].concat());
    assert_eq!(message, "");
    let (played, message) = play(&path("long.jsonl"), &[&openings[..], &["12"], &test].concat());
    let line =
        format!("tournament: all 3 openings of {book} have been played: they are repeated in a new order");
    assert!(message.starts_with(&line) && message.lines().count() == 1, "{message}");
    let passes: Vec<Vec<&String>> = played.chunks(6).map(|pass| pass.iter().step_by(2).collect()).collect();
    assert_eq!(passes[0], ["h8i9j10", "h8h9", "h8i8g6"]);
    let sorted = |pass: &[&String]| {
        let mut pass = pass.to_vec();
        pass.sort();
        pass.into_iter().cloned().collect::<Vec<String>>()
    };
    assert_eq!(sorted(&passes[1]), sorted(&passes[0]), "each opening again");
    assert_ne!(passes[1], passes[0], "in another order");
    // Every game of another batch is played, so that it warns before the first.
    let (_, message) = play(&path("plain.jsonl"), &[&openings[..], &["12"]].concat());
    assert!(
        message.starts_with(&format!("tournament: warning: {book} has 3 openings for 6 rounds: ")),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    let (_, message) =
        play(&path("more.jsonl"), &["--openings", &format!("{book}+random:3"), "--games", "12"]);
    assert_eq!(message, "", "random openings follow where they are asked for");
    // The empty board is the only opening without stones.
    let source = format!("{book}+random:0");
    let few = ["--openings", &source, "--games"];
    let (_, message) = play(&path("four.jsonl"), &[&few[..], &["8"], &test].concat());
    assert_eq!(message, "");
    let (_, message) = play(&path("five.jsonl"), &[&few[..], &["10"], &test].concat());
    let line = format!("tournament: all 4 openings of {source} have been played: random ones are repeated");
    assert!(message.starts_with(&line) && message.lines().count() == 1, "{message}");
}

#[test]
fn repeated_games_count_once_and_end_a_test() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("book.txt"), "h8i9j10\nh8h9\nh8i8g6\n").unwrap();
    let engine = |number: u32| format!("'{}' 'report=5 nodes 100' {number}", scripted().display());
    let (first, second, log, book) = (engine(1), engine(2), path("log.jsonl"), path("book.txt"));
    let flags = ["--engine1", &first, "--engine2", &second, "--openings", &book, "--log", &log];
    let test = ["--sprt", "0:400", "--sprt-error", "0.0001", "--quiet", "--max-moves", "10"];
    let output = tournament(&[&flags[..], &NO_PAUSE, &["--games", "1000"], &test].concat());
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    // Three openings, both colours; then a hundred games that repeat these.
    assert!(text.starts_with("106 games, freestyle, 15x15\n100 of them repeat earlier games"), "{text}");
    assert!(text.contains("undecided\n"), "{text}");
    let pairs = text.lines().find_map(|line| line.strip_prefix("pairs of 0, ½, 1, 1½, 2 points: ")).unwrap();
    let pairs = pairs.split(';').next().unwrap().split(", ").map(|count| count.parse::<u32>().unwrap());
    assert_eq!(pairs.sum::<u32>(), 3, "{text}");
    assert!(errors.contains("the test ends undecided, because its last games only repeat earlier ones"));

    let before = std::fs::read_to_string(&log).unwrap();
    let output = tournament(&["--resume", "--log", &log, "--json"]);
    assert!(output.status.success());
    assert_eq!(std::fs::read_to_string(&log).unwrap(), before, "no other game is played");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = &summary["summary"];
    assert_eq!((&summary["games"], &summary["repeated"]), (&106.into(), &100.into()));
    let [wins, losses, draws] = ["wins", "losses", "draws"].map(|key| summary["engines"][0][key].as_u64());
    assert_eq!(wins.unwrap() + losses.unwrap() + draws.unwrap(), 6);

    let rated = String::from_utf8(tournament(&["rate", &log]).stdout).unwrap();
    assert!(rated.starts_with("6 games of 2 players;"), "{rated}");
    assert!(
        rated.contains("\n100 games that repeat earlier ones, move by move and node by node,"),
        "{rated}"
    );
    let page = path("page.html");
    assert!(tournament(&["report", &log, "--out", &page]).status.success());
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("\"repeated\":100") && page.contains("because the last ones repeat earlier games"));
}
