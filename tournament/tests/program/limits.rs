//! Limits of nodes and depth in everything that shows a match.

use crate::common::{NO_PAUSE, page_data, scripted, tournament};

#[test]
fn limits_of_nodes_are_shown_as_such() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (log, page) = (path("results.jsonl"), path("page.html"));
    let text = |flags: &[&str]| {
        let output = tournament(flags);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let engine = format!("'{}' random 1", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--max-nodes1", "5000", "--max-nodes2", "700"];
    let small = ["--games", "2", "--max-moves", "10", "--openings", "random:2", "--log", &log];
    let played = text(&[&engines[..], &small, &NO_PAUSE].concat());
    let (first, second) = ("5000 nodes/move, at most 1 s/move", "700 nodes/move, at most 1 s/move");
    for limits in [first, second] {
        assert!(played.contains(&format!("\n    limits: {limits}\n")), "{played}");
    }
    let expect = |log: &str| {
        let shown = text(&["show", "--plain", log]);
        assert!(shown.contains(&format!(", {first} : {second}\n")), "{shown}");
        text(&["report", log, "--out", &page]);
        let data = page_data(&std::fs::read_to_string(&page).unwrap());
        let both = [format!("{first} : {second}"), format!("{second} : {first}")];
        assert_eq!(data["clocks"], serde_json::json!(both));
    };
    expect(&log);
    // A file of a version that stored only the clock: the header has the limits.
    let records = std::fs::read_to_string(&log).unwrap();
    let old = records.replace(&format!("{first} : {second}"), "1 s/move");
    let old = old.replace(&format!("{second} : {first}"), "1 s/move");
    assert!(!old.contains("nodes/move"));
    std::fs::write(&log, old).unwrap();
    expect(&log);
    // It can be resumed, too.
    let resumed = text(&["--resume", "--log", &log, "--quiet"]);
    assert!(resumed.starts_with("2 games, "), "{resumed}");
}
