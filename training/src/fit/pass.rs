//! One sample through the network, and its gradient back.

use kakugo::eval::{FEATURES, HIDDEN, VIEW};

use super::parameters::{Layers, POOL, Parameters, Row, Tables};
use super::samples::{EmptyPoint, Sample, Samples};

/// Most points that a sample has, and one for those of which nothing can come.
const POINTS: usize = 22 * 22 + 1;

/// What a sample is to teach.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The share of the result in the target of the value.
    pub result_share: f32,
    /// What the loss of the policy counts; 0: it is left out.
    pub policy_weight: f32,
}

/// What the network says of a sample, and what that costs.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// Log odds of the side to move.
    pub odds: f32,
    /// Cross entropy of value and target.
    pub value_loss: f32,
    /// Cross entropy of the policy and the chosen move, where there is one.
    pub policy_loss: Option<f32>,
    /// Whether the policy would play it.
    pub is_chosen: bool,
}

/// Room for one sample.
#[derive(Debug)]
pub struct Pass {
    features: Vec<Row>,
    /// 1 where a feature follows its weights, 0 where it is clipped.
    slopes: Vec<Row>,
    logits: Vec<f32>,
    first: Neurons,
    second: Neurons,
    inputs: Row,
    vector: Row,
}

/// A hidden layer.
#[derive(Clone, Copy, Debug)]
struct Neurons {
    active: [f32; HIDDEN],
    slope: [f32; HIDDEN],
}

impl Neurons {
    const ASLEEP: Neurons = Neurons { active: [0.0; HIDDEN], slope: [0.0; HIDDEN] };

    #[inline(always)]
    fn of<const N: usize>(bias: &[f32; HIDDEN], weights: &[[f32; N]; HIDDEN], inputs: &[f32; N]) -> Neurons {
        let mut sums = *bias;
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum += dot(weights, inputs);
        }
        Neurons { active: sums.map(|sum| sum.clamp(0.0, 1.0)), slope: sums.map(slope) }
    }
}

/// The tables of both sides and the layers of the side to move: places in [`Parameters`].
#[derive(Clone, Copy)]
struct Seats {
    us: usize,
    ours: usize,
    theirs: usize,
}

impl Seats {
    fn of(parameters: &Parameters, sample: &Sample) -> Seats {
        let us = sample.us as usize;
        let seat = |color: usize| color % parameters.tables.len();
        Seats { us, ours: seat(us), theirs: seat(1 - us) }
    }

    /// Our code of a point, and theirs.
    #[inline(always)]
    fn codes(self, point: EmptyPoint) -> [usize; 2] {
        let codes = point.codes();
        [codes[self.us], codes[1 - self.us]]
    }
}

#[inline(always)]
fn slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 }
}

/// The dot product; in lanes, so that the order of additions is everywhere the same.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            sums[i] = a[i].mul_add(b[i], sums[i]);
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn add_times(sums: &mut [f32], times: f32, numbers: &[f32]) {
    for (sum, &number) in sums.iter_mut().zip(numbers) {
        *sum = times.mul_add(number, *sum);
    }
}

/// The same row seen by the other colour.
#[inline(always)]
fn exchanged(row: &Row) -> Row {
    let mut other = [0.0; FEATURES];
    other[..VIEW].copy_from_slice(&row[VIEW..]);
    other[VIEW..].copy_from_slice(&row[..VIEW]);
    other
}

impl Default for Pass {
    fn default() -> Pass {
        Pass {
            features: vec![[0.0; FEATURES]; POINTS],
            slopes: vec![[0.0; FEATURES]; POINTS],
            logits: vec![0.0; POINTS],
            first: Neurons::ASLEEP,
            second: Neurons::ASLEEP,
            inputs: [0.0; FEATURES],
            vector: [0.0; FEATURES],
        }
    }
}

impl Pass {
    /// Passes a sample through the network; adds its derivatives to `gradient` if there is one.
    pub fn run(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        sample: &Sample,
        task: Task,
        gradient: Option<&mut Parameters>,
    ) -> Verdict {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.run_avx2(parameters, samples, sample, task, gradient) };
        }
        self.run_anywhere(parameters, samples, sample, task, gradient)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        sample: &Sample,
        task: Task,
        gradient: Option<&mut Parameters>,
    ) -> Verdict {
        self.run_anywhere(parameters, samples, sample, task, gradient)
    }

    #[inline(always)]
    fn run_anywhere(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        sample: &Sample,
        task: Task,
        gradient: Option<&mut Parameters>,
    ) -> Verdict {
        let seats = Seats::of(parameters, sample);
        let points = samples.points(sample);
        let layers = &parameters.layers[seats.ours];
        let tables = [&parameters.tables[seats.ours], &parameters.tables[seats.theirs]];
        let odds = self.value(layers, tables, seats, points, sample);
        let chance = 1.0 / (1.0 + (-odds).exp());
        let target = sample.target(task.result_share);
        let surprise = |chance: f32| -chance.max(1e-9).ln();
        let value_loss = target * surprise(chance) + (1.0 - target) * surprise(1.0 - chance);
        let chosen = sample.chosen.filter(|_| task.policy_weight > 0.0).map(usize::from);
        let policy = chosen.map(|chosen| self.policy(layers, tables, seats, points, chosen));
        if let Some(gradient) = gradient {
            if let Some(chosen) = chosen {
                self.logits[chosen] -= 1.0;
            }
            let weight = if chosen.is_some() { task.policy_weight } else { 0.0 };
            self.back(layers, seats, points, sample, chance - target, weight, gradient);
        }
        let policy_loss = policy.map(|(loss, _)| loss);
        Verdict {
            odds,
            value_loss,
            policy_loss,
            is_chosen: policy.is_some_and(|(_, best)| Some(best) == chosen),
        }
    }

    /// Log odds of the side to move.
    #[inline(always)]
    fn value(
        &mut self,
        layers: &Layers,
        [ours, theirs]: [&Tables; 2],
        seats: Seats,
        points: &[EmptyPoint],
        sample: &Sample,
    ) -> f32 {
        let mut pools = [0.0; FEATURES];
        let void = [EmptyPoint::new([0, 0], false)];
        for (at, &point) in points.iter().chain(&void).enumerate() {
            let times = if at < points.len() { 1.0 } else { f32::from(sample.void) };
            let [our, their] = seats.codes(point);
            let (a, b) = (&ours.rows[our], exchanged(&theirs.rows[their]));
            let (features, slopes) = (&mut self.features[at], &mut self.slopes[at]);
            for i in 0..FEATURES {
                let sum = a[i] + b[i];
                slopes[i] = slope(sum);
                features[i] = sum.clamp(0.0, 1.0);
                pools[i] += times * features[i];
            }
        }
        self.inputs = pools.map(|pool| pool / POOL);
        self.first = Neurons::of(&layers.first_bias, &layers.first, &self.inputs);
        self.second = Neurons::of(&layers.second_bias, &layers.second, &self.first.active);
        layers.output_bias[0]
            + dot(&layers.output, &self.second.active)
            + dot(&layers.skip, &self.inputs)
            + layers.situations[usize::from(sample.situation)]
    }

    /// The loss of the policy, and the place of its best move. The logits become chances, 0 for what is no candidate.
    #[inline(always)]
    fn policy(
        &mut self,
        layers: &Layers,
        [ours, theirs]: [&Tables; 2],
        seats: Seats,
        points: &[EmptyPoint],
        chosen: usize,
    ) -> (f32, usize) {
        for i in 0..FEATURES {
            self.vector[i] = layers.policy_bias[i] + dot(&layers.policy[i], &self.first.active);
        }
        let (mut best, mut top) = (0, f32::NEG_INFINITY);
        for (at, &point) in points.iter().enumerate().filter(|(_, point)| point.is_candidate()) {
            let [our, their] = seats.codes(point);
            let logit = dot(&self.vector, &self.features[at]) + ours.scores[our][0] + theirs.scores[their][1];
            self.logits[at] = logit;
            if logit > top {
                (best, top) = (at, logit);
            }
        }
        let mut total = 0.0;
        for (logit, point) in self.logits.iter_mut().zip(points) {
            *logit = if point.is_candidate() { (*logit - top).exp() } else { 0.0 };
            total += *logit;
        }
        self.logits[..points.len()].iter_mut().for_each(|chance| *chance /= total);
        (-self.logits[chosen].max(1e-9).ln(), best)
    }

    /// Adds the derivatives: `wrong` is by how much the chance is too high, the logits are by how much each move's is,
    /// and count as `policy_weight`.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn back(
        &mut self,
        layers: &Layers,
        seats: Seats,
        points: &[EmptyPoint],
        sample: &Sample,
        wrong: f32,
        policy_weight: f32,
        gradient: &mut Parameters,
    ) {
        let of_layers = &mut gradient.layers[seats.ours];
        of_layers.situations[usize::from(sample.situation)] += wrong;
        of_layers.output_bias[0] += wrong;
        add_times(&mut of_layers.output, wrong, &self.second.active);
        add_times(&mut of_layers.skip, wrong, &self.inputs);
        let mut to_first = [0.0; HIDDEN];
        for o in 0..HIDDEN {
            let slope = wrong * layers.output[o] * self.second.slope[o];
            of_layers.second_bias[o] += slope;
            add_times(&mut of_layers.second[o], slope, &self.first.active);
            add_times(&mut to_first, slope, &layers.second[o]);
        }
        if policy_weight > 0.0 {
            let mut to_vector = [0.0; FEATURES];
            for (at, point) in points.iter().enumerate() {
                self.logits[at] *= policy_weight;
                if point.is_candidate() {
                    add_times(&mut to_vector, self.logits[at], &self.features[at]);
                }
            }
            for (i, slope) in to_vector.into_iter().enumerate() {
                of_layers.policy_bias[i] += slope;
                add_times(&mut of_layers.policy[i], slope, &self.first.active);
                add_times(&mut to_first, slope, &layers.policy[i]);
            }
        }
        let mut to_pools = [0.0; FEATURES];
        add_times(&mut to_pools, wrong / POOL, &layers.skip);
        for (o, to_neuron) in to_first.into_iter().enumerate() {
            let slope = to_neuron * self.first.slope[o];
            of_layers.first_bias[o] += slope;
            add_times(&mut of_layers.first[o], slope, &self.inputs);
            add_times(&mut to_pools, slope / POOL, &layers.first[o]);
        }
        self.back_to_tables(seats, points, sample, &to_pools, policy_weight > 0.0, gradient);
    }

    #[inline(always)]
    fn back_to_tables(
        &self,
        seats: Seats,
        points: &[EmptyPoint],
        sample: &Sample,
        to_pools: &Row,
        has_policy: bool,
        gradient: &mut Parameters,
    ) {
        let void = [EmptyPoint::new([0, 0], false)];
        for (at, &point) in points.iter().chain(&void).enumerate() {
            let times = if at < points.len() { 1.0 } else { f32::from(sample.void) };
            let to_logit = if has_policy && point.is_candidate() { self.logits[at] } else { 0.0 };
            let mut slopes = [0.0; FEATURES];
            for i in 0..FEATURES {
                slopes[i] = (times * to_pools[i] + to_logit * self.vector[i]) * self.slopes[at][i];
            }
            let [our, their] = seats.codes(point);
            add_times(&mut gradient.tables[seats.ours].rows[our], 1.0, &slopes);
            add_times(&mut gradient.tables[seats.theirs].rows[their], 1.0, &exchanged(&slopes));
            gradient.tables[seats.ours].scores[our][0] += to_logit;
            gradient.tables[seats.theirs].scores[their][1] += to_logit;
        }
    }
}
