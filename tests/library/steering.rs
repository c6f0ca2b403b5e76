//! Controlling a search through the public API: excluded moves and lines, the first depth, the end of the
//! game.

use std::sync::atomic::AtomicBool;

use kakugo::board::notation::{format_fen, format_point, parse_fen, parse_moves, parse_point};
use kakugo::board::{Bitboard, Board, Color, Point, Size};
use kakugo::engine::levels::{Level, LevelPlayer};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Position, Rule, RuleKind, Verdict};
use kakugo::search::RootOptions;
use kakugo::think::score::{MATE, MATE_THRESHOLD, mate_in, mated_in};
use kakugo::think::{Iteration, Limits, Recording, RootEvent, SearchReport, Silent};
use rand::Rng;
use rand::seq::IndexedRandom;

use crate::boards::seeded;

/// A quiet opening.
const QUIET: &str = "15/15/15/15/15/7O7/6X1X6/7XO6/6O8/15/15/15/15/15/15 b";
/// Black, to move, wins by fours.
const WON: &str = "15/15/15/15/15/7X7/7X7/3OXXX8/15/15/9O5/15/5O9/15/15 b";

fn engine(fen: &str) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
    engine.set_board(parse_fen(fen).unwrap());
    engine
}

fn point(name: &str, board: &Board) -> Point {
    parse_point(name, board.size()).unwrap()
}

fn depth(max_depth: i32) -> Limits {
    Limits { max_depth: Some(max_depth), ..Limits::infinite() }
}

fn steered(engine: &mut Engine, limits: Limits, options: &RootOptions) -> SearchReport {
    engine.think_with(&limits, options, &AtomicBool::new(false), &Silent)
}

fn think(fen: &str, limits: Limits, options: &RootOptions) -> SearchReport {
    steered(&mut engine(fen), limits, options)
}

fn set(names: &str) -> Bitboard {
    parse_moves(names, Size::default()).unwrap().into_iter().collect()
}

fn excluding(names: &str) -> RootOptions {
    RootOptions { excluded: set(names), ..RootOptions::default() }
}

fn blocking(lines: &[&str]) -> RootOptions {
    let lines = lines.iter().map(|line| parse_moves(line, Size::default()).unwrap());
    RootOptions { blocked_lines: lines.collect(), ..RootOptions::default() }
}

fn lines(report: SearchReport) -> Vec<Iteration> {
    let mut lines = vec![report.last];
    lines.extend(report.others);
    lines
}

fn first_moves(report: SearchReport) -> Vec<String> {
    let first = |line: Iteration| format_point(line.pv[0], Size::default());
    lines(report).into_iter().map(first).collect()
}

/// Black, to move, completes a row on e8 or j8.
const FOUR: &str = "15/15/15/15/15/15/15/5XXXX6/5O1OO1O4/15/15/15/15/15/15";

#[test]
fn an_excluded_row_is_not_completed() {
    for multi_pv in [1, 3] {
        let limits = Limits { multi_pv, ..depth(4) };
        let one = first_moves(think(FOUR, limits, &excluding("e8")));
        assert_eq!(one[0], "j8");
        let none = think(FOUR, limits, &excluding("e8j8"));
        assert!(none.last.value < mate_in(1));
        let none = first_moves(none);
        assert!(!none.is_empty() && none.iter().all(|name| name != "e8" && name != "j8"), "{none:?}");
        let blocked = first_moves(think(FOUR, limits, &blocking(&["e8", "j8"])));
        assert_eq!(blocked, none, "a line of one move is an excluded move");
    }
}

#[test]
fn an_excluded_win_of_the_solver_is_not_played() {
    assert_eq!(first_moves(think(WON, depth(6), &RootOptions::default())), ["h8"]);
    for limits in [depth(6), Limits { multi_pv: 4, ..depth(6) }, Limits { solvers: false, ..depth(6) }] {
        let others = first_moves(think(WON, limits, &excluding("h8")));
        assert!(!others.contains(&"h8".to_owned()), "{others:?}");
    }
    let recording = Recording::default();
    engine(WON).think_with(&depth(2), &excluding("h8"), &AtomicBool::new(false), &recording);
    assert!(!recording.root_events().contains(&RootEvent::Won(set("h8").iter().next().unwrap())));
}

#[test]
fn an_excluded_reply_to_a_four_loses() {
    let fen = "15/15/15/15/15/15/15/4OXXXX6/5O1O1O5/15/15/15/15/15/15 w";
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..depth(4) };
    for limits in [depth(4), clock] {
        assert_eq!(first_moves(think(fen, limits, &RootOptions::default())), ["j8"]);
        let report = think(fen, limits, &excluding("j8"));
        assert_eq!(report.last.value, mated_in(2));
        assert_ne!(report.best_move, set("j8").iter().next());
    }
}

#[test]
fn only_moves_that_are_not_excluded_are_played() {
    let mut options = excluding("");
    let only = point("c3", engine(QUIET).position().board());
    options.excluded = Size::default().all() - Bitboard::of(only);
    assert_eq!(think(QUIET, depth(3), &options).best_move, Some(only));
    options.excluded = Size::default().all();
    assert_eq!(think(QUIET, depth(3), &options).best_move, None);
    let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    assert_eq!(first_moves(think(empty, depth(2), &RootOptions::default())), ["h8"]);
    assert_ne!(first_moves(think(empty, depth(2), &excluding("h8"))), ["h8"]);
}

#[test]
fn a_blocked_reply_leaves_a_four_unanswered() {
    // The four of h8 has one answer. A side that may not play it loses.
    let fen = "15/15/15/15/15/15/15/3OXXX8/15/6O8/9O5/15/15/15/15 b";
    let mut engine = engine(fen);
    let free = steered(&mut engine, depth(5), &RootOptions::default());
    let blocked = steered(&mut engine, depth(5), &blocking(&["h8i8"]));
    assert_eq!((blocked.last.value, first_moves(blocked)), (mate_in(3), vec!["h8".to_owned()]));
    let again = steered(&mut engine, depth(5), &RootOptions::default());
    assert!(
        free.last.value < MATE_THRESHOLD && again.last.value < MATE_THRESHOLD,
        "nothing stays in the table"
    );
}

#[test]
fn a_blocked_reply_predicts_nothing() {
    // The four of h8 wins only because its answer i8 is blocked. Without the block nothing is known about i8.
    let mut engine = engine("15/15/15/15/15/15/15/3OXXX8/15/6O8/9O5/15/15/15/15 b");
    let options = RootOptions { start_depth: 3, ..blocking(&["h8i8"]) };
    let [four, answer] = ["h8", "i8"].map(|name| point(name, engine.position().board()));
    let blocked = steered(&mut engine, depth(5), &options);
    assert!(blocked.best_move == Some(four) && blocked.last.value > MATE_THRESHOLD, "{blocked:?}");
    engine.play(four).expect("it is empty");
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..depth(5) };
    let report = steered(&mut engine, clock, &RootOptions::default());
    assert_eq!(report.best_move, Some(answer));
    assert!(report.last.value > -MATE_THRESHOLD, "{report:?}");
}

#[test]
fn the_value_of_an_excluded_reply_is_not_reported() {
    // In caro, j9 and k9 stop the four. If one of them is excluded, the other is played without a search.
    let fen = "15/15/15/15/15/15/4XOOOO6/5X1X7/4X3X6/9X5/15/15/15/15/15 b";
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..depth(6) };
    let mut engine = engine(fen);
    engine.set_rule(RuleKind::Caro.into());
    let free = steered(&mut engine, clock, &RootOptions::default());
    let options = RootOptions { excluded: free.best_move.into_iter().collect(), ..RootOptions::default() };
    let other = steered(&mut engine, clock, &options);
    assert!(other.best_move.is_some() && other.best_move != free.best_move, "{other:?}");
    let values = [&free, &other].map(|report| (report.last.depth, report.last.value));
    assert_ne!(values[0], values[1]);
}

#[test]
fn a_blocked_third_move_is_not_played() {
    // After h8 and its forced answer black makes an open four on h11 or h7. No other move wins as fast.
    assert_eq!(think(WON, depth(6), &RootOptions::default()).last.value, mate_in(5));
    let both = blocking(&["h8i8h11", "h8i8h7"]);
    let without_solver = Limits { solvers: false, ..depth(3) };
    for limits in [depth(3), without_solver] {
        assert_eq!(think(WON, limits, &blocking(&["h8i8h11"])).last.value, mate_in(5), "h7 does it too");
        let report = think(WON, limits, &both);
        assert!(report.last.value < mate_in(5), "{:?}", report.last);
    }
}

#[test]
fn principal_variations_keep_off_blocked_lines() {
    for (length, multi_pv) in [(2, 1), (3, 1), (2, 2), (3, 2)] {
        let mut engine = engine(QUIET);
        let mut options = RootOptions::default();
        let mut met = Vec::new();
        for _ in 0..8 {
            let report = steered(&mut engine, Limits { multi_pv, ..depth(5) }, &options);
            for line in lines(report) {
                let start = line.pv[..length].to_vec();
                assert!(!met.contains(&start), "{start:?} is blocked");
                met.push(start);
            }
            options.blocked_lines.clone_from(&met);
        }
    }
}

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

#[test]
fn near_the_last_stone_values_are_exact() {
    let size = Size::square(6).unwrap();
    let mut decided = 0;
    for seed in 0..400 {
        let kind = RuleKind::ALL[seed as usize % 5];
        let stones = seeded(seed).random_range(18..26);
        let mut position = scattered(seed, size, stones, kind.into());
        let stones = position.board().stone_count();
        let plies = seed as usize / 5 % 6;
        let draw_value = [0, 300, -300][seed as usize % 3];
        let expected = outcome(&mut position, plies);
        decided += usize::from(expected != 0);
        let options = RootOptions { max_stones: Some(stones + plies), draw_value, ..RootOptions::default() };
        let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
        engine.set_rule(kind.into());
        engine.set_board(position.board().clone());
        for (multi_pv, solvers) in [(1, true), (1, false), (2, true)] {
            let report = steered(&mut engine, Limits { multi_pv, solvers, ..depth(3) }, &options);
            let value = report.last.value;
            let is_right = match expected {
                1 => value > MATE_THRESHOLD && (MATE - value) as usize <= plies,
                0 => value == draw_value,
                _ => value < -MATE_THRESHOLD && (MATE + value) as usize <= plies,
            };
            let fen = format_fen(position.board());
            assert!(is_right, "{expected} expected, value {value}, {plies} plies left, {kind:?}: {fen}");
        }
    }
    assert!(decided > 40, "only {decided} are decided");
}

#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    // Black wins in 5 plies; the board has 10 stones.
    let stones = engine(WON).position().board().stone_count();
    let until = |plies| RootOptions { max_stones: Some(stones + plies), ..RootOptions::default() };
    for solvers in [true, false] {
        let limits = Limits { solvers, ..depth(6) };
        assert_eq!(think(WON, limits, &until(5)).last.value, mate_in(5));
        assert_eq!(think(WON, limits, &until(4)).last.value, 0);
    }
    // Results of searches with another definition of a draw are not used.
    let mut engine = engine(WON);
    assert_eq!(steered(&mut engine, depth(6), &until(5)).last.value, mate_in(5));
    assert_eq!(steered(&mut engine, depth(6), &until(4)).last.value, 0);
    assert_eq!(steered(&mut engine, depth(6), &RootOptions::default()).last.value, mate_in(5));
}

#[test]
fn two_fours_at_once_win_near_the_last_stone_in_caro() {
    // White wins by two fours at once, which are no open four in caro.
    let position =
        Position::new(parse_fen("OOXXOX/X1OX1X/1OO3/4XX/X3OO/1XOOX1 w").unwrap(), RuleKind::CaroExact.into());
    assert_eq!(outcome(&mut position.clone(), 5), 1);
    let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
    engine.set_rule(position.rule());
    engine.set_board(position.board().clone());
    let stones = position.board().stone_count();
    let options = RootOptions { max_stones: Some(stones + 5), ..RootOptions::default() };
    assert_eq!(steered(&mut engine, depth(6), &options).last.value, mate_in(5));
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
        let report = steered(&mut engine, Limits { solvers, ..depth(3) }, &options);
        assert_eq!(report.last.value, mate_in(2), "{plies} plies left");
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
            let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
            engine.set_rule(position.rule());
            engine.set_board(position.board().clone());
            let limits = Limits { max_nodes: Some(max_nodes), solvers: false, ..depth(3) };
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
        let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
        engine.set_board(position.board().clone());
        let options = RootOptions { draw_value, ..RootOptions::default() };
        assert_eq!(steered(&mut engine, depth(8), &options).last.value, draw_value);
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
            let value = steered(&mut engine, depth(max_depth), &options).last.value;
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
    steered(&mut engine, depth(2), &RootOptions::default());
    for point in last.into_iter().rev() {
        engine.take_back(point).expect("a stone is there");
    }
    let report = steered(&mut engine, Limits { multi_pv: 2, ..depth(2) }, &RootOptions::default());
    assert!(lines(report).iter().all(|line| line.value == 0));
}

/// The images of a point under the eight symmetries of a square board.
fn images(point: Point, side: u8) -> Vec<Point> {
    let (x, y, last) = (point.x(), point.y(), side - 1);
    let all = [(x, y), (last - x, y), (x, last - y), (last - x, last - y)];
    all.into_iter().flat_map(|(x, y)| [Point::new(x, y), Point::new(y, x)]).collect()
}

fn several(board: &Board, distinct: bool) -> Vec<Point> {
    let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
    engine.set_board(board.clone());
    let options = RootOptions { distinct, ..RootOptions::default() };
    let limits = Limits { multi_pv: 400, ..depth(2) };
    lines(steered(&mut engine, limits, &options)).into_iter().map(|line| line.pv[0]).collect()
}

#[test]
fn symmetric_moves_are_reported_once() {
    for (side, classes) in [(15, 8), (8, 9)] {
        let board = Board::new(Size::square(side).unwrap());
        assert_eq!(several(&board, true).len(), classes, "an octant of what is near the centre");
        let mut board = Board::new(Size::square(15).unwrap());
        board.play(Point::new(7, 7));
        let (reported, all) = (several(&board, true), several(&board, false));
        for (index, &point) in reported.iter().enumerate() {
            assert!(reported[..index].iter().all(|other| !images(point, 15).contains(other)), "{point:?}");
        }
        for point in all {
            assert!(images(point, 15).iter().any(|image| reported.contains(image)), "{point:?} is missing");
        }
    }
    // On a rectangular board there are only two reflections and a half turn.
    assert_eq!(several(&Board::new(Size::new(7, 9).unwrap()), true).len(), 12);
    let quiet = parse_fen(QUIET).unwrap();
    assert_eq!(several(&quiet, true).len(), several(&quiet, false).len(), "no symmetry");
}

#[test]
fn symmetric_rows_and_walls_are_reported_once() {
    let board = parse_fen("10/10/10/10/3XXXX3/3O2O3/3O2O3/10/10/10 b").unwrap();
    let reported = several(&board, true);
    let rows = [Point::new(2, 4), Point::new(7, 4)];
    assert_eq!(reported.iter().filter(|point| rows.contains(point)).count(), 1);
    // A wall on one side breaks the symmetry.
    let board = parse_fen("#9/10/10/10/3XXXX3/3O2O3/3O2O3/10/10/10 b").unwrap();
    let reported = several(&board, true);
    assert_eq!(reported.iter().filter(|point| rows.contains(point)).count(), 2);
}

#[test]
fn iterations_begin_at_the_start_depth() {
    let depths = |start_depth, max_depth| {
        let recording = Recording::default();
        let options = RootOptions { start_depth, ..RootOptions::default() };
        engine(QUIET).think_with(&depth(max_depth), &options, &AtomicBool::new(false), &recording);
        recording.iterations().iter().map(|iteration| iteration.depth).collect::<Vec<_>>()
    };
    assert_eq!(depths(4, 6), [4, 5, 6]);
    assert_eq!(depths(9, 6), [6]);
    assert_eq!(depths(-3, 2), [1, 2]);
}

#[test]
fn threads_keep_to_the_options_too() {
    let mut engine = Engine::new(Options { threads: 3, hash_bytes: Some(1 << 20), ..Options::default() });
    engine.set_board(parse_fen(FOUR).unwrap());
    for _ in 0..20 {
        let report = steered(&mut engine, depth(6), &excluding("e8j8"));
        assert!(!set("e8j8").contains(report.best_move.unwrap()));
    }
    assert_eq!(engine.position().board().side_to_move(), Color::Black);
}

#[test]
fn every_level_keeps_to_the_options() {
    let limits = Limits { max_nodes: Some(2_000), ..Limits::infinite() };
    for (level, seed) in Level::all().flat_map(|level| (0..4).map(move |seed| (level, seed))) {
        let player = LevelPlayer { level, seed };
        let options = excluding("e8j8");
        let stop = AtomicBool::new(false);
        let report = player.think_with(&mut engine(FOUR), &limits, &options, &stop, &Silent);
        assert!(!set("e8j8").contains(report.best_move.unwrap()), "{player}");
    }
}
