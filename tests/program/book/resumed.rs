//! Resumption: a book that is built in parts equals a book that is built in one run, wherever a part ends.

use kakugo::board::{Board, Size};
use kakugo::book::Plan;
use kakugo::database::{Access, Canonical, Label, Record, Store};
use kakugo::rules::procedure::OPENINGS;
use kakugo::rules::{Rule, RuleKind};
use tempfile::tempdir;

use crate::book::{board, built, entries};

fn renju_openings() -> Vec<Board> {
    let opening =
        |index: usize| Board::of_moves(Size::default(), &OPENINGS[index].stones(Size::default()).unwrap());
    std::iter::once(board("")).chain((0..OPENINGS.len()).map(opening)).collect()
}

/// Plans whose openings lead to one another, given out of order.
fn plans() -> Vec<(&'static str, Plan)> {
    let lines = ["h8h9h7i9", "h8", "h8i9g7", "h7h9h8", "a1"].map(board).to_vec();
    let quick = |rule: RuleKind, openings| Plan { nodes: 50, ..Plan::new(rule.into(), openings) };
    let share = "1/2".parse().unwrap();
    vec![
        ("renju", quick(RuleKind::Renju, renju_openings())),
        ("lines", Plan { moves: 2, ..quick(RuleKind::Freestyle, lines.clone()) }),
        ("wide", Plan { drop_out: 500, seed: 3, moves: 3, ..quick(RuleKind::Standard, lines.clone()) }),
        ("share", Plan { share, deepest: 6, drop_out: 2, ..quick(RuleKind::Caro, lines) }),
        ("threats", Plan { moves: 3, ..quick(RuleKind::Freestyle, vec![board("h8a1i8a3j8"), board("h8")]) }),
    ]
}

/// Creates a database with records that no search has made: two replies to h8, one of which is blocked.
fn annotated(path: &std::path::Path, rule: Rule) {
    let store = Store::open(path, Access::Create).unwrap();
    for (moves, label) in [("h8h9", Label::Blocked), ("h8i9", Label::Forced)] {
        let position = Canonical::of(&board(moves), rule).unwrap();
        let record = Record { label, text: "mine".to_owned(), ..Record::default() };
        store.write(|batch| batch.put(position.key(), &record)).unwrap();
    }
}

/// Stops the building of books of `positions` positions once at each of `stops`, and at every `step`-th position.
fn stop_and_compare(positions: u64, stops: &[u64], step: usize) {
    let folder = tempdir().unwrap();
    for (name, plan) in plans() {
        for is_annotated in [false, true] {
            let book = |stops: &[u64]| {
                let path = folder.path().join("book.kdb");
                let _ = std::fs::remove_file(&path);
                if is_annotated {
                    annotated(&path, plan.rule);
                }
                for &stop in stops.iter().chain(&[positions]) {
                    built(&path, &Plan { positions: Some(stop), ..plan.clone() });
                }
                entries(&path)
            };
            let whole = book(&[]);
            for &stop in stops {
                assert!(book(&[stop]) == whole, "{name}, annotated {is_annotated}: stopped at {stop}");
            }
            let often: Vec<u64> = (0..positions).step_by(step).collect();
            assert!(book(&often) == whole, "{name}, annotated {is_annotated}: stopped often");
        }
    }
}

#[test]
fn a_book_that_was_stopped_anywhere_is_equal_to_one_that_was_not() {
    stop_and_compare(50, &[1, 6, 23, 40], 7);
}

#[test]
#[ignore = "a minute"]
fn a_larger_book_that_was_stopped_anywhere_is_equal_to_one_that_was_not() {
    stop_and_compare(90, &[1, 6, 23, 60], 5);
}
