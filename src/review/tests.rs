use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::board::notation::{format_point, parse_moves};

const NODES: Effort = Effort::Nodes(3_000);

fn moves(rule: &str, text: &str) -> GameMoves {
    let size = Size::default();
    GameMoves::new(rule.parse().unwrap(), size, parse_moves(text, size).unwrap()).unwrap()
}

fn reviewed(game: &GameMoves, threads: usize) -> GameReview {
    review(game, NODES, &Networks::default(), threads, &AtomicBool::new(false), &|| {}).unwrap()
}

/// White's o1 leaves black's three open, and black plays a2 in the place of a straight four:
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
    let review = reviewed(&moves("freestyle", "h8k8i8h9j8i10g8f8"), 1);
    assert_eq!(review.moves[7].mark, MoveMark::Forced);
    let ignored = reviewed(&moves("freestyle", "h8k8i8h9j8i10g8a4"), 1);
    assert!(ignored.moves[7].mark.is_error(), "{:?}", ignored.moves[7]);
}

#[test]
fn a_review_does_not_depend_on_the_threads() {
    let game = moves("renju", "h8i9j8j9h9h10g11i7k9");
    let [one, three] = [1, 3].map(|threads| reviewed(&game, threads));
    assert_eq!(one, three);
    assert!(one.accuracy.0.iter().all(Option::is_some));
}

#[test]
fn progress_counts_every_position_and_a_stop_ends_it() {
    let game = moves("freestyle", MISSED);
    let seen = AtomicUsize::new(0);
    let count = || {
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let stop = AtomicBool::new(false);
    let networks = Networks::default();
    assert!(review(&game, Effort::Nodes(100), &networks, 2, &stop, &count).is_some());
    assert_eq!(seen.into_inner(), game.positions());
    assert_eq!(review(&game, NODES, &networks, 2, &AtomicBool::new(true), &|| {}), None);
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
