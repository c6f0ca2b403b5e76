//! Losses of predictions, and their means.

use super::case::Prediction;

/// A running mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    pub(super) fn add(&mut self, number: f32) {
        self.sum += f64::from(number);
        self.count += 1.0;
    }

    pub(super) fn plus(self, other: Mean) -> Mean {
        Mean { sum: self.sum + other.sum, count: self.count + other.count }
    }

    /// Number of numbers.
    pub(super) fn count(self) -> f64 {
        self.count
    }

    /// The mean with four decimals; `-` if there are no numbers.
    pub fn text(self) -> String {
        self.if_any().map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))
    }

    /// The mean of shares in percent; `-` if there are no numbers.
    pub fn percent(self) -> String {
        self.if_any().map_or_else(|| "-".to_owned(), |mean| format!("{:.1} %", 100.0 * mean))
    }

    /// The mean, if there are numbers.
    pub fn if_any(self) -> Option<f64> {
        (self.count > 0.0).then(|| self.get())
    }

    /// The mean; 0 if there are no numbers.
    pub fn get(self) -> f64 {
        self.sum / self.count.max(1.0)
    }
}

/// Mean losses on some positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Loss of the value, where the target is exact.
    pub value: Mean,
    /// Loss of the value, where the target is a bound.
    pub bound: Mean,
    /// Loss of the policy.
    pub policy: Mean,
    /// The share of positions with a chosen move in which it is the policy's best move.
    pub chosen: Mean,
    /// Loss of the draw probability.
    pub draw: Mean,
}

impl Losses {
    /// Adds a prediction.
    pub fn add(&mut self, prediction: &Prediction) {
        if let Some(loss) = prediction.value_loss {
            self.value.add(loss);
        }
        if let Some(loss) = prediction.bound_loss {
            self.bound.add(loss);
        }
        if let Some(loss) = prediction.policy_loss {
            self.policy.add(loss);
            self.chosen.add(if prediction.rank == Some(0) { 1.0 } else { 0.0 });
        }
        if let Some(loss) = prediction.draw_loss {
            self.draw.add(loss);
        }
    }

    /// The losses over the positions of both.
    pub fn plus(self, other: Losses) -> Losses {
        Losses {
            value: self.value.plus(other.value),
            bound: self.bound.plus(other.bound),
            policy: self.policy.plus(other.policy),
            chosen: self.chosen.plus(other.chosen),
            draw: self.draw.plus(other.draw),
        }
    }
}
