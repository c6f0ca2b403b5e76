//! Which move the search chooses: multinomial regression over the candidates of a position.

use rayon::prelude::*;

use super::factors::Tables;
use super::optimizer::Objective;
use super::values::{add_decay, add_up};

/// Positions that one thread works on at a time. Part of the result: sums are added up in this order.
const CHUNK: usize = 1 << 13;

/// Some moves of a position that look the same.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The table entries of the mover's code and of the opponent's code on the point.
    pub entries: [u16; 2],
    /// How many such moves there are.
    pub count: u8,
    /// Whether it makes no threat and stops none that must be stopped.
    pub quiet: bool,
    /// How good it looks to the evaluation of the engine at hand.
    pub engine: i16,
}

/// A position to be added to a set.
#[derive(Debug)]
pub struct MoveSample {
    /// The move that was chosen.
    pub chosen: Candidate,
    /// The moves that were not.
    pub others: Vec<Candidate>,
}

/// Positions with their candidates, the chosen one first.
#[derive(Debug, Default)]
pub struct MoveSet {
    ends: Vec<usize>,
    candidates: Vec<Candidate>,
}

impl MoveSet {
    /// Adds a position.
    pub fn push(&mut self, sample: &MoveSample) {
        self.candidates.push(sample.chosen);
        self.candidates.extend(&sample.others);
        self.ends.push(self.candidates.len());
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn candidates_of(&self, position: usize) -> &[Candidate] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.candidates[start..self.ends[position]]
    }
}

/// What some tables say of a candidate.
fn score(candidate: &Candidate, tables: &[f64]) -> f64 {
    candidate.entries.iter().map(|&entry| tables[usize::from(entry)]).sum()
}

/// Puts the chances that `scores` give to each candidate's moves, all together, into `chances`; minus the logarithm
/// of the chosen one's.
fn soften(candidates: &[Candidate], score: impl Fn(&Candidate) -> f64, chances: &mut Vec<f64>) -> f64 {
    chances.clear();
    chances.extend(candidates.iter().map(score));
    let chosen = chances[0];
    let largest = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (chance, candidate) in chances.iter_mut().zip(candidates) {
        *chance = f64::from(candidate.count) * (*chance - largest).exp();
        sum += *chance;
    }
    chances.iter_mut().for_each(|chance| *chance /= sum);
    sum.ln() + largest - chosen
}

/// The tables to be fitted, and to what.
#[derive(Debug)]
pub struct MoveModel<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// The positions to learn from.
    pub train: &'a MoveSet,
    /// Those to judge by.
    pub held_out: &'a MoveSet,
    /// Per parameter, what half its square costs.
    pub decay: Vec<f64>,
}

impl MoveModel<'_> {
    /// Sums over the training positions: the loss, and per table entry what `weigh` makes of a candidate's chance
    /// and of whether it was chosen.
    fn sums(&self, at: &[f64], weigh: impl Fn(f64, f64) -> f64 + Sync) -> (f64, Vec<f64>) {
        let tables = self.tables.expand(at);
        let chunks = self.train.len().div_ceil(CHUNK);
        let sums: Vec<(f64, Vec<f64>)> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                let mut sums = vec![0.0; tables.len()];
                let mut loss = 0.0;
                let mut chances = Vec::new();
                for position in chunk * CHUNK..self.train.len().min((chunk + 1) * CHUNK) {
                    let candidates = self.train.candidates_of(position);
                    loss += soften(candidates, |candidate| score(candidate, &tables), &mut chances);
                    for (i, (candidate, &chance)) in candidates.iter().zip(&chances).enumerate() {
                        let weight = weigh(chance, if i == 0 { 1.0 } else { 0.0 });
                        candidate.entries.iter().for_each(|&entry| sums[usize::from(entry)] += weight);
                    }
                }
                (loss, sums)
            })
            .collect();
        add_up(sums)
    }
}

impl Objective for MoveModel<'_> {
    fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> f64 {
        let (loss, sums) = self.sums(at, |chance, chosen| chance - chosen);
        gradient.fill(0.0);
        self.tables.add_gradient(&sums, gradient);
        loss + add_decay(&self.decay, at, gradient)
    }

    fn curvature(&self) -> Vec<f64> {
        let at = vec![0.0; self.tables.parameters()];
        let (_, sums) = self.sums(&at, |chance, _| chance * (1.0 - chance));
        let mut bends = self.decay.clone();
        self.tables.add_curvature(&sums, &mut bends);
        bends
    }

    fn held_out(&self, at: &[f64]) -> f64 {
        let tables = self.tables.expand(at);
        let loss = |position| {
            let candidates = self.held_out.candidates_of(position);
            soften(candidates, |candidate| score(candidate, &tables), &mut Vec::new())
        };
        let losses: Vec<f64> = (0..self.held_out.len()).into_par_iter().map(loss).collect();
        losses.iter().sum::<f64>() / losses.len() as f64
    }
}

/// How well scores tell the chosen moves.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// The mean of minus the logarithm of the chance that they give to it.
    pub loss: f64,
    /// The share of positions in which it is the best by score.
    pub first: f64,
    /// The share in which it is among the best five.
    pub in_five: f64,
    /// How far the scores of a position's quiet moves lie from their mean: the root of the mean square.
    pub spread: f64,
}

impl Judgement {
    /// The judgement on what `score` says of the positions of a set.
    pub fn of(set: &MoveSet, score: impl Fn(&Candidate) -> f64 + Sync) -> Judgement {
        let each = |position| {
            let candidates = set.candidates_of(position);
            let better = candidates.iter().filter(|other| score(other) > score(&candidates[0]));
            let better: usize = better.map(|other| usize::from(other.count)).sum();
            let quiet = || candidates.iter().filter(|candidate| candidate.quiet);
            let moment =
                |power| quiet().map(|one| f64::from(one.count) * score(one).powi(power)).sum::<f64>();
            let [count, sum, squares] = [0, 1, 2].map(moment);
            let loss = soften(candidates, &score, &mut Vec::new());
            let share = |limit| if better < limit { 1.0 } else { 0.0 };
            [loss, share(1), share(5), squares - sum * sum / count.max(1.0), count]
        };
        let all: Vec<[f64; 5]> = (0..set.len()).into_par_iter().map(each).collect();
        let total = |i: usize| all.iter().map(|one| one[i]).sum::<f64>();
        let mean = |i| total(i) / set.len().max(1) as f64;
        Judgement {
            loss: mean(0),
            first: mean(1),
            in_five: mean(2),
            spread: (total(3) / total(4).max(1.0)).sqrt(),
        }
    }

    /// The judgement on fitted parameters.
    pub fn of_parameters(set: &MoveSet, tables: &Tables, at: &[f64]) -> Judgement {
        let tables = tables.expand(at);
        Judgement::of(set, |candidate| score(candidate, &tables))
    }

    /// The judgement on the engine at hand, its scores divided by what gives the smallest loss.
    pub fn of_engine(set: &MoveSet) -> Judgement {
        let divided = |by: f64| Judgement::of(set, |candidate| f64::from(candidate.engine) / by);
        let scales = (0..12).map(|i| 5.0 * 1.5_f64.powi(i));
        let best = scales.map(divided).min_by(|a, b| a.loss.total_cmp(&b.loss)).expect("there are scales");
        Judgement { spread: divided(1.0).spread, ..best }
    }
}
