//! The search of the variants: what it must find, that it leaves the game unchanged, and that it keeps its
//! limits.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use kakugo::board::{Cell, Color, Point};
use kakugo::game::{Game, Move, format_move};
use kakugo::think::score::{mate_in, mated_in};
use kakugo::think::{GameEngine, Iteration, Limits, Reporter, Silent};
use kakugo::variant_search::{self, Searchable, VariantEngine, VariantSearch};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::double_three::{DoubleThreeGame, DoubleThreeRules};
use kakugo::variants::roku::{RokuGame, RokuRules};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::variants::drawn::{capture, double_three, play, roku};
use crate::variants::engine::{names, opening, think};

/// The move that the search plays, by name.
fn best(game: impl Searchable + 'static, nodes: u64) -> String {
    let size = game.size();
    let thought = think(&mut VariantSearch::new(game), nodes);
    format_move(thought.best.expect("the game is not over"), size)
}

#[test]
fn a_five_is_made_and_one_is_prevented() {
    let board = "
        .........
        .........
        .XXXX....
        .........
        .........
        ..OOOO...
        .........
        .........
        .........";
    let four = board.replace("..OOOO...", ".XOOOO...").replace(".XXXX....", "..XXX....");
    for rules in ["gomoku42", "gomoku42-web", "ninuki", "pente", "keryo"] {
        let mv = best(capture(rules, Color::Black, board), 2_000);
        assert!(["a7", "f7"].contains(&mv.as_str()), "{rules}: {mv}");
        assert_eq!(best(capture(rules, Color::Black, &four), 2_000), "g4", "{rules}");
    }
    let mv = best(double_three("gomoku33", Color::Black, board), 2_000);
    assert!(["a7", "f7"].contains(&mv.as_str()), "{mv}");
    assert_eq!(best(double_three("gomoku33", Color::Black, &four), 2_000), "g4");
}

#[test]
fn a_forbidden_point_does_not_stop_a_five() {
    // Black would stop c9 to g5 at f6, which makes two threes.
    let four = "
        ..........
        ..O.......
        ...O.X....
        ....OX....
        ......XX..
        ......O...
        .......X..
        ..........
        ..........
        ..........";
    let thought =
        |rules, side, board: &str| think(&mut VariantSearch::new(double_three(rules, side, board)), 5_000);
    assert_eq!(thought("gomoku33", Color::Black, four).last.value, mated_in(2));
    assert_eq!(best(double_three("gomoku33:double_three=off", Color::Black, four), 5_000), "f6");
    // White sees this with three of the stones, and black stops it in time.
    let three = four.replace("..O.......", "..........");
    assert_eq!(thought("gomoku33", Color::White, &three).last.value, mate_in(3));
    assert!(thought("gomoku33:double_three=off", Color::White, &three).last.value < mate_in(3));
    assert!(thought("gomoku33", Color::Black, &three).last.value > mated_in(20));
}

#[test]
fn a_five_that_can_be_broken_is_seen_through() {
    // e7 makes a five that white breaks by c5; g3 makes one that cannot be broken.
    let board = "
        .........
        ..O......
        XXXX.....
        ..X......
        .........
        .........
        ..XXXX...
        .........
        .........";
    let mv = best(capture("gomoku42", Color::Black, board), 5_000);
    assert!(["b3", "g3"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn the_last_pair_is_captured() {
    let board = "
        .........
        .........
        ...XOO...
        .........
        .........
        .XXX.....
        .........
        .........
        .........";
    assert_eq!(best(capture("pente:start_pairs=4/0", Color::Black, board), 2_000), "g7");
    // A five of white's is broken by a capture if there is no other way.
    let broken = "
        .........
        ..X......
        .OOOO....
        ..O......
        .........
        .........
        .........
        .........
        .........";
    let mv = best(capture("pente", Color::Black, broken), 5_000);
    assert_eq!(mv, "c5", "an open four, but a pair of it can be taken");
}

#[test]
fn roku_is_won_with_the_track_stone_and_lost_stones_are_seen() {
    assert_eq!(best(roku("roku", "d9 f10 g10 h10 b3", "h11 b5"), 5_000), "i10");
    let thought =
        think(&mut VariantSearch::new(roku("roku-ninuki:goal_pairs=1", "f11 f10", "j11 g10 h10")), 5_000);
    assert_eq!(thought.last.value, mate_in(1));
}

#[test]
fn a_loss_by_every_own_stone_has_a_value_and_a_line() {
    // White starts six circles ahead, so black has to move again after its only stone.
    let mut game = RokuGame::new(RokuRules::parse("roku:supply=2,track_gap=5").unwrap());
    play(&mut game, "f11 k10");
    assert_eq!(game.legal_moves().len(), 60);
    let thought = think(&mut VariantSearch::new(game), 5_000);
    assert_eq!((thought.last.value, thought.last.depth), (mated_in(1), 1));
    assert_eq!((thought.line.len(), thought.line.first().copied()), (1, thought.best));
}

#[test]
fn a_row_that_the_track_stone_completes_is_seen_from_afar_and_prevented() {
    // f10 to i10 lack e10, which black reaches with any stone of cost one.
    let thought = think(&mut VariantSearch::new(roku("roku", "d9 f10 g10 h10 i10", "h11")), 100);
    assert_eq!(thought.last.value, mate_in(1));
    // f7 costs four, which brings black to h11 at the end of h11 g9 f7 e5 d3, so white must take it.
    assert_eq!(best(roku("roku", "d9 g9 e5 d3", "c8 b3"), 500), "f7");
}

/// A game after `plies` random moves.
pub fn random_position<G: Searchable>(mut game: G, rng: &mut StdRng, plies: usize) -> G {
    for _ in 0..plies {
        let Some(&mv) = game.legal_moves().choose(rng) else { break };
        game.play(mv);
    }
    game
}

/// Plays and thinks, and compares the incrementally updated state with a new start.
fn leaves_no_trace<G: Searchable + PartialEq + std::fmt::Debug + 'static>(start: G) {
    for seed in 0..12 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let mut engine = VariantSearch::new(start.clone());
        for _ in 0..rng.random_range(0..40) {
            let Some(&mv) = engine.game().legal_moves().choose(rng) else { break };
            engine.play(mv);
            if rng.random_bool(0.2) {
                engine.undo();
            }
        }
        let before = engine.searchable().clone();
        think(&mut engine, 300);
        assert!(*engine.searchable() == before);
        assert_eq!(engine.evaluate(), VariantSearch::new(before).evaluate(), "seed {seed}");
    }
}

#[test]
fn thinking_leaves_the_game_as_it_was() {
    for rules in ["gomoku42:size=9", "keryo:size=9", "ninuki"] {
        leaves_no_trace(CaptureGame::new(CaptureRules::parse(rules).unwrap()));
    }
    leaves_no_trace(DoubleThreeGame::new(DoubleThreeRules::parse("gomoku33:size=9").unwrap()));
    for rules in ["roku", "roku-ninuki", "roku-dynamic"] {
        leaves_no_trace(RokuGame::new(RokuRules::parse(rules).unwrap()));
    }
}

#[test]
fn a_node_limit_gives_the_same_move_twice() {
    for text in names() {
        let play = || -> Vec<Move> {
            let mut engine = variant_search::open(text).unwrap();
            for _ in 0..8 {
                let thought = think(engine.as_mut(), 700);
                assert!(thought.last.nodes <= 701, "{text}: {:?}", thought.last);
                let Some(mv) = thought.best else { break };
                engine.play(mv);
            }
            engine.game().moves()
        };
        assert_eq!(play(), play(), "{text}");
    }
}

#[test]
fn a_search_obeys_the_stop_flag_and_a_depth() {
    for text in ["pente", "gomoku33", "roku"] {
        let mut engine = variant_search::open(text).unwrap();
        let stopped = engine.think(&Limits::infinite(), &AtomicBool::new(true), &Silent);
        assert!(stopped.best.is_some() && stopped.last.nodes <= 1_024, "{stopped:?}");
        let limits = Limits::depth(2);
        assert_eq!(engine.think(&limits, &AtomicBool::new(false), &Silent).last.depth, 2);
    }
}

#[test]
fn the_best_moves_differ_and_come_in_order() {
    for text in ["pente", "gomoku33", "roku-ninuki"] {
        let mut engine = variant_search::open(text).unwrap();
        opening(text, 2).into_iter().for_each(|mv| engine.play(mv));
        let lines = Lines::default();
        let limits = Limits { multi_pv: 3, ..Limits::depth(3) };
        let thought = engine.think(&limits, &AtomicBool::new(false), &lines);
        let lines = lines.0.into_inner().expect("nobody panics");
        let (values, moves): (Vec<_>, BTreeSet<_>) =
            lines.iter().map(|line| (line.value, line.pv[0])).unzip();
        assert!(values.is_sorted_by_key(|&value| -value) && moves.len() == 3, "{text}: {lines:?}");
        assert_eq!(thought.best.map(|mv| mv.point), Some(lines[0].pv[0]));
    }
}

#[test]
fn an_interrupted_first_iteration_reports_its_complete_lines() {
    let mut engine = variant_search::open("pente:size=7").unwrap();
    let black = [(0, 2), (4, 3), (1, 2), (5, 1), (6, 4), (4, 0), (5, 4), (4, 4), (4, 5), (5, 5)];
    let white = [(5, 2), (3, 2), (0, 1), (3, 3), (0, 3), (2, 4), (3, 4), (4, 2), (2, 2)];
    for (number, &(x, y)) in black.iter().enumerate() {
        engine.play(Point::new(x, y).into());
        white.get(number).into_iter().for_each(|&(x, y)| engine.play(Point::new(x, y).into()));
    }
    let lines = Lines::default();
    let limits = Limits { multi_pv: 4, ..Limits::nodes(4_000) };
    let thought = engine.think(&limits, &AtomicBool::new(false), &lines);
    let lines = lines.0.into_inner().expect("nobody panics");
    // White makes a five at g5; the search of the other moves takes longer.
    let wins = |line: &Iteration| line.pv[0] == Point::new(6, 2) && line.value == mate_in(1);
    assert!(lines.first().is_some_and(wins), "{lines:?}");
    assert_eq!(thought.last, lines[0]);
}

/// Keeps the last lines of a search for several moves.
#[derive(Default)]
struct Lines(Mutex<Vec<Iteration>>);

impl Reporter for Lines {
    fn iteration(&self, _: &Iteration) {
        panic!("several lines are reported together");
    }

    fn lines(&self, lines: &[Iteration]) {
        *self.0.lock().expect("nobody panics") = lines.to_vec();
    }
}

#[test]
fn a_small_table_suffices() {
    let mut engine = variant_search::open("pente").unwrap();
    engine.set_memory(0);
    assert!(think(engine.as_mut(), 2_000).best.is_some());
}

#[test]
fn every_position_gets_a_legal_move_until_the_game_ends() {
    for text in names() {
        let rng = &mut StdRng::seed_from_u64(7);
        let mut engine = variant_search::open(text).unwrap();
        while let Some(mv) = think(engine.as_mut(), 60).best {
            // Random moves in between lead to positions that good players avoid.
            let random = rng.random_bool(0.3).then(|| *engine.game().legal_moves().choose(rng).unwrap());
            let mv = random.unwrap_or(mv);
            assert_eq!(engine.game().check(mv), Ok(()), "{text}");
            engine.play(mv);
        }
        assert!(engine.game().outcome().is_some(), "{text}");
    }
}

#[test]
fn random_positions_are_evaluated_from_both_sides_alike() {
    // With the colours exchanged the value is the same.
    let rng = &mut StdRng::seed_from_u64(3);
    let game = random_position(CaptureGame::new(CaptureRules::parse("pente:size=9").unwrap()), rng, 20);
    let text = |swap: bool| -> String {
        let letter = |point: Point| match (game.cell(point), swap) {
            (Cell::Black, false) | (Cell::White, true) => 'X',
            (Cell::White, false) | (Cell::Black, true) => 'O',
            _ => '.',
        };
        let rows = (0..9).map(|y| (0..9).map(|x| letter(Point::new(x, y))).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    };
    let one = VariantSearch::new(capture("pente", Color::Black, &text(false))).evaluate();
    assert_eq!(one, VariantSearch::new(capture("pente", Color::White, &text(true))).evaluate());
}

/// Keeps all iterations that are reported, also an interrupted one.
#[derive(Default)]
struct Reported(Mutex<Vec<Iteration>>);

impl Reporter for Reported {
    fn iteration(&self, iteration: &Iteration) {
        self.0.lock().expect("nobody panics").push(iteration.clone());
    }

    fn interrupted_iteration(&self, iteration: &Iteration) {
        self.iteration(iteration);
    }
}

#[test]
fn an_interrupted_iteration_reports_the_value_of_its_own_best_move() {
    let search = |max_nodes| {
        let mut engine = variant_search::open("pente").unwrap();
        opening("pente", 3).into_iter().for_each(|mv| engine.play(mv));
        let limits = Limits { max_nodes, max_depth: Some(6), ..Limits::infinite() };
        let reported = Reported::default();
        let last = engine.think(&limits, &AtomicBool::new(false), &reported).last;
        (last, reported.0.into_inner().expect("nobody panics"))
    };
    let mut interrupted = 0;
    for pair in search(None).1.windows(2) {
        let [before, after] = pair else { continue };
        if before.pv[0] == after.pv[0] || before.value == after.value {
            continue;
        }
        let step = ((after.nodes - before.nodes) / 20).max(1);
        for nodes in (before.nodes..after.nodes).step_by(step as usize) {
            let (last, reported) = search(Some(nodes));
            if last.pv[0] == after.pv[0] {
                assert_eq!((last.depth, last.value), (after.depth, after.value), "{nodes} nodes");
                assert_eq!(reported.last(), Some(&last), "{nodes} nodes");
                interrupted += 1;
            }
        }
    }
    assert!(interrupted > 0, "no iteration was interrupted after a new best move");
}

/// Keeps the lines of a search for several moves.
#[derive(Default)]
struct SeveralLines(Mutex<Vec<Vec<Iteration>>>);

impl Reporter for SeveralLines {
    fn iteration(&self, iteration: &Iteration) {
        panic!("reported like the line of a search for one move: {iteration:?}");
    }

    fn lines(&self, lines: &[Iteration]) {
        self.0.lock().expect("nobody panics").push(lines.to_vec());
    }

    fn interrupted_iteration(&self, iteration: &Iteration) {
        self.iteration(iteration);
    }
}

#[test]
fn an_interrupted_search_for_several_moves_reports_its_best_line_among_several() {
    // Whether the search ends within an iteration that has found another best move.
    let is_interrupted = |seed, nodes| {
        let mut engine = variant_search::open("pente").unwrap();
        opening("pente", seed).into_iter().for_each(|mv| engine.play(mv));
        let limits = Limits { max_nodes: Some(nodes), multi_pv: 2, ..Limits::infinite() };
        let reported = SeveralLines::default();
        let last = engine.think(&limits, &AtomicBool::new(false), &reported).last;
        let reported = reported.0.into_inner().expect("nobody panics");
        let [.., complete, interrupted] = &reported[..] else { return false };
        // Only the list of an interrupted iteration has a line of the list before it.
        let is_interrupted = interrupted.iter().any(|line| complete.contains(line));
        if is_interrupted {
            assert_eq!((interrupted.len(), &interrupted[0]), (2, &last), "{nodes} nodes: {reported:?}");
            assert_ne!(interrupted[0].pv[0], interrupted[1].pv[0], "{nodes} nodes: {reported:?}");
        }
        is_interrupted
    };
    let mut searches = (0..8).flat_map(|seed| (500..8_000).step_by(250).map(move |nodes| (seed, nodes)));
    assert!(searches.any(|(seed, nodes)| is_interrupted(seed, nodes)), "no search was interrupted in time");
}
