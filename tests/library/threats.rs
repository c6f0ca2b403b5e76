//! The threat solvers: known cases, real games, unusual boards. `threat_oracle` checks completeness.
//!
//! `cargo test --release --test library threats:: -- --ignored --nocapture` runs the hard cases, 100,000 unusual
//! boards, 5,000 positions of games, and measures the speed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kakugo::board::notation::{format_fen, format_moves, parse_fen};
use kakugo::board::{Board, Color, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Position, Rule, RuleKind, Verdict, plain};
use kakugo::think::{Limits, Silent};
use kakugo::threat::{SolverLimits, SolverResult, VcfSolver, VctSolver};
use rand::Rng;
use rand::rngs::StdRng;
use rayon::prelude::*;
use serde::Deserialize;

use crate::boards::{random_board, seeded};
use crate::checker::check_proof;
use crate::oracle::{ANY, Oracle};

/// A line of `threats.jsonl`.
#[derive(Deserialize)]
struct Case {
    name: String,
    rule: String,
    fen: String,
    to_move: String,
    kind: String,
    attacker_moves_known: u16,
}

impl Case {
    fn position(&self) -> Position {
        let mut board = parse_fen(&self.fen).expect("the data file has legal boards");
        board.set_side_to_move(if self.to_move == "black" { Color::Black } else { Color::White });
        Position::new(board, self.rule.parse::<Rule>().expect("a rule"))
    }
}

fn cases() -> Vec<Case> {
    let lines = include_str!("../data/threats.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("the data file has been written so")).collect()
}

/// The file counts moves up to the four or the win by fours that nothing stops, not to the five; some of its
/// lengths by threats omit more. These are our counts, from the first move to the five.
const MOVES: [(&str, u16); 11] = [
    ("test_vcf_black", 13),
    ("test_vcf_white", 6),
    ("test_vcf_long", 74),
    ("test_vcf_not_opponent_double_four", 4),
    ("test_vcf_counter", 4),
    ("readme", 8),
    ("test_vct_black", 5),
    ("test_vct_white", 5),
    ("test_vct_counter", 5),
    ("test_vct_forbidden_breaker", 5),
    ("test_vct_dual_forbiddens", 6),
];

#[test]
fn known_wins_by_fours_are_found_and_proven() {
    let cases = cases();
    for case in cases.iter().filter(|case| case.kind == "vcf") {
        let mut position = case.position();
        let mut solver = VctSolver::new(1 << 20);
        let (answer, shortest) = solver.vcf().solve_shortest(&mut position, 1_000_000);
        let SolverResult::Win { moves, .. } = answer else { panic!("{}: {answer:?}", case.name) };
        assert!(shortest && moves <= case.attacker_moves_known + 1, "{}: {moves}", case.name);
        let known = MOVES.iter().find(|known| known.0 == case.name);
        assert_eq!(Some(moves), known.map(|known| known.1), "{}", case.name);
        let proof = check_proof(&mut solver, &mut position, moves);
        let mut line = Vec::new();
        assert!(solver.vcf().line(&mut position, moves, 1_000_000, &mut line));
        // The line ends with a four that only a foul could stop.
        let full = usize::from(2 * moves - 1);
        assert!(line.len() == full || line.len() == full - 2, "{}: {line:?}", case.name);
        assert_eq!(proof.moves(), moves);
    }
}

#[test]
fn a_proof_ends_when_it_is_stopped_or_its_time_is_over() {
    let cases = cases();
    let case = cases.iter().find(|case| case.name == "test_vct_black").expect("a win by threats");
    let mut position = case.position();
    let mut solver = VctSolver::new(1 << 20);
    let answer = solver.solve(&mut position, &SolverLimits::default());
    let SolverResult::Win { moves, .. } = answer else { panic!("{answer:?}") };
    let stop = AtomicBool::new(true);
    let stopped = SolverLimits { stop: Some(&stop), ..SolverLimits::default() };
    let late = SolverLimits { deadline: Some(Instant::now()), ..SolverLimits::default() };
    for limits in [stopped, late] {
        assert!(solver.prove(&mut position, moves, &limits).is_none());
    }
    check_proof(&mut solver, &mut position, moves);
}

/// Nodes that an idle core visits in a few minutes. Not a time limit, which would be meaningless on a busy
/// machine.
const NODES: u64 = 50_000_000;

/// Solves and checks the proof; returns the nodes and the time of the first win.
fn solve_threats(case: &Case, shortest: bool) -> (u64, Duration) {
    let mut position = case.position();
    let mut solver = VctSolver::new(128 << 20);
    let started = Instant::now();
    let limits = SolverLimits { max_nodes: Some(NODES), ..Default::default() };
    let first = solver.solve(&mut position, &limits);
    let (nodes, time) = (solver.nodes(), started.elapsed());
    let context = format!("{} {first:?} {nodes} nodes {time:?}", case.name);
    let (answer, proven) =
        if shortest { solver.solve_shortest(&mut position, &limits) } else { (first, false) };
    println!("{context}; {answer:?} {proven} {:?}", started.elapsed());
    let SolverResult::Win { moves, .. } = answer else { panic!("{context}") };
    if let Some(known) = MOVES.iter().find(|known| known.0 == case.name) {
        assert!(!proven || moves == known.1, "{context}: {moves}");
    }
    let proof = check_proof(&mut solver, &mut position, moves);
    let line = format_moves(&proof.main_line(), position.board().size());
    println!("  checked {} steps {:?} {line}", proof.steps.len(), started.elapsed());
    (nodes, time)
}

#[test]
fn known_wins_by_threats_are_found_and_proven() {
    for case in cases().iter().filter(|case| case.kind == "vct") {
        // White's long win involves fouls that appear and disappear; the other hard cases take seconds and
        // more.
        if case.name.starts_with("test") || case.name == "bench_vct_white" {
            let quick = ["test_vct_fukumi_move", "bench_vct_white"].iter().all(|name| *name != case.name);
            solve_threats(case, quick);
        }
    }
}

/// Limits of nodes and seconds for the hard wins: about five times what they take, in release on an idle
/// core.
const HARD: [(&str, u64, u64); 4] = [
    ("bench_vct_black", 5_000_000, 10),
    ("bench_vct_white", 1_000_000, 2),
    ("bench_vct_unstable", 5_000_000, 10),
    ("bench_vct_small_but_long", 1_500_000, 3),
];

#[test]
#[ignore = "measures; run it in release, alone"]
fn hard_wins_by_threats_are_found_and_proven() {
    for case in cases().iter().filter(|case| case.name.starts_with("bench")) {
        let (nodes, time) = solve_threats(case, false);
        let (_, most, seconds) =
            HARD.iter().find(|hard| hard.0 == case.name).expect("every hard win is listed");
        assert!(nodes <= *most && time.as_secs() < *seconds, "{}: {nodes} nodes, {time:?}", case.name);
    }
}

/// Positions from quick games of the engine against itself from random openings, under every rule.
fn middle_games(count: usize) -> Vec<Position> {
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    let mut rng = seeded(4);
    let mut found = Vec::new();
    'games: for game in 0.. {
        let kind = RuleKind::ALL[game % RuleKind::ALL.len()];
        let size = Size::square(if game % 10 == 0 { 20 } else { 15 }).expect("a legal size");
        engine.set_rule(Rule::from(kind));
        engine.new_game(size);
        let mut board = Board::new(size);
        for _ in 0..rng.random_range(3..8) {
            let near = |rng: &mut StdRng, side: u8| side / 2 - 4 + rng.random_range(0..9);
            let point = Point::new(near(&mut rng, size.width()), near(&mut rng, size.height()));
            if board.is_empty(point) {
                board.play(point);
            }
        }
        while !board.empty().is_empty() {
            engine.set_board(board.clone());
            let limits = Limits::nodes(300);
            let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
            let Some(point) = report.best_move else { break };
            let mut position = Position::new(board.clone(), Rule::from(kind));
            if board.stone_count() >= 10 {
                found.push(position.clone());
                if found.len() == count {
                    break 'games;
                }
            }
            if position.verdict(point) != Verdict::Plain {
                break;
            }
            board.play(point);
        }
    }
    found
}

/// On any board, both solvers finish within their limits and leave the board unchanged.
fn survives(seed: u64) {
    let mut rng = seeded(seed);
    let board = random_board(&mut rng);
    for kind in RuleKind::ALL {
        let mut position = Position::new(board.clone(), Rule::from(kind));
        let before = position.clone();
        let started = Instant::now();
        let mut solver = VctSolver::new(1 << 16);
        solver.vcf().solve(&mut position, 2_000);
        assert!(solver.vcf().nodes() <= 2_000);
        let limits = SolverLimits { max_nodes: Some(1_000), ..Default::default() };
        let answer = solver.solve(&mut position, &limits);
        let context = || format!("{} under {kind:?}: {answer:?}", format_fen(&board));
        assert!(started.elapsed() < Duration::from_secs(20), "{}", context());
        assert!(position.board() == before.board(), "{}", context());
        position.validate();
        // A board that was set up may already have a row; the checker supports only unfinished games.
        let over = |color: Color| {
            board.stones(color).iter().any(|point| plain::makes_five(&board, kind, color, point))
        };
        if let SolverResult::Win { moves, .. } = answer
            && seed.is_multiple_of(16)
            && !Color::ALL.into_iter().any(over)
        {
            check_proof(&mut solver, &mut position, moves);
        }
    }
}

#[test]
fn strange_boards_neither_hang_nor_overflow() {
    (0..200_u64).into_par_iter().for_each(survives);
}

#[test]
#[ignore = "a minute: run it in release"]
fn many_strange_boards_neither_hang_nor_overflow() {
    (0..20_000_u64).into_par_iter().for_each(survives);
}

#[test]
fn one_solver_serves_both_sides() {
    // The wins of one side leave positions in the table in which the other side, to move, loses.
    let mut solver = VctSolver::new(1 << 20);
    for mut position in middle_games(120) {
        let limits = SolverLimits { max_nodes: Some(1_000), ..Default::default() };
        for _ in Color::ALL {
            if let SolverResult::Win { moves, .. } = solver.solve(&mut position, &limits) {
                check_proof(&mut solver, &mut position, moves);
            }
            let mut board = position.board().clone();
            board.set_side_to_move(!board.side_to_move());
            position = Position::new(board, position.rule());
        }
    }
}

#[test]
#[ignore = "minutes: run it in release"]
fn verdicts_on_real_games_are_right() {
    let counts = middle_games(5_000).into_par_iter().map(|mut position| {
        let kind = position.rule().kind;
        let us = position.board().side_to_move();
        let mut oracle = Oracle::new(position.board(), kind, 20_000);
        let mut solver = VctSolver::new(4 << 20);
        let fours = solver.vcf().solve(&mut position, 100_000);
        let limits = SolverLimits { max_nodes: Some(5_000), ..Default::default() };
        let threats = solver.solve(&mut position, &limits);
        let mut counts = [0; 7];
        for (kind, answer) in [fours, threats].into_iter().enumerate() {
            // Wins, refutations, and the number of each that the oracle confirms; for threats as far as it
            // can see.
            let place = match answer {
                SolverResult::Win { moves, .. } => {
                    check_proof(&mut solver, &mut position, moves);
                    0
                }
                SolverResult::None => {
                    let wins = if kind == 0 { oracle.wins(us, ANY, 1) } else { oracle.wins(us, 3, 2) };
                    let context = || format!("{} under {:?}", format_fen(position.board()), position.rule());
                    assert!(wins != Some(true), "{}", context());
                    counts[3 * kind + 2] = usize::from(wins == Some(false));
                    1
                }
                SolverResult::Unknown => {
                    counts[6] += 1;
                    continue;
                }
            };
            counts[3 * kind + place] = 1;
        }
        counts
    });
    let sum = |a: [usize; 7], b: [usize; 7]| std::array::from_fn(|i| a[i] + b[i]);
    let [won, none, confirmed, won_threats, none_threats, confirmed_threats, open] =
        counts.reduce(|| [0; 7], sum);
    println!("by fours: {won} won, {none} not, which the oracle confirms of {confirmed}");
    println!(
        "by threats: {won_threats} won, {none_threats} not, of {confirmed_threats} the oracle sees none"
    );
    println!("open: {open}");
    assert!(won > 500 && confirmed * 10 > none * 9 && confirmed_threats * 10 > none_threats * 9);
}

#[test]
fn a_search_for_fours_ends_at_its_deadline_and_when_it_is_stopped() {
    let fen = "15/7O3O3/5X1XXOX4/6OOXXX4/5O1OXO2O2/2XX2X1OOOX3/1O1OOXOXXXXO3/3XXOOXXO2X2/4O1OXOOX4/3X1XOOXO5/3OXXXOXXO4/5O1OX1O4/7O7/7X7/15 b";
    let mut position = Position::new(parse_fen(fen).unwrap(), RuleKind::Standard.into());
    let mut solver = VcfSolver::new(1 << 16);
    let later = Instant::now() + Duration::from_secs(3_600);
    for (deadline, is_stopped) in [(Instant::now(), false), (later, true)] {
        let stop = Arc::new(AtomicBool::new(is_stopped));
        let answer = solver.solve_until(&mut position, u16::MAX, u64::MAX, deadline, &stop);
        assert_eq!(answer, SolverResult::Unknown);
        assert!(solver.nodes() < 2_000, "{}", solver.nodes());
    }
    let stop = Arc::new(AtomicBool::new(false));
    assert_eq!(solver.solve_until(&mut position, u16::MAX, 3_000, later, &stop), SolverResult::Unknown);
    assert_eq!(solver.nodes(), 3_000);
    assert_eq!(solver.solve_until(&mut position, u16::MAX, u64::MAX, later, &stop), SolverResult::None);
    // The deadline of one search does not end the next one.
    solver.clear();
    assert_eq!(solver.solve(&mut position, u64::MAX), SolverResult::None);
}

#[test]
#[ignore = "measures; run it in release, alone: cargo test --release --test library threats::speed -- --ignored --nocapture"]
fn speed_over_middle_games() {
    let mut positions = middle_games(10_000);
    for max_nodes in [20, 200, 1000] {
        for kept in [true, false] {
            let mut solver = VcfSolver::new(1 << 16);
            let (mut counts, mut nodes) = ([0; 3], 0);
            let started = Instant::now();
            for position in &mut positions {
                if !kept {
                    solver.clear();
                }
                let answer = solver.solve(position, max_nodes);
                nodes += solver.nodes();
                counts[match answer {
                    SolverResult::Win { .. } => 0,
                    SolverResult::None => 1,
                    SolverResult::Unknown => 2,
                }] += 1;
            }
            let seconds = started.elapsed().as_secs_f64();
            let [won, none, unknown] = counts;
            println!(
                "{max_nodes} nodes, table {}: {won} won, {none} none, {unknown} unknown; {:.0} positions/s, {:.2} million nodes/s",
                if kept { "kept" } else { "cleared" },
                positions.len() as f64 / seconds,
                nodes as f64 / seconds / 1e6
            );
        }
    }
}
