//! Values of positions near the root from another source affect a search, tested through the public API.

use std::sync::atomic::AtomicBool;

use kakugo::board::notation::parse_fen;
use kakugo::board::{Board, Point};
use kakugo::search::{KnownPositions, KnownValue, RootOptions};
use kakugo::think::score::{mate_in, mated_in};
use kakugo::think::{Bound, Limits, SearchReport, Silent};

use crate::engines::{QUIET, small};

/// A position in which one move is at least 50 points better than all others at the depths searched here.
const CLEAR: &str = "20/20/20/20/20/20/11X8/7O1OX1X7/6O13/8X11/8O11/20/10X9/20/20/20/20/20/20/20 w";

fn quiet() -> Board {
    parse_fen(QUIET).unwrap()
}

fn think(known: KnownPositions, max_depth: i32) -> SearchReport {
    think_of(known, Limits::depth(max_depth))
}

fn think_of(known: KnownPositions, limits: Limits) -> SearchReport {
    think_on(&quiet(), known, limits)
}

fn think_on(board: &Board, known: KnownPositions, limits: Limits) -> SearchReport {
    let mut engine = small();
    engine.set_board(board.clone());
    let options = RootOptions { known, ..RootOptions::default() };
    engine.think_with(&limits, &options, &AtomicBool::new(false), &Silent)
}

/// The board after these moves, and the number of moves.
fn after(moves: &[Point]) -> (Board, usize) {
    let mut board = quiet();
    moves.iter().for_each(|&point| board.play(point));
    (board, moves.len())
}

fn exact(value: i32, depth: i32) -> KnownValue {
    KnownValue { value, depth, bound: Bound::Exact }
}

fn known(moves: &[Point], value: KnownValue) -> KnownPositions {
    let (board, ply) = after(moves);
    let mut known = KnownPositions::default();
    known.add(&board, ply, value);
    known
}

#[test]
fn a_known_good_move_is_played_and_its_value_reported() {
    let limits = Limits { multi_pv: 40, ..Limits::depth(2) };
    let odd = think_of(KnownPositions::default(), limits).others.last().unwrap().pv[0];
    let report = think(known(&[odd], exact(-700, 20)), 4);
    assert_eq!((report.best_move, report.last.value), (Some(odd), 700));
    let report = think(known(&[odd], exact(mated_in(30), 0)), 4);
    assert_eq!((report.best_move, report.last.value), (Some(odd), mate_in(31)));
}

#[test]
fn a_good_move_that_is_refuted_by_a_reply_is_not_played() {
    let pv = think(KnownPositions::default(), 4).last.pv;
    let (best, reply) = (pv[0], pv[1]);
    for (moves, value) in [
        (vec![best], exact(700, 20)),
        (vec![best], KnownValue { value: 700, depth: 20, bound: Bound::Lower }),
        (vec![best, reply], exact(mated_in(12), 0)),
        (vec![best, reply], exact(-700, 20)),
    ] {
        let report = think(known(&moves, value), 4);
        assert_ne!(report.best_move, Some(best), "{moves:?} {value:?}");
    }
}

#[test]
fn a_value_from_a_shallower_search_has_no_final_effect() {
    let clear = parse_fen(CLEAR).unwrap();
    for depth in 4..=8 {
        let limits = Limits::depth(depth);
        let lines = think_on(&clear, KnownPositions::default(), Limits { multi_pv: 2, ..limits });
        assert!(
            lines.last.value - lines.others[0].value >= 50,
            "another move is nearly as good at depth {depth}"
        );
        let best = lines.best_move.unwrap();
        let mut shallow = KnownPositions::default();
        let mut board = clear.clone();
        board.play(best);
        shallow.add(&board, 1, exact(700, 1));
        let misled = think_on(&clear, shallow, limits);
        assert_eq!((misled.best_move, misled.last.value > -300), (Some(best), true), "depth {depth}");
    }
}
