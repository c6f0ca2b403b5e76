//! Searches of games that end as a draw at a number of stones, through the public API: exact values, also on a full
//! board.

use kakugo::board::notation::{format_fen, parse_fen};
use kakugo::board::{Board, Point, Size};
use kakugo::rules::{Position, Rule, RuleKind, Verdict};
use kakugo::search::RootOptions;
use kakugo::think::Limits;
use kakugo::think::score::{MATE, MATE_THRESHOLD, Value, mate_in, mated_in};
use rand::Rng;
use rand::seq::IndexedRandom;

use crate::boards::seeded;
use crate::engines::{WON, engine, small};
use crate::steering::{point, steered, think};

/// A board with the given number of random stones on which nobody has won.
fn scattered(seed: u64, size: Size, stones: usize, rule: Rule) -> Position {
    let rng = &mut seeded(seed);
    let mut position = Position::new(Board::new(size), rule);
    let mut tries = 0;
    while position.board().stone_count() < stones && tries < 1_000 {
        let empty: Vec<Point> = position.board().empty().iter().collect();
        let point = *empty.choose(rng).unwrap();
        if position.verdict(point) == Verdict::Plain {
            position.play(point);
        }
        tries += 1;
    }
    position
}

/// The winner within `plies` by exhaustive search: 1 the side to move, -1 the other side, 0 nobody.
fn outcome(position: &mut Position, plies: usize) -> i32 {
    if plies == 0 {
        return 0;
    }
    let (mut best, mut is_stuck) = (-1, true);
    for point in *position.board().empty() {
        match position.verdict(point) {
            Verdict::Five => return 1,
            Verdict::Foul(_) => continue,
            _ => {}
        }
        is_stuck = false;
        if best < 1 {
            position.play(point);
            best = best.max(-outcome(position, plies - 1));
            position.undo();
        }
    }
    if is_stuck && position.board().empty().is_empty() { 0 } else { best }
}

/// Compares the values of searches whose game ends after `plies` plies with an exhaustive search. Returns whether
/// a side wins.
fn is_decided(position: &Position, plies: usize, draw_value: Value) -> bool {
    let expected = outcome(&mut position.clone(), plies);
    let max_stones = Some(position.board().stone_count() + plies);
    let options = RootOptions { max_stones, draw_value, ..RootOptions::default() };
    let mut engine = small();
    engine.set_rule(position.rule());
    engine.set_board(position.board().clone());
    for (multi_pv, solvers) in [(1, true), (1, false), (2, true)] {
        let report = steered(&mut engine, Limits { multi_pv, solvers, ..Limits::depth(3) }, &options);
        let value = report.last.value;
        let is_right = match expected {
            1 => value > MATE_THRESHOLD && (MATE - value) as usize <= plies,
            0 => value == draw_value,
            _ => value < -MATE_THRESHOLD && (MATE + value) as usize <= plies,
        };
        let (rule, fen) = (position.rule(), format_fen(position.board()));
        assert!(is_right, "{expected} expected, value {value}, {plies} plies left, {rule}: {fen}");
    }
    expected != 0
}

#[test]
fn near_the_last_stone_values_are_exact() {
    let size = Size::square(6).unwrap();
    let mut decided = 0;
    for seed in 0..400 {
        let kind = RuleKind::ALL[seed as usize % 5];
        let stones = seeded(seed).random_range(18..26);
        let position = scattered(seed, size, stones, kind.into());
        let draw_value = [0, 300, -300][seed as usize % 3];
        decided += usize::from(is_decided(&position, seed as usize / 5 % 6, draw_value));
    }
    assert!(decided > 40, "only {decided} are decided");
}

#[test]
fn values_of_an_almost_full_board_in_renju_are_exact() {
    let size = Size::square(6).unwrap();
    let mut decided = 0;
    for seed in 0..200 {
        let stones = seeded(seed).random_range(31..35);
        let position = scattered(seed, size, stones, RuleKind::Renju.into());
        let draw_value = [0, 300, -300][seed as usize % 3];
        decided += usize::from(is_decided(&position, 1 + seed as usize / 3 % 5, draw_value));
    }
    assert!(decided > 40, "only {decided} are decided");
}

#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    // Black wins in 5 plies; the board has 10 stones.
    let stones = engine(WON).position().board().stone_count();
    let until = |plies| RootOptions { max_stones: Some(stones + plies), ..RootOptions::default() };
    for solvers in [true, false] {
        let limits = Limits { solvers, ..Limits::depth(6) };
        assert_eq!(think(WON, limits, &until(5)).last.value, mate_in(5));
        assert_eq!(think(WON, limits, &until(4)).last.value, 0);
    }
    // Results of searches with another definition of a draw are not used.
    let mut engine = engine(WON);
    assert_eq!(steered(&mut engine, Limits::depth(6), &until(5)).last.value, mate_in(5));
    assert_eq!(steered(&mut engine, Limits::depth(6), &until(4)).last.value, 0);
    assert_eq!(steered(&mut engine, Limits::depth(6), &RootOptions::default()).last.value, mate_in(5));
}

#[test]
fn two_fours_at_once_win_near_the_last_stone_in_caro() {
    // White wins by two fours at once, which are no open four in caro.
    let position =
        Position::new(parse_fen("OOXXOX/X1OX1X/1OO3/4XX/X3OO/1XOOX1 w").unwrap(), RuleKind::CaroExact.into());
    assert_eq!(outcome(&mut position.clone(), 5), 1);
    let mut engine = small();
    engine.set_rule(position.rule());
    engine.set_board(position.board().clone());
    let stones = position.board().stone_count();
    let options = RootOptions { max_stones: Some(stones + 5), ..RootOptions::default() };
    assert_eq!(steered(&mut engine, Limits::depth(6), &options).last.value, mate_in(5));
}

#[test]
fn nothing_but_fouls_near_the_last_stone_loses() {
    // After white's f6, black has only d3 left, which makes an overline.
    let fen = "XXOOX1/OOXXOO/XXOOXX/XXX1XX/OOXXOO/XXOOXX w";
    let position = Position::new(parse_fen(fen).unwrap(), RuleKind::Renju.into());
    assert_eq!(outcome(&mut position.clone(), 2), 1);
    let stones = position.board().stone_count();
    for (plies, solvers) in (2..=5).flat_map(|plies| [(plies, true), (plies, false)]) {
        let mut engine = engine(fen);
        engine.set_rule(position.rule());
        let options = RootOptions { max_stones: Some(stones + plies), ..RootOptions::default() };
        let report = steered(&mut engine, Limits { solvers, ..Limits::depth(3) }, &options);
        assert_eq!(report.last.value, mate_in(2), "{plies} plies left");
    }
}

#[test]
fn white_leaves_black_only_a_foul_near_the_last_stone() {
    // Black plays f6 or a1 and white the other one; then black has only d3 left, which makes an overline.
    let fen = "XXOOX1/OOXXOO/XXOOXX/XXX1XX/OOXXOO/1XOOXX b";
    let position = Position::new(parse_fen(fen).unwrap(), RuleKind::Renju.into());
    let stones = position.board().stone_count();
    for (plies, solvers) in (3..=5).flat_map(|plies| [(plies, true), (plies, false)]) {
        assert_eq!(outcome(&mut position.clone(), plies), -1);
        let mut engine = engine(fen);
        engine.set_rule(position.rule());
        let options = RootOptions { max_stones: Some(stones + plies), ..RootOptions::default() };
        let report = steered(&mut engine, Limits { solvers, ..Limits::depth(3) }, &options);
        assert_eq!(report.last.value, mated_in(3), "{plies} plies left");
    }
}

#[test]
fn a_node_limit_is_kept_near_the_last_stone() {
    let size = Size::square(6).unwrap();
    for seed in 0..20 {
        let position = scattered(seed, size, 18, RuleKind::Caro.into());
        let stones = position.board().stone_count();
        let options = RootOptions { max_stones: Some(stones + 5), ..RootOptions::default() };
        for max_nodes in (20..=200).step_by(20) {
            let mut engine = small();
            engine.set_rule(position.rule());
            engine.set_board(position.board().clone());
            let limits = Limits { max_nodes: Some(max_nodes), solvers: false, ..Limits::depth(3) };
            let report = steered(&mut engine, limits, &options);
            assert!(report.best_move.is_some());
            assert!(report.last.nodes <= max_nodes, "{} nodes of {max_nodes}", report.last.nodes);
        }
    }
}

#[test]
fn a_full_board_is_worth_what_a_draw_is() {
    let mut position = scattered(3, Size::square(5).unwrap(), 21, Rule::default());
    assert_eq!(outcome(&mut position, 4), 0);
    for draw_value in [0, 70, -70] {
        let mut engine = small();
        engine.set_board(position.board().clone());
        let options = RootOptions { draw_value, ..RootOptions::default() };
        assert_eq!(steered(&mut engine, Limits::depth(8), &options).last.value, draw_value);
    }
}

#[test]
fn the_last_move_of_a_full_board_draws_at_any_depth() {
    for (fen, rule) in [
        ("XOXO1/OXOXO/OXOXO/XOXOX/XOXOX b", RuleKind::Standard),
        ("XOXO1/OXOXO/OXOXO/XOXOX/XOXOX b", RuleKind::Renju),
        ("XOXO1/OXOXO/OXOXO/XOXOX/XOXOX b", RuleKind::Caro),
    ] {
        for (max_depth, stones) in [(1, None), (2, None), (1, Some(29))] {
            let mut engine = engine(fen);
            engine.set_rule(rule.into());
            let options = RootOptions { max_stones: stones, draw_value: 40, ..RootOptions::default() };
            let value = steered(&mut engine, Limits::depth(max_depth), &options).last.value;
            assert_eq!(value, 40, "{rule:?}, depth {max_depth}, at most {stones:?} stones");
        }
    }
}

#[test]
fn a_search_of_a_full_board_leaves_no_value() {
    let mut engine = engine("XOXOX/OXOXO/OXOXO/XOXOX/XOX2 w");
    let last = ["d1", "e1"].map(|name| point(name, engine.position().board()));
    for point in last {
        engine.play(point).expect("it is empty");
    }
    steered(&mut engine, Limits::depth(2), &RootOptions::default());
    for point in last.into_iter().rev() {
        engine.take_back(point).expect("a stone is there");
    }
    let report = steered(&mut engine, Limits { multi_pv: 2, ..Limits::depth(2) }, &RootOptions::default());
    assert!(report.lines().all(|line| line.value == 0));
}
