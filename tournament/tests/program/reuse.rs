//! Processes that play several games, `--reuse`: only one that has answered everything plays another game.

use crate::common::{NO_PAUSE, SHORT, run, scripted, tournament};

#[test]
fn a_process_may_play_several_games() {
    let flags = [&SHORT[2..], &["--games", "6", "--reuse"]].concat();
    // A process keeps its random state from game to game, so the games show whether the process is the same.
    let moves = |behaviour: &str, flags: &[&str]| {
        let played = run([behaviour, "scatter"], flags);
        assert!(played.records.iter().all(|game| game["ending"] == "move-limit"), "{}", played.stdout);
        played.records.iter().map(|game| game["moves"].clone()).collect::<Vec<_>>()
    };
    let fresh = moves("random", &flags[..flags.len() - 1]);
    assert_ne!(moves("random", &flags), fresh);
    assert_eq!(moves("once", &flags), fresh, "an engine without RESTART gets a new process");
    let played = run(["crash", "random"], &flags);
    let endings: Vec<_> = played.records.iter().map(|game| game["ending"].as_str().unwrap()).collect();
    assert_eq!(endings, ["crash"; 6]);
}

#[test]
fn an_engine_that_was_not_ready_gets_a_new_process() {
    // The second engine exits before the first one, which takes its time, has answered START or RESTART.
    let engines = ["slow-start 300", "crash-at-start 1", "random 1"];
    let engines = engines.map(|how| format!("'{}' {how}", scripted().display()));
    let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
    let flags = ["--format", "gauntlet", "--rounds", "1", "--reuse", "--json", "--no-log"];
    let flags = [&flags[..], &SHORT[2..], &NO_PAUSE, &engines.collect::<Vec<_>>()].concat();
    let output = tournament(&flags);
    let shown = String::from_utf8_lossy(&output.stdout);
    let endings: Vec<serde_json::Value> = shown
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["ending"].clone())
        .collect();
    assert_eq!(endings[..4], ["no-start", "no-start", "move-limit", "move-limit"], "{shown}");
}
