//! The verdict of a sequential test, in the last table, on the page and in the output of `report`.

use serde_json::Value;

use crate::common::{NO_PAUSE, page_data, scripted, tournament};

/// Plays a test between two behaviours; returns the output of `run`, that of `report`, and the page's data.
fn tested(behaviours: [&str; 2], flags: &[&str]) -> (String, String, Value) {
    let directory = tempfile::tempdir().unwrap();
    let [log, page] = ["results.jsonl", "page.html"].map(|name| directory.path().join(name));
    let [first, second] = behaviours.map(|how| format!("'{}' {how} 1", scripted().display()));
    let log = log.to_str().unwrap();
    let engines =
        ["--engine1", &first, "--engine2", &second, "--name1", "new", "--name2", "old", "--log", log];
    let text = |flags: &[&str]| {
        let output = tournament(flags);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let small = ["--size", "9", "--max-moves", "20", "--openings", "random:2", "--quiet"];
    let played = text(&[&engines[..], &small, &NO_PAUSE, flags].concat());
    let reported = text(&["report", log, "--out", page.to_str().unwrap()]);
    (played, reported, page_data(&std::fs::read_to_string(page).unwrap()))
}

#[test]
fn a_finished_test_has_its_verdict_in_the_report() {
    let flags = ["--games", "2000", "--sprt", "0:100", "--concurrency", "2"];
    for (behaviours, outcome) in [
        (
            ["random", "exit"],
            "accepts H1 after N games: new is better than old by at least 100 Elo (SPRT [0, 100]",
        ),
        (
            ["exit", "random"],
            "accepts H0 after N games: new is better than old by at most 0 Elo (SPRT [0, 100]",
        ),
    ] {
        let (played, reported, data) = tested(behaviours, &flags);
        let batch = &data["batches"][0];
        let verdict = batch["verdict"].as_str().unwrap();
        let expected = outcome.replace('N', &batch["played"].to_string());
        assert!(
            verdict.starts_with(&format!("The test {expected}, alpha 0.05, beta 0.05; LLR ")),
            "{verdict}"
        );
        assert_eq!(reported.lines().nth(1), Some(verdict), "{reported}");
        // The same numbers as in the last table of the batch.
        let (_, llr) = played.split_once(": LLR ").expect(&played);
        let llr = llr.split(' ').next().unwrap();
        assert!(verdict.contains(&format!("; LLR {llr}, bounds -2.94 and 2.94, ")), "{verdict}: {played}");
        assert_eq!(batch["is_over"], true);
    }
}

#[test]
fn a_test_that_ends_without_a_decision_is_undecided() {
    let (_, reported, data) = tested(["random", "random"], &["--games", "4", "--sprt", "0:10"]);
    assert!(reported.contains("The test ended undecided after all 4 games (SPRT [0, 10], "), "{reported}");
    assert_eq!(data["batches"][0]["is_over"], false);
    let (_, reported, data) = tested(["random", "random"], &["--games", "4"]);
    assert_eq!((reported.lines().count(), &data["batches"][0]["verdict"]), (1, &Value::Null));
}
