//! Growth of a book: which positions are expanded and when, and whether the values are negamax values.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kakugo::board::Board;
use kakugo::book::{BuildEnding, Plan, build};
use kakugo::database::{Access, Canonical, Key, Label, Record, Store, query, query_one};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;
use kakugo::think::score::MATE;
use tempfile::tempdir;

use crate::book::{board, built, entries, quick_plan};

/// Whether a record belongs to a position with successors in the book.
fn is_expanded(record: &Record) -> bool {
    record.best_move.is_some() && record.label == Label::None
}

/// Compares every expanded position, of which there must be at least `least`, with the best of its
/// successors, found by queries of all moves.
fn assert_negamax(path: &Path, least: usize) {
    let store = Store::open(path, Access::Read).unwrap();
    let reader = store.reader().unwrap();
    let mut expanded = 0;
    for (key, record) in entries(path).into_iter().filter(|(_, record)| is_expanded(record)) {
        let answer = query(&reader, &key.board(), Rule::default()).unwrap();
        let values: Vec<_> = answer
            .moves
            .iter()
            .filter_map(|found| Some((-found.record.as_ref()?.value, found.point)))
            .collect();
        let best = values.iter().map(|&(value, _)| value).max().unwrap();
        assert_eq!(record.value, best.clamp(-29_000, 29_000), "{key:?}");
        assert!(values.contains(&(best, record.best_move.unwrap())), "{key:?}");
        assert_eq!(record.bound, Bound::Exact);
        expanded += 1;
    }
    assert!(expanded >= least, "{expanded} are expanded");
}

#[test]
fn values_are_those_of_the_best_successor_on_any_number_of_threads() {
    let folder = tempdir().unwrap();
    for threads in [1, 3] {
        let path = folder.path().join(format!("{threads}.kdb"));
        let plan = Plan { threads, ..quick_plan("h8", 120) };
        let outcome = built(&path, &plan);
        assert_eq!(outcome.ending, BuildEnding::Positions);
        assert_eq!(outcome.progress.positions as usize, entries(&path).len());
        assert_negamax(&path, 10);
    }
}

#[test]
fn two_builds_of_one_plan_are_equal_and_another_order_makes_another_book() {
    let folder = tempdir().unwrap();
    let book = |name: &str, plan: &Plan| {
        let path = folder.path().join(name);
        built(&path, plan);
        entries(&path)
    };
    let plan = Plan { drop_out: 0, ..quick_plan("h8i9", 40) };
    let one = book("a", &plan);
    assert_eq!(one, book("b", &plan));
    let keys = |book: &[(Key, Record)]| book.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let wide = book("c", &Plan { drop_out: 10_000, ..plan });
    assert_ne!(keys(&one), keys(&wide));
}

#[test]
fn dear_plies_make_a_wide_book_and_cheap_ones_a_deep_one() {
    let folder = tempdir().unwrap();
    let book = |drop_out: u32| {
        let path = folder.path().join(drop_out.to_string());
        built(&path, &Plan { drop_out, moves: 2, ..quick_plan("h8", 100) });
        let mut plies: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (key, record) in entries(&path).into_iter().filter(|(_, record)| record.label == Label::None) {
            let ply = plies.entry(key.stone_count()).or_default();
            ply.0 += 1;
            ply.1 += usize::from(is_expanded(&record));
        }
        plies
    };
    let wide = book(20_000);
    let (deepest, _) = wide.iter().rfind(|(_, (_, expanded))| *expanded > 0).unwrap();
    let is_full = |(_, (positions, expanded)): (&usize, &(usize, usize))| positions == expanded;
    assert!(wide.range(..deepest).all(is_full), "every ply is complete before the next one: {wide:?}");
    let deep = book(0);
    assert!(deep.keys().max() > wide.keys().max(), "{deep:?} {wide:?}");
}

#[test]
fn nothing_is_expanded_beyond_the_deepest() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let outcome = built(&path, &Plan { deepest: 3, ..quick_plan("h8", 1_000) });
    assert_eq!(outcome.ending, BuildEnding::Complete);
    assert!(entries(&path).iter().all(|(key, record)| {
        let stones = key.stone_count();
        stones <= 3 && (is_expanded(record) == (stones < 3) || record.label != Label::None)
    }));
}

#[test]
fn proven_results_become_labels_and_end_their_lines() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    // Black to move has an open three.
    let outcome = built(&path, &quick_plan("h8a1i8a3j8a5", 1_000));
    assert_eq!((outcome.ending, outcome.progress.positions), (BuildEnding::Complete, 1));
    let [(_, record)] = entries(&path).try_into().unwrap();
    assert_eq!((record.label, record.value), (Label::Win, MATE as i16 - 3));
    assert!(record.best_move.is_some());
    // White to move must answer it: every added move loses or holds it.
    let path = folder.path().join("b.kdb");
    built(&path, &quick_plan("h8a1i8a3j8", 30));
    for (key, record) in entries(&path) {
        let is_mate = record.value.abs() > 29_000;
        assert_eq!(is_mate, matches!(record.label, Label::Win | Label::Loss), "{key:?} {record:?}");
        assert!(!is_mate || (record.value > 0) == (record.label == Label::Win));
    }
}

#[test]
fn a_position_whose_moves_all_lose_gets_more_of_them_until_it_is_lost() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let store = Store::open(&path, Access::Create).unwrap();
    let start = board("h8i9");
    let plan = quick_plan("h8i9", 4);
    build(&store, &plan, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let first: Vec<_> = store.reader().unwrap().entries().unwrap().map(Result::unwrap).collect();
    // An edit says that every move of the book loses.
    let lost = |(key, record): &(Key, Record)| {
        (key.stone_count() == 3).then(|| (key.clone(), Record { label: Label::Win, ..record.clone() }))
    };
    store
        .write(|batch| first.iter().filter_map(lost).try_for_each(|(key, record)| batch.put(&key, &record)))
        .unwrap();
    build(&store, &Plan { positions: Some(8), ..plan }, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let answer = query(&store.reader().unwrap(), &start, Rule::default()).unwrap();
    let record = answer.record.unwrap();
    assert_eq!(record.label, Label::None, "moves outside the book may hold");
    let best = answer.moves.iter().find(|found| Some(found.point) == record.best_move).unwrap();
    assert_eq!(best.record.as_ref().unwrap().label, Label::None, "another move is the best one now");
}

#[test]
fn a_loss_that_only_blocked_moves_avoid_is_not_proven() {
    let folder = tempdir().unwrap();
    // White's answer to a four is blocked: the only answer, or one of two, either of which loses.
    let [only, one_of_two] = ["h8g8i8a3j8a5k8", "h8a1i8a3j8a5k8"];
    for opening in [only, one_of_two] {
        let path = folder.path().join(format!("{opening}.kdb"));
        let answer = board(&format!("{opening}l8"));
        let put_at = |board: &Board, label: Label| {
            let store = Store::open(&path, Access::Create).unwrap();
            let position = Canonical::of(board, Rule::default()).unwrap();
            store.write(|batch| batch.put(position.key(), &Record { label, ..Record::default() })).unwrap();
        };
        let record = || {
            let store = Store::open(&path, Access::Read).unwrap();
            query_one(&store.reader().unwrap(), &board(opening), Rule::default()).unwrap().unwrap()
        };
        let put = |label: Label| put_at(&answer, label);
        put(Label::Blocked);
        if opening == only {
            // Another blocked move changes nothing.
            put_at(&board(&format!("{opening}a1")), Label::Blocked);
        }
        let outcome = built(&path, &quick_plan(opening, 1_000));
        assert_eq!((outcome.ending, outcome.progress.expanded), (BuildEnding::Complete, 1), "{opening}");
        let Record { label, value, bound, best_move, .. } = record();
        if opening == one_of_two {
            assert_eq!((label, value, bound), (Label::Loss, 2 - MATE as i16, Bound::Exact));
            continue;
        }
        assert_eq!((label, value, bound, best_move), (Label::None, -29_000, Bound::Exact, None));
        // Another build finds the same, until the move is no longer blocked.
        assert_eq!(built(&path, &quick_plan(opening, 1_000)).progress.expanded, 1);
        assert_eq!((record().label, record().value), (Label::None, -29_000));
        put(Label::None);
        built(&path, &quick_plan(opening, 2));
        assert_eq!((record().label, record().best_move), (Label::None, answer.last_move()));
    }
}

#[test]
fn values_that_others_have_changed_reach_the_openings() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    built(&path, &quick_plan("h8", 30));
    let store = Store::open(&path, Access::Write).unwrap();
    let leaves: Vec<_> =
        entries_of(&store).into_iter().filter(|(_, record)| record.best_move.is_none()).collect();
    store
        .write(|batch| {
            leaves.iter().try_for_each(|(key, record)| {
                let text = "seen".to_owned();
                batch.put(key, &Record { value: record.value + 500, text, ..record.clone() })
            })
        })
        .unwrap();
    let plan = Plan { time: Some(Duration::ZERO), ..quick_plan("h8", 0) };
    let outcome = build(&store, &plan, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!((outcome.ending, outcome.progress.expanded), (BuildEnding::Time, 0));
    assert!(entries_of(&store).iter().all(|(key, record)| key.stone_count() > 1 || record.value.abs() > 300));
    let texts = entries_of(&store).iter().filter(|(_, record)| record.text == "seen").count();
    assert_eq!(texts, leaves.len(), "what else a record holds stays");
    drop(store);
    assert_negamax(&path, 2);
}

fn entries_of(store: &Store) -> Vec<(Key, Record)> {
    store.reader().unwrap().entries().unwrap().map(Result::unwrap).collect()
}

#[test]
fn books_of_other_rules_and_other_records_are_left_alone() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let store = Store::open(&path, Access::Create).unwrap();
    let other = Record {
        value: 77,
        depth: 3,
        bound: Bound::Exact,
        best_move: board("h8").last_move(),
        ..Record::default()
    };
    let before = [("a1", RuleKind::Renju), ("a1b1", RuleKind::Freestyle)];
    for (moves, rule) in before {
        let position = Canonical::of(&board(moves), Rule::from(rule));
        store.write(|batch| batch.put(position.unwrap().key(), &other)).unwrap();
    }
    build(&store, &quick_plan("h8", 30), &AtomicBool::new(false), &mut |_| {}).unwrap();
    let kept = entries_of(&store).iter().filter(|(_, record)| *record == other).count();
    assert_eq!(kept, before.len());
}
