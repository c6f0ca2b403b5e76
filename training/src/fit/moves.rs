//! Which move the search chooses: multinomial regression over the candidates of a position.

use rayon::prelude::*;

use super::factors::Tables;
use super::optimizer::Objective;
use super::values::{add_decay, add_up};

/// Positions that one thread works on at a time. Part of the result: sums are added up in this order.
const CHUNK: usize = 1 << 13;

/// One candidate move: the table entries of the mover's code and of the opponent's code on its point.
pub type Candidate = [u16; 2];

/// Positions with their candidates; the chosen one is the first of each.
#[derive(Debug, Default)]
pub struct MoveSet {
    ends: Vec<usize>,
    candidates: Vec<Candidate>,
    /// What the evaluation of the engine at hand says of each candidate; only of positions that were held out.
    pub engine: Vec<f32>,
    /// Whether each candidate is a quiet move; likewise.
    pub quiet: Vec<bool>,
}

impl MoveSet {
    /// Adds a position.
    pub fn push(&mut self, candidates: &[Candidate]) {
        self.candidates.extend(candidates);
        self.ends.push(self.candidates.len());
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where the candidates of a position are.
    pub fn range(&self, position: usize) -> std::ops::Range<usize> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        start..self.ends[position]
    }

    /// The score of every candidate.
    pub fn scores(&self, tables: &[f64]) -> Vec<f64> {
        self.candidates.iter().map(|candidate| score(candidate, tables)).collect()
    }
}

fn score(candidate: &Candidate, tables: &[f64]) -> f64 {
    candidate.iter().map(|&entry| tables[usize::from(entry)]).sum()
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
                    let candidates = &self.train.candidates[self.train.range(position)];
                    chances.clear();
                    chances.extend(candidates.iter().map(|candidate| score(candidate, &tables)));
                    loss += soften(&mut chances);
                    for (i, (candidate, &chance)) in candidates.iter().zip(&chances).enumerate() {
                        let weight = weigh(chance, if i == 0 { 1.0 } else { 0.0 });
                        candidate.iter().for_each(|&entry| sums[usize::from(entry)] += weight);
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
        mean_loss(self.held_out, &self.held_out.scores(&self.tables.expand(at)))
    }
}

/// The mean of minus the logarithm of the chance that scores give to the chosen moves.
pub fn mean_loss(set: &MoveSet, scores: &[f64]) -> f64 {
    let losses: Vec<f64> = (0..set.len())
        .into_par_iter()
        .map(|position| soften(&mut scores[set.range(position)].to_vec()))
        .collect();
    losses.iter().sum::<f64>() / set.len().max(1) as f64
}

/// Turns scores into chances; minus the logarithm of the first one's.
fn soften(scores: &mut [f64]) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first = scores[0];
    let sum: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
    scores.iter_mut().for_each(|score| *score = (*score - largest).exp() / sum);
    sum.ln() + largest - first
}

/// The share of positions whose chosen move is among the `count` with the best scores.
pub fn among_best(set: &MoveSet, scores: &[f64], count: usize) -> f64 {
    let found = |position: &usize| {
        let scores = &scores[set.range(*position)];
        scores.iter().filter(|&&score| score > scores[0]).count() < count
    };
    (0..set.len()).filter(found).count() as f64 / set.len().max(1) as f64
}

/// How far the scores of the quiet moves of a position lie from their mean: the root of the mean square.
pub fn spread(set: &MoveSet, scores: &[f64]) -> f64 {
    let (mut squares, mut count) = (0.0, 0);
    for position in 0..set.len() {
        let quiet: Vec<f64> = set.range(position).filter(|&i| set.quiet[i]).map(|i| scores[i]).collect();
        let mean = quiet.iter().sum::<f64>() / quiet.len().max(1) as f64;
        squares += quiet.iter().map(|score| (score - mean).powi(2)).sum::<f64>();
        count += quiet.len();
    }
    (squares / count.max(1) as f64).sqrt()
}
