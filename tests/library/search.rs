//! Properties that every search result must have: immediate wins, rows to stop, fouls and mate distances.
//!
//! The referee is [`wins_in`], which plays everything out and knows no threat except a completed row.

use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};
use kakugo::board::notation::{format_fen, format_point, parse_fen};
use kakugo::board::{Board, Cell, Color, Direction, Point, Size};
use kakugo::rules::{PointClass, Position, Rule, RuleKind, Verdict};
use kakugo::think::score::{mate_in, mated_in};
use kakugo::think::{Limits, SearchReport, Silent};
use rand::Rng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::boards::{random_board, seeded};
use crate::engines::small;

/// Number of boards per rule in every test run.
const FEW: u64 = 250;
/// Number of boards per rule before a release: `cargo test --release -- --ignored`.
const MANY: u64 = 5_000;
/// Number of nodes that the engine may search on each board.
const NODES: u64 = 3_000;

fn think(kind: RuleKind, board: &Board, max_nodes: u64) -> SearchReport {
    let mut engine = small();
    engine.set_rule(Rule::from(kind));
    engine.set_board(board.clone());
    let limits = Limits::nodes(max_nodes);
    engine.think(&limits, &AtomicBool::new(false), &Silent)
}

/// The moves that do not lose immediately by a foul.
fn harmless(position: &mut Position) -> Vec<Point> {
    let empty = *position.board().empty();
    empty.iter().filter(|&point| !matches!(position.verdict(point), Verdict::Foul(_))).collect()
}

/// Whether a colour can complete a row on its next move.
fn has_five(position: &Position, color: Color) -> bool {
    !position.at_least(color, PointClass::Five).is_empty()
}

/// Whether the side to move wins in `plies` (1 or 3) against every defence: by a row, or because black has
/// only fouls left.
fn wins_in(position: &mut Position, plies: i32) -> bool {
    let us = position.board().side_to_move();
    if has_five(position, us) || plies < 3 {
        return has_five(position, us);
    }
    // A move that wins in 3 makes at least a four; a stronger move may have the class of a foul in renju.
    let tries = position.at_least(us, PointClass::Foul);
    harmless(position).into_iter().filter(|&point| tries.contains(point)).any(|point| {
        position.play(point);
        let wins = loses_in(position, 2);
        position.undo();
        wins
    })
}

/// Whether the side to move loses in 2 or 4 plies, or immediately by a foul, whatever it plays.
fn loses_in(position: &mut Position, plies: i32) -> bool {
    let us = position.board().side_to_move();
    if position.board().empty().is_empty() || has_five(position, us) {
        return false;
    }
    harmless(position).into_iter().all(|point| {
        position.play(point);
        let loses = wins_in(position, plies - 1);
        position.undo();
        loses
    })
}

/// Whether the side to move loses in 4 plies or sooner after playing `point`.
fn falls(position: &mut Position, point: Point, plies: i32) -> bool {
    position.play(point);
    let falls = wins_in(position, plies);
    position.undo();
    falls
}

/// A few stones of both colours near each other, as in the first moves of a game.
fn skirmish(seed: u64) -> Board {
    let rng = &mut seeded(seed);
    let size = *[Size::default(), Size::default(), Size::square(20).unwrap(), Size::new(9, 12).unwrap()]
        .choose(rng)
        .unwrap();
    let mut board = Board::new(size);
    board.play(size.center());
    for _ in 0..rng.random_range(3..30) {
        let stones: Vec<Point> = board.occupied().iter().collect();
        let from = stones.choose(rng).unwrap();
        let direction = *Direction::ALL.choose(rng).unwrap();
        let distance = *[-2, -1, 1, 2].choose(rng).unwrap();
        if let Some(point) = from.step(direction, distance, size).filter(|&point| board.is_empty(point)) {
            board.play(point);
        }
    }
    board
}

/// Checks the engine's move and value on one board against [`wins_in`].
fn judge(kind: RuleKind, board: &Board) -> anyhow::Result<()> {
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let us = board.side_to_move();
    let report = think(kind, board, NODES);
    if board.empty().is_empty() {
        ensure!(report.best_move.is_none(), "a move on a full board");
        return Ok(());
    }
    let best = report.best_move.context("no move")?;
    ensure!(board.is_empty(best), "not an empty point");
    let moves = harmless(&mut position);
    ensure!(moves.is_empty() || moves.contains(&best), "a foul");
    let value = report.last.value;
    let five = has_five(&position, us);
    ensure!(five == position.is_five(us, best), "a row at hand: {five}");
    ensure!(five == (value == mate_in(1)), "a row at hand: {five}, value {value}");
    if five || moves.is_empty() {
        return Ok(());
    }
    for plies in [1, 3] {
        if falls(&mut position, best, plies) {
            let better = moves.iter().find(|&&other| !falls(&mut position, other, plies));
            let name = better.map(|&point| format_point(point, board.size()));
            ensure!(name.is_none(), "loses in {}, {} does not", plies + 1, name.unwrap_or_default());
            if plies == 1 {
                ensure!(value == mated_in(2), "lost in 2, value {value}");
                return Ok(());
            }
        }
    }
    ensure!(value != mated_in(2), "not lost in 2");
    ensure!(value != mated_in(4) || loses_in(&mut position, 4), "not lost in 4");
    let wins = wins_in(&mut position, 3);
    ensure!(wins || value != mate_in(3), "no win in 3");
    // The only move that stops a row is played without a search, and may also win. In renju black may have a
    // win in 3 by a move that looks like a double three but is not a foul; then a longer win is acceptable as
    // well.
    let looks_foul = kind.has_fouls(us) && position.at_least(us, PointClass::OpenFour).is_empty();
    if !wins || has_five(&position, !us) || looks_foul {
        return Ok(());
    }
    ensure!(value == mate_in(3), "a win in 3, value {value}");
    position.play(best);
    ensure!(loses_in(&mut position, 2), "the move throws a win in 3 away");
    Ok(())
}

/// The engine's move on a board, for the message of a failure.
fn description(kind: RuleKind, board: &Board) -> String {
    let best = think(kind, board, NODES).best_move;
    let name = best.map_or("nothing".to_owned(), |best| format_point(best, board.size()));
    format!("{name} by {} on {} under {}", board.side_to_move(), format_fen(board), kind.name())
}

fn judge_many(boards: u64) {
    for kind in RuleKind::ALL {
        let result = (0..boards).into_par_iter().try_for_each(|seed| {
            let board = if seed % 2 == 0 { skirmish(seed) } else { random_board(&mut seeded(seed)) };
            judge(kind, &board).with_context(|| description(kind, &board))
        });
        if let Err(error) = result {
            panic!("{error:#}");
        }
    }
}

#[test]
fn rows_are_made_and_stopped_on_random_boards() {
    judge_many(FEW);
}

#[test]
#[ignore = "minutes"]
fn rows_are_made_and_stopped_on_many_random_boards() {
    judge_many(MANY);
}

/// A published problem: 73 fours and a five. A full-width search does not get that deep.
#[test]
fn a_long_win_by_fours_is_seen_at_once() {
    let fen = "1XO1OX1XOOOOXOO/3X2OXXO2OXX/O1X9X1X/X3OO7OO/2X10XO/OXOO9XX/OX1X2O4X3/XOOO3X1O4O/OO12O/O5OXO5O/X3X4O4X/1X1X3OX6/6O1XX5/X8X2OX1/3X2XO2X3X";
    let board = parse_fen(fen).unwrap();
    let report = think(RuleKind::Renju, &board, 200_000);
    assert!(report.last.value >= mate_in(2 * 74 - 1), "{:?}", report.last);
    assert!(report.last.nodes < 20_000 && report.last.pv.len() > 100, "{:?}", report.last);
}

/// With a dozen possible fours their orders are countless; the first iteration must end nevertheless.
#[test]
fn a_wall_of_fours_does_not_stop_the_first_iteration() {
    let fen = "X1O1XX2X/X2O5/4XX2X/6XX1/OX2X2XO/7O1/9/5X3/X5O2/9/4XX3/5X3/1XX1XO1X1/6X2/4O3O/1XX2X3/X8/4XO1X1/2X6/5XX2/2X5X";
    let mut board = parse_fen(fen).unwrap();
    board.set_side_to_move(Color::White);
    judge(RuleKind::Renju, &board).unwrap();
}

/// The board of `fen` and the same board with colours exchanged, each with the colour to move that `X` stands
/// for.
fn both_colors(fen: &str) -> [Board; 2] {
    Color::ALL.map(|x| {
        let drawn = parse_fen(fen).unwrap();
        let mut board = Board::new(drawn.size());
        for point in drawn.size().points() {
            match drawn.cell(point) {
                Cell::Black => board.set_up(x, point),
                Cell::White => board.set_up(!x, point),
                Cell::Empty | Cell::Wall => {}
            }
        }
        board.set_side_to_move(x);
        board
    })
}

/// Checks the engine's answer for `X` under every rule, with either colour.
fn answers(fen: &str, max_nodes: u64, check: impl Fn(RuleKind, &str, &SearchReport)) {
    for kind in RuleKind::ALL {
        for board in both_colors(fen) {
            let report = think(kind, &board, max_nodes);
            let best = report.best_move.expect("there are empty points");
            check(kind, &format_point(best, board.size()), &report);
        }
    }
}

#[test]
fn immediate_wins_are_taken() {
    for nodes in [1, NODES] {
        // Both sides have a four: completing one's own row comes first.
        answers("15/15/15/15/15/6XXXX5/15/6OOOO5/15/15/15/15/15/15/15", nodes, |kind, best, report| {
            assert!(["f10", "k10"].contains(&best), "{best}, {}", kind.name());
            assert_eq!(report.last.value, mate_in(1), "{}", kind.name());
        });
    }
}

#[test]
fn fives_are_stopped() {
    for nodes in [1, 100, NODES] {
        answers("15/15/15/15/15/15/6X8/5XOOOO5/6X8/15/15/15/15/15/15", nodes, |kind, best, _| {
            // In caro a five between two stones of the other colour does not win, so the far end stops it as
            // well.
            let ends: &[&str] = match kind {
                RuleKind::Caro | RuleKind::CaroExact => &["k8", "l8"],
                _ => &["k8"],
            };
            assert!(ends.contains(&best), "{best}, {}", kind.name());
        });
        // A four with a gap.
        answers("15/15/15/15/15/15/6X8/6OO1OO4/9X5/15/15/15/15/15/15", nodes, |kind, best, _| {
            let caro = matches!(kind, RuleKind::Caro | RuleKind::CaroExact);
            assert!(best == "i8" || caro && ["f8", "l8"].contains(&best), "{best}, {}", kind.name());
        });
    }
}

#[test]
fn open_threes_are_answered() {
    for fen in [
        "15/15/15/15/15/15/15/6OOO6/15/6X1X6/15/15/15/15/15",
        "15/15/15/15/15/15/6OO1O5/15/15/5X3X5/15/15/15/15/15",
        "15/15/15/15/9O5/8O6/7O7/15/15/6X1X6/15/15/15/15/15",
    ] {
        for nodes in [1, 500, 20_000] {
            answers(fen, nodes, |kind, best, report| {
                let board = both_colors(fen);
                let found = board.iter().any(|board| {
                    let best = report.best_move.unwrap();
                    !falls(&mut Position::new(board.clone(), kind.into()), best, 3)
                });
                assert!(found, "{best} leaves {fen} lost, {}", kind.name());
            });
        }
    }
}

#[test]
fn mates_are_counted_in_plies() {
    // An open three: four, any answer, five.
    answers("15/15/15/15/15/15/15/6XXX6/15/6O1OO5/15/15/15/15/15", NODES, |kind, best, report| {
        assert_eq!(report.last.value, mate_in(3), "{best}, {}", kind.name());
        assert_eq!(kakugo::think::score::format(report.last.value), "+M3");
    });
    // The opponent makes a row on either of two points, and nothing stops both.
    answers("15/15/15/15/15/15/15/6OOOO5/15/6X1XX5/9X5/15/15/15/15", NODES, |kind, best, report| {
        assert!(["f8", "k8", "e8", "l8"].contains(&best), "{best}, {}", kind.name());
        if !matches!(kind, RuleKind::Caro | RuleKind::CaroExact) {
            assert_eq!(report.last.value, mated_in(2), "{best}, {}", kind.name());
        }
    });
}

#[test]
fn black_with_nothing_but_fouls_plays_on() {
    // Overlines everywhere; the rest of the board is blocked, or full of stones.
    let full = "XXOOXX/OOXXOO/XXOOXX/XXX1XX/OOXXOO/XXOOXX";
    for fen in ["XXX1XXX/7/7/7/7/7/7", "XXX1XXX/7/7/7/7/7/XXX1XXX", "XX1X1XX/7/7/7/7/7/7", full] {
        let fen = fen.replace("/7", "/#######");
        let mut board = parse_fen(&fen).unwrap();
        board.set_side_to_move(Color::Black);
        let mut position = Position::new(board.clone(), Rule::from(RuleKind::Renju));
        for nodes in [1, NODES] {
            let best = think(RuleKind::Renju, &board, nodes).best_move.expect("black must move");
            assert!(board.is_empty(best), "{best:?} of {fen}");
            let fouls_only = harmless(&mut position).is_empty();
            assert!(fouls_only || position.is_allowed(best), "{best:?} of {fen}");
        }
        if harmless(&mut position).is_empty() {
            assert_foul_loses(&board);
        }
        board.set_side_to_move(Color::White);
        assert!(think(RuleKind::Renju, &board, NODES).best_move.is_some());
    }
}

/// Checks that a search for the best move and an analysis of several both report the foul that black must play as a
/// loss.
fn assert_foul_loses(board: &Board) {
    for multi_pv in [1, 3] {
        let mut engine = small();
        engine.set_rule(Rule::from(RuleKind::Renju));
        engine.set_board(board.clone());
        let limits = Limits { multi_pv, ..Limits::nodes(NODES) };
        let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
        let played: Vec<Point> = report.best_move.into_iter().collect();
        assert_eq!((report.last.value, &report.last.pv), (mated_in(1), &played), "{} lines", multi_pv);
        assert!(report.others.is_empty(), "a foul is no alternative: {:?}", report.others);
    }
}

#[test]
fn black_does_not_stop_a_row_by_a_foul() {
    // White makes five at l8, where black would make an overline. Black is lost, but must not lose by a foul.
    let fen = "O14/15/15/15/11X3/11X3/11X3/6XOOOO4/11X3/11X3/15/15/15/15/O14";
    let board = parse_fen(fen).unwrap();
    for nodes in [1, NODES] {
        let report = think(RuleKind::Renju, &board, nodes);
        let best = report.best_move.expect("there are empty points");
        assert!(Position::new(board.clone(), Rule::from(RuleKind::Renju)).is_allowed(best), "{best:?}");
        assert_eq!(report.last.value, mated_in(2));
    }
}

#[test]
fn a_full_board_has_no_move() {
    for (fen, kind) in RuleKind::ALL.iter().flat_map(|&kind| {
        ["XOXOX/XOXOX/OXOXO/XOXOX/OXOXO", "#####/#####/#####/#####/#####"].map(|fen| (fen, kind))
    }) {
        let report = think(kind, &parse_fen(fen).unwrap(), NODES);
        assert_eq!(report.best_move, None, "{fen}, {}", kind.name());
    }
}

#[test]
fn nearly_full_boards_are_filled() {
    for seed in 0..300 {
        let rng = &mut seeded(seed);
        let side = |rng: &mut rand::rngs::StdRng| rng.random_range(5..=22);
        let size = Size::new(side(rng), side(rng)).unwrap();
        let mut holes: Vec<Point> = size.points().collect();
        let left = rng.random_range(1..=3);
        while holes.len() > left {
            holes.swap_remove(rng.random_range(0..holes.len()));
        }
        let mut board = Board::new(size);
        for point in size.points().filter(|point| !holes.contains(point)) {
            board.set_up(if rng.random_bool(0.5) { Color::Black } else { Color::White }, point);
        }
        board.set_side_to_move(*Color::ALL.choose(rng).unwrap());
        let kind = *RuleKind::ALL.choose(rng).unwrap();
        if let Err(error) = judge(kind, &board).with_context(|| description(kind, &board)) {
            panic!("{error:#}");
        }
    }
}
