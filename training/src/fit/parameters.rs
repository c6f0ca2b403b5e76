//! The parameters of the network in floating point. Their meaning is that of [`kakugo::eval::Network`]'s weights.

use kakugo::eval::{FEATURES, HIDDEN, INPUTS, REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, THREAT_SETS};
use kakugo::rules::POINT_CODES;
use rand::Rng;
use rand::rngs::SmallRng;

/// Divisor of a pool before the first layer: about as many points are full of life.
pub const POOL: f32 = 32.0;

/// Weights of a row.
pub const ROW: usize = FEATURES + REGION_NUMBERS;

/// Feature weights of a code, the colour's own view first, and then, likewise, its weights for the regions.
pub type Row = [f32; ROW];

/// Parameters that are looked up by the code of a colour.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Weights for features and regions. Of code 0 no region gets anything.
    pub rows: Vec<Row>,
    /// Logits of a move to a point with this code, of the colour itself and of the other.
    pub scores: Vec<[f32; 2]>,
    /// Weights of a stone for the regions, the own view first.
    pub stone: [f32; REGION_NUMBERS],
    /// Biases of the own view's numbers of a region, one for each clipping; none is above zero.
    pub region_bias: [[f32; REGION_VIEW]; REGION_CLIPS],
}

impl Tables {
    /// Nothing but zeros.
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

/// The layers behind the pools for one side to move, whose view comes first.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From the pools to the first hidden layer.
    pub first: Box<[[f32; INPUTS]; HIDDEN]>,
    /// Its biases.
    pub first_bias: [f32; HIDDEN],
    /// From the first hidden layer to the second.
    pub second: Box<[[f32; HIDDEN]; HIDDEN]>,
    /// Its biases.
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
    pub policy: Box<[[f32; HIDDEN]; FEATURES]>,
    /// Its biases.
    pub policy_bias: [f32; FEATURES],
    /// From the second hidden layer to the log odds of a draw.
    pub draw: [f32; HIDDEN],
    /// The bias of these.
    pub draw_bias: [f32; 1],
}

impl Layers {
    /// Nothing but zeros.
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
            policy: Box::new([[0.0; HIDDEN]; FEATURES]),
            policy_bias: [0.0; FEATURES],
            draw: [0.0; HIDDEN],
            draw_bias: [0.0],
        }
    }

    /// Layers to begin from: random weights, and neurons that are alive.
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
        fill(&mut layers.policy_bias, -0.3, 0.3);
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

/// Tables and layers: of each colour, or one for both where the rule makes no difference between them.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// By colour.
    pub tables: Vec<Tables>,
    /// By side to move.
    pub layers: Vec<Layers>,
}

impl Parameters {
    /// Nothing but zeros, for so many colours.
    pub fn zeros(colors: usize) -> Parameters {
        Parameters { tables: vec![Tables::zeros(); colors], layers: vec![Layers::zeros(); colors] }
    }

    /// All parameters, part by part.
    pub fn parts(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.tables.iter_mut().flat_map(Tables::parts).chain(self.layers.iter_mut().flat_map(Layers::parts))
    }

    /// Becomes nothing but zeros.
    pub fn clear(&mut self) {
        self.parts().for_each(|part| part.fill(0.0));
    }

    /// Multiplies all parameters.
    pub fn scale(&mut self, by: f32) {
        self.parts().flatten().for_each(|parameter| *parameter *= by);
    }

    /// Adds other parameters, each to its like.
    pub fn add(&mut self, other: &mut Parameters) {
        for (sums, others) in self.parts().zip(other.parts()) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += *other);
        }
    }
}
