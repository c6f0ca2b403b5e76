//! The limits of a search, measured from outside: the clock on all kinds of boards, and the stop flag.
//!
//! On a busy machine any thread may lose its core. A late result is therefore tried again, and only being
//! late every time counts. The tests run one at a time, so that they do not disturb each other.

// Clippy recognises the tests as test code, but not their helpers.
#![allow(clippy::unwrap_used)]

#[path = "library/boards.rs"]
mod boards;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use boards::{random_board, random_moves, seeded};
use kakugo::board::notation::{format_fen, parse_moves};
use kakugo::board::{Bitboard, Board, Color, Size};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::{Clock, Limits, SearchReport, Silent};
use rand::Rng;

/// Time limit per move for all boards here.
const TURN: Duration = Duration::from_millis(30);
/// Time that may pass between the stop flag and the end of a search.
const STOP: Duration = Duration::from_millis(5);
/// Number of attempts before something counts as late.
const TRIES: usize = 8;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn engine(kind: RuleKind, board: &Board) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    engine.set_rule(Rule::from(kind));
    engine.set_board(board.clone());
    engine
}

/// Repeats `attempt`, which returns the time it took, until it takes at most `limit`.
fn in_time(limit: Duration, what: impl Fn() -> String, mut attempt: impl FnMut() -> Duration) {
    let mut times = Vec::new();
    while times.len() < TRIES {
        let took = attempt();
        if took <= limit {
            return;
        }
        times.push(took);
    }
    panic!("{}: late {TRIES} times, {times:?} of {limit:?}", what());
}

/// Checks that a legal move is found within [`TURN`].
fn answers_in_time(kind: RuleKind, board: &Board) {
    let what = || format!("{} under {}", format_fen(board), kind.name());
    in_time(TURN, what, || {
        let mut engine = engine(kind, board);
        let clock = Clock { turn_ms: Some(TURN.as_millis() as u64), ..Clock::default() };
        let limits = Limits { clock: Some(clock), ..Limits::infinite() };
        let best = engine.think(&limits, &AtomicBool::new(false), &Silent).best_move;
        let took = limits.started.elapsed();
        assert_eq!(best.is_some(), !board.empty().is_empty(), "{}", what());
        assert!(best.is_none_or(|best| board.is_empty(best)), "{best:?} on {}", what());
        took
    });
}

#[test]
fn every_size_is_played_in_time() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let sides = 5..=22;
    for (index, size) in sides.clone().flat_map(|w| sides.clone().map(move |h| (w, h))).enumerate() {
        let size = Size::new(size.0, size.1).unwrap();
        let kind = RuleKind::ALL[index % RuleKind::ALL.len()];
        let rng = &mut seeded(index as u64);
        let stones = rng.random_range(0..=size.area().min(60));
        let moves = random_moves(rng, &Board::new(size), stones);
        answers_in_time(kind, &Board::of_moves(size, &moves));
    }
}

#[test]
fn strange_boards_are_played_in_time() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for seed in 0..100 {
        let board = random_board(&mut seeded(seed));
        answers_in_time(RuleKind::ALL[seed as usize % RuleKind::ALL.len()], &board);
    }
    let rng = &mut seeded(1);
    for kind in RuleKind::ALL {
        let size = Size::square(22).unwrap();
        // Three hundred stones, stones of one colour only, and half the board blocked.
        let many = random_moves(rng, &Board::new(size), 300);
        answers_in_time(kind, &Board::of_moves(size, &many));
        for color in Color::ALL {
            let mut alone = Board::new(size);
            random_moves(rng, &alone, 40).into_iter().for_each(|point| alone.set_up(color, point));
            for side in Color::ALL {
                alone.set_side_to_move(side);
                answers_in_time(kind, &alone);
            }
        }
        let blocked: Bitboard = size.points().filter(|point| (point.x() / 2 + point.y()) % 2 == 0).collect();
        answers_in_time(kind, &Board::with_blocked(size, blocked));
        answers_in_time(kind, &Board::with_blocked(size, size.all()));
    }
}

/// How long a search without limits continues after the stop flag is set, and its report.
fn stopped_after(mut engine: Engine, think: Duration) -> (Duration, SearchReport) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let stopping = scope.spawn(|| {
            thread::sleep(think);
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let report = engine.think(&Limits::infinite(), &stop, &Silent);
        let ended = Instant::now();
        (ended.saturating_duration_since(stopping.join().unwrap()), report)
    })
}

#[test]
fn the_stop_flag_ends_a_search() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for kind in RuleKind::ALL {
        for side in [15, 20] {
            let size = Size::square(side).unwrap();
            let board = Board::of_moves(size, &parse_moves("h8i9g10j6k9e8", size).unwrap());
            for (think, threads) in [(0, 1), (1, 1), (50, 1), (0, 3), (1, 3), (50, 3)] {
                let what = || format!("{} {size}, {threads} threads stopped after {think} ms", kind.name());
                in_time(STOP, what, || {
                    let think = Duration::from_millis(think);
                    let mut engine = engine(kind, &board);
                    let options = Options { threads, ..engine.options() };
                    engine.set_options(options).unwrap();
                    let (late, report) = stopped_after(engine, think);
                    assert!(report.best_move.is_some_and(|best| board.is_empty(best)), "{}", what());
                    late
                });
            }
        }
    }
}
