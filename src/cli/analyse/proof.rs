//! Proofs of the forced wins that a search has found.

use std::sync::atomic::AtomicBool;

use crate::board::{Board, Color, Size};
use crate::cli::solve::{proof_json, proof_tree};
use crate::rules::{Position, Rule};
use crate::terminal::text::counted;
use crate::think::Iteration;
use crate::think::score::is_mate;
use crate::threat::{Proof, SolverLimits, SolverResult, VctSolver};

/// Maximum number of nodes of the solver for each proof.
const PROOF_NODES: u64 = 1_000_000;
/// Maximum size of the solver's table in bytes.
pub const PROOF_BYTES: u64 = 64 << 20;

/// The proof of a line that ends in a forced win of either side.
pub struct LineProof {
    /// Number of the line, from 1.
    pub number: usize,
    winner: Color,
    /// `None` if the solver does not find the win.
    proof: Option<Proof>,
}

impl LineProof {
    /// The proofs of `lines`: of the win of the side to move, and of its loss after the first move of each
    /// losing line. The solver's table has at most `bytes`.
    pub fn all(
        board: &Board,
        rule: Rule,
        lines: &[Iteration],
        bytes: u64,
        stop: &AtomicBool,
    ) -> Vec<LineProof> {
        let mut solver = VctSolver::new(usize::try_from(bytes).unwrap_or(usize::MAX));
        let position = Position::new(board.clone(), rule);
        let mut proofs = Vec::new();
        for (number, line) in (1..).zip(lines).filter(|(_, line)| is_mate(line.value)) {
            let mut position = position.clone();
            if line.value > 0 && number > 1 {
                // Of the winning lines, only the best one is proven.
                continue;
            }
            if let (false, Some(&first)) = (line.value > 0, line.pv.first()) {
                position.play(first);
            }
            solver.clear();
            let limits = SolverLimits {
                max_nodes: Some(PROOF_NODES),
                deadline: None,
                stop: Some(stop),
                max_moves: None,
            };
            let proof = match solver.solve(&mut position, &limits) {
                SolverResult::Win { moves, .. } => solver.prove(&mut position, moves, &limits),
                _ => None,
            };
            proofs.push(LineProof { number, winner: position.board().side_to_move(), proof });
        }
        proofs
    }

    /// The proof as an indented list.
    pub fn text(&self, size: Size) -> String {
        let LineProof { number, winner, proof } = self;
        match proof {
            Some(proof) => {
                let moves = counted(proof.moves(), "move");
                format!("proof of line {number}: {winner} wins in {moves}\n{}", proof_tree(proof, size))
            }
            None => format!("line {number}: no proof by fours and threats was found\n"),
        }
    }

    /// The proof in the format of `solve --json`.
    pub fn json(&self, size: Size) -> serde_json::Value {
        self.proof.as_ref().map_or(serde_json::Value::Null, |proof| proof_json(proof, size))
    }
}
