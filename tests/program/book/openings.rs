//! Decisions in opening procedures use the values of a book, and its balanced openings.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Board, Point, Size};
use kakugo::database::{Canonical, Label, Probe, ProbeResult, Reader, Record, Store};
use kakugo::engine::{Engine, Options};
use kakugo::opening::{Brief, Decided, decide};
use kakugo::rules::Rule;
use kakugo::rules::procedure::{Answer, Area, Negotiation, Procedure};
use kakugo::think::{Bound, Limits};

/// A book in which every position has one label, value and depth.
struct Flat {
    label: Label,
    value: i16,
    depth: i16,
}

impl Probe for Flat {
    fn probe(&self, _: &Board, _: Rule) -> Option<ProbeResult> {
        let Flat { label, value, depth } = *self;
        Some(ProbeResult { label, value, depth, bound: Bound::Exact, best_move: None })
    }
}

/// The swap decision after three stones.
fn swap_decision(book: &Flat) -> Decided {
    let mut negotiation = Negotiation::new(Procedure::Swap, Size::default()).unwrap();
    negotiation.answer(&Answer::parse("h8 i9 j8", Size::default()).unwrap()).unwrap();
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    let limits = Limits::nodes(40);
    let stop = AtomicBool::new(false);
    let brief = Brief::new(&limits, &stop, 0).with_known(book);
    decide(&mut engine, &negotiation, &brief).unwrap()
}

#[test]
fn a_known_value_decides_without_a_search() {
    // White is to move, so the player who decides has white.
    let good = swap_decision(&Flat { label: Label::None, value: 300, depth: 12 });
    assert_eq!((good.answer, good.value, good.nodes), (Answer::Stay, 300, 0));
    let bad = swap_decision(&Flat { label: Label::None, value: -300, depth: 12 });
    assert_eq!((bad.answer, bad.value, bad.nodes), (Answer::Swap, 300, 0));
}

#[test]
fn a_known_result_decides_whatever_the_value_of_the_search() {
    let decision = |label, value, depth| {
        let decided = swap_decision(&Flat { label, value, depth });
        (decided.answer, decided.value, decided.nodes)
    };
    assert_eq!(decision(Label::Loss, 12, 14), (Answer::Swap, 29_500, 0));
    assert_eq!(decision(Label::Win, -12, 0), (Answer::Stay, 29_500, 0));
    assert_eq!(decision(Label::Loss, -29_992, 3), (Answer::Swap, 29_992, 0));
    assert_eq!(decision(Label::Draw, -300, 14), (Answer::Stay, 0, 0));
}

#[test]
fn a_value_of_a_short_search_is_found_anew() {
    let shallow = swap_decision(&Flat { label: Label::None, value: 5_000, depth: 2 });
    assert!(shallow.nodes > 0 && shallow.value != 5_000, "{shallow:?}");
}

/// Stones that the first player of swap2 places with this book.
fn three_stones(book: &Reader, seed: u64) -> Decided {
    let negotiation = Negotiation::new(Procedure::Swap2, Size::default()).unwrap();
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    let limits = Limits::nodes(40);
    let stop = AtomicBool::new(false);
    decide(&mut engine, &negotiation, &Brief::new(&limits, &stop, seed).with_known(book)).unwrap()
}

/// A book of these positions, each with a best move, a value for the side to move and the depth of its
/// search.
fn book_of(positions: &[(&str, i16, i16)]) -> Reader {
    let store = Store::in_memory().unwrap();
    for &(moves, value, depth) in positions {
        let points = parse_moves(moves, Size::default()).unwrap();
        let position = Canonical::of_moves(&points, Rule::default().kind, Size::default());
        let best_move = Some(Point::new(0, 0));
        let record = Record { value, depth, bound: Bound::Exact, best_move, ..Record::default() };
        store.write(|batch| batch.put(position.key(), &position.to_stored(record))).unwrap();
    }
    store.reader().unwrap()
}

#[test]
fn level_openings_of_the_book_are_put_in_every_image() {
    let book = book_of(&[
        ("h8i10k9", -12, 10),
        ("h8i9j10", -90, 10),
        ("h8j10l7", 3, 4),
        ("h8i9", 0, 10),
        ("h8i9j8k9", 0, 10),
    ]);
    let key =
        |points: &[Point]| Canonical::of_moves(points, Rule::default().kind, Size::default()).key().clone();
    let level = key(&parse_moves("h8i10k9", Size::default()).unwrap());
    let mut images = HashSet::new();
    for seed in 0..100 {
        let decided = three_stones(&book, seed);
        let Answer::Stones(stones) = decided.answer else { panic!("three stones: {:?}", decided.answer) };
        assert_eq!((key(&stones), decided.value, decided.nodes), (level.clone(), -12, 0));
        images.insert(stones);
    }
    assert_eq!(images.len(), 8, "the image of an opening without symmetry depends on the seed");
}

#[test]
fn a_book_without_level_openings_changes_nothing() {
    let empty = three_stones(&book_of(&[]), 5);
    assert!(empty.nodes > 0);
    assert_eq!(three_stones(&book_of(&[("h8i9j10", 90, 10), ("h8i10k9", 12, 7)]), 5), empty);
}

/// The answer after these answers, with this book.
fn answer(procedure: Procedure, answers: &[&str], book: Option<&Reader>) -> Answer {
    let size = Size::default();
    let mut negotiation = Negotiation::new(procedure, size).unwrap();
    for answer in answers {
        negotiation.answer(&Answer::parse(answer, size).unwrap()).unwrap();
    }
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    let limits = Limits::nodes(40);
    let stop = AtomicBool::new(false);
    let mut brief = Brief::new(&limits, &stop, 0);
    if let Some(book) = book {
        brief = brief.with_known(book);
    }
    decide(&mut engine, &negotiation, &brief).unwrap().answer
}

/// A book that labels the positions after `stones` and each of these moves.
fn labelled(stones: &str, moves: &[Point], label: Label) -> Reader {
    let size = Size::default();
    let stones = parse_moves(stones, size).unwrap();
    let store = Store::in_memory().unwrap();
    for &point in moves {
        let points = [&stones[..], &[point]].concat();
        let position = Canonical::of_moves(&points, Rule::default().kind, size);
        let record = Record { label, ..Record::default() };
        store.write(|batch| batch.put(position.key(), &record)).unwrap();
    }
    store.reader().unwrap()
}

#[test]
fn fifths_are_offered_by_their_labels() {
    let offered = |book: Option<&Reader>| {
        let answers = ["h8 h9 i10", "STAY", "g7"];
        let Answer::Offer(points) = answer(Procedure::Rif, &answers, book) else { panic!("an offer") };
        points
    };
    let stones = "h8h9i10g7";
    let plain = offered(None);
    assert_eq!(plain.len(), 2);
    for label in [Label::Win, Label::Blocked] {
        let others = offered(Some(&labelled(stones, &plain, label)));
        assert_eq!(others.len(), 2);
        assert!(others.iter().all(|point| !plain.contains(point)), "{label}: {others:?}");
    }
    // Fifths that win, where no search would look for them.
    let won = parse_moves("a15o12", Size::default()).unwrap();
    let found = offered(Some(&labelled(stones, &won, Label::Loss)));
    assert!(won.iter().all(|point| found.contains(point)), "{found:?}");
}

/// All empty points of the position after these moves except one.
fn others(stones: &str, left_out: Option<Point>) -> Vec<Point> {
    let board = Board::of_moves(Size::default(), &parse_moves(stones, Size::default()).unwrap());
    board.empty().iter().filter(|&point| Some(point) != left_out).collect()
}

#[test]
fn blocked_stones_are_placed_if_there_are_no_others() {
    let size = Size::default();
    let stones = |procedure, answers: &[&str], book: &Reader| match answer(procedure, answers, Some(book)) {
        Answer::Stones(points) | Answer::StonesAndCount(points, _) => points,
        other => panic!("{procedure}: {other:?}"),
    };
    // These two points stand for all of the central 3x3.
    let near = labelled("h8", &parse_moves("h9i9", size).unwrap(), Label::Blocked);
    let second = stones(Procedure::Taraguchi10, &["h8", "STAY"], &near);
    assert!(second.len() == 1 && Area::Within(3).contains(second[0], size), "{second:?}");
    for (left_out, is_free) in [(None, false), (Some(Point::new(9, 9)), true)] {
        let fourths = labelled("h8h9i10", &others("h8h9i10", left_out), Label::Blocked);
        for procedure in [Procedure::Rif, Procedure::Soosorv8] {
            let fourth = stones(procedure, &["h8 h9 i10", "STAY"], &fourths);
            assert_eq!((fourth.len(), fourth.first() == left_out.as_ref()), (1, is_free), "{procedure}");
        }
    }
}

#[test]
fn blocked_fifths_are_offered_if_the_others_are_too_few() {
    for left_out in [None, Some(Point::new(2, 2))] {
        let book = labelled("h8h9i10g7", &others("h8h9i10g7", left_out), Label::Blocked);
        let Answer::Offer(points) = answer(Procedure::Rif, &["h8 h9 i10", "STAY", "g7"], Some(&book)) else {
            panic!("an offer");
        };
        assert_eq!(points.len(), 2);
        assert!(left_out.is_none_or(|point| points.contains(&point)), "{points:?}");
    }
}

#[test]
fn a_fourth_stone_with_a_label_of_loss_is_not_placed() {
    for procedure in [Procedure::Rif, Procedure::Soosorv8] {
        let placed = |book: Option<&Reader>| match answer(procedure, &["h8 h9 i10", "STAY"], book) {
            Answer::Stones(points) | Answer::StonesAndCount(points, _) => points,
            other => panic!("{procedure}: {other:?}"),
        };
        let plain = placed(None);
        for label in [Label::Win, Label::Blocked] {
            let other = placed(Some(&labelled("h8h9i10", &plain, label)));
            assert_ne!(other, plain, "{procedure}, {label}");
        }
    }
}
