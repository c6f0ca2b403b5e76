//! Losses of verdicts, added up and averaged.

use super::pass::Verdict;

/// Mean losses of some positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Of the value.
    pub value: f64,
    /// Of the policy.
    pub policy: f64,
    /// Share of the positions with a chosen move in which it is the policy's best one.
    pub chosen: f64,
    /// Of the chance of a draw.
    pub draw: f64,
}

/// Adds up losses.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    value: f64,
    positions: f64,
    policy: f64,
    choices: f64,
    chosen: f64,
    draw: f64,
    results: f64,
}

impl Sums {
    /// Adds those of a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        self.value += f64::from(verdict.value_loss);
        self.positions += 1.0;
        if let Some(loss) = verdict.policy_loss {
            self.policy += f64::from(loss);
            self.choices += 1.0;
            self.chosen += if verdict.is_chosen { 1.0 } else { 0.0 };
        }
        if let Some(loss) = verdict.draw_loss {
            self.draw += f64::from(loss);
            self.results += 1.0;
        }
    }

    /// Adds two sums.
    pub fn plus(self, other: Sums) -> Sums {
        Sums {
            value: self.value + other.value,
            positions: self.positions + other.positions,
            policy: self.policy + other.policy,
            choices: self.choices + other.choices,
            chosen: self.chosen + other.chosen,
            draw: self.draw + other.draw,
            results: self.results + other.results,
        }
    }

    /// The means.
    pub fn mean(self) -> Losses {
        let choices = self.choices.max(1.0);
        Losses {
            value: self.value / self.positions.max(1.0),
            policy: self.policy / choices,
            chosen: self.chosen / choices,
            draw: self.draw / self.results.max(1.0),
        }
    }
}
