//! Batches of more than two engines: ratings in the running score, the final table and the summary.

use std::path::Path;

use serde_json::Value;

use crate::common::{NO_PAUSE, scripted, tournament};

/// Plays a pool of two random players and one that leaves each game; returns the output.
fn pool(log: &Path, flags: &[&str]) -> String {
    let engines = ["random 1", "random 2", "exit 1"].map(|how| format!("'{}' {how}", scripted().display()));
    let _ = std::fs::remove_file(log);
    let mut all = vec!["--rounds", "3", "--size", "7", "--openings", "random:2"];
    all.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    all.extend(["--log", log.to_str().unwrap()]);
    let output = tournament(&[&all[..], &NO_PAUSE, flags].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The players of `tournament rate`, by name.
fn rated(log: &Path) -> Vec<(String, Value)> {
    let output = tournament(&["rate", log.to_str().unwrap(), "--json"]);
    let rates: Value = serde_json::from_slice(&output.stdout).unwrap();
    let players = rates["ratings"]["players"].as_array().unwrap();
    players.iter().map(|player| (player["name"].as_str().unwrap().to_owned(), player.clone())).collect()
}

#[test]
fn the_table_of_a_pool_has_the_ratings_of_rate() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let text = pool(&log, &["--quiet"]);
    let players = rated(&log);
    assert_eq!(players.len(), 3);
    let heading: Vec<&str> = text.lines().filter(|line| line.starts_with("  #  ")).collect();
    let [heading] = heading[..] else { panic!("{text}") };
    let words: Vec<&str> = heading.split_whitespace().collect();
    assert_eq!(words, ["#", "engine", "points", "Elo", "[95%]", "1", "2", "3"]);
    for (name, player) in players {
        let row = text.lines().find(|line| line.contains(&format!(". {name} "))).expect(&text);
        let [elo, low, high] = ["elo", "low", "high"].map(|key| player[key].as_f64());
        let expected = match (elo, low, high) {
            (Some(elo), Some(low), Some(high)) => format!(" {elo:+.0} [{low:+.0}, {high:+.0}] "),
            (None, None, Some(high)) => format!(" <{high:+.0} "),
            other => panic!("{other:?}"),
        };
        assert!(row.contains(&expected), "{expected}: {text}");
    }
}

#[test]
fn the_running_score_of_a_pool_has_ratings() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let text = pool(&log, &["--every", "9"]);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" games/h")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("9 games: ") && lines[1].starts_with("18 games: "), "{text}");
    for line in lines {
        let (_, ratings) =
            line.split_once(" leads with ").and_then(|(_, rest)| rest.split_once("; Elo ")).expect(&text);
        assert!(
            ["scripted-1 ", "scripted-2 ", "scripted-3 <"].iter().all(|part| ratings.contains(part)),
            "{line}"
        );
    }
}

#[test]
fn the_summary_has_elo_as_numbers_or_null() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let text = pool(&log, &["--json"]);
    let summary: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let engines = summary["summary"]["engines"].as_array().unwrap().clone();
    for (name, player) in rated(&log) {
        let engine = engines.iter().find(|engine| engine["name"] == name.as_str()).unwrap();
        let expected = [&player["elo"], &player["low"], &player["high"]];
        assert_eq!(["difference", "low", "high"].map(|key| &engine["elo"][key]), expected, "{name}");
    }
    let last = engines.last().unwrap();
    assert!(last["elo"]["difference"].is_null() && last["elo"]["high"].is_f64(), "{last}");
}
