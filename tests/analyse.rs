//! `analyse`, as a person or a script runs it.

#[path = "common/terminal.rs"]
mod terminal;

use serde_json::Value;
use terminal::{assert_refused, run, text};

/// Black to move, with an open three.
const OPEN_THREE: &str = "h8h9i8i9j8a1";

fn lines(arguments: &[&str]) -> Vec<Value> {
    let output = run(arguments, "");
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

#[test]
fn the_last_line_of_json_is_final() {
    let all = lines(&["analyse", "h8i9j10", "--rule", "renju", "--nodes", "5000", "--lines", "3", "--json"]);
    let (last, others) = all.split_last().unwrap();
    assert_eq!(last["final"], true);
    assert!(others.iter().all(|line| line["final"] == false) && others.len() > 2);
    assert_eq!((&last["rule"], &last["to_move"]), (&"renju".into(), &"white".into()));
    let best = last["lines"].as_array().unwrap();
    assert_eq!(best.len(), 3);
    for line in best {
        assert_eq!(line["move"], line["pv"][0]);
        assert!((0.0..=1.0).contains(&line["winrate"].as_f64().unwrap()));
        assert!(line["mate"].is_null());
    }
    assert!(best.is_sorted_by(|a, b| a["value"].as_i64() >= b["value"].as_i64()));
}

#[test]
fn a_forced_win_is_shown_as_one() {
    let all = lines(&["analyze", OPEN_THREE, "--nodes", "2000", "--lines", "1", "--json"]);
    let line = &all.last().unwrap()["lines"][0];
    assert_eq!((&line["mate"], &line["winrate"]), (&3.into(), &1.0.into()));
    let output = run(&["analyse", OPEN_THREE, "--nodes", "2000", "--lines", "1"], "");
    assert!(text(&output.stdout).contains("100.0 %  wins in 3"), "{}", text(&output.stdout));
}

#[test]
fn an_analysis_with_a_node_limit_is_the_same_every_time() {
    let strip = |mut line: Value| {
        line["time_ms"] = Value::Null;
        line
    };
    let arguments = ["analyse", "h8i9j10i8", "--nodes", "3000", "--json"];
    let [one, two] = [(); 2].map(|()| lines(&arguments).into_iter().map(strip).collect::<Vec<_>>());
    assert_eq!(one, two);
}

#[test]
fn bad_questions_are_refused_in_one_line() {
    assert_refused(&["analyse", "h8h8"], "taken");
    assert_refused(&["analyse", "h8", "--lines", "0"], "--lines");
}
