//! The threat solvers, compared with a naive oracle on random small boards under every rule.
//!
//! The exact comparison:
//! - *By fours*: the verdict without any limit of length, and the smallest number of moves of every win.
//! - *By threats*: verdicts within 1, 2, 3 ... [`MOST_MOVES`] moves, up to the first number that wins. If the
//!   oracle wins by fours and threes (level 2), the solver must win within the same number of moves. If the
//!   oracle does not, the solver may still win by a quieter threat, but then the oracle must win by threats
//!   of any level. Up to three moves there is no quieter threat, so the verdicts are equal. Without a limit,
//!   the solver may win later.
//!
//! Every win of the solver is proven, and the proof is replayed. If the oracle or the solver reaches its
//! limit, the board counts as unknown. Unknown boards must be few; wins and boards without a win must be
//! many.
//!
//! `cargo test --release --test library threat_oracle:: -- --ignored --nocapture` compares 20,000 boards under each
//! rule and prints the results. On one core it takes half a minute for fours and about seven minutes for
//! threats.

use std::fmt;
use std::ops::Add;
use std::time::Instant;

use kakugo::board::notation::format_fen;
use kakugo::board::{Board, Color, Point, Size};
use kakugo::rules::{Position, Rule, RuleKind, Verdict, plain};
use kakugo::threat::{SolverLimits, SolverResult, VctSolver};
use rand::Rng;
use rand::rngs::StdRng;
use rayon::prelude::*;

use crate::boards::seeded;
use crate::checker::check_proof;
use crate::grid::Grid;
use crate::oracle::{ANY, Oracle};

/// Maximum number of moves, including the five, of a win by threats that the oracle looks for.
const MOST_MOVES: u16 = 4;
/// Maximum number of positions that the oracle may visit per board.
const ORACLE_NODES: usize = 20_000;
/// Node limit of one call to a solver; the last call, about longer wins, may stay undecided.
const SOLVER_NODES: u64 = 100_000;
const LATER_NODES: u64 = 1_000;

/// A small board with stones around one or two points, few fours, and possibly more stones of one colour.
fn small_board(rng: &mut StdRng) -> Board {
    let side: u8 = *[7, 7, 7, 7, 8, 9].get(rng.random_range(0..6)).expect("there are six");
    let size = Size::square(side).expect("a legal size");
    let mut board = Board::new(size);
    let hearts: Vec<Point> = (0..rng.random_range(1..=2))
        .map(|_| Point::new(rng.random_range(1..side - 1), rng.random_range(1..side - 1)))
        .collect();
    let share = rng.random_range(0.3..0.7);
    for stone in 0..rng.random_range(8..=24) {
        let heart = hearts[stone % hearts.len()];
        let mut near = |center: u8| i32::from(center) + rng.random_range(-2..=2) + rng.random_range(-1..=1);
        let Some(point) = size.point(near(heart.x()), near(heart.y())) else { continue };
        let color = if rng.random_bool(share) { Color::Black } else { Color::White };
        if !board.is_empty(point) {
            continue;
        }
        let mut with = board.clone();
        with.set_up(color, point);
        let has_four = |&point: &Point| plain::makes_five(&with, RuleKind::Freestyle, color, point);
        if !with.empty().iter().any(|point| has_four(&point)) || rng.random_bool(0.05) {
            board = with;
        }
    }
    board.set_side_to_move(if rng.random_bool(share) { Color::Black } else { Color::White });
    board
}

/// Counts of the results on some boards.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Wins found by both, by number of moves; the last entry counts longer wins.
    won: [usize; 7],
    /// Wins that only the solver finds, because they need quieter threats or more moves than the oracle's
    /// limits.
    quieter: usize,
    longer: usize,
    /// Boards without a win within the oracle's limits, including `longer`.
    none: usize,
    unknown: usize,
}

impl Tally {
    fn win(moves: u16) -> Tally {
        let mut tally = Tally::default();
        tally.won[usize::from(moves).min(7) - 1] = 1;
        tally
    }

    fn unknown() -> Tally {
        Tally { unknown: 1, ..Tally::default() }
    }

    fn wins(&self) -> usize {
        self.won.iter().sum()
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            won: std::array::from_fn(|i| self.won[i] + other.won[i]),
            quieter: self.quieter + other.quieter,
            longer: self.longer + other.longer,
            none: self.none + other.none,
            unknown: self.unknown + other.unknown,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { won, quieter, longer, none, unknown } = self;
        let wins = self.wins();
        write!(f, "{wins} wins (in 1, 2 ... moves: {won:?}), {quieter} by quieter threats, ")?;
        write!(f, "{none} without ({longer} of them won later), {unknown} unknown")
    }
}

/// Compares `boards` boards under each rule, and panics if too few of them are informative.
fn compare(boards: u64, one: fn(&mut VctSolver, RuleKind, Board) -> Tally) {
    for kind in RuleKind::ALL {
        let started = Instant::now();
        let tally = (0..boards)
            .into_par_iter()
            .map_init(
                || VctSolver::new(1 << 20),
                |solver, seed| {
                    solver.clear();
                    one(solver, kind, small_board(&mut seeded(seed)))
                },
            )
            .reduce(Tally::default, Tally::add);
        println!("{} of {boards}: {tally}; {:.1?}", kind.name(), started.elapsed());
        let boards = boards as usize;
        assert!(tally.wins() > boards / 5 && tally.none > boards / 5 && tally.unknown < boards / 20);
    }
}

/// Checks that the verdict by fours and the length of the shortest win agree with the oracle.
fn fours_equal_oracle(solver: &mut VctSolver, kind: RuleKind, board: Board) -> Tally {
    let us = board.side_to_move();
    let mut oracle = Oracle::new(&board, kind, ORACLE_NODES);
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let (found, shortest) = solver.vcf().solve_shortest(&mut position, SOLVER_NODES);
    let expected = oracle.wins(us, ANY, 1);
    let context = || format!("{} under {kind:?}: oracle {expected:?}, solver {found:?}", format_fen(&board));
    assert!(*position.board() == board, "the position is as it was");
    match (expected, found) {
        (None, _) | (_, SolverResult::Unknown) => Tally::unknown(),
        (Some(true), SolverResult::Win { moves, .. }) => {
            check_proof(solver, &mut position, moves);
            let least = [moves, moves - 1].map(|moves| oracle.wins(us, moves, 1));
            if !shortest || least.contains(&None) {
                return Tally::unknown();
            }
            assert!(least == [Some(true), Some(false)], "{} {least:?}", context());
            Tally::win(moves)
        }
        (Some(false), SolverResult::None) => Tally { none: 1, ..Tally::default() },
        _ => panic!("{}", context()),
    }
}

/// Checks that the verdicts by threats agree as described above.
fn threats_agree_with_oracle(solver: &mut VctSolver, kind: RuleKind, board: Board) -> Tally {
    let us = board.side_to_move();
    let mut oracle = Oracle::new(&board, kind, ORACLE_NODES);
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let limits = SolverLimits { max_nodes: Some(SOLVER_NODES), ..SolverLimits::default() };
    for within in 1..=MOST_MOVES {
        let found = solver.solve(&mut position, &SolverLimits { max_moves: Some(within), ..limits });
        let expected = oracle.wins(us, within, 2);
        let context = || {
            format!("{} under {kind:?}, {within}: oracle {expected:?}, solver {found:?}", format_fen(&board))
        };
        assert!(*position.board() == board, "the position is as it was");
        if let SolverResult::Win { moves, .. } = found {
            assert!(moves <= within, "{}", context());
            check_proof(solver, &mut position, moves);
        }
        match (expected, found) {
            (None, _) | (_, SolverResult::Unknown) => return Tally::unknown(),
            (Some(true), SolverResult::Win { .. }) => return Tally::win(within),
            (Some(false), SolverResult::None) => {}
            (Some(false), SolverResult::Win { .. }) => {
                let Some(wins) = oracle.wins(us, within, ANY) else { return Tally::unknown() };
                assert!(wins && within > 3, "{}", context());
                return Tally { quieter: 1, ..Tally::default() };
            }
            (Some(true), SolverResult::None) => panic!("{}", context()),
        }
    }
    let later = solver.solve(&mut position, &SolverLimits { max_nodes: Some(LATER_NODES), ..limits });
    if let SolverResult::Win { moves, .. } = later {
        assert!(moves > MOST_MOVES, "{} under {kind:?}: {later:?}", format_fen(&board));
        check_proof(solver, &mut position, moves);
    }
    Tally { none: 1, longer: usize::from(matches!(later, SolverResult::Win { .. })), ..Tally::default() }
}

#[test]
fn the_rules_of_the_oracle_are_those_of_the_page() {
    let mut fouls = 0;
    for seed in 0..1_000 {
        let board = small_board(&mut seeded(seed));
        for kind in RuleKind::ALL {
            let mut grid = Grid::new(&board, kind);
            for (cell, point) in board.size().points().enumerate().filter(|cell| board.is_empty(cell.1)) {
                for color in Color::ALL {
                    let verdict = plain::verdict(&board, kind, color, point);
                    let five = grid.fives(color).any(|five| five == cell);
                    let foul = !five && grid.is_foul(cell, color);
                    let same =
                        five == (verdict == Verdict::Five) && foul == matches!(verdict, Verdict::Foul(_));
                    assert!(same, "{point:?} of {} under {kind:?}", format_fen(&board));
                    fouls += usize::from(foul);
                }
            }
        }
    }
    assert!(fouls > 100, "{fouls}");
}

#[test]
fn fours_are_exact_on_small_boards() {
    compare(1_000, fours_equal_oracle);
}

#[test]
fn threats_are_sound_and_complete_on_small_boards() {
    compare(200, threats_agree_with_oracle);
}

#[test]
#[ignore = "minutes: run it in release"]
fn fours_are_exact_on_many_small_boards() {
    compare(20_000, fours_equal_oracle);
}

#[test]
#[ignore = "minutes: run it in release"]
fn threats_are_sound_and_complete_on_many_small_boards() {
    compare(20_000, threats_agree_with_oracle);
}
