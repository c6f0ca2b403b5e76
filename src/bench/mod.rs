//! The benchmark: fixed positions, a single thread, a node signature that is the same on every machine, and
//! speeds.
//!
//! The signature is the number of nodes of all searches. It changes if and only if play changes, so every
//! commit states it. The speeds measure the layers below the search.

pub mod suite;

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::notation::parse_moves;
use crate::board::{Bitboard, Board, Color, Point, Size};
use crate::engine::{Engine, Options};
use crate::eval::{Evaluator, Networks};
use crate::rules::{PointClass, Position, Rule, RuleKind};
use crate::think::{Limits, Silent};
use crate::threat::{SolverResult, VcfSolver};

/// Search depth of every position, in plies.
const DEPTH: i32 = 10;
/// Size of the table. It is fixed so that the signature does not depend on the machine's memory.
const HASH_BYTES: u64 = 16 << 20;
/// Duration of each speed measurement.
const MEASURE: Duration = Duration::from_millis(400);

/// Games of the engine against itself: rule, board side, moves.
const GAMES: [(RuleKind, u8, &str); 9] = [
    (RuleKind::Freestyle, 15, "i8i9j5h11j9h8h7g6j7g7j8j6j10j11k6f6e5h9l7h10h12m8i7k7i6g8i4h3i5"),
    (RuleKind::Freestyle, 15, "f11j5k10k5i5k6k7j6k11j4j7l6k9k8k12k13m7i6h6m6"),
    (
        RuleKind::Freestyle,
        20,
        "i9i13k7j8j7i7k9l9m7l8k6k8i8l5l7n7h9g10g9j9m8n9m6m9l6o9p9j6k5j4n6o6m5m4k3k4l4o7j2",
    ),
    (
        RuleKind::Standard,
        15,
        "k9g9i6f10j6k6i5e11h8i7d12k7j5k4k5h5j7j4l4j9j10f9l5m5i9k11f6g7g6h6l6l7m3n2i11h12i10i13m7l8",
    ),
    (RuleKind::Standard, 15, "f11j5k10k5i5k6k7i4l7k4n7m7l9j11l8k2k3h3g2l6j6m9h4"),
    (RuleKind::Renju, 15, "k9g9i6f8h10f10h8f9f11g10h9h11e8g11g12g7g8e9h6h7h12f7f6e7d7i7"),
    (RuleKind::Renju, 15, "f11j5k10h7i6i5j6h5g5g6k5f7i4f5e4h8h6i8j9e8d9f8g8f6f9f4"),
    (RuleKind::Caro, 15, "k9g9i6i7j7k8j6j9k6g6i8l5m6l6l8g8g7g10m9i5m7g12g11i10h11j10m8m10m5"),
    (RuleKind::CaroExact, 15, "f11j5k10k6i4k4i6k5k7i5l5k3k2j4l2h2i3j6j3h5g5h6g7h8h4i7g9l4"),
];

/// The results of the benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// Number of search threads.
    pub threads: usize,
    /// Number of nodes of all searches; the signature if there was one thread.
    pub nodes: u64,
    /// Nodes per second of the searches.
    pub nodes_per_second: f64,
    /// The speeds of the layers below the search, unless they were skipped.
    pub speeds: Option<Speeds>,
}

/// Speeds of the layers below the search.
#[derive(Clone, Debug, Serialize)]
pub struct Speeds {
    /// Stones played and taken back per second on 15x15 with all pattern classes updated, per rule.
    pub play_undo_per_second: Vec<(String, f64)>,
    /// Foul verdicts per second on the points of real positions that may be fouls.
    pub foul_verdicts_per_second: f64,
    /// Positions of real games per second for which a win by fours of the side to move is found or excluded.
    pub four_verdicts_per_second: f64,
    /// Milliseconds to build the tables of a rule and a position under it, for the slowest rule.
    pub slowest_rule_start_ms: f64,
    /// The network's speeds in positions of real games.
    pub network: NetworkSpeeds,
}

/// Speeds of the network, in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NetworkSpeeds {
    /// Time to update the accumulator after one stone.
    pub update_ns: f64,
    /// Time to compute a value from an accumulator.
    pub value_ns: f64,
    /// Time to score all candidates of a position whose value is known and whose rays are up to date.
    pub order_ns: f64,
}

/// Runs the complete benchmark with these networks; takes a few seconds.
pub fn run(networks: &Networks) -> BenchReport {
    // Measured first, before any rule's tables are built.
    let slowest_rule_start_ms = RuleKind::ALL.map(start_ms).into_iter().fold(0.0, f64::max);
    let play_undo = RuleKind::ALL.map(|kind| (kind.name().to_owned(), play_undo_speed(kind)));
    let speeds = Speeds {
        play_undo_per_second: play_undo.to_vec(),
        foul_verdicts_per_second: foul_speed(),
        four_verdicts_per_second: four_speed(),
        slowest_rule_start_ms,
        network: network_speeds(networks),
    };
    BenchReport { speeds: Some(speeds), ..run_searches(1, networks) }
}

/// Runs only the searches. With one thread they produce the signature; with more, they show how much the
/// other threads help the first, which has to reach the same depths.
pub fn run_searches(threads: usize, networks: &Networks) -> BenchReport {
    let (nodes, time) = search_all(threads, networks);
    BenchReport { threads, nodes, nodes_per_second: nodes as f64 / time.as_secs_f64(), speeds: None }
}

fn start_ms(kind: RuleKind) -> f64 {
    let started = Instant::now();
    black_box(Position::new(Board::new(Size::default()), kind.into()));
    started.elapsed().as_secs_f64() * 1e3
}

fn moves_of(side: u8, moves: &str) -> (Size, Vec<Point>) {
    let size = Size::square(side).expect("the games are on boards of legal size");
    (size, parse_moves(moves, size).expect("the games are written correctly"))
}

/// Repeatedly plays and takes back the stones of all 15x15 games, regardless of their rule.
fn play_undo_speed(kind: RuleKind) -> f64 {
    let games: Vec<Vec<Point>> =
        GAMES.iter().filter(|game| game.1 == 15).map(|game| moves_of(15, game.2).1).collect();
    let mut position = Position::new(Board::new(Size::default()), kind.into());
    let round = |position: &mut Position| {
        for game in &games {
            game.iter().for_each(|&point| position.play(point));
            game.iter().for_each(|_| position.undo());
        }
        games.iter().map(Vec::len).sum::<usize>()
    };
    rate(|| round(&mut position))
}

/// Computes the verdict on every point that may be a foul for black, in the positions of all 15x15 games.
fn foul_speed() -> f64 {
    let mut cases = Vec::new();
    for &(_, side, moves) in GAMES.iter().filter(|game| game.1 == 15) {
        let (size, moves) = moves_of(side, moves);
        let mut position = Position::new(Board::new(size), RuleKind::Renju.into());
        for &point in &moves {
            position.play(point);
            let empty = position.board().empty().iter();
            let may_be = |&point: &Point| position.class(Color::Black, point) == PointClass::Foul;
            let points: Vec<Point> = empty.filter(may_be).collect();
            if !points.is_empty() {
                cases.push((position.clone(), points));
            }
        }
    }
    rate(|| {
        let mut verdicts = 0;
        for (position, points) in &mut cases {
            for &point in points.iter() {
                black_box(position.foul(point));
            }
            verdicts += points.len();
        }
        verdicts
    })
}

/// Searches for wins by fours in all positions of the games, each with an empty table.
fn four_speed() -> f64 {
    const MAX_NODES: u64 = 1000;
    let mut positions = Vec::new();
    for (kind, side, moves) in GAMES {
        let (size, moves) = moves_of(side, moves);
        let mut position = Position::new(Board::new(size), kind.into());
        for point in moves {
            position.play(point);
            positions.push(position.clone());
        }
    }
    let mut solver = VcfSolver::new(1 << 14);
    rate(|| {
        let mut settled = 0;
        for position in &mut positions {
            solver.clear();
            settled += usize::from(solver.solve(position, MAX_NODES) != SolverResult::Unknown);
        }
        settled
    })
}

/// Measures the network's speeds in all positions of the games.
fn network_speeds(networks: &Networks) -> NetworkSpeeds {
    let mut cases = Vec::new();
    for (kind, side, moves) in GAMES {
        let (size, moves) = moves_of(side, moves);
        let mut position = Position::new(Board::new(size), kind.into());
        for point in moves {
            let mut before = Evaluator::with_network(&position, Arc::clone(networks.of(kind)));
            position.play(point);
            let evaluator = Evaluator::with_network(&position, Arc::clone(networks.of(kind)));
            before.make();
            let candidates = evaluator.candidates(&position);
            cases.push(Case { position: position.clone(), before, evaluator, candidates });
        }
    }
    let mut nanoseconds = |work: &dyn Fn(&mut Case)| {
        let count = cases.len();
        let round = || {
            cases.iter_mut().for_each(work);
            count
        };
        1e9 / rate(round)
    };
    NetworkSpeeds {
        update_ns: nanoseconds(&|case| {
            black_box(case.before.layer_key(&case.position));
            case.before.undo();
            case.before.make();
        }),
        value_ns: nanoseconds(&|case| {
            black_box(case.evaluator.value(&case.position));
        }),
        order_ns: nanoseconds(&|case| {
            let report = |point, _, score| {
                black_box((point, score));
            };
            case.evaluator.move_scores(&case.position, case.candidates, report);
        }),
    }
}

/// A position for the network measurements.
struct Case {
    position: Position,
    /// Its evaluation with the last stone pending.
    before: Evaluator,
    /// Its up-to-date evaluation.
    evaluator: Evaluator,
    candidates: Bitboard,
}

/// Measures `work`: the counts that it returns, per second.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    work();
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < MEASURE {
        count += work();
    }
    count as f64 / started.elapsed().as_secs_f64()
}

/// Searches several positions of every game to a fixed depth; returns nodes and time.
fn search_all(threads: usize, networks: &Networks) -> (u64, Duration) {
    let mut engine = Engine::new(Options { hash_bytes: Some(HASH_BYTES), ..Options::for_threads(threads) });
    engine.set_networks(networks.clone());
    let mut total = (0, Duration::ZERO);
    for (kind, side, moves) in GAMES {
        let (size, moves) = moves_of(side, moves);
        engine.set_rule(Rule::from(kind));
        for stones in [6, 12, 18] {
            engine.new_game(size);
            engine.clear_table();
            engine.set_board(Board::of_moves(size, &moves[..stones]));
            let limits = Limits::depth(DEPTH);
            let started = Instant::now();
            let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
            total.0 += report.last.nodes;
            total.1 += started.elapsed();
        }
    }
    total
}

impl fmt::Display for BenchReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const MILLION: f64 = 1e6;
        if let Some(speeds) = &self.speeds {
            for (rule, speed) in &speeds.play_undo_per_second {
                writeln!(f, "play+undo {rule:<12} {:7.2} million pairs/s", speed / MILLION)?;
            }
            writeln!(
                f,
                "foul verdicts          {:7.2} million/s",
                speeds.foul_verdicts_per_second / MILLION
            )?;
            writeln!(
                f,
                "verdicts on fours      {:7.2} million positions/s",
                speeds.four_verdicts_per_second / MILLION
            )?;
            writeln!(f, "slowest rule to start  {:7.1} ms", speeds.slowest_rule_start_ms)?;
            let NetworkSpeeds { update_ns, value_ns, order_ns } = speeds.network;
            writeln!(f, "network update         {update_ns:7.0} ns")?;
            writeln!(f, "network value          {value_ns:7.0} ns")?;
            writeln!(f, "network move order     {order_ns:7.0} ns")?;
        }
        writeln!(f, "search                 {:7.2} million nodes/s", self.nodes_per_second / MILLION)?;
        match self.threads {
            1 => write!(f, "Bench: {}", self.nodes),
            threads => write!(f, "nodes of {threads} threads     {}", self.nodes),
        }
    }
}
