//! What positions are worth: logistic regression.

use rayon::prelude::*;

use super::factors::Tables;
use super::optimizer::Objective;
use super::samples::Blend;

/// Positions that one thread works on at a time. Part of the result: sums are added up in this order.
const CHUNK: usize = 1 << 14;

/// Positions as the model sees them, from the side to move.
#[derive(Debug, Default)]
pub struct ValueSet {
    /// Where the entries of each position end in `entries`.
    ends: Vec<usize>,
    /// Numbers of table entries and how often each occurs, the opponent's points counted negative.
    entries: Vec<(u16, i8)>,
    /// The situation of each position.
    situations: Vec<u16>,
    /// What the model is to say: the chance of winning.
    pub targets: Vec<f32>,
    /// The result of the game: 1 won, 0 lost.
    pub results: Vec<f32>,
    /// What the search said, in points.
    pub searched: Vec<f32>,
    /// What the evaluation of the engine at hand says, in points.
    pub engine: Vec<f32>,
}

/// A position to be added to a set.
#[derive(Debug)]
pub struct ValueSample {
    /// Numbers of table entries and how often each occurs.
    pub entries: Vec<(u16, i8)>,
    /// The situation.
    pub situation: u16,
    /// The result of the game: 1 won, 0 lost.
    pub result: f32,
    /// What the search said, in points.
    pub searched: f32,
    /// What the evaluation of the engine at hand says, in points.
    pub engine: f32,
}

impl ValueSet {
    /// Adds a position.
    pub fn push(&mut self, sample: &ValueSample, blend: Blend) {
        self.entries.extend(&sample.entries);
        self.ends.push(self.entries.len());
        self.situations.push(sample.situation);
        let searched = logistic(f64::from(sample.searched / blend.points)) as f32;
        self.targets.push(blend.result * sample.result + (1.0 - blend.result) * searched);
        self.results.push(sample.result);
        self.searched.push(sample.searched);
        self.engine.push(sample.engine);
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Per table entry, whether any position has it.
    pub fn occurring(&self, entries: usize) -> Vec<bool> {
        let mut occurring = vec![false; entries];
        self.entries.iter().for_each(|&(entry, _)| occurring[usize::from(entry)] = true);
        occurring
    }

    /// Table entries of a position and how often each occurs.
    pub fn entries_of(&self, position: usize) -> &[(u16, i8)] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.entries[start..self.ends[position]]
    }

    /// The log odds that tables and situations give to a position.
    fn log_odds(&self, position: usize, tables: &[f64], situations: &[f64]) -> f64 {
        let entries = self.entries_of(position).iter();
        let sum: f64 = entries.map(|&(entry, count)| tables[usize::from(entry)] * f64::from(count)).sum();
        sum + situations[usize::from(self.situations[position])]
    }
}

/// The tables and situations to be fitted, and to what.
#[derive(Debug)]
pub struct ValueModel<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// How many situations there are.
    pub situations: usize,
    /// The positions to learn from.
    pub train: &'a ValueSet,
    /// Those to judge by.
    pub held_out: &'a ValueSet,
    /// Per parameter, what half its square costs.
    pub decay: Vec<f64>,
}

impl ValueModel<'_> {
    /// How many parameters: those of the tables, then the situations.
    pub fn parameters(&self) -> usize {
        self.tables.parameters() + self.situations
    }

    /// Tables and situations of some parameters.
    pub fn expand<'p>(&self, at: &'p [f64]) -> (Vec<f64>, &'p [f64]) {
        let (tables, situations) = at.split_at(self.tables.parameters());
        (self.tables.expand(tables), situations)
    }

    /// The log odds of every position of a set.
    pub fn predict(&self, set: &ValueSet, at: &[f64]) -> Vec<f64> {
        let (tables, situations) = self.expand(at);
        (0..set.len()).into_par_iter().map(|position| set.log_odds(position, &tables, situations)).collect()
    }

    /// Sums over the training positions: the loss, and per table entry and situation what `weigh` makes of the
    /// prediction, the target and the count.
    fn sums(&self, at: &[f64], weigh: impl Fn(f64, f64, f64) -> f64 + Sync) -> (f64, Vec<f64>) {
        let (tables, situations) = self.expand(at);
        let chunks = self.train.len().div_ceil(CHUNK);
        let sums: Vec<(f64, Vec<f64>)> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                let mut sums = vec![0.0; tables.len() + situations.len()];
                let mut loss = 0.0;
                for position in chunk * CHUNK..self.train.len().min((chunk + 1) * CHUNK) {
                    let odds = self.train.log_odds(position, &tables, situations);
                    let target = f64::from(self.train.targets[position]);
                    loss += log_loss(odds, target);
                    let chance = logistic(odds);
                    for &(entry, count) in self.train.entries_of(position) {
                        sums[usize::from(entry)] += weigh(chance, target, f64::from(count));
                    }
                    sums[tables.len() + usize::from(self.train.situations[position])] +=
                        weigh(chance, target, 1.0);
                }
                (loss, sums)
            })
            .collect();
        add_up(sums)
    }
}

impl Objective for ValueModel<'_> {
    fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> f64 {
        let (loss, sums) = self.sums(at, |chance, target, count| (chance - target) * count);
        let (entries, situations) = sums.split_at(self.tables.entries());
        gradient.fill(0.0);
        let (tables, rest) = gradient.split_at_mut(self.tables.parameters());
        self.tables.add_gradient(entries, tables);
        rest.copy_from_slice(situations);
        loss + add_decay(&self.decay, at, gradient)
    }

    fn curvature(&self) -> Vec<f64> {
        let at = vec![0.0; self.parameters()];
        let (_, sums) = self.sums(&at, |chance, _, count| chance * (1.0 - chance) * count * count);
        let (entries, situations) = sums.split_at(self.tables.entries());
        let mut bends = self.decay.clone();
        let (tables, rest) = bends.split_at_mut(self.tables.parameters());
        self.tables.add_curvature(entries, tables);
        rest.iter_mut().zip(situations).for_each(|(bend, sum)| *bend += sum);
        bends
    }

    fn held_out(&self, at: &[f64]) -> f64 {
        mean_loss(&self.predict(self.held_out, at), &self.held_out.targets)
    }
}

/// The mean loss of predictions against targets.
pub fn mean_loss(log_odds: &[f64], targets: &[f32]) -> f64 {
    let losses = log_odds.iter().zip(targets).map(|(&odds, &target)| log_loss(odds, f64::from(target)));
    losses.sum::<f64>() / log_odds.len().max(1) as f64
}

/// The chance that log odds mean.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Minus the logarithm of the chance that was given to what came.
pub fn log_loss(odds: f64, target: f64) -> f64 {
    // ln(1 + exp(odds)) without overflow.
    odds.max(0.0) + (-odds.abs()).exp().ln_1p() - target * odds
}

/// Adds sums in their order, so that the result does not depend on the threads.
pub(super) fn add_up(sums: Vec<(f64, Vec<f64>)>) -> (f64, Vec<f64>) {
    let add = |(loss, mut total): (f64, Vec<f64>), (other, part): (f64, Vec<f64>)| {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        (loss + other, total)
    };
    sums.into_iter().reduce(add).expect("there is something to learn from")
}

/// What the squares of the parameters cost; adds the derivatives.
pub(super) fn add_decay(decay: &[f64], at: &[f64], gradient: &mut [f64]) -> f64 {
    let mut cost = 0.0;
    for ((slope, &x), &decay) in gradient.iter_mut().zip(at).zip(decay) {
        *slope += decay * x;
        cost += decay * x * x / 2.0;
    }
    cost
}
