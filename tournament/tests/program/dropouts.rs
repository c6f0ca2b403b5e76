//! Engines that fail again and again are dropped from their batch; the other engines play on.

use std::path::Path;

use serde_json::Value;

use crate::common::{NO_PAUSE, page_data, scripted, tournament};

/// The options of a pool with an engine that crashes in every game. Each round has six games, of which it
/// plays four.
fn pool(log: &Path) -> Vec<String> {
    let engines = ["random 1", "random 2", "crash 1"].map(|how| format!("'{}' {how}", scripted().display()));
    let mut flags: Vec<String> =
        ["--rounds", "4", "--size", "9", "--max-moves", "20", "--openings", "random:2"]
            .map(str::to_owned)
            .into();
    flags.extend(NO_PAUSE.map(str::to_owned));
    flags.extend(engines.into_iter().flat_map(|engine| ["--engine".to_owned(), engine]));
    flags.extend(["--log".to_owned(), log.to_str().unwrap().to_owned()]);
    flags
}

/// Runs the tournament; returns its output and its errors.
fn run(flags: &[String], more: &[&str]) -> (String, String) {
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let output = tournament(&flags);
    assert!(output.status.success(), "{output:?}");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into()
}

/// The number of games of a results file, and of those that ended with a crash.
fn games(log: &Path) -> (usize, usize) {
    let text = std::fs::read_to_string(log).unwrap();
    (text.lines().count() - 1, text.matches("\"ending\":\"crash\"").count())
}

const DROPPED: &str = "scripted-3 was dropped after 3 consecutive failures";

#[test]
fn a_dead_engine_is_dropped_and_the_others_play_on() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let flags = pool(&log);
    let (shown, message) = run(&flags, &["--drop-dead", "3"]);
    let line = "tournament: scripted-3 is dropped after 3 consecutive failures (last: crash); its other games are not played\n";
    assert_eq!(message, line);
    assert!(shown.contains(&format!("\n{DROPPED}\n")), "{shown}");
    // All eight games of the two sound engines, and three of the other.
    assert_eq!(games(&log), (11, 3));

    let page = directory.path().join("page.html");
    let report = ["report", log.to_str().unwrap(), "--out", page.to_str().unwrap()].map(str::to_owned);
    let (reported, _) = run(&report, &[]);
    assert_eq!(
        reported.lines().nth(1),
        Some(&*format!("{DROPPED}; its other games are not played")),
        "{reported}"
    );
    let data = page_data(&std::fs::read_to_string(page).unwrap());
    assert_eq!(data["batches"][0]["dropped"], serde_json::json!([reported.lines().nth(1).unwrap()]));

    // A resumed batch keeps its dropped engine, until it is told otherwise.
    let alone = ["--resume".to_owned(), "--log".to_owned(), log.to_str().unwrap().to_owned()];
    let (shown, message) = run(&alone, &["--json"]);
    assert!(
        message.contains("scripted-3 stays dropped after 3 consecutive failures; --drop-dead 0 "),
        "{message}"
    );
    let summary: Value = serde_json::from_str(shown.trim_end()).unwrap();
    assert_eq!(summary["summary"]["dropped"], serde_json::json!(["scripted-3"]));
    assert_eq!(games(&log), (11, 3));
    let (_, message) = run(&flags, &["--resume", "--drop-dead", "0", "--quiet"]);
    assert_eq!((message.as_str(), games(&log)), ("", (24, 16)));
    // Nothing is missing now, so nothing was left out.
    let (reported, _) = run(&report, &[]);
    assert_eq!(reported.lines().nth(1), Some("scripted-3 has failed 16 games in a row"), "{reported}");
    let (_, message) = run(&alone, &["--quiet"]);
    assert_eq!((message.as_str(), games(&log)), ("", (24, 16)));
}

#[test]
fn no_engine_is_dropped_by_default() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let (shown, message) = run(&pool(&log), &["--json"]);
    let summary: Value = serde_json::from_str(shown.lines().last().unwrap()).unwrap();
    assert!(summary["summary"]["dropped"].is_null(), "{summary}");
    assert_eq!((message.as_str(), games(&log)), ("", (24, 16)));
}

#[test]
fn a_match_of_two_ends_with_its_dead_engine() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let engines = ["refuse 1", "random 1"].map(|how| format!("'{}' {how}", scripted().display()));
    let flags = [
        "--engine1",
        &engines[0],
        "--engine2",
        &engines[1],
        "--games",
        "500",
        "--log",
        log.to_str().unwrap(),
    ];
    let flags: Vec<String> = flags.map(str::to_owned).into();
    let (shown, message) = run(&flags, &["--drop-dead", "4", "--quiet"]);
    assert!(message.ends_with(
        "is dropped after 4 consecutive failures (last: no-start); its other games are not played\n"
    ));
    assert!(shown.starts_with("4 games, "), "{shown}");
    assert_eq!(games(&log).0, 4);
}

#[test]
fn an_engine_that_works_after_all_plays_its_other_games() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let engine = |name: &str, how: &str| {
        let (command, folder) = (scripted(), directory.path());
        format!(
            "[[engine]]\nname = '{name}'\ncommand = \"'{}' {how}\"\ndirectory = '{}'\n",
            command.display(),
            folder.display()
        )
    };
    let batch = "games = 8\nmax_moves = 20\nopenings = 'random:2'\ndrop_dead = 3\n\
                 limits = { pause_ms = 0, turn_ms = 60000 }\nrun = { concurrency = 2 }\n";
    std::fs::write(
        path("batch.toml"),
        format!("{batch}{}{}", engine("a", "random 1"), engine("b", "recover 3")),
    )
    .unwrap();
    let log = path("results.jsonl");
    let flags =
        ["--config", path("batch.toml").to_str().unwrap(), "--log", log.to_str().unwrap()].map(str::to_owned);
    // Engine b is dropped after three crashes, while its first game is being played.
    let (shown, message) = run(&flags, &["--json"]);
    let lines = [
        "tournament: b is dropped after 3 consecutive failures (last: crash); its other games are not played",
        "tournament: b has ended a game without a failure: its other games are played after all",
    ];
    assert_eq!(message.lines().collect::<Vec<_>>(), lines);
    assert_eq!(games(&log), (8, 3));
    let summary: Value = serde_json::from_str(shown.lines().last().unwrap()).unwrap();
    assert!(summary["summary"]["dropped"].is_null(), "{summary}");
}
