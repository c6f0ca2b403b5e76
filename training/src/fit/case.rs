//! A sample as input of the network: its targets, and its prediction.

use kakugo::board::Point;
use kakugo::eval::{KINDS, REGION_VIEW, logistic};

use super::parameters::{Layers, Parameters, Tables};
use super::regions::Biases;
use super::samples::{EmptyPoint, Sample, Samples, Stone};

/// Definition of the targets, and weights of their losses.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// The share of the result in the target value.
    pub result_share: f32,
    /// Weight of the policy loss relative to the value loss; 0, in tests only, disables the policy.
    pub policy_weight: f32,
    /// Weight of the draw loss.
    pub draw_weight: f32,
}

/// Outputs of the network for a sample, with their losses.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Log odds for the side to move.
    pub odds: f32,
    /// Cross entropy of value and target; `None` if the target is a bound.
    pub value_loss: Option<f32>,
    /// By how much the cross entropy exceeds its minimum if the target is a bound; 0 if the value agrees with it.
    pub bound_loss: Option<f32>,
    /// Probability of a draw.
    pub draw: f32,
    /// Cross entropy of the draw probability and the result, if there is one.
    pub draw_loss: Option<f32>,
    /// Cross entropy of the policy and the chosen move, if there is one.
    pub policy_loss: Option<f32>,
    /// The number of moves that the policy prefers to the chosen one, if there is one.
    pub rank: Option<usize>,
}

impl Prediction {
    /// The prediction from log odds, the probability of a draw, and the policy: its loss, and the number of
    /// moves that it prefers to the chosen one.
    pub fn new(
        sample: &Sample,
        task: Targets,
        odds: f32,
        draw: f32,
        policy: Option<(f32, usize)>,
    ) -> Prediction {
        let (chance, target) = (logistic(odds), sample.target(task.result_share));
        let excess = || cross_entropy(chance, target) - cross_entropy(target, target);
        Prediction {
            odds,
            value_loss: sample.is_exact().then(|| cross_entropy(chance, target)),
            bound_loss: (!sample.is_exact()).then(|| if sample.is_met_by(chance) { 0.0 } else { excess() }),
            draw,
            draw_loss: sample.drawn().map(|drawn| cross_entropy(draw, drawn)),
            policy_loss: policy.map(|(loss, _)| loss),
            rank: policy.map(|(_, rank)| rank),
        }
    }
}

/// A sample as input of the network, with its targets.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub(super) sample: &'a Sample,
    pub(super) points: &'a [EmptyPoint],
    pub(super) stones: &'a [Stone],
    pub(super) task: Targets,
    /// The tables of the side to move, then of the other side.
    pub(super) tables: [&'a Tables; 2],
    pub(super) layers: &'a Layers,
    pub(super) places: Places,
}

/// Indices in [`Parameters`]: the tables of both sides, and the layers of the side to move and the kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    us: usize,
    pub(super) ours: usize,
    pub(super) theirs: usize,
    pub(super) layers: usize,
}

impl<'a> Case<'a> {
    /// `sample`, one of `samples`, as input of the network of `parameters`.
    pub fn new(
        parameters: &'a Parameters,
        samples: &'a Samples,
        sample: &'a Sample,
        task: Targets,
    ) -> Case<'a> {
        let us = sample.us as usize;
        let place = |color: usize| color % parameters.tables.len();
        let layers = place(us) * KINDS + sample.layer_key().kind();
        let places = Places { us, ours: place(us), theirs: place(1 - us), layers };
        Case {
            sample,
            points: samples.points(sample),
            stones: samples.stones(sample),
            task,
            tables: [&parameters.tables[places.ours], &parameters.tables[places.theirs]],
            layers: &parameters.layers[places.layers],
            places,
        }
    }

    /// The codes of a point for the side to move and the other side.
    #[inline(always)]
    pub(super) fn codes(&self, point: EmptyPoint) -> [usize; 2] {
        let codes = point.codes();
        [codes[self.places.us], codes[1 - self.places.us]]
    }

    /// The points with their multiplicities; the last entry represents the void points.
    #[inline(always)]
    pub(super) fn all_points(&self) -> impl Iterator<Item = (EmptyPoint, f32)> + 'a {
        let void = (EmptyPoint::new(Point::new(0, 0), [0, 0], false), f32::from(self.sample.void));
        self.points.iter().map(|&point| (point, 1.0)).chain([void])
    }

    /// The biases of the regions, the side to move first.
    #[inline(always)]
    pub(super) fn region_biases(&self) -> Biases {
        let [ours, theirs] = self.tables.map(|tables| &tables.region_bias);
        std::array::from_fn(|clip| {
            let mut both = [0.0; 2 * REGION_VIEW];
            both[..REGION_VIEW].copy_from_slice(&ours[clip]);
            both[REGION_VIEW..].copy_from_slice(&theirs[clip]);
            both
        })
    }

    /// Whether a stone belongs to the side to move.
    #[inline(always)]
    pub(super) fn is_own(&self, stone: Stone) -> bool {
        stone.color as usize == self.places.us
    }

    /// Index of the chosen move among the points, if the policy is trained on it.
    pub(super) fn chosen(&self) -> Option<usize> {
        self.sample.chosen.filter(|_| self.task.policy_weight > 0.0).map(usize::from)
    }
}

/// The cross entropy of a probability and its target.
fn cross_entropy(chance: f32, target: f32) -> f32 {
    let surprise = |chance: f32| -chance.max(1e-9).ln();
    target * surprise(chance) + (1.0 - target) * surprise(1.0 - chance)
}
