//! Stochastic gradient descent: batches, epochs, and the losses on held-out positions after each epoch.

use kakugo::eval::{FEATURE_ONE, FEATURES, REGION_CLIPS, REGION_NUMBERS, REGION_POOLS, REGION_VIEW};
use kakugo::rules::POINT_CODES;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use super::adam::{Moments, Step};
use super::case::{Case, Targets};
use super::factors::{Factor, factors};
use super::losses::Losses;
use super::parameters::{Layers, Parameters, RAYS, ROW, Row, Tables};
use super::pass::Pass;
use super::quantize::{self, MOST_FIRST};
use super::samples::{Samples, Split};

/// Number of parts of a batch whose gradients are computed in parallel. Fixed, so that sums are the same on
/// any number of cores.
const SHARDS: usize = 8;
/// Number of steps in which the learning rate rises.
const WARM_UP: f32 = 200.0;
/// Final learning rate, as a share of the peak.
const LAST_RATE: f32 = 0.01;
/// Weight decay of the scores of codes.
const SCORE_DECAY: f32 = 0.01;

/// Initial biases of the regions: the second clipping receives what the first one cuts off.
const FIRST_BIASES: [[f32; REGION_VIEW]; REGION_CLIPS] = [[0.0; REGION_VIEW], [-1.0; REGION_VIEW]];
/// Bound of the initial weights for the regions.
const FIRST_OF_REGIONS: f32 = 0.15;

/// Settings of a training.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Number of epochs: passes over all positions.
    pub epochs: usize,
    /// Maximum number of positions per step; all steps have about the same number.
    pub batch: usize,
    /// Peak learning rate.
    pub rate: f32,
    /// Weight decay of the codes' own rows.
    pub decay: f32,
    /// Targets, and weights of the losses.
    pub task: Targets,
    /// Seed of the initial parameters and of the order of positions.
    pub seed: u64,
}

/// Losses of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// On the training positions, during the epoch.
    pub train: Losses,
    /// On played positions of held-out games.
    pub held_out: Losses,
    /// On inner positions of held-out games.
    pub held_out_inner: Losses,
}

/// A factor of the rows, with the trained rows of its groups.
struct FactorRows {
    factor: Factor,
    rows: Vec<Row>,
    gradient: Vec<Row>,
    moments: Moments,
}

/// The rows of a colour as sums of shared rows, added to the rows that the training began with.
struct SharedRows {
    first: Vec<Row>,
    shared: Vec<FactorRows>,
}

impl SharedRows {
    /// Initial rows: the given ones, or random ones.
    fn new(first: Option<&[Row]>, rng: &mut SmallRng) -> SharedRows {
        let mut shared: Vec<FactorRows> = factors()
            .into_iter()
            .map(|factor| {
                let rows = vec![[0.0; ROW]; factor.groups];
                let moments = Moments::new(factor.groups * ROW);
                FactorRows { gradient: rows.clone(), rows, moments, factor }
            })
            .collect();
        // The rows of the strongest line begin at random, the others at zero.
        let strongest = &mut shared[0].rows;
        if first.is_none() {
            let weights = strongest.iter_mut().flat_map(|row| &mut row[..FEATURES]);
            weights.for_each(|weight| *weight = rng.random_range(-0.2..0.25));
            let weights = strongest.iter_mut().flat_map(|row| &mut row[FEATURES..RAYS]);
            weights.for_each(|weight| *weight = rng.random_range(-FIRST_OF_REGIONS..FIRST_OF_REGIONS));
        }
        let first = first.map_or_else(|| vec![[0.0; ROW]; POINT_CODES], <[Row]>::to_vec);
        SharedRows { first, shared }
    }

    /// Computes the rows of all codes; if `is_rounded`, rounded as in the engine.
    fn add_up(&self, rows: &mut [Row], is_rounded: bool) {
        for (code, row) in rows.iter_mut().enumerate() {
            let mut sum = self.first[code];
            for shared in &self.shared {
                let part = &shared.rows[shared.factor.group[code] as usize];
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            if code == 0 {
                sum[FEATURES..].fill(0.0);
            }
            *row = sum.map(|weight| weight.clamp(-1.0, 1.0));
            if is_rounded {
                for weight in &mut row[..RAYS] {
                    *weight = f32::from(quantize::feature_weight(*weight)) / FEATURE_ONE as f32;
                }
            }
        }
    }

    fn step(&mut self, gradient: &[Row], step: Step, decay: f32) {
        self.shared.par_iter_mut().for_each(|shared| {
            shared.gradient.as_flattened_mut().fill(0.0);
            for (code, row) in gradient.iter().enumerate() {
                let sums = &mut shared.gradient[shared.factor.group[code] as usize];
                sums.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
            }
            let decay = if shared.factor.is_own { decay } else { 0.0 };
            shared.moments.step(shared.rows.as_flattened_mut(), shared.gradient.as_flattened(), step, decay);
        });
    }
}

/// Moments of the tables, except of their rows.
#[derive(Clone)]
struct OtherMoments {
    scores: Moments,
    stone: Moments,
    region_bias: Moments,
}

impl OtherMoments {
    fn new() -> OtherMoments {
        OtherMoments {
            scores: Moments::new(2 * POINT_CODES),
            stone: Moments::new(REGION_NUMBERS),
            region_bias: Moments::new(REGION_CLIPS * REGION_VIEW),
        }
    }

    fn step(&mut self, tables: &mut Tables, gradient: &Tables, step: Step) {
        self.scores.step(tables.scores.as_flattened_mut(), gradient.scores.as_flattened(), step, SCORE_DECAY);
        self.stone.step(&mut tables.stone, &gradient.stone, step, 0.0);
        let biases = tables.region_bias.as_flattened_mut();
        self.region_bias.step(biases, gradient.region_bias.as_flattened(), step, 0.0);
        // Empty regions must not contribute.
        biases.iter_mut().for_each(|bias| *bias = bias.min(0.0));
    }
}

/// Whether rows have ray numbers; the rows of older networks have none.
fn knows_rays(rows: &[Row]) -> bool {
    rows.iter().any(|row| row[RAYS..].iter().any(|&number| number != 0.0))
}

/// The complete state of the training.
struct Learner {
    parameters: Parameters,
    rows: Vec<SharedRows>,
    of_tables: Vec<OtherMoments>,
    of_layers: Vec<Vec<Moments>>,
    /// Whether the rows are rounded like the engine's, so that the other parameters adapt to the rounding.
    is_rounded: bool,
}

impl Learner {
    /// A state that continues from `start`, or from random parameters.
    fn new(colors: usize, start: Option<&Parameters>, rng: &mut SmallRng) -> Learner {
        let mut parameters = start.cloned().unwrap_or_else(|| {
            let mut parameters = Parameters::zeros(colors);
            parameters.layers.fill(Layers::random(rng));
            parameters.tables.iter_mut().for_each(|tables| tables.region_bias = FIRST_BIASES);
            parameters
        });
        if !parameters.tables.iter().any(|tables| knows_rays(&tables.rows)) {
            for layers in &mut parameters.layers {
                layers.policy_bias[FEATURES + REGION_POOLS..].fill(1.0);
            }
        }
        let moments = |layers: &mut Layers| layers.parts().map(|part| Moments::new(part.len())).into();
        let of_layers = parameters.layers.iter_mut().map(moments).collect();
        let rows = (0..colors)
            .map(|color| SharedRows::new(start.map(|start| &*start.tables[color].rows), rng))
            .collect();
        let mut learner = Learner {
            parameters,
            rows,
            of_tables: vec![OtherMoments::new(); colors],
            of_layers,
            is_rounded: false,
        };
        learner.add_up();
        learner
    }

    fn add_up(&mut self) {
        self.rows
            .iter()
            .zip(&mut self.parameters.tables)
            .for_each(|(rows, tables)| rows.add_up(&mut tables.rows, self.is_rounded));
    }

    fn step(&mut self, gradient: &mut Parameters, step: Step, decay: f32) {
        for (color, tables) in gradient.tables.iter().enumerate() {
            self.rows[color].step(&tables.rows, step, decay);
            self.of_tables[color].step(&mut self.parameters.tables[color], tables, step);
        }
        for (color, gradient) in gradient.layers.iter_mut().enumerate() {
            let layers = &mut self.parameters.layers[color];
            let parts = layers.parts().into_iter().zip(gradient.parts());
            for ((part, gradient), moments) in parts.zip(&mut self.of_layers[color]) {
                moments.step(part, gradient, step, 0.0);
            }
            let bounded = layers.first.as_flattened_mut().iter_mut().chain(&mut layers.skip);
            bounded.for_each(|weight| *weight = weight.clamp(-MOST_FIRST, MOST_FIRST));
        }
        self.add_up();
    }
}

/// Trains on `split`, with weights for `colors` colours, from `start` or from random parameters. `report` is
/// called after every epoch, and `stepped` with the number of positions of every step.
pub fn train(
    split: &Split,
    colors: usize,
    training: &Training,
    start: Option<&Parameters>,
    mut report: impl FnMut(usize, &Epoch),
    mut stepped: impl FnMut(usize),
) -> (Parameters, Vec<Epoch>) {
    let mut rng = SmallRng::seed_from_u64(training.seed);
    let mut learner = Learner::new(colors, start, &mut rng);
    let mut order: Vec<u32> = (0..split.train.all.len() as u32).collect();
    let batch = even_batch(order.len(), training.batch);
    let steps = training.epochs * order.len().div_ceil(batch);
    let mut shards: Vec<(Parameters, Pass)> =
        (0..SHARDS).map(|_| (Parameters::zeros(colors), Pass::default())).collect();
    let (mut number, mut epochs) = (0, Vec::new());
    for epoch in 1..=training.epochs {
        order.shuffle(&mut rng);
        learner.is_rounded = epoch == training.epochs;
        learner.add_up();
        let mut losses = Losses::default();
        for batch in order.chunks(batch) {
            number += 1;
            losses =
                losses.plus(gradient(&learner.parameters, &split.train, batch, training.task, &mut shards));
            let step = Step { number, rate: rate(training.rate, number as usize, steps) };
            learner.step(&mut shards[0].0, step, training.decay);
            stepped(batch.len());
        }
        let judge = |samples: &Samples| judge(&learner.parameters, samples, training.task);
        let [held_out, held_out_inner] = [&split.held_out, &split.held_out_inner].map(judge);
        let epoch_losses = Epoch { train: losses, held_out, held_out_inner };
        report(epoch, &epoch_losses);
        epochs.push(epoch_losses);
    }
    (learner.parameters, epochs)
}

/// Batch size, at most `most`, with which `count` positions make batches of about the same size: the gradient
/// of a small last batch would be noise, for which Adam takes a large step.
fn even_batch(count: usize, most: usize) -> usize {
    let batches = count.div_ceil(most).max(1);
    count.div_ceil(batches).max(1)
}

/// The learning rate of a step: it rises, then falls like a cosine.
fn rate(most: f32, number: usize, steps: usize) -> f32 {
    let rise = (number as f32 / WARM_UP).min(1.0);
    let fall = (1.0 + (std::f32::consts::PI * number as f32 / steps as f32).cos()) / 2.0;
    most * rise * (LAST_RATE + (1.0 - LAST_RATE) * fall)
}

/// Computes the mean gradient of a batch into the first shard.
fn gradient(
    parameters: &Parameters,
    samples: &Samples,
    batch: &[u32],
    task: Targets,
    shards: &mut [(Parameters, Pass)],
) -> Losses {
    let part = batch.len().div_ceil(SHARDS);
    let parts: Vec<Losses> = shards
        .par_iter_mut()
        .enumerate()
        .map(|(number, (gradient, pass))| {
            gradient.clear();
            let mut losses = Losses::default();
            for &sample in batch.chunks(part).nth(number).unwrap_or_default() {
                let sample = &samples.all[sample as usize];
                losses.add(&pass.run(&Case::new(parameters, samples, sample, task), Some(gradient)));
            }
            losses
        })
        .collect();
    let (first, rest) = shards.split_first_mut().expect("there are shards");
    rest.iter_mut().for_each(|(gradient, _)| first.0.add(gradient));
    first.0.scale(1.0 / batch.len() as f32);
    parts.into_iter().fold(Losses::default(), Losses::plus)
}

/// The losses on some positions.
pub fn judge(parameters: &Parameters, samples: &Samples, task: Targets) -> Losses {
    const PART: usize = 4096;
    let task = Targets { policy_weight: 1.0, ..task };
    let parts: Vec<Losses> = samples
        .all
        .par_chunks(PART)
        .map(|part| {
            let (mut pass, mut losses) = (Pass::default(), Losses::default());
            let case = |sample| Case::new(parameters, samples, sample, task);
            part.iter().for_each(|sample| losses.add(&pass.run(&case(sample), None)));
            losses
        })
        .collect();
    parts.into_iter().fold(Losses::default(), Losses::plus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_even() {
        for (count, most, even) in [(0, 4, 1), (3, 4, 3), (8, 4, 4), (9, 4, 3), (1_331_259, 4096, 4084)] {
            let batch = even_batch(count, most);
            assert_eq!(batch, even, "{count} by {most}");
            assert_eq!(count.div_ceil(batch), count.div_ceil(most), "{count} by {most}");
        }
    }
}
