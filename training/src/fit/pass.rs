//! The forward and backward pass of one sample.

use kakugo::eval::{
    FEATURES, HIDDEN, INPUTS, POLICY_INPUTS, RAY_GROUPS, REGION_POOLS, REGION_VIEW, VIEW, logistic,
};

use super::case::{Case, Places, Prediction};
use super::parameters::{POOL, Parameters, RAYS, ROW, Row};
use super::rays::Rays;
use super::regions::{Around, Region, Regions, TILES};

/// Maximum number of points of a sample, plus one for the void points.
const POINTS: usize = 22 * 22 + 1;

/// Features of a point, first in the view of the side to move.
type Features = [f32; FEATURES];

/// Buffers for one sample.
#[derive(Debug)]
pub struct Pass {
    features: Vec<Features>,
    /// 1 where a feature follows its weights, 0 where it is clipped.
    slopes: Vec<Features>,
    logits: Vec<f32>,
    regions: Regions,
    first: Neurons,
    second: Neurons,
    inputs: [f32; INPUTS],
    /// Weights of a move's logit: for the features of its point, then for the regions around.
    vector: [f32; POLICY_INPUTS],
    /// The regions around the tiles of candidates.
    around: Box<Around>,
    /// Their derivatives.
    to_around: Box<Around>,
    of_tiles: [TileLogit; TILES],
    rays: Rays,
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

/// The part of a move's logit that all moves to a tile share.
#[derive(Clone, Copy, Debug, Default)]
struct TileLogit {
    /// Whether there is a candidate in the tile.
    is_known: bool,
    logit: f32,
    /// The sum of the errors of the moves' probabilities, times the weight of the policy loss.
    error: f32,
}

/// The parts of a policy vector: for the features of a point, for the regions around, and for its rays.
#[inline(always)]
fn split(vector: &[f32; POLICY_INPUTS]) -> (&[f32; FEATURES], &[f32; REGION_POOLS], &[f32; RAY_GROUPS]) {
    let (features, rest) = vector.split_first_chunk().expect("they begin a vector");
    let (regions, rays) = rest.split_first_chunk().expect("they follow the features");
    (features, regions, rays.first_chunk().expect("they end a vector"))
}

/// The errors of the probabilities, times the weights of their losses.
#[derive(Clone, Copy)]
struct Errors {
    value: f32,
    draw: f32,
    /// Weight of the policy loss.
    policy_weight: f32,
}

#[inline(always)]
fn slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 }
}

/// The dot product, in lanes, so that the order of additions is the same everywhere.
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

/// A row in the view of the other colour.
#[inline(always)]
fn exchanged(row: &Row) -> Row {
    let mut other = *row;
    other[..FEATURES].rotate_left(VIEW);
    other[FEATURES..RAYS].rotate_left(REGION_VIEW);
    other[RAYS..].rotate_left(1);
    other
}

/// The part of a row for the regions.
#[inline(always)]
fn of_regions(row: &Row) -> &Region {
    row[FEATURES..].first_chunk().expect("they follow the features")
}

/// Weights of a stone in the view of the other colour.
#[inline(always)]
fn exchanged_stone(mut stone: Region) -> Region {
    stone.rotate_left(REGION_VIEW);
    stone
}

impl Default for Pass {
    fn default() -> Pass {
        Pass {
            features: vec![[0.0; FEATURES]; POINTS],
            slopes: vec![[0.0; FEATURES]; POINTS],
            logits: vec![0.0; POINTS],
            regions: Regions::default(),
            first: Neurons::ASLEEP,
            second: Neurons::ASLEEP,
            inputs: [0.0; INPUTS],
            vector: [0.0; POLICY_INPUTS],
            around: Box::new([[0.0; REGION_POOLS]; TILES]),
            to_around: Box::new([[0.0; REGION_POOLS]; TILES]),
            of_tiles: [TileLogit::default(); TILES],
            rays: Rays::default(),
        }
    }
}

impl Pass {
    /// Passes a sample through the network; adds its derivatives to `gradient` if one is given.
    pub fn run(&mut self, case: &Case, gradient: Option<&mut Parameters>) -> Prediction {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.run_avx2(case, gradient) };
        }
        self.run_anywhere(case, gradient)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(&mut self, case: &Case, gradient: Option<&mut Parameters>) -> Prediction {
        self.run_anywhere(case, gradient)
    }

    /// A closure in here would be compiled without the features of [`Pass::run_avx2`].
    #[inline(always)]
    fn run_anywhere(&mut self, case: &Case, gradient: Option<&mut Parameters>) -> Prediction {
        let [odds, draw_odds] = self.value(case);
        let draw = logistic(draw_odds);
        let chosen = case.chosen();
        let policy = self.policy(case, chosen);
        if let Some(gradient) = gradient {
            if let Some(chosen) = chosen {
                self.logits[chosen] -= 1.0;
            }
            let (sample, chance) = (case.sample, logistic(odds));
            let error =
                if sample.is_met_by(chance) { 0.0 } else { chance - sample.target(case.task.result_share) };
            let errors = Errors {
                value: sample.weight * error,
                draw: sample.drawn().map_or(0.0, |drawn| case.task.draw_weight * (draw - drawn)),
                policy_weight: chosen.map_or(0.0, |_| sample.weight * case.task.policy_weight),
            };
            self.back(case, errors, gradient);
        }
        Prediction::new(case.sample, case.task, odds, draw, policy)
    }

    /// Log odds of a win for the side to move, and of a draw.
    #[inline(always)]
    fn value(&mut self, case: &Case) -> [f32; 2] {
        let (layers, [ours, theirs]) = (case.layers, case.tables);
        let mut pools = [0.0; FEATURES];
        self.regions.clear();
        for (at, (point, times)) in case.all_points().enumerate() {
            let [our, their] = case.codes(point);
            let (a, b) = (&ours.rows[our], exchanged(&theirs.rows[their]));
            let (features, slopes) = (&mut self.features[at], &mut self.slopes[at]);
            for i in 0..FEATURES {
                let sum = a[i] + b[i];
                slopes[i] = slope(sum);
                features[i] = sum.clamp(0.0, 1.0);
                pools[i] += times * features[i];
            }
            if at < case.points.len() {
                self.regions.add(point.tile(), of_regions(a));
                self.regions.add(point.tile(), of_regions(&b));
            }
        }
        for &stone in case.stones {
            let weights = if case.is_own(stone) { ours.stone } else { exchanged_stone(theirs.stone) };
            self.regions.add(stone.tile.into(), &weights);
        }
        self.inputs[..FEATURES].copy_from_slice(&pools);
        self.inputs[FEATURES..].copy_from_slice(&self.regions.pools(&case.region_biases()));
        self.inputs.iter_mut().for_each(|pool| *pool /= POOL);
        self.first = Neurons::of(&layers.first_bias, &layers.first, &self.inputs);
        self.second = Neurons::of(&layers.second_bias, &layers.second, &self.first.active);
        let odds = layers.output_bias[0]
            + dot(&layers.output, &self.second.active)
            + dot(&layers.skip, &self.inputs)
            + layers.situations[usize::from(case.sample.threats)];
        [odds, layers.draw_bias[0] + dot(&layers.draw, &self.second.active)]
    }

    /// The loss of the policy, and the number of moves that it prefers to the chosen one. The logits are replaced by
    /// probabilities, 0 for points that are not candidates.
    #[inline(always)]
    fn policy(&mut self, case: &Case, chosen: Option<usize>) -> Option<(f32, usize)> {
        let chosen = chosen?;
        let (layers, [ours, theirs]) = (case.layers, case.tables);
        for i in 0..POLICY_INPUTS {
            self.vector[i] = layers.policy_bias[i] + dot(&layers.policy[i], &self.first.active);
        }
        self.rays.collect(case);
        let (vector, of_around, of_rays) = split(&self.vector);
        let biases = case.region_biases();
        self.of_tiles = [TileLogit::default(); TILES];
        let mut top = f32::NEG_INFINITY;
        for (at, &point) in case.points.iter().enumerate().filter(|(_, point)| point.is_candidate()) {
            let [our, their] = case.codes(point);
            let tile = point.tile();
            if !self.of_tiles[tile].is_known {
                self.around[tile] = self.regions.around(tile, &biases);
                let logit = dot(of_around, &self.around[tile]);
                self.of_tiles[tile] = TileLogit { is_known: true, logit, error: 0.0 };
            }
            let scores = ours.scores[our][0] + theirs.scores[their][1];
            let near = self.of_tiles[tile].logit + self.rays.logit(point.point(), of_rays);
            let logit = dot(vector, &self.features[at]) + near + scores;
            self.logits[at] = logit;
            top = top.max(logit);
        }
        let mut total = 0.0;
        for (logit, point) in self.logits.iter_mut().zip(case.points) {
            *logit = if point.is_candidate() { (*logit - top).exp() } else { 0.0 };
            total += *logit;
        }
        let chances = &mut self.logits[..case.points.len()];
        chances.iter_mut().for_each(|chance| *chance /= total);
        let rank = chances.iter().filter(|&&chance| chance > chances[chosen]).count();
        Some((-chances[chosen].max(1e-9).ln(), rank))
    }

    /// Adds the derivatives. The logits now contain the errors of the moves' probabilities.
    #[inline(always)]
    fn back(&mut self, case: &Case, errors: Errors, gradient: &mut Parameters) {
        let layers = case.layers;
        let of_layers = &mut gradient.layers[case.places.layers];
        of_layers.situations[usize::from(case.sample.threats)] += errors.value;
        of_layers.output_bias[0] += errors.value;
        of_layers.draw_bias[0] += errors.draw;
        add_times(&mut of_layers.output, errors.value, &self.second.active);
        add_times(&mut of_layers.draw, errors.draw, &self.second.active);
        add_times(&mut of_layers.skip, errors.value, &self.inputs);
        let mut to_first = [0.0; HIDDEN];
        for o in 0..HIDDEN {
            let to_neuron = errors.value * layers.output[o] + errors.draw * layers.draw[o];
            let slope = to_neuron * self.second.slope[o];
            of_layers.second_bias[o] += slope;
            add_times(&mut of_layers.second[o], slope, &self.first.active);
            add_times(&mut to_first, slope, &layers.second[o]);
        }
        if errors.policy_weight > 0.0 {
            let to_vector = self.back_to_vector(case, errors.policy_weight);
            for (i, slope) in to_vector.into_iter().enumerate() {
                of_layers.policy_bias[i] += slope;
                add_times(&mut of_layers.policy[i], slope, &self.first.active);
                add_times(&mut to_first, slope, &layers.policy[i]);
            }
        }
        let mut to_pools = [0.0; INPUTS];
        add_times(&mut to_pools, errors.value / POOL, &layers.skip);
        for (o, to_neuron) in to_first.into_iter().enumerate() {
            let slope = to_neuron * self.first.slope[o];
            of_layers.first_bias[o] += slope;
            add_times(&mut of_layers.first[o], slope, &self.inputs);
            add_times(&mut to_pools, slope / POOL, &layers.first[o]);
        }
        self.back_to_tables(case, &to_pools, errors.policy_weight > 0.0, gradient);
    }

    /// Computes the derivatives of the policy vector, and stores the derivatives of the regions around each tile.
    #[inline(always)]
    fn back_to_vector(&mut self, case: &Case, policy_weight: f32) -> [f32; POLICY_INPUTS] {
        let mut to_vector = [0.0; POLICY_INPUTS];
        for (at, point) in case.points.iter().enumerate() {
            self.logits[at] *= policy_weight;
            if point.is_candidate() {
                add_times(&mut to_vector[..FEATURES], self.logits[at], &self.features[at]);
                self.of_tiles[point.tile()].error += self.logits[at];
            }
        }
        let of_rays = split(&self.vector).2;
        let to_rays = self.rays.back(case, &self.logits, of_rays);
        to_vector[FEATURES + REGION_POOLS..].copy_from_slice(&to_rays);
        for (tile, of_tile) in self.of_tiles.iter().enumerate() {
            self.to_around[tile].fill(0.0);
            if of_tile.is_known {
                let regions = FEATURES..FEATURES + REGION_POOLS;
                add_times(&mut to_vector[regions.clone()], of_tile.error, &self.around[tile]);
                add_times(&mut self.to_around[tile], of_tile.error, &self.vector[regions]);
            }
        }
        to_vector
    }

    #[inline(always)]
    fn back_to_tables(
        &mut self,
        case: &Case,
        to_pools: &[f32; INPUTS],
        has_policy: bool,
        gradient: &mut Parameters,
    ) {
        let Places { ours, theirs, .. } = case.places;
        let to_region_pools = to_pools.last_chunk().expect("they end the inputs");
        self.back_to_regions(case, to_region_pools, has_policy, gradient);
        for (at, (point, times)) in case.all_points().enumerate() {
            let to_logit = if has_policy && point.is_candidate() { self.logits[at] } else { 0.0 };
            let mut slopes = [0.0; ROW];
            slopes[FEATURES..RAYS].copy_from_slice(self.regions.of_tile(point.tile()));
            if has_policy {
                slopes[RAYS] = self.rays.of_point(point.point());
            }
            for i in 0..FEATURES {
                slopes[i] = (times * to_pools[i] + to_logit * self.vector[i]) * self.slopes[at][i];
            }
            let [our, their] = case.codes(point);
            add_times(&mut gradient.tables[ours].rows[our], 1.0, &slopes);
            add_times(&mut gradient.tables[theirs].rows[their], 1.0, &exchanged(&slopes));
            gradient.tables[ours].scores[our][0] += to_logit;
            gradient.tables[theirs].scores[their][1] += to_logit;
        }
        // Code 0 contributes nothing.
        gradient.tables.iter_mut().for_each(|tables| tables.rows[0][FEATURES..].fill(0.0));
    }

    /// Adds the derivatives of biases and stones, and prepares the regions for the derivatives of points.
    #[inline(always)]
    fn back_to_regions(
        &mut self,
        case: &Case,
        to_pools: &[f32; REGION_POOLS],
        has_policy: bool,
        gradient: &mut Parameters,
    ) {
        let Places { ours, theirs, .. } = case.places;
        let to_biases =
            self.regions.back(&case.region_biases(), to_pools, has_policy.then_some(&*self.to_around));
        for (clip, to_biases) in to_biases.iter().enumerate() {
            let (own, other) = to_biases.split_at(REGION_VIEW);
            add_times(&mut gradient.tables[ours].region_bias[clip], 1.0, own);
            add_times(&mut gradient.tables[theirs].region_bias[clip], 1.0, other);
        }
        for &stone in case.stones {
            let slopes = *self.regions.of_tile(stone.tile.into());
            if case.is_own(stone) {
                add_times(&mut gradient.tables[ours].stone, 1.0, &slopes);
            } else {
                add_times(&mut gradient.tables[theirs].stone, 1.0, &exchanged_stone(slopes));
            }
        }
    }
}
