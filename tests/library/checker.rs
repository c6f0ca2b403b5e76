//! Replays a proof with the plain rules alone: every legal defence is tried.

use std::collections::HashSet;

use kakugo::board::notation::format_fen;
use kakugo::board::{Board, Color, Point};
use kakugo::rules::{Position, RuleKind, Verdict, plain};
use kakugo::threat::{Proof, SolverLimits, VctSolver};

/// Builds the proof of the win within `moves` that `solver` has just found, and checks it.
pub fn check_proof(solver: &mut VctSolver, position: &mut Position, moves: u16) -> Proof {
    let board = position.board().clone();
    let kind = position.rule().kind;
    let proof =
        solver.prove(position, moves, &SolverLimits::default()).expect("what was found can be proven");
    assert!(*position.board() == board, "the position is as it was");
    assert!(proof.moves() <= moves);
    if let Err(fault) = check(&board, kind, &proof) {
        panic!("{} under {kind:?}: {fault}", format_fen(&board));
    }
    proof
}

/// Whether the side to move on `board` wins as the proof claims. An error lists the moves that lead to the
/// fault.
pub fn check(board: &Board, kind: RuleKind, proof: &Proof) -> Result<(), String> {
    let mut checker = Checker { kind, proof, right: HashSet::new() };
    checker.attack(&mut board.clone(), proof.root)
}

struct Checker<'a> {
    kind: RuleKind,
    proof: &'a Proof,
    /// Steps already verified, with the hashes of their positions.
    right: HashSet<(usize, u64)>,
}

impl Checker<'_> {
    fn attack(&mut self, board: &mut Board, place: usize) -> Result<(), String> {
        if self.right.contains(&(place, board.hash())) {
            return Ok(());
        }
        let attack = self.proof.steps[place].attack;
        match plain::verdict(board, self.kind, board.side_to_move(), attack) {
            Verdict::Five => {}
            Verdict::Plain => {
                board.play(attack);
                let result = self.defend(board, place);
                board.undo();
                result.map_err(|fault| format!("{attack:?} {fault}"))?;
            }
            verdict => return Err(format!("{attack:?} is {verdict:?}")),
        }
        self.right.insert((place, board.hash()));
        Ok(())
    }

    /// Checks that the step meets every legal move of the side to move.
    fn defend(&mut self, board: &mut Board, place: usize) -> Result<(), String> {
        let proof = self.proof;
        let step = &proof.steps[place];
        let us = board.side_to_move();
        let points: Vec<Point> = board.empty().iter().collect();
        if points.is_empty() {
            return Err("ends in a draw".to_owned());
        }
        if let Some(five) = points.iter().find(|&&point| plain::makes_five(board, self.kind, us, point)) {
            return Err(format!("lets the defender complete a row on {five:?}"));
        }
        let fives = self.fives(board, !us, &step.otherwise);
        for point in points {
            let mut branches = proof.branches(place);
            let branch = branches.find(|&(reply, _)| reply.is_none_or(|reply| reply == point));
            if let Some(&(_, next)) = step.replies.iter().find(|reply| reply.0 == point) {
                assert_eq!(branch, Some((Some(point), next)), "a reply is its own branch");
                if plain::verdict(board, self.kind, us, point) == Verdict::Plain {
                    board.play(point);
                    let result = self.attack(board, next);
                    board.undo();
                    result.map_err(|fault| format!("{point:?} {fault}"))?;
                }
                continue;
            }
            // If rows have no ends that a stone could block, a five elsewhere stays a five.
            let ends = matches!(self.kind, RuleKind::Caro | RuleKind::CaroExact);
            let next = branch.map(|(_, next)| next).filter(|next| step.otherwise.contains(next));
            let Some(next) = next else { return Err(format!("has no branch for {point:?}")) };
            let attack = proof.steps[next].attack;
            let stays = !ends && attack != point && fives.contains(&attack);
            if stays || plain::verdict(board, self.kind, us, point) != Verdict::Plain {
                continue;
            }
            board.play(point);
            let met = self.attack(board, next);
            board.undo();
            met.map_err(|fault| format!("has no answer to {point:?}: {fault}"))?;
        }
        Ok(())
    }

    /// The attacks of these steps that complete a row now.
    fn fives(&self, board: &Board, color: Color, places: &[usize]) -> Vec<Point> {
        let attacks = places.iter().map(|&place| self.proof.steps[place].attack);
        attacks.filter(|&point| plain::verdict(board, self.kind, color, point) == Verdict::Five).collect()
    }
}
