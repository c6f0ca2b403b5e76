//! A win together with everything needed to check it.

use std::collections::HashMap;

use super::fours::five_of;
use super::threats::{Reply, answers};
use super::vcf::SolverResult;
use super::vct::{SolverLimits, VctSolver};
use crate::board::Point;
use crate::rules::{PointClass, Position};

/// A move of the attacker and its consequences.
#[derive(Clone, Debug)]
pub struct ProofStep {
    /// The move.
    pub attack: Point,
    /// The answers that could matter, each with the index of the step that meets it.
    pub replies: Vec<(Point, usize)>,
    /// Indices of the steps that the attack threatens: after any other answer at least one of them wins.
    /// Empty if the attack completes a row.
    pub otherwise: Vec<usize>,
    /// The number of the attacker's moves from this one on against the longest defence, including the five.
    pub moves: u16,
}

/// A win: steps that refer to each other without cycles. A position that arises in several ways has a single
/// step.
#[derive(Clone, Debug)]
pub struct Proof {
    /// All steps.
    pub steps: Vec<ProofStep>,
    /// The index of the first step.
    pub root: usize,
}

impl Proof {
    /// The branches of a step: each reply with the step that meets it. They are the replies that could matter; a
    /// reply on the point of the first threat, if there is another one; and `None` for any other reply.
    pub fn branches(&self, place: usize) -> impl DoubleEndedIterator<Item = (Option<Point>, usize)> {
        let ProofStep { replies, otherwise, .. } = &self.steps[place];
        let first = otherwise.first().copied();
        let at_first = first.and_then(|first| {
            let point = self.steps[first].attack;
            let another = otherwise.iter().find(|&&next| self.steps[next].attack != point)?;
            let is_listed = replies.iter().any(|&(reply, _)| reply == point);
            (!is_listed).then_some((Some(point), *another))
        });
        let replies = replies.iter().map(|&(reply, next)| (Some(reply), next));
        replies.chain(at_first).chain(first.map(|first| (None, first)))
    }

    /// The number of the attacker's moves until the row is complete, against the longest defence.
    pub fn moves(&self) -> u16 {
        self.steps[self.root].moves
    }

    /// The moves of both sides against the longest defence, up to the five or to an attack without a possible
    /// answer.
    pub fn main_line(&self) -> Vec<Point> {
        let mut line = Vec::new();
        let mut step = &self.steps[self.root];
        loop {
            line.push(step.attack);
            let longest = step.replies.iter().max_by_key(|&&(_, next)| self.steps[next].moves);
            match longest {
                Some(&(reply, next)) => {
                    line.push(reply);
                    step = &self.steps[next];
                }
                None => return line,
            }
        }
    }
}

/// Maximum numbers of nodes for searching again those parts of a win that the tables have lost.
const AGAIN: u64 = 1_000_000;
const FOURS_AGAIN: u64 = 100_000;

/// The continuation of an attack: the fields of [`ProofStep`].
struct Follow {
    replies: Vec<(Point, usize)>,
    otherwise: Vec<usize>,
}

/// Builds a proof from the contents of a solver's tables.
struct Prover<'a> {
    solver: &'a mut VctSolver,
    limits: SolverLimits<'a>,
    steps: Vec<ProofStep>,
    /// The step of every position met so far, by hash.
    met: HashMap<u64, usize>,
}

impl VctSolver {
    /// The proof of a win in `moves` moves that this solver has just found for the side to move, by fours or
    /// by threats. Parts that the tables have lost are searched again; returns `None` if that fails, or if
    /// the deadline or the stop flag of `limits` ends it. The other limits do not apply.
    pub fn prove(&mut self, position: &mut Position, moves: u16, limits: &SolverLimits) -> Option<Proof> {
        let mut prover = Prover { solver: self, limits: *limits, steps: Vec::new(), met: HashMap::new() };
        let root = prover.attack(position, moves)?;
        Some(Proof { steps: prover.steps, root })
    }
}

impl Prover<'_> {
    /// The step of the attacker, who is to move and wins within `left`.
    fn attack(&mut self, position: &mut Position, left: u16) -> Option<usize> {
        if self.limits.is_over() {
            return None;
        }
        let hash = position.board().hash();
        if let Some(&met) = self.met.get(&hash)
            && self.steps[met].moves <= left
        {
            return Some(met);
        }
        let us = position.board().side_to_move();
        if let Some(five) = five_of(position, us) {
            return Some(self.add(hash, five, Vec::new(), Vec::new()));
        }
        let (attack, moves) = match self.solver.fours().solve_within(position, left, FOURS_AGAIN) {
            SolverResult::Win { first, moves } => (first, moves),
            _ => self.by_threats(position, left)?,
        };
        position.play(attack);
        let step = self.defend(position, moves - 1);
        position.undo();
        let Follow { replies, otherwise } = step?;
        Some(self.add(hash, attack, replies, otherwise))
    }

    fn by_threats(&mut self, position: &mut Position, left: u16) -> Option<(Point, u16)> {
        let limits = SolverLimits { max_nodes: Some(AGAIN), max_moves: Some(left), ..self.limits };
        match self.solver.solve(position, &limits) {
            SolverResult::Win { first, moves } => Some((first, moves)),
            _ => None,
        }
    }

    /// The continuation of the attacker's last move, which wins within `left` more moves.
    fn defend(&mut self, position: &mut Position, left: u16) -> Option<Follow> {
        let reply = answers(position, self.solver.fours(), left, FOURS_AGAIN);
        let Reply::Forced { replies, doubtful, moves } = reply else { return None };
        let otherwise = self.threat(position, moves)?;
        let mut met = Vec::new();
        for reply in replies | doubtful {
            position.play(reply);
            let next = self.attack(position, left);
            position.undo();
            met.push((reply, next?));
        }
        Some(Follow { replies: met, otherwise })
    }

    /// Indices of the steps that the attacker, not to move, threatens: fives, open fours, or the first step
    /// of a win by fours in `moves` moves.
    fn threat(&mut self, position: &mut Position, moves: u16) -> Option<Vec<usize>> {
        let attacker = !position.board().side_to_move();
        let class = position.strongest()[attacker];
        position.pass();
        let steps = match class {
            PointClass::Five => Some(self.fives(position)),
            PointClass::OpenFour => {
                let fours = position.at_least(attacker, PointClass::OpenFour);
                Some(fours.iter().map(|four| self.open_four(position, four)).collect())
            }
            _ => self.attack(position, moves).map(|step| vec![step]),
        };
        position.undo();
        steps
    }

    /// The step that makes an open four or two fours, which no reply can stop.
    fn open_four(&mut self, position: &mut Position, four: Point) -> usize {
        position.play(four);
        position.pass();
        let otherwise = self.fives(position);
        position.undo();
        position.undo();
        self.push(four, Vec::new(), otherwise)
    }

    /// A step for each five of the side to move.
    fn fives(&mut self, position: &Position) -> Vec<usize> {
        let us = position.board().side_to_move();
        let fives = position.at_least(us, PointClass::Five);
        fives.iter().map(|five| self.push(five, Vec::new(), Vec::new())).collect()
    }

    fn add(
        &mut self,
        hash: u64,
        attack: Point,
        replies: Vec<(Point, usize)>,
        otherwise: Vec<usize>,
    ) -> usize {
        let step = self.push(attack, replies, otherwise);
        self.met.insert(hash, step);
        step
    }

    fn push(&mut self, attack: Point, replies: Vec<(Point, usize)>, otherwise: Vec<usize>) -> usize {
        let next = replies.iter().map(|&(_, next)| next).chain(otherwise.iter().copied());
        let moves = 1 + next.map(|next| self.steps[next].moves).max().unwrap_or(0);
        self.steps.push(ProofStep { attack, replies, otherwise, moves });
        self.steps.len() - 1
    }
}
