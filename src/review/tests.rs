use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::board::notation::{format_point, parse_moves};
use crate::search::THREAD_BYTES;
use crate::think::score::is_mate;

const NODES: Effort = Effort::Nodes(3_000);

fn moves(rule: &str, text: &str) -> GameMoves {
    let size = Size::default();
    GameMoves::new(rule.parse().unwrap(), size, parse_moves(text, size).unwrap()).unwrap()
}

fn terms(effort: Effort, threads: usize) -> ReviewTerms {
    ReviewTerms { effort, networks: Networks::default(), threads }
}

fn reviewed(game: &GameMoves, threads: usize) -> GameReview {
    review(game, &terms(NODES, threads), &AtomicBool::new(false), &|| {}).unwrap()
}

/// White's o1 leaves black's three open, and black plays a2 instead of making a straight four:
///
/// ```text
/// 10 . . . . . . . . . O . . . . .
///  9 . . . . . . . O O . . . . . .
///  8 . . . . . . . X X X . . . . .
///  1 X . . . . . . . . . . . . . O
///    a b c d e f g h i j k l m n o
/// ```
const MISSED: &str = "h8h9a1i9i8j10j8o1a2k8";

#[test]
fn a_missed_win_is_found_and_proven() {
    let review = reviewed(&moves("freestyle", MISSED), 1);
    let [blunder, missed] = [&review.moves[7], &review.moves[8]];
    assert_eq!(blunder.mark, MoveMark::Blunder, "white leaves the three open: {blunder:?}");
    assert_eq!(missed.mark, MoveMark::MissedWin, "{missed:?}");
    assert!(missed.is_proven && missed.before == 1.0 && missed.after < 0.9, "{missed:?}");
    let best = format_point(missed.line[0], Size::default());
    assert!(["g8", "k8"].contains(&best.as_str()), "{best}");
    assert_eq!(review.lost_from, None, "the game is open again");
}

#[test]
fn the_move_that_lost_the_game_is_named() {
    let review = reviewed(&moves("freestyle", "h8h9a1i9i8j10j8o1k8l8g8"), 2);
    assert_eq!(review.lost_from, Some((8, Color::White)));
    assert_eq!(review.moves[10].after, 1.0, "five in a row");
    assert_eq!(review.moves[9].mark, MoveMark::Best, "all replies to a straight four lose");
}

#[test]
fn the_only_way_to_stop_a_four_is_forced() {
    let review = reviewed(&moves("freestyle", "a3a7a4h8a5i9a6a2"), 1);
    assert_eq!(review.moves[7].mark, MoveMark::Forced);
    let ignored = reviewed(&moves("freestyle", "a3a7a4h8a5i9a6j8"), 1);
    assert!(ignored.moves[7].mark.is_error(), "{:?}", ignored.moves[7]);
}

#[test]
fn a_review_does_not_depend_on_the_threads() {
    let game = moves("renju", "h8i9j8j9h9h10g11i7k9");
    let [one, three] = [1, 3].map(|threads| reviewed(&game, threads));
    assert_eq!(one, three);
    assert!(one.accuracy.0.iter().all(Option::is_some));
}

/// The judged moves of a part of a game, given by their indices, in order.
fn reviewed_part(game: &GameMoves, part: std::ops::Range<usize>) -> Vec<MoveReview> {
    let reported = parking_lot::Mutex::new(Vec::new());
    let open = OpenReview::of_part(game.clone(), part, terms(NODES, 1), u64::MAX);
    open.run(&AtomicBool::new(false), &|judged| reported.lock().push(judged.clone()));
    let mut reported = reported.into_inner();
    reported.sort_by_key(|judged| judged.ply);
    reported
}

/// In the first game, only a later look at the position after move 12 proves that the move loses; in the second
/// one, the position after move 17 is won because the next move wins.
#[test]
fn the_judgements_of_consecutive_moves_agree() {
    let games = [
        ("renju", "j6i6i5k7k5j5k4l4k3k2h4g4j4h6i3h2", 10..14),
        ("caro-exact", "j6h4l8j4l6h6l7l5i5i4k4h5k7m9h7g6j3f7o10e8", 15..20),
        ("freestyle", "h8h9a1i9i8j10j8o1k8l8g8", 0..11),
    ];
    for (rule, text, part) in games {
        let judged = reviewed_part(&moves(rule, text), part);
        for (one, next) in judged.iter().zip(&judged[1..]) {
            let mate = if is_mate(one.value) { one.value.signum() } else { 0 };
            assert_eq!((one.before >= 1.0, one.before <= 0.0), (mate > 0, mate < 0), "{one:?}");
            assert!(one.after < 1.0 || next.before <= 0.0, "the next side is lost: {one:?} {next:?}");
            let has_lost = one.before > 0.0 && one.after <= 0.0;
            assert!(!has_lost || next.before >= 1.0, "the next side wins: {one:?} {next:?}");
            assert!(next.before < 1.0 || one.after <= 0.0, "the move loses: {one:?} {next:?}");
            assert!(next.before > 0.0 || one.after >= 1.0, "the move wins: {one:?} {next:?}");
            assert!(one.after > 0.0 || next.before >= 1.0, "a lost position stays lost: {one:?} {next:?}");
        }
    }
}

/// Proofs that come from looks at neighbouring positions, and from comparisons of two moves.
#[test]
fn no_row_contradicts_itself() {
    let games = [
        ("standard", 1_000, "g8e8k8d7f9e6e10h7c8e7e5f7g7b7c7g6h5f6h9d6"),
        ("standard", 100, "f10g10g6i11g11h12f9f11h11i12g12i10i9i13i14j10g13k9l8e10"),
        ("caro", 100, "i10i8h10j10g9j9j11i11k9h9g10g8j8k10l11i7k8g7h7i5i6f8e9h8e8i9k11f6"),
        ("caro", 1_000, "h6f8j7g9i6e7h10c5h7h8b4g8i8f6h4e8c8h5"),
        ("renju", 1_000, "g8e10h9f7i8f10g10j7f11e12h8f8h11h7g7g9i11j11i12f9f6e5h12"),
    ];
    for (rule, nodes, text) in games {
        let game = moves(rule, text);
        let open = OpenReview::new(game, terms(Effort::Nodes(nodes), 1), u64::MAX);
        let review = open.run(&AtomicBool::new(false), &|_| {}).unwrap();
        for judged in &review.moves {
            let shows_itself = judged.line.first() == Some(&judged.point);
            assert!(judged.before < 1.0 || !shows_itself || judged.after >= 1.0, "{text}: {judged:?}");
            assert!(judged.mark != MoveMark::OnlyMove || shows_itself, "{text}: {judged:?}");
            assert!(judged.after < 1.0 || !judged.line.is_empty(), "{text}: {judged:?}");
            assert!(judged.mark != MoveMark::MissedWin || !shows_itself, "{text}: {judged:?}");
        }
        for (one, next) in review.moves.iter().zip(&review.moves[1..]) {
            assert_eq!(one.after >= 1.0, next.before <= 0.0, "{text}: {one:?} {next:?}");
            assert_eq!(one.after <= 0.0, next.before >= 1.0, "{text}: {one:?} {next:?}");
        }
        if let Some((number, _)) = review.lost_from {
            assert!(review.moves[number - 1].before > 0.0, "{text}: {:?}", review.moves[number - 1]);
        }
    }
}

#[test]
fn every_move_after_the_losing_one_is_judged_as_proven() {
    for text in ["h8h9a1i9i8j10j8o1k8l8g8", "h8h9a1i9i8j10j8o1k8"] {
        let review = reviewed(&moves("freestyle", text), 1);
        let (number, loser) = review.lost_from.unwrap();
        let lost = &review.moves[number - 1];
        assert_eq!((lost.color, lost.after), (loser, 0.0), "{text}: {lost:?}");
        for judged in &review.moves[number..] {
            let rate = if judged.color == loser { 0.0 } else { 1.0 };
            assert_eq!((judged.before, judged.after), (rate, rate), "{text}: {judged:?}");
        }
    }
}

#[test]
fn a_last_move_that_is_a_foul_loses_the_game() {
    let lost = |losers: &[Option<Color>], winner| lost_from(Color::Black, losers, Some(Some(winner)));
    assert_eq!(lost(&[None, None, None], Color::White), Some((3, Color::Black)));
    assert_eq!(lost(&[None, None, None], Color::Black), None, "nothing proves which move lost");
    assert_eq!(lost(&[None, Some(Color::Black), Some(Color::Black)], Color::White), Some((1, Color::Black)));
}

#[test]
fn a_move_that_loses_is_not_the_best_because_the_best_one_was_refuted() {
    let game = moves("renju", "g10e12f11g11e10f9h10f10h12h9g9i11f7g7e6d9d5c4f6e9e2d8d7c7");
    for judged in reviewed_part(&game, 18..21) {
        let is_lost = is_mate(judged.value) && judged.value < 0;
        assert_eq!(judged.before <= 0.0, is_lost, "{judged:?}");
    }
}

#[test]
fn progress_counts_every_position_and_a_stop_ends_it() {
    let game = moves("freestyle", MISSED);
    let seen = AtomicUsize::new(0);
    let count = || {
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let stop = AtomicBool::new(false);
    assert!(review(&game, &terms(Effort::Nodes(100), 2), &stop, &count).is_some());
    assert_eq!(seen.into_inner(), game.positions());
    assert_eq!(review(&game, &terms(NODES, 2), &AtomicBool::new(true), &|| {}), None);
}

/// Many games of different lengths, some of them without any search.
fn many_games() -> Vec<(usize, Option<GameMoves>)> {
    let plies = [4, 1, 0, 9, 2, 0, 0, 7, 3, 10];
    let points = parse_moves(MISSED, Size::default()).unwrap();
    let game = |&plies: &usize| {
        let moves = points[..plies].to_vec();
        (plies, (plies > 0).then(|| GameMoves::new(Rule::default(), Size::default(), moves).unwrap()))
    };
    plies.iter().map(game).collect()
}

fn deliveries(threads: usize) -> Vec<(usize, Option<GameReview>)> {
    let mut delivered = Vec::new();
    let terms = terms(Effort::Nodes(200), threads);
    let mut deliver = |game, review| {
        delivered.push((game, review));
        Ok::<(), ()>(())
    };
    let stop = AtomicBool::new(false);
    review_all(&mut many_games().into_iter(), &terms, &stop, &|| {}, &mut deliver).unwrap();
    delivered
}

#[test]
fn many_games_come_in_their_order_whatever_the_threads() {
    let one = deliveries(1);
    let plies: Vec<usize> = one.iter().map(|(plies, _)| *plies).collect();
    assert_eq!(plies, many_games().iter().map(|(plies, _)| *plies).collect::<Vec<_>>());
    for (plies, review) in &one {
        assert_eq!(review.as_ref().map_or(0, |review| review.moves.len()), *plies);
    }
    assert_eq!(one, deliveries(5));
}

#[test]
fn games_are_read_when_they_are_needed_and_an_error_ends_the_review() {
    let game = GameMoves::new(Rule::default(), Size::default(), parse_moves("h8", Size::default()).unwrap());
    let (read, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut games = std::iter::from_fn(|| {
        read.fetch_add(1, Ordering::Relaxed);
        Some(((), Some(game.clone().unwrap())))
    });
    let mut seen = 0;
    let mut deliver = |(), _| {
        seen += 1;
        if seen < 20 { Ok(()) } else { Err("enough") }
    };
    let terms = terms(Effort::Nodes(10), 2);
    assert_eq!(review_all(&mut games, &terms, &stop, &|| {}, &mut deliver), Err("enough"));
    let read = read.into_inner();
    assert!((20..=24).contains(&read), "{read} of an endless list");
    assert!(stop.into_inner());
}

#[test]
fn white_may_begin() {
    let size = Size::default();
    let turns = crate::game::parse_turns("pass h8 h9 i8 i9 j8 j9 k8 k9 l8", size).unwrap();
    let (first, points) = side_and_points(&turns).unwrap();
    let game = GameMoves::begun_by(first, Rule::default(), size, points).unwrap();
    assert_eq!((game.first(), game.outcome().unwrap().winner), (Color::White, Some(Color::White)));
    let review = reviewed(&game, 1);
    let last = review.moves.last().unwrap();
    assert_eq!((last.ply, last.color, last.after), (9, Color::White, 1.0));
    assert_eq!(review.lost_from.map(|(_, loser)| loser), Some(Color::Black));
    assert_eq!(side_and_points(&[turns[1], None]), None);
}

/// Black has two stones more, White moves first, and e8 is blocked.
const SET_UP: &str = "15/15/15/15/15/15/7OO6/4#1XXX6/6O8/15/15/15/15/15/X13X w";

#[test]
fn a_game_may_begin_with_any_position() {
    let size = Size::default();
    let start = crate::board::notation::parse_fen(SET_UP).unwrap();
    let points = |text: &str| parse_moves(text, size).unwrap();
    let of = |text: &str| GameMoves::from_board(start.clone(), Rule::default(), points(text)).unwrap();
    let game = of("o15 j8 f8 k8");
    assert_eq!((game.first(), game.start()), (Color::White, &start));
    assert_eq!(game.outcome().unwrap().winner, Some(Color::Black), "five from g8 to k8");
    let whole = reviewed(&game, 1);
    let facts: Vec<(usize, Color)> = whole.moves.iter().map(|judged| (judged.ply, judged.color)).collect();
    assert_eq!(facts, [(1, Color::White), (2, Color::Black), (3, Color::White), (4, Color::Black)]);
    assert_eq!(whole.moves[0].mark, MoveMark::Blunder, "a three is left open: {:?}", whole.moves[0]);
    assert_eq!(whole.moves[2].mark, MoveMark::Best, "all defences lose: {:?}", whole.moves[2]);
    assert_eq!((whole.moves[3].after, whole.lost_from), (1.0, Some((1, Color::White))));
    for wrong in ["o9h8", "e8"] {
        let refused = GameMoves::from_board(start.clone(), Rule::default(), points(wrong)).unwrap_err();
        assert_eq!((refused.number, refused.refusal), (wrong.len() / 2, Refusal::Taken), "{wrong}");
        let text = format!("move {} is not legal: the point is not empty", refused.number);
        assert_eq!(refused.to_string(), text);
    }
    let facts = [0..1, 1..4].map(|part| {
        let open = OpenReview::of_part(game.clone(), part, terms(NODES, 1), u64::MAX);
        assert_eq!(open.run(&AtomicBool::new(false), &|_| {}), None);
        open.facts().unwrap()
    });
    let GameReview { accuracy, lost_from, .. } = whole;
    assert_eq!(join(game.first(), &facts), Some(Summary { accuracy, lost_from }));
    assert_ne!(join(!game.first(), &facts).unwrap().accuracy, accuracy);
}

#[test]
fn illegal_moves_are_refused_with_their_number() {
    let size = Size::default();
    let point = |text: &str| parse_moves(text, size).unwrap();
    let rule: Rule = "freestyle".parse().unwrap();
    let won = point("h8a1i8a2j8a3k8a4l8");
    assert_eq!(GameMoves::new(rule, size, won.clone()).unwrap().positions(), 9);
    let after_the_end = [won, point("o15")].concat();
    assert_eq!(GameMoves::new(rule, size, after_the_end).unwrap_err().number, 10);
}

#[test]
fn a_review_move_by_move_is_the_same_for_any_number_of_threads() {
    let game = moves("freestyle", MISSED);
    let whole = reviewed(&game, 1);
    for threads in [1, 3] {
        let reported = parking_lot::Mutex::new(Vec::new());
        let report = |judged: &MoveReview| reported.lock().push(judged.clone());
        let open = OpenReview::new(game.clone(), terms(NODES, threads), u64::MAX);
        assert_eq!(open.run(&AtomicBool::new(false), &report).as_ref(), Some(&whole), "{threads} threads");
        let mut reported = reported.into_inner();
        reported.sort_by_key(|judged| judged.ply);
        assert_eq!(reported, whole.moves, "each move is reported once");
    }
    let over = moves("freestyle", "h8h9a1i9i8j10j8o1k8l8g8");
    let last = AtomicUsize::new(0);
    let report = |judged: &MoveReview| last.store(judged.ply, Ordering::Relaxed);
    let open = OpenReview::new(over, terms(NODES, 1), 1 << 20);
    assert!(open.run(&AtomicBool::new(false), &report).is_some());
    assert_eq!(last.into_inner(), 11, "the move that ends the game");
}

#[test]
fn a_stopped_review_continues_where_it_was() {
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let game = moves("freestyle", MISSED);
    let open = OpenReview::new(game.clone(), terms(NODES, 1), u64::MAX);
    let stop_after_four = |_: &MoveReview| {
        let is_last = count.fetch_add(1, Ordering::Relaxed) == 3;
        stop.store(is_last, Ordering::Relaxed);
    };
    assert_eq!(open.run(&stop, &stop_after_four), None);
    assert_eq!(count.swap(0, Ordering::Relaxed), 4);
    let report = |_: &MoveReview| {
        count.fetch_add(1, Ordering::Relaxed);
    };
    assert_eq!(open.run(&AtomicBool::new(false), &report), Some(reviewed(&game, 1)));
    assert_eq!(count.into_inner(), 10, "the first four are reported again");
}

#[test]
fn parts_of_a_game_make_the_review_of_the_whole() {
    // One game is unfinished, the other was won.
    for (text, ends) in [(MISSED, [1, 7, 8, 10]), ("h8h9a1i9i8j10j8o1k8l8g8", [4, 4, 5, 11])] {
        let game = moves("freestyle", text);
        let whole = reviewed(&game, 1);
        let reported = parking_lot::Mutex::new(Vec::new());
        let report = |judged: &MoveReview| reported.lock().push(judged.clone());
        let mut facts: Vec<PartFacts> = Vec::new();
        let mut start = 0;
        for end in ends {
            let open = OpenReview::of_part(game.clone(), start..end, terms(NODES, 1), u64::MAX);
            assert_eq!(open.facts(), None, "nothing is judged yet");
            assert_eq!(open.run(&AtomicBool::new(false), &report), None);
            // An empty part has no facts.
            facts.extend(open.facts().map(|facts| facts.to_string().parse().unwrap()));
            start = end;
        }
        let mut reported = reported.into_inner();
        reported.sort_by_key(|judged| judged.ply);
        assert_eq!(reported, whole.moves, "{text}");
        let GameReview { accuracy, lost_from, .. } = whole;
        assert_eq!(join(Color::Black, &facts), Some(Summary { accuracy, lost_from }), "{text}");
    }
}

#[test]
fn a_thread_keeps_its_share_of_the_memory() {
    assert_eq!(OpenReview::table_within(OpenReview::THREAD_MEMORY), insight::TABLE_BYTES);
    assert_eq!(OpenReview::table_within(u64::MAX), insight::TABLE_BYTES, "no search uses more");
    for bytes in [6 << 20, 17 << 20, OpenReview::THREAD_MEMORY - 1] {
        let table = OpenReview::table_within(bytes);
        assert!(
            table > 0 && table + table / insight::PROOF_SHARE + THREAD_BYTES <= bytes,
            "{bytes}: {table}"
        );
    }
    assert_eq!(OpenReview::table_within(0), 0);
}
