//! Levels of play: reproducible by seed, regardless of the engine's history and settings; ordered by
//! strength; within the time limit.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::board::{Color, Point, Size};
use kakugo::engine::levels::{Level, LevelPlayer};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Rule, RuleKind, Verdict};
use kakugo::think::{Clock, Limits, Recording, Silent};

/// The rules that levels are made for: free and advanced.
const RULES: [RuleKind; 2] = [RuleKind::Freestyle, RuleKind::Renju];
/// Node limit in place of full strength, for games that have to end soon and be reproducible.
const FULL_NODES: u64 = 20_000;
const OPENING: &str = "h8i9g10j6";

fn level(number: u8) -> Level {
    Level::new(number).expect("there is such a level")
}

/// An engine with a position under a rule.
fn engine_at(options: Options, kind: RuleKind, moves: &str) -> Engine {
    let mut engine = Engine::new(options);
    set_up(&mut engine, kind, moves);
    engine
}

fn set_up(engine: &mut Engine, kind: RuleKind, moves: &str) {
    engine.set_rule(Rule::from(kind));
    engine.new_game(Size::default());
    for point in parse_moves(moves, Size::default()).expect("moves") {
        engine.play(point).expect("an empty point");
    }
}

fn choose(player: LevelPlayer, engine: &mut Engine, limits: &Limits) -> Point {
    let report = player.think(engine, limits, &AtomicBool::new(false), &Silent);
    report.best_move.expect("the board is not full")
}

#[test]
fn with_a_five_at_hand_level_1_wins_or_stops_a_four() {
    // Black can make five on i8, and white on i5.
    let moves = "e8d8f8e5g8f5h8g5d5h5";
    let mut engine = engine_at(Options::default(), RuleKind::Freestyle, moves);
    let mut wins = 0;
    for seed in 0..40 {
        let chosen = choose(LevelPlayer { level: level(1), seed }, &mut engine, &Limits::nodes(1_000));
        let name = format_moves(&[chosen], Size::default());
        assert!(["i8", "i5"].contains(&name.as_str()), "{name} with seed {seed}");
        wins += usize::from(name == "i8");
    }
    assert!(0 < wins && wins < 40, "{wins} wins: the move is random");
}

/// The outcome of a game, with its moves.
#[derive(Debug, PartialEq)]
struct Outcome {
    winner: Option<Color>,
    by_foul: bool,
    moves: Vec<Point>,
}

/// Plays a game of at most `most` moves from the position of `engine`. `players` are black and white.
fn game(engine: &mut Engine, players: [LevelPlayer; 2], full: &Limits, most: usize) -> Outcome {
    let mut moves = Vec::new();
    while moves.len() < most && !engine.position().board().empty().is_empty() {
        let side = engine.position().board().side_to_move();
        let player = players[side as usize];
        let limits = if player.level == Level::FULL { *full } else { Limits::infinite() };
        let point = choose(player, engine, &limits);
        let verdict = engine.verdict(point);
        engine.play(point).expect("an empty point");
        moves.push(point);
        match verdict {
            Verdict::Five => return Outcome { winner: Some(side), by_foul: false, moves },
            Verdict::Foul(_) => return Outcome { winner: Some(!side), by_foul: true, moves },
            Verdict::Plain => {}
            Verdict::Illegal => panic!("{side} plays {point:?} after {moves:?}"),
        }
    }
    Outcome { winner: None, by_foul: false, moves }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let mut used = Engine::new(Options { threads: 3, hash_bytes: Some(2 << 20), ..Options::default() });
    for kind in RULES {
        for level in Level::all() {
            let players = [LevelPlayer { level, seed: 7 }; 2];
            // The upper levels think long, so only a few moves are played.
            let budget = level.handicap().map_or(FULL_NODES, |handicap| handicap.nodes);
            let most = (150_000 / budget).clamp(2, 12) as usize;
            let fresh = || engine_at(Options::default(), kind, OPENING);
            let first = game(&mut fresh(), players, &Limits::nodes(FULL_NODES), most);
            assert_eq!(
                game(&mut fresh(), players, &Limits::nodes(FULL_NODES), most),
                first,
                "{level} {}",
                kind.name()
            );
            if level < Level::FULL {
                // This engine has played all earlier games, with more threads and another table.
                set_up(&mut used, kind, OPENING);
                assert_eq!(
                    game(&mut used, players, &Limits::nodes(FULL_NODES), most),
                    first,
                    "{level} {}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn a_move_depends_on_nothing_that_was_thought_before() {
    for number in [1, 2, 4, 6] {
        let player = LevelPlayer { level: level(number), seed: 3 };
        let mut engine = engine_at(Options::default(), RuleKind::Renju, OPENING);
        let first = choose(player, &mut engine, &Limits::infinite());
        // Analysis, other levels, a move that is taken back.
        engine.think(&Limits::nodes(5_000), &AtomicBool::new(false), &Silent);
        let other = choose(LevelPlayer { level: level(3), seed: 4 }, &mut engine, &Limits::infinite());
        engine.play(other).expect("an empty point");
        choose(player, &mut engine, &Limits::infinite());
        engine.take_back(other).expect("it is there");
        assert_eq!(choose(player, &mut engine, &Limits::infinite()), first, "level {number}");
    }
}

#[test]
fn other_seeds_give_other_moves_among_the_best() {
    let mut engine = engine_at(Options::default(), RuleKind::Freestyle, OPENING);
    let mut choices = |level: Level| {
        let mut points: Vec<Point> = (0..100)
            .map(|seed| choose(LevelPlayer { level, seed }, &mut engine, &Limits::infinite()))
            .collect();
        let best = choose(LevelPlayer { level, seed: u64::MAX }, &mut engine, &Limits::infinite());
        points.sort();
        points.dedup();
        (points, best)
    };
    for number in [1, 2, 3] {
        let (points, _) = choices(level(number));
        // The best move of the normal search may be missing from the four of the other search.
        assert!((3..=5).contains(&points.len()), "level {number}: {points:?}");
    }
    let level = Level::all()
        .find(|level| level.handicap().is_some_and(|handicap| handicap.random_percent == 0))
        .expect("a level without random moves");
    let seeds = [0, 1, 2].map(|seed| choose(LevelPlayer { level, seed }, &mut engine, &Limits::infinite()));
    assert_eq!([seeds[0]; 3], seeds, "{level} plays nothing at random");
}

#[test]
fn nodes_are_kept_and_the_lesser_limit_counts() {
    let mut engine = engine_at(Options::default(), RuleKind::Freestyle, OPENING);
    for level in Level::all().filter(|level| level.number() < 8) {
        let handicap = level.handicap().expect("it is not the last");
        for seed in 0..5 {
            let player = LevelPlayer { level, seed };
            let report = player.think(&mut engine, &Limits::infinite(), &AtomicBool::new(false), &Silent);
            // A random move is chosen from four, each of which gets the nodes of one search.
            assert!(report.last.nodes <= 4 * handicap.nodes, "{level}: {} nodes", report.last.nodes);
            let report = player.think(&mut engine, &Limits::nodes(30), &AtomicBool::new(false), &Silent);
            assert!(report.last.nodes <= 30 && report.best_move.is_some(), "{level}: {report:?}");
        }
    }
}

#[test]
fn the_move_reported_last_is_played() {
    let mut engine = engine_at(Options::default(), RuleKind::Renju, OPENING);
    for seed in 0..40 {
        let recording = Recording::default();
        let player = LevelPlayer { level: Level::FIRST, seed };
        let report = player.think(&mut engine, &Limits::infinite(), &AtomicBool::new(false), &recording);
        let last = recording.iterations().pop().expect("there is an iteration");
        assert_eq!(last.pv.first().copied(), report.best_move, "seed {seed}");
        assert_eq!(report.last.pv.first().copied(), report.best_move, "seed {seed}");
        assert!(report.others.is_empty());
    }
}

#[test]
fn the_clock_ends_a_level_before_its_nodes() {
    // A multiple of the time limit, but still far less than the highest levels need with debug assertions.
    const PATIENCE: Duration = Duration::from_millis(400);
    let search = |player: LevelPlayer| {
        let mut engine = engine_at(Options::default(), RuleKind::Renju, OPENING);
        let clock = Clock { turn_ms: Some(40), ..Clock::default() };
        let limits = Limits { clock: Some(clock), ..Limits::infinite() };
        let report = player.think(&mut engine, &limits, &AtomicBool::new(false), &Silent);
        (report.last.nodes, limits.started.elapsed())
    };
    for level in Level::all() {
        for seed in [0, 1] {
            let player = LevelPlayer { level, seed };
            // Other processes may take the core, so only being late every time counts.
            assert!((0..20).any(|_| search(player).1 <= PATIENCE), "{player} is late");
        }
    }
    let highest = LevelPlayer { level: level(9), seed: 0 };
    let handicap = highest.level.handicap().expect("it is not the last");
    let (nodes, _) = search(highest);
    assert!(nodes < handicap.nodes / 2, "{nodes} nodes in 40 ms");
}

/// Beginner levels blunder, but obey the rules: whole games that end, without fouls except forced ones.
#[test]
fn the_lowest_levels_play_whole_legal_games() {
    for kind in RULES {
        for seed in 0..6 {
            let players = [LevelPlayer { level: level(1), seed }, LevelPlayer { level: level(2), seed }];
            let mut engine = engine_at(Options::default(), kind, OPENING);
            let outcome = game(&mut engine, players, &Limits::infinite(), 225);
            let shown = format_moves(&outcome.moves, Size::default());
            assert!(outcome.winner.is_some() || engine.position().board().empty().is_empty(), "{shown}");
            assert!(!outcome.by_foul, "{}: {shown}", kind.name());
        }
    }
}

#[test]
fn the_first_move_of_a_game_is_legal_at_every_level() {
    for kind in RULES {
        for level in Level::all().take(6) {
            for seed in 0..3 {
                let mut engine = engine_at(Options::default(), kind, "");
                let point = choose(LevelPlayer { level, seed }, &mut engine, &Limits::infinite());
                assert_ne!(engine.verdict(point), Verdict::Illegal);
            }
        }
    }
}

/// The openings of the books, offsets from the centre.
fn book(kind: RuleKind) -> Vec<Vec<Point>> {
    let text = match kind {
        RuleKind::Renju => include_str!("../../tournament/openings/renju-15.txt"),
        _ => include_str!("../../tournament/openings/freestyle-15.txt"),
    };
    let opening = |line: &str| {
        let numbers: Vec<i32> = line.split(',').map(|n| n.trim().parse().expect("a number")).collect();
        let point =
            |offset: &[i32]| Size::default().point(7 + offset[0], 7 + offset[1]).expect("on the board");
        numbers.chunks(2).map(point).collect()
    };
    text.lines().filter(|line| !line.starts_with('#')).map(opening).collect()
}

/// Plays each pair of neighbouring levels up to `HIGHEST`, `GAMES` games each, every opening with both
/// colours. The result is deterministic, so the figures of the documentation can be reproduced. Takes about
/// 15 minutes on a quiet core.
#[test]
#[ignore = "a long check"]
fn each_level_is_clearly_better_than_the_one_below() {
    const GAMES: usize = 200;
    const HIGHEST: u8 = 8;
    let mut bad = Vec::new();
    for kind in RULES {
        let openings = book(kind);
        for number in 2..=HIGHEST {
            let pair = [level(number), level(number - 1)].map(|level| LevelPlayer { level, seed: 0 });
            let mut points = 0.0;
            for index in 0..GAMES {
                let mut engine = engine_at(Options::default(), kind, "");
                openings[index / 2].iter().for_each(|&point| engine.play(point).expect("an empty point"));
                let black = index % 2;
                let outcome = game(&mut engine, [pair[black], pair[1 - black]], &Limits::infinite(), 195);
                let better = if black == 0 { Color::Black } else { Color::White };
                points += outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == better)));
            }
            let percent = points * 100.0 / GAMES as f64;
            println!("{}: level {number} scores {percent:.1}% against level {}", kind.name(), number - 1);
            if percent < 65.0 {
                bad.push((kind.name(), number, percent));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:?}");
}
