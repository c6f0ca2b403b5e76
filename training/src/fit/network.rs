//! What positions are worth beyond what their points are worth one by one: a small network, by stochastic descent.
//!
//! The network (see the engine's `src/eval/network.rs`) adds to what the fitted tables say. What the tables go on to
//! learn beside it is [`Numbers::direct`], which the data file has added to their worths.

use kakugo::eval::{CHANNELS, HIDDEN};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use super::optimizer::Step;
use super::values::{ValueSet, log_loss, logistic};

/// Positions whose mean tells one step.
const BATCH: usize = 2048;
/// Positions of a batch that one thread works on at a time. Part of the result: sums are added up in this order.
const PART: usize = 512;
/// How far the first step goes; they get shorter evenly to the last.
const RATE: f32 = 1e-3;
/// Rows begin with numbers below this. From zeros the layers would wait for each other.
const ROW: f32 = 0.05;
/// The shortest step, as a share of the first.
const LEAST_RATE: f32 = 0.02;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// How often each position is learnt from.
    pub epochs: usize,
    /// The share of itself that every number loses in a step of length 1.
    pub decay: f32,
}

/// The numbers of a network, or their derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Per table entry, a row of what it adds to the channels.
    pub rows: Vec<[f32; CHANNELS]>,
    /// Per table entry, what is to be added to its worth, in log odds.
    pub direct: Vec<f32>,
    /// What the channels begin with.
    pub start: [f32; CHANNELS],
    /// Per hidden number, the weight of each channel.
    pub hidden: [[f32; CHANNELS]; HIDDEN],
    /// What the hidden numbers begin with.
    pub hidden_start: [f32; HIDDEN],
    /// The weight of each hidden number, in log odds.
    pub output: [f32; HIDDEN],
    /// What the value begins with, in log odds.
    pub output_start: f32,
}

/// What a position makes of the network.
struct Passage {
    channels: [f32; CHANNELS],
    hidden: [f32; HIDDEN],
    odds: f32,
}

/// A channel or hidden number as the next layer sees it.
fn bounded(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

/// Whether a small change of a number is seen by the next layer.
fn is_live(number: f32) -> bool {
    number > 0.0 && number < 1.0
}

impl Numbers {
    fn zeros(entries: usize) -> Numbers {
        Numbers {
            rows: vec![[0.0; CHANNELS]; entries],
            direct: vec![0.0; entries],
            start: [0.0; CHANNELS],
            hidden: [[0.0; CHANNELS]; HIDDEN],
            hidden_start: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            output_start: 0.0,
        }
    }

    /// What training begins with: chance, so that no two numbers learn the same.
    fn random(entries: usize, rng: &mut SmallRng) -> Numbers {
        let mut numbers = Numbers::zeros(entries);
        let rows = numbers.rows.as_flattened_mut();
        rows.iter_mut().for_each(|number| *number = rng.random_range(-ROW..ROW));
        numbers.start.iter_mut().for_each(|start| *start = rng.random_range(0.2..0.6));
        numbers.hidden.as_flattened_mut().iter_mut().for_each(|weight| *weight = rng.random_range(-0.4..0.4));
        numbers.hidden_start.iter_mut().for_each(|start| *start = rng.random_range(0.2..0.6));
        numbers.output.iter_mut().for_each(|weight| *weight = rng.random_range(-0.2..0.2));
        numbers
    }

    /// All numbers, group by group.
    fn groups(&mut self) -> [&mut [f32]; 7] {
        [
            self.rows.as_flattened_mut(),
            &mut self.direct,
            &mut self.start,
            self.hidden.as_flattened_mut(),
            &mut self.hidden_start,
            &mut self.output,
            std::slice::from_mut(&mut self.output_start),
        ]
    }

    /// Applies `change` to every number and the one at its place in `other`.
    fn merge(&mut self, other: &mut Numbers, change: impl Fn(&mut f32, f32)) {
        for (mine, theirs) in self.groups().into_iter().zip(other.groups()) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| change(mine, *theirs));
        }
    }

    fn pass(&self, entries: &[(u16, i8)]) -> Passage {
        let mut channels = self.start;
        let mut odds = self.output_start;
        for &(entry, count) in entries {
            add(&mut channels, times(count), &self.rows[usize::from(entry)]);
            odds += f32::from(count) * self.direct[usize::from(entry)];
        }
        let inputs = channels.map(bounded);
        let mut hidden = self.hidden_start;
        for (number, weights) in self.hidden.iter().enumerate() {
            hidden[number] += inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum::<f32>();
            odds += bounded(hidden[number]) * self.output[number];
        }
        Passage { channels, hidden, odds }
    }

    /// Adds the derivatives by the numbers of `network` that an error in the log odds of a position means.
    fn add_gradient(&mut self, network: &Numbers, entries: &[(u16, i8)], passage: &Passage, error: f32) {
        self.output_start += error;
        let inputs = passage.channels.map(bounded);
        let mut by_channel = [0.0; CHANNELS];
        for number in 0..HIDDEN {
            let hidden = passage.hidden[number];
            self.output[number] += error * bounded(hidden);
            if !is_live(hidden) {
                continue;
            }
            let error = error * network.output[number];
            self.hidden_start[number] += error;
            add(&mut self.hidden[number], error, &inputs);
            add(&mut by_channel, error, &network.hidden[number]);
        }
        let live = passage.channels.map(is_live);
        by_channel.iter_mut().zip(live).filter(|(_, live)| !live).for_each(|(slope, _)| *slope = 0.0);
        add(&mut self.start, 1.0, &by_channel);
        for &(entry, count) in entries {
            add(&mut self.rows[usize::from(entry)], times(count), &by_channel);
            self.direct[usize::from(entry)] += f32::from(count) * error;
        }
    }
}

/// Adds `numbers`, so many times, to `sums`.
fn add(sums: &mut [f32; CHANNELS], times: f32, numbers: &[f32; CHANNELS]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += times * number);
}

/// How often an entry occurs: the tables of the opponent's points are tables of their own here.
fn times(count: i8) -> f32 {
    f32::from(count).abs()
}

/// Positions, and what the tables say of each in log odds.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The positions.
    pub set: &'a ValueSet,
    /// What the tables say.
    pub odds: &'a [f64],
}

impl Known<'_> {
    fn passage(&self, network: &Numbers, position: usize) -> (Passage, f64) {
        let passage = network.pass(self.set.entries_of(position));
        let odds = self.odds[position] + f64::from(passage.odds);
        (passage, odds)
    }

    /// What tables and network say of every position, in log odds.
    pub fn predict(&self, network: &Numbers) -> Vec<f64> {
        (0..self.set.len()).into_par_iter().map(|position| self.passage(network, position).1).collect()
    }

    /// The sum of the losses of some positions, and its derivatives.
    fn gradient(&self, network: &Numbers, positions: &[usize]) -> (f64, Numbers) {
        let parts: Vec<(f64, Numbers)> = positions
            .par_chunks(PART)
            .map(|part| {
                let (mut loss, mut sums) = (0.0, Numbers::zeros(network.rows.len()));
                for &position in part {
                    let (passage, odds) = self.passage(network, position);
                    let target = f64::from(self.set.targets[position]);
                    loss += log_loss(odds, target);
                    let error = (logistic(odds) - target) as f32;
                    sums.add_gradient(network, self.set.entries_of(position), &passage, error);
                }
                (loss, sums)
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut sums = parts.next().expect("a batch has positions");
        for (loss, mut part) in parts {
            sums.0 += loss;
            sums.1.merge(&mut part, |sum, number| *sum += number);
        }
        sums
    }
}

/// Steps of a length that suits each number (Adam; Kingma and Ba, 2014), with decay beside them (Loshchilov and
/// Hutter, 2017).
struct Adam {
    means: Numbers,
    squares: Numbers,
    steps: i32,
}

impl Adam {
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;

    fn new(entries: usize) -> Adam {
        Adam { means: Numbers::zeros(entries), squares: Numbers::zeros(entries), steps: 0 }
    }

    /// Goes a step of about `rate` against `gradient`.
    fn step(&mut self, network: &mut Numbers, gradient: &mut Numbers, rate: f32, decay: f32) {
        self.steps += 1;
        self.means.merge(gradient, |mean, now| *mean += (1.0 - Adam::MEAN) * (now - *mean));
        self.squares.merge(gradient, |square, now| *square += (1.0 - Adam::SQUARE) * (now * now - *square));
        // Both began at zero, which is less and less of them.
        let mean_share = 1.0 - Adam::MEAN.powi(self.steps);
        let square_share = 1.0 - Adam::SQUARE.powi(self.steps);
        let moments = self.means.groups().into_iter().zip(self.squares.groups());
        for (numbers, (means, squares)) in network.groups().into_iter().zip(moments) {
            for ((number, mean), square) in numbers.iter_mut().zip(means).zip(squares) {
                let direction = *mean / mean_share / ((*square / square_share).sqrt() + 1e-7);
                *number -= rate * (direction + decay * *number);
            }
        }
    }
}

/// Trains a network on top of what the tables say; its state with the best loss on what was held out, and the losses
/// before and after every epoch. `told` hears of each.
pub fn train(
    entries: usize,
    train: Known,
    held_out: Known,
    training: Training,
    mut told: impl FnMut(usize, Step),
) -> (Numbers, Vec<Step>) {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut network = Numbers::random(entries, &mut rng);
    for (row, _) in network.rows.iter_mut().zip(train.set.occurring(entries)).filter(|(_, occurs)| !occurs) {
        *row = [0.0; CHANNELS];
    }
    let mut adam = Adam::new(entries);
    let mut order: Vec<usize> = (0..train.set.len()).collect();
    let all = (training.epochs * order.len().div_ceil(BATCH)) as f32;
    let mean = |known: Known, odds: &[f64]| super::values::mean_loss(odds, &known.set.targets);
    let before = Step {
        value: mean(train, train.odds) * train.set.len() as f64,
        held_out: mean(held_out, held_out.odds),
    };
    told(0, before);
    let mut steps = vec![before];
    let mut best = (before.held_out, Numbers::zeros(entries));
    for epoch in 1..=training.epochs {
        order.shuffle(&mut rng);
        let mut value = 0.0;
        for batch in order.chunks(BATCH) {
            let (loss, mut gradient) = train.gradient(&network, batch);
            gradient.groups().into_iter().flatten().for_each(|number| *number /= batch.len() as f32);
            let rate = RATE * (1.0 - adam.steps as f32 / all).max(LEAST_RATE);
            adam.step(&mut network, &mut gradient, rate, training.decay);
            value += loss;
        }
        let step = Step { value, held_out: mean(held_out, &held_out.predict(&network)) };
        told(epoch, step);
        steps.push(step);
        if step.held_out < best.0 {
            best = (step.held_out, network.clone());
        }
    }
    (best.1, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::samples::Blend;
    use crate::fit::values::{ValueSample, mean_loss};

    /// Positions won by whoever has exactly one of two things, which no sum of worths can tell.
    fn either_or(count: usize, seed: u64) -> ValueSet {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut set = ValueSet::default();
        for _ in 0..count {
            let has = [rng.random_bool(0.5), rng.random_bool(0.5)];
            let entries = (0..2).filter(|&i| has[i]).map(|i| (i as u16, 1)).collect();
            let result = if has[0] != has[1] { 1.0 } else { 0.0 };
            let sample = ValueSample { entries, situation: 0, result, searched: 0.0, engine: 0.0 };
            set.push(&sample, Blend { result: 1.0, points: 100.0 });
        }
        set
    }

    #[test]
    fn a_network_learns_what_sums_cannot_tell() {
        let sets = [either_or(2_000, 1), either_or(500, 2)];
        let odds = sets.each_ref().map(|set| vec![0.0; set.len()]);
        let [train_set, held_out] = [0, 1].map(|i| Known { set: &sets[i], odds: &odds[i] });
        let training = Training { epochs: 2_000, decay: 0.0 };
        let (network, steps) = train(2, train_set, held_out, training, |_, _| {});
        assert!((steps[0].held_out - std::f64::consts::LN_2).abs() < 1e-6, "nothing known at first");
        let loss = mean_loss(&held_out.predict(&network), &held_out.set.targets);
        assert!(loss < 0.2, "{loss}");
        let again = train(2, train_set, held_out, training, |_, _| {});
        assert!(again == (network, steps), "the same numbers each time");
    }

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let set = either_or(50, 3);
        let odds = vec![0.3; set.len()];
        let known = Known { set: &set, odds: &odds };
        let mut rng = SmallRng::seed_from_u64(4);
        let mut network = Numbers::random(2, &mut rng);
        network.rows.as_flattened_mut().iter_mut().for_each(|number| *number = rng.random_range(-0.1..0.3));
        let positions: Vec<usize> = (0..set.len()).collect();
        let (_, mut gradient) = known.gradient(&network, &positions);
        const STEP: f32 = 1e-3;
        for group in 0..7 {
            let numbers = network.groups()[group].len();
            for i in [0, 7, 21].into_iter().filter(|&i| i < numbers) {
                let loss_at = |shift: f32| {
                    let mut moved = network.clone();
                    moved.groups()[group][i] += shift;
                    known.gradient(&moved, &positions).0
                };
                let slope = (loss_at(STEP) - loss_at(-STEP)) / f64::from(2.0 * STEP);
                let told = f64::from(gradient.groups()[group][i]);
                assert!((slope - told).abs() < 0.02 * (1.0 + slope.abs()), "{group}, {i}: {slope} {told}");
            }
        }
    }
}
