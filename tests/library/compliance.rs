//! Positions with a required or a forbidden move for the engine, however few nodes it may search.

use std::sync::atomic::AtomicBool;

use kakugo::board::Color;
use kakugo::board::notation::{format_point, parse_fen, parse_point};
use kakugo::engine::{Engine, Options};
use kakugo::rules::Rule;
use kakugo::think::{Limits, Silent};
use serde::Deserialize;

/// One position per line, with the rule's Gomocup code.
const POSITIONS: &str = include_str!("../data/compliance.jsonl");
/// Node limits: almost none, few, and a short search.
const NODES: [u64; 4] = [1, 500, 5_000, 50_000];

/// A line of the file.
#[derive(Deserialize)]
struct Duty {
    rule: u32,
    fen: String,
    to_move: String,
    #[serde(default)]
    must_play_one_of: Vec<String>,
    #[serde(default)]
    must_not_play: Vec<String>,
}

/// The engine's answer after `max_nodes` nodes, as letter and number.
fn answer(duty: &Duty, max_nodes: u64) -> String {
    let mut board = parse_fen(&duty.fen).expect("the data file has legal boards");
    board.set_side_to_move(match duty.to_move.as_str() {
        "black" => Color::Black,
        "white" => Color::White,
        other => panic!("{other} is no colour"),
    });
    let size = board.size();
    for name in duty.must_play_one_of.iter().chain(&duty.must_not_play) {
        assert!(board.is_empty(parse_point(name, size).expect("a point")), "{name} of {}", duty.fen);
    }
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    engine.set_rule(Rule::from_code(duty.rule).expect("a rule"));
    engine.set_board(board);
    let limits = Limits::nodes(max_nodes);
    let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
    format_point(report.best_move.expect("there are empty points"), size)
}

#[test]
fn duties_are_met_at_every_limit() {
    let mut checked = 0;
    for line in POSITIONS.lines() {
        let duty: Duty = serde_json::from_str(line).expect("the data file has been written so");
        let (wanted, unwanted) = (&duty.must_play_one_of, &duty.must_not_play);
        assert!(!wanted.is_empty() || !unwanted.is_empty(), "{line}");
        for max_nodes in NODES {
            let played = answer(&duty, max_nodes);
            assert!(
                wanted.is_empty() || wanted.contains(&played),
                "{played} after {max_nodes} nodes: {line}"
            );
            assert!(!unwanted.contains(&played), "{played} after {max_nodes} nodes: {line}");
        }
        checked += 1;
    }
    assert_eq!(checked, 8);
}
