//! Controlling a search through the public API: excluded moves and lines, symmetric moves, the first depth.

use std::sync::atomic::AtomicBool;

use kakugo::board::notation::{format_point, parse_fen, parse_moves, parse_point};
use kakugo::board::{Bitboard, Board, Color, Point, Size};
use kakugo::engine::levels::{Level, LevelPlayer};
use kakugo::engine::{Engine, Options};
use kakugo::rules::RuleKind;
use kakugo::search::RootOptions;
use kakugo::think::score::{MATE_THRESHOLD, mate_in, mated_in};
use kakugo::think::{Limits, Recording, RootEvent, SearchReport, Silent};

use crate::engines::{QUIET, WON, engine, small};

pub fn point(name: &str, board: &Board) -> Point {
    parse_point(name, board.size()).unwrap()
}

pub fn steered(engine: &mut Engine, limits: Limits, options: &RootOptions) -> SearchReport {
    engine.think_with(&limits, options, &AtomicBool::new(false), &Silent)
}

pub fn think(fen: &str, limits: Limits, options: &RootOptions) -> SearchReport {
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

fn first_moves(report: SearchReport) -> Vec<String> {
    report.lines().map(|line| format_point(line.pv[0], Size::default())).collect()
}

/// Black, to move, completes a row on e8 or j8.
const FOUR: &str = "15/15/15/15/15/15/15/5XXXX6/5O1OO1O4/15/15/15/15/15/15";

#[test]
fn an_excluded_row_is_not_completed() {
    for multi_pv in [1, 3] {
        let limits = Limits { multi_pv, ..Limits::depth(4) };
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
    assert_eq!(first_moves(think(WON, Limits::depth(6), &RootOptions::default())), ["h8"]);
    let whole = Limits::depth(6);
    for limits in [whole, Limits { multi_pv: 4, ..whole }, Limits { solvers: false, ..whole }] {
        let others = first_moves(think(WON, limits, &excluding("h8")));
        assert!(!others.contains(&"h8".to_owned()), "{others:?}");
    }
    let recording = Recording::default();
    engine(WON).think_with(&Limits::depth(2), &excluding("h8"), &AtomicBool::new(false), &recording);
    assert!(!recording.root_events().contains(&RootEvent::Won(set("h8").iter().next().unwrap())));
}

#[test]
fn an_excluded_reply_to_a_four_loses() {
    let fen = "15/15/15/15/15/15/15/4OXXXX6/5O1O1O5/15/15/15/15/15/15 w";
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..Limits::depth(4) };
    for limits in [Limits::depth(4), clock] {
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
    assert_eq!(think(QUIET, Limits::depth(3), &options).best_move, Some(only));
    options.excluded = Size::default().all();
    assert_eq!(think(QUIET, Limits::depth(3), &options).best_move, None);
    let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    assert_eq!(first_moves(think(empty, Limits::depth(2), &RootOptions::default())), ["h8"]);
    assert_ne!(first_moves(think(empty, Limits::depth(2), &excluding("h8"))), ["h8"]);
}

#[test]
fn a_blocked_reply_leaves_a_four_unanswered() {
    // The four of h8 has one answer. A side that may not play it loses.
    let fen = "15/15/15/15/15/15/15/3OXXX8/15/6O8/9O5/15/15/15/15 b";
    let mut engine = engine(fen);
    let free = steered(&mut engine, Limits::depth(5), &RootOptions::default());
    let blocked = steered(&mut engine, Limits::depth(5), &blocking(&["h8i8"]));
    assert_eq!((blocked.last.value, first_moves(blocked)), (mate_in(3), vec!["h8".to_owned()]));
    let again = steered(&mut engine, Limits::depth(5), &RootOptions::default());
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
    let blocked = steered(&mut engine, Limits::depth(5), &options);
    assert!(blocked.best_move == Some(four) && blocked.last.value > MATE_THRESHOLD, "{blocked:?}");
    engine.play(four).expect("it is empty");
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..Limits::depth(5) };
    let report = steered(&mut engine, clock, &RootOptions::default());
    assert_eq!(report.best_move, Some(answer));
    assert!(report.last.value > -MATE_THRESHOLD, "{report:?}");
}

#[test]
fn the_value_of_an_excluded_reply_is_not_reported() {
    // In caro, j9 and k9 stop the four. If one of them is excluded, the other is played without a search.
    let fen = "15/15/15/15/15/15/4XOOOO6/5X1X7/4X3X6/9X5/15/15/15/15/15 b";
    let clock = Limits { clock: Some(kakugo::think::Clock::default()), ..Limits::depth(6) };
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
    assert_eq!(think(WON, Limits::depth(6), &RootOptions::default()).last.value, mate_in(5));
    let both = blocking(&["h8i8h11", "h8i8h7"]);
    let without_solver = Limits { solvers: false, ..Limits::depth(3) };
    for limits in [Limits::depth(3), without_solver] {
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
            let report = steered(&mut engine, Limits { multi_pv, ..Limits::depth(5) }, &options);
            for line in report.lines() {
                let start = line.pv[..length].to_vec();
                assert!(!met.contains(&start), "{start:?} is blocked");
                met.push(start);
            }
            options.blocked_lines.clone_from(&met);
        }
    }
}

/// The images of a point under the eight symmetries of a square board.
fn images(point: Point, side: u8) -> Vec<Point> {
    let (x, y, last) = (point.x(), point.y(), side - 1);
    let all = [(x, y), (last - x, y), (x, last - y), (last - x, last - y)];
    all.into_iter().flat_map(|(x, y)| [Point::new(x, y), Point::new(y, x)]).collect()
}

fn several(board: &Board, distinct: bool) -> Vec<Point> {
    let mut engine = small();
    engine.set_board(board.clone());
    let options = RootOptions { distinct, ..RootOptions::default() };
    let limits = Limits { multi_pv: 400, ..Limits::depth(2) };
    steered(&mut engine, limits, &options).lines().map(|line| line.pv[0]).collect()
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
        engine(QUIET).think_with(&Limits::depth(max_depth), &options, &AtomicBool::new(false), &recording);
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
        let report = steered(&mut engine, Limits::depth(6), &excluding("e8j8"));
        assert!(!set("e8j8").contains(report.best_move.unwrap()));
    }
    assert_eq!(engine.position().board().side_to_move(), Color::Black);
}

#[test]
fn every_level_keeps_to_the_options() {
    let limits = Limits::nodes(2_000);
    for (level, seed) in Level::all().flat_map(|level| (0..4).map(move |seed| (level, seed))) {
        let player = LevelPlayer { level, seed };
        let options = excluding("e8j8");
        let stop = AtomicBool::new(false);
        let report = player.think_with(&mut engine(FOUR), &limits, &options, &stop, &Silent);
        assert!(!set("e8j8").contains(report.best_move.unwrap()), "{player}");
    }
}
