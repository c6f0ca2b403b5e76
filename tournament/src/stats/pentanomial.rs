//! Results of pairs of games: one opening, both colours.
//!
//! An opening that favours black gives each engine a win: the two results of a pair are correlated, so
//! counting them as independent games would overestimate the variance. So the pair is the unit, with 0, 0.5,
//! 1, 1.5 or 2 points.

use serde::{Deserialize, Serialize};

use super::{Elo, Z_95, elo_from, normal_below};
use crate::model::record::GameResult;

/// Normalised Elo of one standard deviation of a game; at small differences it agrees with Elo without draws.
pub(crate) const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Pentanomial counts: numbers of pairs with 0, 0.5, 1, 1.5 and 2 points for the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

/// Half points of a game for one of its engines.
fn half_points(result: GameResult, is_black: bool) -> usize {
    match result {
        GameResult::Draw => 1,
        GameResult::Black => 2 * usize::from(is_black),
        GameResult::White => 2 * usize::from(!is_black),
    }
}

impl Pairs {
    /// Points per game for each of the five pair results.
    pub const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair: the result of each game, and whether the first engine had black. In an opening procedure
    /// it may have had the same colour in both.
    pub fn add(&mut self, games: [(GameResult, bool); 2]) {
        let half_points = games.map(|(result, is_black)| half_points(result, is_black));
        self.0[half_points[0] + half_points[1]] += 1;
    }

    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points per game; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum(|value| value) / count as f64)
    }

    /// The variance of a pair's points per game; 0 without pairs.
    pub fn variance(&self) -> f64 {
        let Some(mean) = self.mean() else { return 0.0 };
        self.sum(|value| (value - mean).powi(2)) / self.count() as f64
    }

    /// The Elo difference; `None` without pairs.
    pub fn elo(&self) -> Option<Elo> {
        let count = self.count() as f64;
        Some(elo_from(self.mean()?, self.variance() / count, count))
    }

    /// The difference in normalised Elo: standard deviations of a game from even, times 800/ln 10. Unlike
    /// Elo, it does not depend on the draw rate. `None` without pairs or if all are equal.
    pub fn normalised_elo(&self) -> Option<Elo> {
        let deviation = (2.0 * self.variance()).sqrt();
        let difference = (self.mean()? - 0.5) / deviation * NORMALISED_ELO;
        let error = Z_95 * NORMALISED_ELO / (2.0 * self.count() as f64).sqrt();
        (deviation > 0.0).then_some(Elo { difference, low: difference - error, high: difference + error })
    }

    /// The likelihood of superiority, 0 to 1; `None` without pairs.
    pub fn los(&self) -> Option<f64> {
        let (mean, count) = (self.mean()?, self.count() as f64);
        let variance = match self.variance() {
            // Equal pairs have no spread: each is treated as two games that were won, or lost.
            0.0 => 0.125,
            variance => variance,
        };
        Some(normal_below((mean - 0.5) / (variance / count).sqrt()))
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(Pairs::VALUES).map(|(&count, value)| count as f64 * of(value)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn pairs_are_counted_by_points() {
        use GameResult::{Black, Draw, White};
        let mut pairs = Pairs::default();
        for (as_black, as_white) in
            [(Black, White), (Black, Black), (White, White), (Draw, White), (White, Draw), (White, Black)]
        {
            pairs.add([(as_black, true), (as_white, false)]);
        }
        assert_eq!(pairs, Pairs([1, 1, 2, 1, 1]));
    }

    #[test]
    fn elo_agrees_with_values_worked_out_by_hand() {
        // 10 20 40 20 30 of 120: mean (5 + 20 + 15 + 30) / 120, second moment (1.25 + 10 + 11.25 + 30) / 120.
        let pairs = Pairs([10, 20, 40, 20, 30]);
        let mean = 70.0 / 120.0;
        let variance: f64 = 52.5 / 120.0 - mean * mean;
        let error = 1.959_964 * (variance / 120.0).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let found = pairs.elo().unwrap();
        assert!(close(found.difference, elo(mean)));
        assert!(
            (found.low - elo(mean - error)).abs() < 1e-3 && (found.high - elo(mean + error)).abs() < 1e-3
        );
        let normalised = pairs.normalised_elo().unwrap();
        assert!(close(normalised.difference, (mean - 0.5) / (2.0 * variance).sqrt() * 347.435_585_522_6));
        assert!(close(
            normalised.high - normalised.difference,
            1.959_963_985 * 347.435_585_522_6 / 240_f64.sqrt()
        ));
    }

    #[test]
    fn openings_that_decide_the_game_do_not_blur_the_result() {
        // Black wins both games of 90 openings; the first engine wins both games of 10.
        let (pairs, games) =
            (Pairs([0, 0, 90, 0, 10]), crate::stats::Score { wins: 110, losses: 90, draws: 0 });
        assert_eq!(pairs.mean(), games.mean());
        assert!(pairs.elo().unwrap().low > 0.0 && games.elo().unwrap().low < 0.0);
        assert!(pairs.los() > games.los());
    }

    #[test]
    fn equal_pairs_still_say_something() {
        let even = Pairs([0, 0, 50, 0, 0]);
        assert_eq!(even.los(), Some(0.5));
        assert!(even.elo().unwrap().low < -20.0 && even.normalised_elo().is_none());
        let swept = Pairs([0, 0, 0, 0, 50]);
        assert!(swept.los() > Some(0.999) && swept.elo().unwrap().high.is_infinite());
        // The share of the points at which 50 such pairs have a probability of 5%.
        let least = 0.05_f64.powf(0.02);
        assert!(close(swept.elo().unwrap().low, 400.0 * (least / (1.0 - least)).log10()));
        assert_eq!(Pairs::default().elo(), None);
        assert_eq!(Pairs::default().los(), None);
    }
}
