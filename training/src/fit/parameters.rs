//! The parameters of the network in floating point. They correspond to the weights of
//! [`kakugo::eval::Network`].

use kakugo::eval::{
    FEATURES, HIDDEN, INPUTS, KINDS, POLICY_INPUTS, REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, THREAT_SETS,
};
use kakugo::rules::POINT_CODES;
use rand::Rng;
use rand::rngs::SmallRng;

/// Divisor of a pool before the first layer: roughly the number of active points.
pub const POOL: f32 = 32.0;

/// Number of weights in a row.
pub const ROW: usize = RAYS + 2;
/// Logits for a ray number of 1: ray numbers have to cover a larger range than feature weights.
pub const RAY_SCALE: f32 = 4.0;
/// Index in a row of the numbers for rays.
pub const RAYS: usize = FEATURES + REGION_NUMBERS;

/// Feature weights of a code, first for the colour's own view; then, likewise, its weights for the regions; then its
/// numbers for rays, first for moves of the colour itself.
pub type Row = [f32; ROW];

/// Parameters that are indexed by the code of a colour.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Weights for features, regions and rays. Code 0 contributes nothing to regions and rays.
    pub rows: Vec<Row>,
    /// Logits of a move to a point with this code, for the colour itself and for the other.
    pub scores: Vec<[f32; 2]>,
    /// Weights of a stone for the regions, first for the own view.
    pub stone: [f32; REGION_NUMBERS],
    /// Biases of a region's numbers in the own view, one for each clipping; none is above zero.
    pub region_bias: [[f32; REGION_VIEW]; REGION_CLIPS],
}

impl Tables {
    /// Tables of zeros.
    pub fn zeros() -> Tables {
        Tables {
            rows: vec![[0.0; ROW]; POINT_CODES],
            scores: vec![[0.0; 2]; POINT_CODES],
            stone: [0.0; REGION_NUMBERS],
            region_bias: [[0.0; REGION_VIEW]; REGION_CLIPS],
        }
    }

    fn parts(&mut self) -> [&mut [f32]; 4] {
        [
            self.rows.as_flattened_mut(),
            self.scores.as_flattened_mut(),
            &mut self.stone,
            self.region_bias.as_flattened_mut(),
        ]
    }
}

/// The layers after the pools for one side to move, whose view comes first, and one kind of positions.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From the pools to the first hidden layer.
    pub first: Box<[[f32; INPUTS]; HIDDEN]>,
    /// Biases of the first hidden layer.
    pub first_bias: [f32; HIDDEN],
    /// From the first hidden layer to the second.
    pub second: Box<[[f32; HIDDEN]; HIDDEN]>,
    /// Biases of the second hidden layer.
    pub second_bias: [f32; HIDDEN],
    /// From the second hidden layer to the log odds.
    pub output: [f32; HIDDEN],
    /// From the pools to the log odds.
    pub skip: [f32; INPUTS],
    /// The bias of the log odds.
    pub output_bias: [f32; 1],
    /// Log odds of the threats of both sides.
    pub situations: Vec<f32>,
    /// From the first hidden layer to the policy vector.
    pub policy: Box<[[f32; HIDDEN]; POLICY_INPUTS]>,
    /// Biases of the policy vector.
    pub policy_bias: [f32; POLICY_INPUTS],
    /// From the second hidden layer to the log odds of a draw.
    pub draw: [f32; HIDDEN],
    /// Bias of the log odds of a draw.
    pub draw_bias: [f32; 1],
}

impl Layers {
    /// Layers of zeros.
    pub fn zeros() -> Layers {
        Layers {
            first: Box::new([[0.0; INPUTS]; HIDDEN]),
            first_bias: [0.0; HIDDEN],
            second: Box::new([[0.0; HIDDEN]; HIDDEN]),
            second_bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            skip: [0.0; INPUTS],
            output_bias: [0.0],
            situations: vec![0.0; THREAT_SETS * THREAT_SETS],
            policy: Box::new([[0.0; HIDDEN]; POLICY_INPUTS]),
            policy_bias: [0.0; POLICY_INPUTS],
            draw: [0.0; HIDDEN],
            draw_bias: [0.0],
        }
    }

    /// Initial layers: random weights, with active neurons.
    pub fn random(rng: &mut SmallRng) -> Layers {
        let mut layers = Layers::zeros();
        let mut fill = |parameters: &mut [f32], low: f32, high: f32| {
            parameters.iter_mut().for_each(|parameter| *parameter = rng.random_range(low..high));
        };
        let bound = (3.0 / INPUTS as f32).sqrt();
        fill(layers.first.as_flattened_mut(), -bound, bound);
        fill(&mut layers.first_bias, 0.2, 0.6);
        let bound = (6.0 / HIDDEN as f32).sqrt();
        fill(layers.second.as_flattened_mut(), -bound, bound);
        fill(&mut layers.second_bias, 0.1, 0.5);
        fill(&mut layers.output, -0.3, 0.3);
        fill(&mut layers.policy_bias[..FEATURES], -0.3, 0.3);
        layers
    }

    /// All parameters, part by part.
    pub fn parts(&mut self) -> [&mut [f32]; 12] {
        [
            self.first.as_flattened_mut(),
            &mut self.first_bias,
            self.second.as_flattened_mut(),
            &mut self.second_bias,
            &mut self.output,
            &mut self.skip,
            &mut self.output_bias,
            &mut self.situations,
            self.policy.as_flattened_mut(),
            &mut self.policy_bias,
            &mut self.draw,
            &mut self.draw_bias,
        ]
    }
}

/// Tables and layers, for each colour, or one for both if the rule does not distinguish them.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// By colour.
    pub tables: Vec<Tables>,
    /// By side to move; each has [`KINDS`] in turn.
    pub layers: Vec<Layers>,
}

impl Parameters {
    /// Parameters of zeros for `colors` colours.
    pub fn zeros(colors: usize) -> Parameters {
        Parameters { tables: vec![Tables::zeros(); colors], layers: vec![Layers::zeros(); colors * KINDS] }
    }

    /// All parameters, part by part.
    pub fn parts(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.tables.iter_mut().flat_map(Tables::parts).chain(self.layers.iter_mut().flat_map(Layers::parts))
    }

    /// Sets all parameters to zero.
    pub fn clear(&mut self) {
        self.parts().for_each(|part| part.fill(0.0));
    }

    /// Multiplies all parameters by `by`.
    pub fn scale(&mut self, by: f32) {
        self.parts().flatten().for_each(|parameter| *parameter *= by);
    }

    /// Adds other parameters element by element.
    pub fn add(&mut self, other: &mut Parameters) {
        for (sums, others) in self.parts().zip(other.parts()) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += *other);
        }
    }
}
