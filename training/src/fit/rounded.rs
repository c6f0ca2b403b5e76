//! Predictions with the engine's integer network.

use kakugo::board::{MAX_SIDE, Size};
use kakugo::eval::{FACTOR_BITS, Network, Rays, Tiles, logistic};
use rayon::prelude::*;

use super::case::{Case, Prediction, Targets};
use super::losses::Mean;
use super::parameters::Parameters;
use super::pass::Pass;
use super::samples::{EmptyPoint, Sample, Samples};

/// The prediction of a network for a sample. As in training, there is no policy if its loss has no weight.
pub fn prediction(network: &Network, samples: &Samples, sample: &Sample, task: Targets) -> Prediction {
    let points = samples.points(sample);
    let void = std::iter::repeat_n([0, 0], sample.void.into());
    let mut tiles = Tiles::new(Size::LARGEST);
    for point in points {
        tiles.add(point.tile(), network.region_sums(point.codes()));
    }
    for stone in samples.stones(sample) {
        tiles.add(stone.tile.into(), network.stones[stone.color].sums());
    }
    let pools = network.pools(points.iter().map(|point| point.codes()).chain(void), &tiles);
    let key = sample.layer_key();
    let (value, hidden) = network.value(None, &pools, key);
    let odds = value as f32 / network.points_per_unit as f32;
    let draw = logistic(network.draw_odds(&pools, key));
    let chosen = sample.chosen.filter(|_| task.policy_weight > 0.0);
    let policy = chosen.map(|chosen| {
        let vector = network.policy_vector(None, &hidden, key);
        let of_tiles = network.tile_scores(None, &tiles, &vector);
        let mut rays = Rays::default();
        points.iter().for_each(|point| rays.set(point.point(), network.ray_numbers(point.codes())));
        rays.compute(None, sample.us, 0..=MAX_SIDE - 1, 0..=MAX_SIDE - 1, &vector.rays);
        let logit = |point: &EmptyPoint| {
            let (of_tile, codes) = (of_tiles[point.tile()], point.codes());
            let score = network.score_without_rays(None, &vector, of_tile, sample.us, codes);
            let score = score.wrapping_add(rays.score(point.point())) >> FACTOR_BITS;
            score as f32 / network.score_points()
        };
        policy(logit, points, chosen.into())
    });
    Prediction::new(sample, task, odds, draw, policy)
}

/// The loss of the policy, and the number of moves that it prefers to the chosen one.
fn policy(logit: impl Fn(&EmptyPoint) -> f32, points: &[EmptyPoint], chosen: usize) -> (f32, usize) {
    let of_chosen = logit(&points[chosen]);
    let logits: Vec<f32> = points.iter().filter(|point| point.is_candidate()).map(&logit).collect();
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
    let rank = logits.iter().filter(|&&logit| logit > of_chosen).count();
    (top + total.ln() - of_chosen, rank)
}

/// Mean differences between the probabilities from floating-point parameters and from an integer network.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundingError {
    /// Difference of the chance to win.
    pub value: Mean,
    /// Difference of the chosen move's probability, where a move was chosen.
    pub policy: Mean,
}

impl RoundingError {
    fn plus(self, other: RoundingError) -> RoundingError {
        RoundingError { value: self.value.plus(other.value), policy: self.policy.plus(other.policy) }
    }
}

/// The rounding error of an integer network on these samples; without the policy's if the training ignores the policy.
pub fn error(parameters: &Parameters, network: &Network, samples: &Samples, task: Targets) -> RoundingError {
    const PART: usize = 4096;
    let parts: Vec<RoundingError> = samples
        .all
        .par_chunks(PART)
        .map(|part| {
            let (mut pass, mut error) = (Pass::default(), RoundingError::default());
            for sample in part {
                let exact = pass.run(&Case::new(parameters, samples, sample, task), None);
                let rounded = prediction(network, samples, sample, task);
                error.value.add((logistic(exact.odds) - logistic(rounded.odds)).abs());
                if let (Some(exact), Some(rounded)) = (exact.policy_loss, rounded.policy_loss) {
                    error.policy.add(((-exact).exp() - (-rounded).exp()).abs());
                }
            }
            error
        })
        .collect();
    parts.into_iter().fold(RoundingError::default(), RoundingError::plus)
}
