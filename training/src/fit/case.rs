//! A sample before the network: what it is to teach, and what is predicted for it.

use kakugo::eval::{REGION_VIEW, logistic};

use super::parameters::{Layers, Parameters, Tables};
use super::regions::Biases;
use super::samples::{EmptyPoint, Sample, Samples, Stone};

/// Targets of a sample, and weights of its losses.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// The share of the result in the target of the value.
    pub result_share: f32,
    /// Weight of the policy's loss beside the value's, which has 1; 0: it is left out.
    pub policy_weight: f32,
    /// Weight of the loss of the chance of a draw.
    pub draw_weight: f32,
}

/// Outputs of the network for a sample, and their losses.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Log odds of the side to move.
    pub odds: f32,
    /// Cross entropy of value and target.
    pub value_loss: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// Its cross entropy with the result, where there is one.
    pub draw_loss: Option<f32>,
    /// Cross entropy of the policy and the chosen move, where there is one.
    pub policy_loss: Option<f32>,
    /// Whether the policy would play it.
    pub is_chosen: bool,
}

impl Prediction {
    /// The prediction of log odds and the chance of a draw, and of the policy: its loss, and whether its best move is
    /// the chosen one.
    pub fn new(
        sample: &Sample,
        task: Targets,
        odds: f32,
        draw: f32,
        policy: Option<(f32, bool)>,
    ) -> Prediction {
        Prediction {
            odds,
            value_loss: cross_entropy(logistic(odds), sample.target(task.result_share)),
            draw,
            draw_loss: sample.drawn().map(|drawn| cross_entropy(draw, drawn)),
            policy_loss: policy.map(|(loss, _)| loss),
            is_chosen: policy.is_some_and(|(_, is_chosen)| is_chosen),
        }
    }
}

/// A sample before the network, and what it is to teach.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub(super) sample: &'a Sample,
    pub(super) points: &'a [EmptyPoint],
    pub(super) stones: &'a [Stone],
    pub(super) task: Targets,
    /// Of the side to move, then of the other.
    pub(super) tables: [&'a Tables; 2],
    pub(super) layers: &'a Layers,
    pub(super) places: Places,
}

/// The tables of both sides and the layers of the side to move: places in [`Parameters`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    us: usize,
    pub(super) ours: usize,
    pub(super) theirs: usize,
}

impl<'a> Case<'a> {
    /// `sample`, one of `samples`, before the network of `parameters`.
    pub fn new(
        parameters: &'a Parameters,
        samples: &'a Samples,
        sample: &'a Sample,
        task: Targets,
    ) -> Case<'a> {
        let us = sample.us as usize;
        let place = |color: usize| color % parameters.tables.len();
        let places = Places { us, ours: place(us), theirs: place(1 - us) };
        Case {
            sample,
            points: samples.points(sample),
            stones: samples.stones(sample),
            task,
            tables: [&parameters.tables[places.ours], &parameters.tables[places.theirs]],
            layers: &parameters.layers[places.ours],
            places,
        }
    }

    /// Our code of a point, and theirs.
    #[inline(always)]
    pub(super) fn codes(&self, point: EmptyPoint) -> [usize; 2] {
        let codes = point.codes();
        [codes[self.places.us], codes[1 - self.places.us]]
    }

    /// The points, each with how often it counts: at last the one of which nothing can come.
    #[inline(always)]
    pub(super) fn all_points(&self) -> impl Iterator<Item = (EmptyPoint, f32)> + 'a {
        let void = (EmptyPoint::new([0, 0], 0, false), f32::from(self.sample.void));
        self.points.iter().map(|&point| (point, 1.0)).chain([void])
    }

    /// The biases of the regions, those of the side to move first.
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

    /// Whether a stone is of the side to move.
    #[inline(always)]
    pub(super) fn is_own(&self, stone: Stone) -> bool {
        stone.color as usize == self.places.us
    }

    /// The place of the chosen move among the points, if the policy is to learn it.
    pub(super) fn chosen(&self) -> Option<usize> {
        self.sample.chosen.filter(|_| self.task.policy_weight > 0.0).map(usize::from)
    }
}

/// The cross entropy of a chance and its target.
fn cross_entropy(chance: f32, target: f32) -> f32 {
    let surprise = |chance: f32| -chance.max(1e-9).ln();
    target * surprise(chance) + (1.0 - target) * surprise(1.0 - chance)
}
