//! `suite`: positions with a goal are counted and compared, and files without such positions are rejected.

use std::fs;

use kakugo::bench::suite::{Goal, Problem};

use crate::terminal::{assert_refused, directory, run, text};

const POSITIONS: &str = r#"{"id": "a", "rule": "freestyle", "fen": "7/7/7/2XXX2/7/7/OOO4 b"}

{"id": "b", "rule": "renju", "fen": "7/7/7/3X3/7/7/7", "to_move": "white", "best": ["a1"]}
"#;

#[test]
fn a_suite_is_counted_and_compared() {
    let folder = directory("suite");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let suite = file("suite.jsonl", POSITIONS);
    let json = run(&["suite", &suite, "--nodes", "2000", "--json"], "");
    assert_eq!(text(&json.stderr), "");
    let before = file("before.jsonl", &text(&json.stdout).replace(r#""solved":true"#, r#""solved":false"#));
    let output = run(&["suite", &suite, "--nodes", "2000", "--against", &before], "");
    let said = text(&output.stdout);
    assert!(said.contains("\nall              1 of 2     50.0%"), "{said}");
    assert!(said.ends_with("before 0, now 1\ngained 1: a\nlost 0:\n"), "{said}");

    assert_refused(&["suite", &file("bad.jsonl", "{}\n")], "line 1");
    assert_refused(&["suite", &file("empty.jsonl", "\n")], "no lines");
    assert_refused(&["suite", "/nowhere"], "cannot read /nowhere");
}

#[test]
fn the_included_suites_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    for (name, least) in [("forced-wins.jsonl", 180), ("quiet.jsonl", 130)] {
        let text = fs::read_to_string(format!("{folder}{name}")).unwrap();
        let problems: Vec<Problem> = text.lines().map(|line| Problem::parse(line).unwrap()).collect();
        assert!(problems.len() >= least, "{name}: {}", problems.len());
        for problem in &problems {
            let Goal::Best(moves) = &problem.goal else { continue };
            assert!(!moves.is_empty() && moves.iter().all(|&best| problem.board.is_empty(best)));
        }
    }
}
