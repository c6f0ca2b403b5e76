//! Random play and undo: the incremental state equals the recomputed one, bit for bit.

use kakugo::board::{Bitboard, Board, Point, Size};
use kakugo::eval::Evaluator;
use kakugo::rules::{Position, RuleKind};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Random games of random length with undos in between; all state is compared every `check_every` steps.
fn random_steps(steps: usize, check_every: usize, seed: u64) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut done = 0;
    while done < steps {
        let size = Size::new(rng.random_range(5..=22), rng.random_range(5..=22)).unwrap();
        let blocked: Bitboard = size.points().filter(|_| rng.random_bool(0.01)).collect();
        let kind = *RuleKind::ALL.choose(&mut rng).unwrap();
        let mut position = Position::new(Board::with_blocked(size, blocked), kind.into());
        let start = position.clone();
        let mut evaluator = Evaluator::new(&position);
        for _ in 0..rng.random_range(1..3 * size.area()) {
            step(&mut position, &mut evaluator, &mut rng);
            done += 1;
            if done % check_every == 0 {
                position.validate();
                evaluator.validate(&position);
            }
        }
        position.validate();
        while position.board().history().len() > start.board().history().len() {
            undo(&mut position, &mut evaluator);
        }
        position.validate();
        evaluator.validate(&position);
        assert!(position.board() == start.board(), "undoing everything leads back to the start");
    }
}

/// Plays or sometimes passes; one time in three takes a move back instead.
fn step(position: &mut Position, evaluator: &mut Evaluator, rng: &mut SmallRng) {
    let empty: Vec<Point> = position.board().empty().iter().collect();
    match empty.choose(rng) {
        Some(&point) if rng.random_bool(0.66) => {
            position.play(point);
            evaluator.make();
        }
        Some(_) if rng.random_bool(0.03) => position.pass(),
        _ if !position.board().history().is_empty() => undo(position, evaluator),
        _ => {}
    }
}

/// Takes the last move back. The evaluation ignores passes.
fn undo(position: &mut Position, evaluator: &mut Evaluator) {
    let passed = position.board().last_move().is_none();
    position.undo();
    if !passed {
        evaluator.undo();
    }
}

#[test]
fn random_play_and_undo() {
    random_steps(60_000, 20, 1);
}

#[test]
#[ignore = "a million steps, each compared: about a minute"]
fn a_million_steps_of_play_and_undo() {
    random_steps(1_000_000, 1, 2);
}
