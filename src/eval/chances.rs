//! The chances of a win, a draw and a loss, computed from log odds.

/// The chances of one side; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Chance of a win.
    pub win: f32,
    /// Chance of a draw.
    pub draw: f32,
    /// Chance of a loss.
    pub loss: f32,
}

impl Chances {
    /// Splits an expected score (a win counts 1, a draw one half) into chances, given the chance of a draw.
    /// If the score is close to 0 or 1, the chance of a draw is reduced to fit.
    pub fn of(score: f32, draw: f32) -> Chances {
        let draw = draw.min(2.0 * score.min(1.0 - score));
        Chances { win: score - draw / 2.0, draw, loss: 1.0 - score - draw / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_match_the_score() {
        for score in [0.0, 0.01, 0.3, 0.5, 0.9, 1.0] {
            for draw in [0.0, 0.2, 1.0] {
                let chances = Chances::of(score, draw);
                let Chances { win, draw: drawn, loss } = chances;
                assert!((win + drawn + loss - 1.0).abs() < 1e-6, "{chances:?}");
                assert!((win + drawn / 2.0 - score).abs() < 1e-6, "{chances:?}");
                assert!(win >= 0.0 && loss >= 0.0 && drawn <= draw, "{chances:?}");
            }
        }
    }
}
