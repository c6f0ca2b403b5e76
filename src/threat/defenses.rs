//! The defences of a position: which moves hold against what the opponent threatens, and what refutes the others.
//!
//! Every legal move is judged, for a move far away may hold too, by a four or a foul. What a move holds against is a
//! win by fours or threats, not a slower plan.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::vcf::SolverResult;
use super::vct::{SolverLimits, VctSolver};
use crate::board::Point;
use crate::rules::{Position, Verdict};

/// Fours tried before other threats are: some milliseconds.
const FOURS: u64 = 10_000;

/// Verdict on a move against a threat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefenseVerdict {
    /// The attacker has no such win after it, or it completes a row.
    Holds,
    /// The attacker wins all the same: its moves and the replies after the move, as far as they are known.
    Refuted(Vec<Point>),
    /// The limits came first.
    Open,
}

impl DefenseVerdict {
    /// Whether the attacker wins all the same.
    pub fn is_refuted(&self) -> bool {
        matches!(self, DefenseVerdict::Refuted(_))
    }
}

/// A move of the defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defense {
    /// The move.
    pub point: Point,
    /// Verdict on it.
    pub verdict: DefenseVerdict,
}

/// A threat and the moves against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defenses {
    /// The moves of both sides by which the attacker wins if the defender does nothing.
    pub threat: Vec<Point>,
    /// Every legal move of the defender, those on the points of the threat first.
    pub moves: Vec<Defense>,
}

/// Judges every move of the side to move that is no foul, those to `first` before the others: by `attack`, which says
/// what the opponent, to move after it, makes of it.
pub fn judge_defenses(
    position: &mut Position,
    first: &[Point],
    mut attack: impl FnMut(&mut Position, Point) -> DefenseVerdict,
) -> Vec<Defense> {
    let empty = *position.board().empty();
    let others = empty.iter().filter(|point| !first.contains(point));
    let mut moves = Vec::new();
    for point in first.iter().copied().chain(others) {
        let verdict = match position.verdict(point) {
            Verdict::Five => DefenseVerdict::Holds,
            Verdict::Plain => {
                position.play(point);
                let verdict = attack(position, point);
                position.undo();
                verdict
            }
            Verdict::Foul(_) | Verdict::Illegal => continue,
        };
        moves.push(Defense { point, verdict });
    }
    moves
}

impl VctSolver {
    /// The defences of the side to move against the win by fours or threats that the opponent has if nothing is done;
    /// `None` where none is found. The limits on nodes and moves are for the threat, and for each move again. `hear` is
    /// told of every move as it is judged.
    pub fn defenses(
        &mut self,
        position: &mut Position,
        limits: &SolverLimits,
        mut hear: impl FnMut(Point, &DefenseVerdict),
    ) -> Option<Defenses> {
        position.pass();
        let threat = self.judge_attack(position, limits);
        position.undo();
        let DefenseVerdict::Refuted(threat) = threat else { return None };
        let moves = judge_defenses(position, &threat, |position, point| {
            let verdict = self.judge_attack(position, limits);
            hear(point, &verdict);
            verdict
        });
        Some(Defenses { threat, moves })
    }

    /// Attack of the side to move after the opponent's last move, or pass: a win by fours, however long, or by threats.
    fn judge_attack(&mut self, position: &mut Position, limits: &SolverLimits) -> DefenseVerdict {
        let is_stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return DefenseVerdict::Open;
        }
        let max_moves = limits.max_moves.unwrap_or(u16::MAX);
        if let SolverResult::Win { first, moves } = self.fours().solve_within(position, max_moves, FOURS) {
            let mut line = Vec::new();
            let is_whole = self.fours().line(position, moves, FOURS, &mut line);
            return DefenseVerdict::Refuted(if is_whole { line } else { vec![first] });
        }
        match self.solve(position, limits) {
            SolverResult::None => DefenseVerdict::Holds,
            SolverResult::Unknown => DefenseVerdict::Open,
            SolverResult::Win { first, moves } => {
                let line = self.line(position, moves);
                DefenseVerdict::Refuted(if line.first() == Some(&first) { line } else { vec![first] })
            }
        }
    }
}
