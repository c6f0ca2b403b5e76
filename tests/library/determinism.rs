//! With one thread and a node limit, play is the same on every machine and in every run: it does not depend
//! on the clock, memory addresses or earlier games.

use std::sync::atomic::AtomicBool;

use kakugo::board::notation::{format_fen, parse_fen, parse_moves};
use kakugo::board::{Board, Point, Size};
use kakugo::engine::Engine;
use kakugo::rules::{Rule, RuleKind};
use kakugo::search::{TUNABLES, Tuned};
use kakugo::think::{Clock, Iteration, Limits, Recording};

use crate::engines::small;

/// Nodes per move: enough to fill the small table more than once in a game.
const NODES: u64 = 20_000;
/// Number of moves searched per game.
const MOVES: usize = 10;
/// Moves at the start of every game.
const OPENING: &str = "h8i9g10j6";

/// The course of one search: the move and all iterations, without times.
#[derive(Debug, PartialEq)]
struct Thought {
    best: Option<Point>,
    nodes: u64,
    iterations: Vec<(i32, i32, i32, u64, Vec<Point>)>,
}

/// A game of `engine` against itself.
fn game(engine: &mut Engine, kind: RuleKind, size: Size) -> Vec<Thought> {
    engine.set_rule(Rule::from(kind));
    engine.new_game(size);
    engine.set_board(Board::of_moves(size, &parse_moves(OPENING, size).expect("four points")));
    let mut thoughts = Vec::new();
    while thoughts.len() < MOVES {
        let recording = Recording::default();
        let limits = Limits::nodes(NODES);
        let report = engine.think(&limits, &AtomicBool::new(false), &recording);
        let timeless = |i: Iteration| (i.depth, i.selective_depth, i.value, i.nodes, i.pv);
        let iterations = recording.iterations().into_iter().map(timeless).collect();
        thoughts.push(Thought { best: report.best_move, nodes: report.last.nodes, iterations });
        match report.best_move {
            Some(point) if !engine.position().is_five(engine.position().board().side_to_move(), point) => {
                engine.play(point).expect("the engine plays on empty points");
            }
            _ => break,
        }
    }
    thoughts
}

#[test]
fn the_same_limits_give_the_same_game() {
    let games = RuleKind::ALL.map(|kind| (kind, Size::default()));
    let mut used = small();
    for (kind, size) in games.into_iter().chain([(RuleKind::Freestyle, Size::new(20, 12).unwrap())]) {
        let fresh = game(&mut small(), kind, size);
        assert!(fresh.iter().any(|thought| thought.nodes > NODES / 2), "{} is searched", kind.name());
        assert_eq!(game(&mut small(), kind, size), fresh, "{} {size}", kind.name());
        // This engine has already played all earlier games.
        assert_eq!(game(&mut used, kind, size), fresh, "{} {size}, not the first game", kind.name());
        assert_eq!(game(&mut used, kind, size), fresh, "{} {size}, the same again", kind.name());
    }
}

/// Changed search parameters take effect, and the original behaviour returns when they are reset.
#[test]
fn tuned_numbers_change_the_search_and_nothing_else() {
    let kind = RuleKind::Renju;
    let size = Size::default();
    let mut engine = small();
    engine.set_rule(Rule::from(kind));
    let mut search = |values: &[(&str, i32)]| {
        engine.new_game(size);
        let moves = parse_moves("k9g9i6f8h10f10h8f9f11g10h9h11", size).expect("twelve points");
        engine.set_board(Board::of_moves(size, &moves));
        for (name, value) in values {
            engine.tune(Tuned::parse(name, &value.to_string()).expect("it is in its range"));
        }
        let limits = Limits::depth(12);
        let report = engine.think(&limits, &AtomicBool::new(false), &Recording::default());
        (report.best_move, report.last.nodes, report.last.value, report.last.pv)
    };
    let defaults: Vec<_> = TUNABLES.iter().map(|tunable| (tunable.name, tunable.default_for(kind))).collect();
    let own = search(&[]);
    // Some parameters matter only in rare positions.
    let mut without_effect = Vec::new();
    for tunable in TUNABLES {
        let mut with = |value: i32| search(&[(tunable.name, value)]);
        if [tunable.min, tunable.max].into_iter().all(|value| with(value) == own) {
            without_effect.push(tunable.name);
        }
        assert_eq!(search(&defaults), own, "after {}", tunable.name);
    }
    assert!(without_effect.len() <= 3, "{without_effect:?}");
}

/// An engine after the opening.
fn after_opening() -> Engine {
    let mut engine = small();
    engine.new_game(Size::default());
    for point in parse_moves(OPENING, Size::default()).expect("four points") {
        engine.play(point).expect("they are empty");
    }
    engine
}

/// The move and the nodes of a search to depth 10.
fn searched(engine: &mut Engine) -> (Option<Point>, u64) {
    let limits = Limits::depth(10);
    let report = engine.think(&limits, &AtomicBool::new(false), &Recording::default());
    (report.best_move, report.last.nodes)
}

/// The search forgets what it has learned with another network.
#[test]
fn another_network_begins_without_histories() {
    let mut engine = after_opening();
    let first = searched(&mut engine);
    assert_ne!(searched(&mut engine), first, "the table and the histories help");
    engine.set_networks(engine.networks().clone());
    assert_eq!(searched(&mut engine), first);
}

/// The search forgets what it has learned under another rule.
#[test]
fn another_rule_begins_without_histories() {
    let think = |engine: &mut Engine, kind: RuleKind| {
        engine.set_rule(Rule::from(kind));
        searched(engine)
    };
    let mut engine = after_opening();
    let first = think(&mut engine, RuleKind::Standard);
    think(&mut engine, RuleKind::Renju);
    assert_eq!(think(&mut engine, RuleKind::Standard), first);
}

#[test]
fn thinking_leaves_the_position_alone() {
    let mut engine = small();
    for kind in RuleKind::ALL {
        game(&mut engine, kind, Size::default());
        let before = format_fen(engine.position().board());
        let limits = Limits::nodes(NODES);
        engine.think(&limits, &AtomicBool::new(false), &Recording::default());
        assert_eq!(format_fen(engine.position().board()), before);
        engine.position().validate();
    }
}

#[test]
fn a_clock_that_is_not_reached_changes_nothing() {
    // The solver of threats at the root finds the win after more than a hundredth of the first clock's time.
    let board = parse_fen("15/15/15/15/6O1XOX4/5XX1OX5/6OX7/7O7/15/15/10O4/15/15/15/15 b").unwrap();
    let nodes = [None, Some(3_000), Some(20_000)].map(|turn_ms| {
        let mut engine = small();
        engine.set_rule(RuleKind::Renju.into());
        engine.set_board(board.clone());
        let clock = turn_ms.map(|turn_ms| Clock { turn_ms: Some(turn_ms), ..Clock::default() });
        let limits = Limits { clock, ..Limits::nodes(1_500_000) };
        engine.think(&limits, &AtomicBool::new(false), &Recording::default()).last.nodes
    });
    assert!(nodes.iter().all(|&count| count == nodes[0]), "{nodes:?}");
}

#[test]
fn a_node_limit_is_kept() {
    let mut engine = small();
    engine.set_board(Board::new(Size::default()));
    for point in parse_moves(OPENING, Size::default()).expect("four points") {
        engine.play(point).expect("they are empty");
    }
    // Many limits, so that some are reached within each step of the search.
    for max_nodes in [1, 10, 1_000].into_iter().chain((20_000..=30_000).step_by(500)) {
        let limits = Limits::nodes(max_nodes);
        let report = engine.think(&limits, &AtomicBool::new(false), &Recording::default());
        assert!(report.best_move.is_some());
        assert!(report.last.nodes <= max_nodes, "{} nodes of {max_nodes}", report.last.nodes);
    }
}
