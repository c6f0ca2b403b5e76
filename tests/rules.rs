//! The rules against the rules page: recorded referees' verdicts, and the plain definitions.

mod common;

use std::collections::BTreeMap;

use kakugo::board::notation::{format_point, parse_fen, parse_point};
use kakugo::board::{Board, Color, Point};
use kakugo::rules::{Foul, Position, Rule, RuleKind, Verdict, plain};
use serde::Deserialize;

/// A line of `renju-forbidden.jsonl`: a board, black to move, and what its empty points are.
#[derive(Deserialize)]
struct Referee {
    name: String,
    fen: String,
    /// Every foul point and its kind; all other points are none.
    forbidden: BTreeMap<String, String>,
    /// Every point where black makes five.
    fives: Vec<String>,
}

/// Checks the verdict of every empty point of every recorded board.
fn agrees_with_the_referees(mut verdict: impl FnMut(&Board, Point) -> Verdict) {
    let text = include_str!("data/renju-forbidden.jsonl");
    let mut boards = 0;
    for line in text.lines() {
        let case: Referee = serde_json::from_str(line).expect("the data file has been written so");
        let board = parse_fen(&case.fen).expect("the data file has legal boards");
        let size = board.size();
        for name in case.forbidden.keys().chain(&case.fives) {
            assert!(board.is_empty(parse_point(name, size).expect("a point")), "{}: {name}", case.name);
        }
        for point in board.empty().iter() {
            let name = format_point(point, size);
            let expected = match case.forbidden.get(&name).map(String::as_str) {
                Some("overline") => Verdict::Foul(Foul::Overline),
                Some("double-four") => Verdict::Foul(Foul::DoubleFour),
                Some("double-three") => Verdict::Foul(Foul::DoubleThree),
                Some(other) => panic!("unknown foul {other}"),
                None if case.fives.contains(&name) => Verdict::Five,
                None => Verdict::Plain,
            };
            assert_eq!(verdict(&board, point), expected, "{}: {name} of {}", case.name, case.fen);
        }
        boards += 1;
    }
    assert_eq!(boards, 168);
}

#[test]
fn plain_fouls_are_those_of_the_referees() {
    agrees_with_the_referees(|board, point| {
        let verdict = plain::verdict(board, RuleKind::Renju, Color::Black, point);
        let five = plain::makes_five(board, RuleKind::Renju, Color::Black, point);
        let foul = plain::foul(board, point);
        match verdict {
            Verdict::Five => assert!(five && foul.is_none()),
            Verdict::Foul(kind) => assert!(!five && foul == Some(kind)),
            _ => assert!(!five && foul.is_none()),
        }
        assert_eq!(plain::explain(board, point).foul(), foul);
        verdict
    });
}

#[test]
#[ignore = "until Position is real"]
fn fouls_are_those_of_the_referees() {
    agrees_with_the_referees(|board, point| {
        let mut position = Position::new(board.clone(), Rule::from(RuleKind::Renju));
        match position.foul(point) {
            Some(foul) => Verdict::Foul(foul),
            None if position.is_five(Color::Black, point) => Verdict::Five,
            None => Verdict::Plain,
        }
    });
}
