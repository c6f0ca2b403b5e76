//! A win together with everything needed to check it.

use std::collections::HashMap;

use super::fours::five_of;
use super::threats::{Reply, answers};
use super::vcf::SolverResult;
use super::vct::{SolverLimits, VctSolver};
use crate::board::{Bitboard, Point};
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
    /// The answers outside `replies` that stop the first step of `otherwise`, each with a step that they do not stop.
    pub spared: Vec<(Point, usize)>,
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
    /// The branches of a step: each reply with the step that meets it, and last `None` for any other reply, if there
    /// can be one.
    pub fn branches(&self, place: usize) -> impl DoubleEndedIterator<Item = (Option<Point>, usize)> {
        let ProofStep { replies, otherwise, spared, .. } = &self.steps[place];
        let listed = replies.iter().chain(spared).map(|&(reply, next)| (Some(reply), next));
        listed.chain(otherwise.first().map(|&first| (None, first)))
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
#[derive(Default)]
struct Follow {
    replies: Vec<(Point, usize)>,
    otherwise: Vec<usize>,
    spared: Vec<(Point, usize)>,
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
            return Some(self.add(hash, five, Follow::default()));
        }
        let (attack, moves) = match self.solver.vcf().solve_within(position, left, FOURS_AGAIN) {
            SolverResult::Win { first, moves } => (first, moves),
            _ => self.by_threats(position, left)?,
        };
        position.play(attack);
        let step = self.defend(position, moves - 1);
        position.undo();
        Some(self.add(hash, attack, step?))
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
        let reply = answers(position, self.solver.vcf(), left, FOURS_AGAIN);
        let Reply::Forced { replies, doubtful, moves } = reply else { return None };
        let mut follow = self.threat(position, moves)?;
        follow.spared.retain(|&(point, _)| !(replies | doubtful).contains(point));
        for reply in replies | doubtful {
            position.play(reply);
            let next = self.attack(position, left);
            position.undo();
            follow.replies.push((reply, next?));
        }
        Some(follow)
    }

    /// The steps that the attacker, not to move, threatens: fives, open fours, or the first step of a win by fours
    /// in `moves` moves.
    fn threat(&mut self, position: &mut Position, moves: u16) -> Option<Follow> {
        let attacker = !position.board().side_to_move();
        let class = position.strongest()[attacker];
        position.pass();
        let steps = match class {
            PointClass::Five => Some(self.fives(position)),
            PointClass::OpenFour => {
                let fours = position.at_least(attacker, PointClass::OpenFour);
                let steps = fours.iter().map(|four| self.open_four(position, four)).collect();
                Some(self.threats(position, steps))
            }
            _ => {
                self.attack(position, moves).map(|step| Follow { otherwise: vec![step], ..Follow::default() })
            }
        };
        position.undo();
        steps
    }

    /// The step that makes an open four or two fours, which no reply can stop.
    fn open_four(&mut self, position: &mut Position, four: Point) -> usize {
        position.play(four);
        position.pass();
        let follow = self.fives(position);
        position.undo();
        position.undo();
        self.push(four, follow)
    }

    /// A step for each five of the side to move.
    fn fives(&mut self, position: &Position) -> Follow {
        let us = position.board().side_to_move();
        let fives = position.at_least(us, PointClass::Five);
        let steps = fives.iter().map(|five| self.push(five, Follow::default())).collect();
        self.threats(position, steps)
    }

    /// The fives or open fours of the side to move at these steps.
    fn threats(&self, position: &Position, steps: Vec<usize>) -> Follow {
        let us = position.board().side_to_move();
        let defenses: Vec<Bitboard> =
            steps.iter().map(|&step| position.defenses(us, self.steps[step].attack)).collect();
        let other = |point| steps.iter().zip(&defenses).find(|(_, defenses)| !defenses.contains(point));
        let of_first = defenses.first().into_iter().flat_map(|defenses| defenses.iter());
        let spared = of_first.filter_map(|point| Some((point, *other(point)?.0))).collect();
        Follow { otherwise: steps, spared, ..Follow::default() }
    }

    fn add(&mut self, hash: u64, attack: Point, follow: Follow) -> usize {
        let step = self.push(attack, follow);
        self.met.insert(hash, step);
        step
    }

    fn push(&mut self, attack: Point, Follow { replies, otherwise, spared }: Follow) -> usize {
        let next = replies.iter().map(|&(_, next)| next).chain(otherwise.iter().copied());
        let moves = 1 + next.map(|next| self.steps[next].moves).max().unwrap_or(0);
        self.steps.push(ProofStep { attack, replies, otherwise, spared, moves });
        self.steps.len() - 1
    }
}
