//! Queries and edits on the caller's board; subtrees and their deletion compared with a naive search.

use std::collections::{BTreeMap, BTreeSet};

use kakugo::board::notation::parse_point;
use kakugo::board::{Board, Point, Size};
use kakugo::database::{
    Canonical, DatabaseError, Edit, Importer, Interrupted, Key, Label, MergeRule, Meter, Record, RecordError,
    Selection, Store, Subtree, delete, delete_moves, edit, query, query_one,
};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;
use rand::Rng;
use tempfile::{TempDir, tempdir};

use crate::database::positions::{random_moves, rng};
use crate::database::{board, create};

const RULE: Rule = Rule { kind: RuleKind::Renju, continuous: false };

fn new_store() -> (TempDir, Store) {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    (folder, store)
}

fn at(text: &str) -> Point {
    parse_point(text, Size::default()).unwrap()
}

fn set(store: &Store, moves: &str, edits: &[Edit]) -> Record {
    store.write(|batch| edit(batch, &board(moves), RULE, edits)).unwrap()
}

#[test]
fn edits_change_what_they_name_and_nothing_else() {
    let (_folder, store) = new_store();
    set(&store, "h8", &[Edit::Label(Label::Win), Edit::Value(-200, Bound::Exact), Edit::Depth(12)]);
    set(&store, "h8", &[Edit::Text("comment".to_owned())]);
    set(&store, "h8", &[Edit::BestMove(Some(at("h7"))), Edit::PointText(at("i8"), "A".to_owned())]);
    let record = set(&store, "h8", &[Edit::Marked(true), Edit::Start(true)]);
    let Record { label, value, depth, bound, .. } = record;
    assert_eq!((label, value, depth, bound), (Label::Win, -200, 12, Bound::Exact));
    assert_eq!((record.text.as_str(), record.is_marked, record.is_start), ("comment", true, true));
    assert_eq!(record.best_move, Some(at("h9")), "the first of the four moves beside the stone");
    assert_eq!(record.point_texts.len(), 4);
    // The text of a point belongs to all equivalent points.
    set(&store, "h8", &[Edit::PointText(at("g8"), "B".to_owned())]);
    let record = set(&store, "h8", &[]);
    assert!(record.point_texts.values().all(|text| text == "B"), "{:?}", record.point_texts);
    let record = set(&store, "h8", &[Edit::PointText(at("h9"), String::new()), Edit::BestMove(None)]);
    assert!(record.point_texts.is_empty() && record.best_move.is_none());
    let found = query_one(&store.reader().unwrap(), &board("h8"), RULE).unwrap();
    assert_eq!(found, Some(record));
    assert_eq!(store.reader().unwrap().len().unwrap(), 1);
}

#[test]
fn points_off_the_board_are_not_stored() {
    let (_folder, store) = new_store();
    let off = Point::new(15, 7);
    for wrong in [Edit::BestMove(Some(off)), Edit::PointText(off, "A".to_owned())] {
        let edited = store.write(|batch| edit(batch, &board("h8"), RULE, &[wrong]));
        assert!(matches!(edited, Err(DatabaseError::Record(RecordError::OffBoard))), "{edited:?}");
    }
    let with_text = [(off, "A".to_owned())].into_iter().collect();
    let wrong = [
        Record { best_move: Some(off), ..Record::default() },
        Record { point_texts: with_text, ..Record::default() },
    ];
    for record in wrong {
        let position = Canonical::of(&board("h8"), RULE).unwrap();
        let added = Importer::new(&store, MergeRule::default()).add(&board("h8"), RULE, record.clone());
        assert!(matches!(added, Err(DatabaseError::Record(RecordError::OffBoard))), "{added:?}");
        let put = store.write(|batch| batch.put(position.key(), &record));
        assert!(matches!(put, Err(DatabaseError::Record(RecordError::OffBoard))), "{put:?}");
    }
    set(&store, "h8", &[Edit::BestMove(Some(at("h9")))]);
    let entries: Vec<_> = store.reader().unwrap().entries().unwrap().collect();
    assert!(entries.len() == 1 && entries[0].is_ok(), "{entries:?}");
}

#[test]
fn a_query_tells_of_the_position_and_of_every_move_from_it() {
    let (_folder, store) = new_store();
    set(&store, "h8i9", &[Edit::Label(Label::Loss)]);
    set(&store, "h8h9", &[Edit::Text("direct".to_owned())]);
    set(
        &store,
        "h8",
        &[Edit::PointText(at("h9"), "d".to_owned()), Edit::PointText(at("a1"), "far".to_owned())],
    );
    let answer = query(&store.reader().unwrap(), &board("h8"), RULE).unwrap();
    assert!(answer.record.is_some());
    let told: BTreeMap<Point, (Option<Label>, Option<&str>)> = answer
        .moves
        .iter()
        .map(|known| (known.point, (known.record.as_ref().map(|record| record.label), known.text.as_deref())))
        .collect();
    let corner = (None, Some("far"));
    let beside = (Some(Label::None), Some("d"));
    let across = (Some(Label::Loss), None);
    let expected = [
        ("a1", corner),
        ("a15", corner),
        ("o1", corner),
        ("o15", corner),
        ("h9", beside),
        ("h7", beside),
        ("g8", beside),
        ("i8", beside),
        ("i9", across),
        ("g9", across),
        ("g7", across),
        ("i7", across),
    ];
    assert_eq!(told, expected.into_iter().map(|(point, what)| (at(point), what)).collect());
    assert!(answer.moves.is_sorted_by_key(|known| known.point));
}

#[test]
fn a_deleted_position_takes_the_texts_of_its_move_along() {
    let (_folder, store) = new_store();
    set(
        &store,
        "h8",
        &[Edit::PointText(at("h9"), "A".to_owned()), Edit::PointText(at("i9"), "B".to_owned())],
    );
    set(&store, "h8g8", &[Edit::Label(Label::Win)]);
    let was_there = store.write(|batch| delete(batch, &board("h8i8"), RULE)).unwrap();
    assert!(was_there, "the same position from another side");
    let left = query_one(&store.reader().unwrap(), &board("h8"), RULE).unwrap().unwrap();
    assert!(left.point_texts.values().all(|text| text == "B"), "{:?}", left.point_texts);
    assert!(!store.write(|batch| delete(batch, &board("h8i8"), RULE)).unwrap(), "it is gone");
}

#[test]
fn selections_are_those_of_the_move() {
    let record = |label, value| Record { label, value, bound: Bound::Exact, ..Record::default() };
    // The side to move loses, so the move that led there wins.
    let (won_in_5, won, lost) = (record(Label::Loss, -29_996), record(Label::Loss, 0), record(Label::Win, 0));
    let (drawn, open) = (record(Label::Draw, 0), record(Label::None, 100));
    for (selection, expected) in [
        (Selection::All, [true; 5]),
        (Selection::Wins, [true, true, false, false, false]),
        (Selection::Losses, [false, false, true, false, false]),
        (Selection::WinsAndLosses, [true, true, true, false, false]),
        (Selection::Decided, [true, true, true, true, false]),
        (Selection::NeitherWinNorLoss, [false, false, false, true, true]),
        (Selection::Undecided, [false, false, false, false, true]),
        (Selection::WithoutStep, [false, true, true, false, false]),
        (Selection::WithinStep(5), [true, false, false, false, false]),
        (Selection::WithinStep(4), [false; 5]),
    ] {
        let told = [&won_in_5, &won, &lost, &drawn, &open].map(|record| selection.selects(record));
        assert_eq!(told, expected, "{selection:?}");
    }
}

/// A tree of games on a small board with every position stored.
fn tree(seed: u64) -> (TempDir, Store, Size, Vec<Vec<Point>>) {
    let (folder, store) = new_store();
    let mut rng = rng(seed);
    let size = Size::square(6).unwrap();
    let labels = [Label::None, Label::None, Label::Win, Label::Loss];
    let games: Vec<Vec<Point>> = (0..40).map(|_| random_moves(&mut rng, size, 6)).collect();
    store
        .write(|batch| {
            for game in &games {
                for moves in 0..=game.len() {
                    let label = Edit::Label(labels[rng.random_range(0..labels.len())]);
                    edit(batch, &Board::of_moves(size, &game[..moves]), RULE, &[label])?;
                }
            }
            Ok(())
        })
        .unwrap();
    (folder, store, size, games)
}

fn keys(store: &Store) -> BTreeSet<Key> {
    store.reader().unwrap().entries().unwrap().map(|entry| entry.unwrap().0).collect()
}

/// The positions after all moves from `board`, `depth` moves deep, found by trying the moves.
fn reached(board: &Board, depth: usize, found: &mut BTreeSet<Key>) {
    found.insert(Canonical::of(board, RULE).unwrap().key().clone());
    if depth > 0 {
        for point in board.empty().iter() {
            let mut after = board.clone();
            after.play(point);
            reached(&after, depth - 1, found);
        }
    }
}

#[test]
fn a_subtree_is_what_moves_lead_to() {
    let (_folder, store, size, games) = tree(40);
    for game in &games[..5] {
        let root = Board::of_moves(size, &game[..4]);
        let mut expected = BTreeSet::new();
        reached(&root, 2, &mut expected);
        let subtree = Subtree::of(&root, RULE).unwrap();
        let stored = keys(&store);
        assert!(stored.iter().all(|key| subtree.contains(key) == expected.contains(key)));
        assert!(stored.iter().any(|key| subtree.contains(key)));
    }
    let everything = Subtree::of(&Board::new(size), RULE).unwrap();
    assert!(keys(&store).iter().all(|key| everything.contains(key)));
    let mut passed = Board::new(size);
    passed.pass();
    let after_pass = Subtree::of(&passed, RULE).unwrap();
    assert!(!keys(&store).iter().any(|key| after_pass.contains(key)), "white began");
}

#[test]
fn deleting_all_moves_leaves_what_other_ways_lead_to() {
    let mut total = 0;
    for seed in 41..46 {
        let (_folder, store, size, games) = tree(seed);
        let root = Board::of_moves(size, &games[0][..2]);
        let before = keys(&store);
        let subtree = Subtree::of(&root, RULE).unwrap();
        let deleted = delete_moves(&store, &root, RULE, Selection::All, false, &mut ()).unwrap();
        let after = keys(&store);
        assert_eq!(before.len() - after.len(), deleted as usize);
        total += deleted;
        assert!(before.difference(&after).all(|key| subtree.contains(key)));
        let root_key = Canonical::of(&root, RULE).unwrap().key().clone();
        assert!(after.contains(&root_key));
        // Every remaining position of the subtree follows a remaining position other than the root.
        for key in after.iter().filter(|key| subtree.contains(key) && **key != root_key) {
            let follows = |parent: &&Key| {
                **parent != root_key && Subtree::of(&parent.diagram().board(), RULE).unwrap().contains(key)
            };
            let parents = after.iter().filter(|parent| parent.stone_count() + 1 == key.stone_count());
            assert!(parents.filter(|parent| follows(parent)).count() > 0);
        }
    }
    assert!(total > 10, "{total}");
}

/// Interrupts the work after this number of steps.
struct Until(u64);

impl Meter for Until {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, steps: u64) -> Result<(), Interrupted> {
        self.0 = self.0.checked_sub(steps).ok_or(Interrupted)?;
        Ok(())
    }
}

#[test]
fn an_interrupted_deletion_deletes_nothing() {
    let (_folder, store, size, _) = tree(41);
    let (root, before) = (Board::new(size), keys(&store));
    for steps in [0, 1, before.len() as u64 / 2] {
        let result = delete_moves(&store, &root, RULE, Selection::All, false, &mut Until(steps));
        assert!(matches!(result, Err(DatabaseError::Interrupted)), "after {steps} steps: {result:?}");
        assert_eq!(keys(&store), before, "after {steps} steps");
    }
    assert!(delete_moves(&store, &root, RULE, Selection::All, false, &mut Until(u64::MAX)).unwrap() > 0);
}

#[test]
fn selected_moves_go_with_what_only_they_lead_to() {
    for (seed, recursive) in [(50, false), (51, true), (52, false), (53, true)] {
        let (_folder, store, size, _) = tree(seed);
        let root = Board::new(size);
        let reader = store.reader().unwrap();
        let records: BTreeMap<Key, Record> = reader.entries().unwrap().map(Result::unwrap).collect();
        delete_moves(&store, &root, RULE, Selection::Wins, recursive, &mut ()).unwrap();
        let after = keys(&store);
        let is_parent = |parent: &Key, key: &Key| {
            parent.stone_count() + 1 == key.stone_count()
                && Subtree::of(&parent.diagram().board(), RULE).unwrap().contains(key)
        };
        for (key, record) in &records {
            let is_selected = key.stone_count() > 0
                && Selection::Wins.selects(record)
                && (recursive || key.stone_count() == 1);
            let mut parents = records.keys().filter(|parent| is_parent(parent, key));
            let is_left_alone = key.stone_count() > 0 && parents.all(|parent| !after.contains(parent));
            assert_eq!(after.contains(key), !is_selected && !is_left_alone, "{key:?}");
        }
    }
}

#[test]
fn positions_behind_missing_ones_go_with_the_move_that_leads_to_them() {
    let (_folder, store) = new_store();
    // White's moves i9 and i8 lose, j8 does not. All positions below lead over positions that are not stored.
    for (moves, label) in
        [("", Label::None), ("h8i9", Label::Win), ("h8i8", Label::Win), ("h8j8", Label::None)]
    {
        set(&store, moves, &[Edit::Label(label)]);
    }
    let lost = ["h8i9h9g9", "h8i9h9g9h10", "h8i9a1b1c1d1", "h8i9a2i8c2", "h8i8j13k13"];
    let kept = ["h8i9a3j8", "h8i9a3j8c3", "h8a4b4c4", "h8a4b4c4d4"];
    for moves in lost.iter().chain(&kept) {
        set(&store, moves, &[Edit::Depth(1)]);
    }
    let is_there = |moves: &str| query_one(&store.reader().unwrap(), &board(moves), RULE).unwrap().is_some();
    let deleted = delete_moves(&store, &board("h8"), RULE, Selection::Losses, false, &mut ()).unwrap();
    let left = lost.into_iter().filter(|moves| is_there(moves)).collect::<Vec<_>>();
    assert!(left.is_empty(), "{left:?}");
    assert!(kept.iter().all(|moves| is_there(moves)) && is_there("h8j8"));
    assert_eq!(deleted, 2 + lost.len() as u64);
}

#[test]
fn with_gaps_only_positions_that_deleted_moves_lead_to_go() {
    let mut behind_gaps = 0;
    for seed in 60..66 {
        let (_folder, store, size, _) = tree(seed);
        let root = Board::new(size);
        let mut rng = rng(seed);
        let stored: Vec<Key> = keys(&store).into_iter().collect();
        let dropped: Vec<&Key> =
            stored.iter().filter(|key| key.stone_count() > 1 && rng.random_bool(0.4)).collect();
        store.write(|batch| dropped.iter().try_for_each(|key| batch.remove(key).map(drop))).unwrap();
        let before = keys(&store);
        delete_moves(&store, &root, RULE, Selection::Wins, false, &mut ()).unwrap();
        let after = keys(&store);
        let leads = |from: &Key, to: &Key| {
            from.stone_count() < to.stone_count()
                && from.stone_count() > 0
                && Subtree::of(&from.diagram().board(), RULE).unwrap().contains(to)
        };
        for key in before.iter().filter(|key| key.stone_count() > 1) {
            // The nearest of the positions that lead there decide.
            let nearest = before.iter().filter(|from| leads(from, key)).map(Key::stone_count).max();
            let mut deciding =
                before.iter().filter(|from| Some(from.stone_count()) == nearest && leads(from, key));
            let is_kept = nearest.is_none() || deciding.any(|from| after.contains(from));
            assert_eq!(after.contains(key), is_kept, "{key:?}");
            behind_gaps +=
                usize::from(!is_kept && nearest.is_some_and(|stones| stones + 1 < key.stone_count()));
        }
    }
    assert!(behind_gaps > 10, "{behind_gaps}");
}

#[test]
fn a_selected_move_that_is_kept_keeps_the_selected_moves_after_it() {
    let mut kept = 0;
    for seed in 70..80 {
        let recursive = seed > 70;
        let (_folder, store, size, games) = tree(seed);
        let root = Board::of_moves(size, &games[0][..1]);
        let (start, subtree) = (Canonical::of(&root, RULE).unwrap(), Subtree::of(&root, RULE).unwrap());
        let reader = store.reader().unwrap();
        let records: BTreeMap<Key, Record> = reader.entries().unwrap().map(Result::unwrap).collect();
        // From few stones to many, with the sets of all positions that were deleted, or selected but kept.
        let (mut deleted, mut guarded) = (BTreeSet::<Key>::new(), BTreeSet::<Key>::new());
        for (key, record) in records.iter().filter(|(key, _)| *key != start.key() && subtree.contains(key)) {
            let parents: Vec<Key> = key.parents().map(|(parent, _)| parent).collect();
            let left: Vec<&Key> = parents
                .iter()
                .filter(|parent| records.contains_key(*parent) && !deleted.contains(*parent))
                .filter(|parent| *parent != start.key())
                .collect();
            let is_selected = (recursive || key.stone_count() == 2) && Selection::Wins.selects(record);
            let is_guarded = left.iter().any(|parent| guarded.contains(*parent) || !subtree.contains(parent));
            if is_selected && is_guarded {
                // Not by a position outside the subtree, only by a selected move.
                kept += usize::from(left.iter().all(|parent| subtree.contains(parent)));
                guarded.insert(key.clone());
            } else if is_selected || left.is_empty() && parents.iter().any(|parent| deleted.contains(parent))
            {
                deleted.insert(key.clone());
            }
        }
        let count = delete_moves(&store, &root, RULE, Selection::Wins, recursive, &mut ()).unwrap();
        let after = keys(&store);
        assert_eq!(count as usize, deleted.len());
        assert!(records.keys().all(|key| after.contains(key) != deleted.contains(key)), "seed {seed}");
    }
    assert!(kept > 0, "no move is kept only by a selected move");
}
