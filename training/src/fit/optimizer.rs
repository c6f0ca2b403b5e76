//! L-BFGS with a diagonal to begin from: for smooth convex functions of some thousand parameters.

use std::collections::VecDeque;

/// A function to be made small.
pub trait Objective {
    /// The value at `at`; its derivatives are written to `gradient`.
    fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> f64;

    /// About how strongly the function bends along each parameter; positive.
    fn curvature(&self) -> Vec<f64>;

    /// The loss on what was held out, by which the search ends; `told` with the loss on the rest.
    fn held_out(&self, at: &[f64]) -> f64;
}

/// One step of the search for the minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The value of the objective.
    pub value: f64,
    /// The loss on what was held out.
    pub held_out: f64,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Most steps.
    pub steps: usize,
    /// Steps without a better held-out loss.
    pub idle: usize,
    /// The gain of a step, as a share of the value, below which nothing more is to be had: the mean of [`LATELY`].
    pub gain: f64,
}

/// Steps whose gains are looked at together: one alone may be small by accident.
const LATELY: usize = 5;
/// Steps whose bends are remembered.
const MEMORY: usize = 12;
/// Halvings of a step that does not go down before it is taken that there is no way down.
const HALVINGS: usize = 30;

/// Goes down from `start`; the parameters with the best held-out loss, and every step. `told` hears of each.
pub fn minimize(
    objective: &impl Objective,
    start: Vec<f64>,
    patience: Patience,
    mut told: impl FnMut(usize, Step),
) -> (Vec<f64>, Vec<Step>) {
    let scale: Vec<f64> = objective.curvature().iter().map(|bend| 1.0 / bend).collect();
    let mut at = start;
    let mut gradient = vec![0.0; at.len()];
    let mut value = objective.evaluate(&at, &mut gradient);
    let mut steps = vec![Step { value, held_out: objective.held_out(&at) }];
    told(0, steps[0]);
    let mut best = (at.clone(), steps[0].held_out, 0);
    let mut memory = VecDeque::new();
    for number in 1..=patience.steps {
        let direction = direction(&gradient, &scale, &memory);
        let slope = dot(&direction, &gradient);
        let Some((next, next_gradient, next_value)) = walk(objective, &at, &direction, value, slope) else {
            break;
        };
        let change: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let turn: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let curved = dot(&change, &turn);
        if curved > 0.0 {
            memory.push_back((change, turn, curved));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (at, gradient, value) = (next, next_gradient, next_value);
        steps.push(Step { value, held_out: objective.held_out(&at) });
        told(number, steps[number]);
        if steps[number].held_out < best.1 {
            best = (at.clone(), steps[number].held_out, number);
        }
        let gain = steps[number.saturating_sub(LATELY)].value - value;
        let is_small = number >= LATELY && gain < LATELY as f64 * patience.gain * value.abs();
        if number - best.2 >= patience.idle || is_small {
            break;
        }
    }
    (best.0, steps)
}

/// The two-loop recursion: minus the gradient, through what is known of the bends.
fn direction(gradient: &[f64], scale: &[f64], memory: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for (change, turn, curved) in memory.iter().rev() {
        let share = dot(change, &direction) / curved;
        add(&mut direction, -share, turn);
        shares.push(share);
    }
    direction.iter_mut().zip(scale).for_each(|(d, s)| *d *= s);
    for ((change, turn, curved), share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = dot(turn, &direction) / curved;
        add(&mut direction, share - back, change);
    }
    direction
}

/// Goes along `direction`, by less and less until it goes down as much as the slope promises (Armijo).
fn walk(
    objective: &impl Objective,
    at: &[f64],
    direction: &[f64],
    value: f64,
    slope: f64,
) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    let mut length = 1.0;
    let mut gradient = vec![0.0; at.len()];
    for _ in 0..HALVINGS {
        let mut next = at.to_vec();
        add(&mut next, length, direction);
        let next_value = objective.evaluate(&next, &mut gradient);
        if next_value <= value + 1e-4 * length * slope && slope < 0.0 {
            return Some((next, gradient, next_value));
        }
        length /= 2.0;
    }
    None
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bent valley: sum of cosh(k (x - k)) over the parameters, k from 1.
    struct Valley(usize);

    impl Objective for Valley {
        fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> f64 {
            let mut value = 0.0;
            for (k, x) in at.iter().enumerate() {
                let k = k as f64 + 1.0;
                value += (k * (x - k)).cosh();
                gradient[k as usize - 1] = k * (k * (x - k)).sinh();
            }
            value
        }

        fn curvature(&self) -> Vec<f64> {
            (1..=self.0).map(|k| (k * k) as f64).collect()
        }

        fn held_out(&self, at: &[f64]) -> f64 {
            self.evaluate(at, &mut vec![0.0; at.len()])
        }
    }

    #[test]
    fn the_bottom_is_found() {
        let patience = Patience { steps: 200, idle: 20, gain: 1e-14 };
        let (at, steps) = minimize(&Valley(4), vec![0.5; 4], patience, |_, _| ());
        for (k, x) in at.iter().enumerate() {
            assert!((x - (k as f64 + 1.0)).abs() < 1e-5, "{at:?}");
        }
        assert!(steps.windows(2).all(|pair| pair[1].value <= pair[0].value), "never uphill");
    }
}
