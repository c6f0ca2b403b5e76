//! The Adam optimiser: steps of parameters against their gradients, each with its own length.

/// Decay rates of the running means of gradients and of their squares (Adam's two betas).
const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;

/// Moments of the gradients of some parameters: running means of the gradients and of their squares.
#[derive(Clone, Debug)]
pub struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// One step of all parameters.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Number of the step, from 1.
    pub number: i32,
    /// The learning rate.
    pub rate: f32,
}

impl Moments {
    /// Initial moments of `parameters` parameters.
    pub fn new(parameters: usize) -> Moments {
        Moments { mean: vec![0.0; parameters], square: vec![0.0; parameters] }
    }

    /// Moves `parameters` against `gradient`; `decay` pulls them towards zero.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], step: Step, decay: f32) {
        let corrected = |forgets: f32| 1.0 / (1.0 - forgets.powi(step.number));
        let (of_mean, of_square) = (corrected(MEAN), corrected(SQUARE));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, &gradient), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEAN) * (gradient - *mean);
            *square += (1.0 - SQUARE) * (gradient * gradient - *square);
            let direction = *mean * of_mean / ((*square * of_square).sqrt() + 1e-8);
            *parameter -= step.rate * (direction + decay * *parameter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bowl_is_gone_down() {
        let (mut at, mut moments) = ([3.0, -2.0], Moments::new(2));
        for number in 1..2_000 {
            // The second parameter has a thousand times the curvature.
            let gradient = [at[0] - 1.0, 1000.0 * (at[1] - 1.0)];
            moments.step(&mut at, &gradient, Step { number, rate: 0.01 }, 0.0);
        }
        assert!(at.iter().all(|x| (x - 1.0).abs() < 0.01), "{at:?}");
    }

    #[test]
    fn decay_draws_to_zero() {
        let (mut at, mut moments) = ([3.0], Moments::new(1));
        (1..500).for_each(|number| moments.step(&mut at, &[0.0], Step { number, rate: 0.1 }, 0.5));
        assert!(at[0].abs() < 1e-3, "{at:?}");
    }
}
