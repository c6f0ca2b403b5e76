//! The defences in a position: the moves that stop the opponent's threat, and the refutations of all other
//! moves.
//!
//! Every legal move is judged, because even a distant move may defend by a four or by its effect on a foul. A
//! move that holds stops only a win by fours or threats, not a slower plan.

use super::vcf::SolverResult;
use super::vct::{SolverLimits, VctSolver};
use super::win_facts::ENDLESS;
use crate::board::Point;
use crate::rules::{Position, Verdict};

/// Number of fours to try before other threats: a few milliseconds.
const FOURS: u64 = 10_000;

/// The verdict on a move against a threat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefenseVerdict {
    /// The attacker has no such win after the move, or the move completes a row.
    Holds,
    /// The attacker still wins: its moves and the replies after the move, as far as they are known.
    Refuted(Vec<Point>),
    /// The limits were reached first.
    Open,
}

impl DefenseVerdict {
    /// Whether the attacker still wins.
    pub fn is_refuted(&self) -> bool {
        matches!(self, DefenseVerdict::Refuted(_))
    }
}

/// A move of the defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defense {
    /// The move.
    pub point: Point,
    /// The verdict on it.
    pub verdict: DefenseVerdict,
}

/// A threat and the moves against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defenses {
    /// The moves of both sides by which the attacker wins if the defender does nothing.
    pub threat: Vec<Point>,
    /// Every legal move of the defender, moves on the points of the threat first.
    pub moves: Vec<Defense>,
}

/// Judges every move of the side to move except fouls, moves to the points of `first` before the others.
/// After each move, `attack` decides what the opponent, now to move, can achieve.
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
    /// The defences of the side to move against the win by fours or threats that the opponent has after a
    /// pass; `None` if no such win is found. The limits on nodes and moves apply to the threat and to each
    /// move separately. `on_verdict` is called for every move that does not complete a row, as it is judged.
    pub fn defenses(
        &mut self,
        position: &mut Position,
        limits: &SolverLimits,
        mut on_verdict: impl FnMut(Point, &DefenseVerdict),
    ) -> Option<Defenses> {
        position.pass();
        let threat = self.judge_attack(position, limits);
        position.undo();
        let DefenseVerdict::Refuted(threat) = threat else { return None };
        let moves = judge_defenses(position, &threat, |position, point| {
            let verdict = self.judge_attack(position, limits);
            on_verdict(point, &verdict);
            verdict
        });
        Some(Defenses { threat, moves })
    }

    /// The attack of the side to move after the opponent's last move or pass: a win by fours, however long,
    /// or by threats.
    fn judge_attack(&mut self, position: &mut Position, limits: &SolverLimits) -> DefenseVerdict {
        if limits.is_over() {
            return DefenseVerdict::Open;
        }
        let max_moves = limits.max_moves.unwrap_or(ENDLESS);
        if let SolverResult::Win { first, moves } = self.vcf().solve_within(position, max_moves, FOURS) {
            return DefenseVerdict::Refuted(self.vcf().win_line(position, first, moves, FOURS));
        }
        match self.solve(position, limits) {
            SolverResult::None => DefenseVerdict::Holds,
            SolverResult::Unknown => DefenseVerdict::Open,
            SolverResult::Win { first, moves } => DefenseVerdict::Refuted(self.line(position, first, moves)),
        }
    }
}
