//! Forced wins by the solver alone, without the search.

use std::sync::atomic::AtomicBool;

use super::Engine;
use crate::board::{Color, Point};
use crate::think::{GameProgress, Limits};
use crate::threat::{DefenseVerdict, Defenses, Proof, SolverLimits, SolverResult};

/// Number of nodes that the solver searches for each possible defence.
const DEFENSE_NODES: u64 = 200_000;

impl Engine {
    /// Searches for a win of `attacker`, who is assumed to be to move, by fours or threats, and for its proof, within
    /// the time and the nodes of `limits`. The proof may be missing if the tables have lost parts of it, or if the
    /// time runs out.
    pub fn solve(
        &mut self,
        attacker: Color,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> (SolverResult, Option<Proof>) {
        let solver_limits = SolverLimits { max_nodes: limits.max_nodes, ..self.solver_limits(limits, stop) };
        let mut position = self.position().clone();
        if position.board().side_to_move() != attacker {
            position.pass();
        }
        let solver = self.threads.solver();
        let result = solver.solve(&mut position, &solver_limits);
        let proof = match result {
            SolverResult::Win { moves, .. } => solver.prove(&mut position, moves, &solver_limits),
            _ => None,
        };
        (result, proof)
    }

    /// The defences of the side to move against the opponent's threat, found by the solver alone, within the
    /// time of `limits`; its node limit applies to each move. `None` if no win by fours or threats of the
    /// opponent is found. Calls `report` for every move that does not complete a row, when its verdict is known.
    pub fn defenses(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        report: impl FnMut(Point, &DefenseVerdict),
    ) -> Option<Defenses> {
        let max_nodes = Some(limits.max_nodes.map_or(DEFENSE_NODES, |nodes| nodes.min(DEFENSE_NODES)));
        let solver_limits = SolverLimits { max_nodes, ..self.solver_limits(limits, stop) };
        self.threads.solver().defenses(self.game.position_mut(), &solver_limits, report)
    }

    /// The time of a move as the solver's limit.
    fn solver_limits<'a>(&self, limits: &Limits, stop: &'a AtomicBool) -> SolverLimits<'a> {
        SolverLimits {
            max_nodes: None,
            deadline: limits.deadline(GameProgress::of(self.position().board())),
            stop: Some(stop),
            max_moves: None,
        }
    }
}
