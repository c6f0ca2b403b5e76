//! What a score says about strength.

/// Standard deviations to either side that hold 95% of a normal distribution.
const Z_95: f64 = 1.959_964;

/// Won, lost and drawn games of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

/// An Elo difference and its 95% interval; infinite where the games do not bound it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference at which the score is the expected one.
    pub difference: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Score {
    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Both scores taken together.
    pub fn plus(&self, other: &Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
        }
    }

    /// Points per game, a draw counting half; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        let games = f64::from(self.games());
        (games > 0.0).then(|| (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / games)
    }

    /// The Elo difference, its interval from the normal approximation to the mean of independent games.
    /// `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        let mean = self.mean()?;
        let games = f64::from(self.games());
        let spread = |points: f64, count: u32| f64::from(count) * (points - mean).powi(2);
        let variance = (spread(1.0, self.wins) + spread(0.0, self.losses) + spread(0.5, self.draws)) / games;
        let error = Z_95 * (variance / games).sqrt();
        let (low, high) = if variance > 0.0 {
            (mean - error, mean + error)
        } else {
            // Equal results leave no spread to estimate from.
            let others = rule_of_three(games);
            (mean - others * mean, mean + others * (1.0 - mean))
        };
        Some(Elo { difference: elo_of(mean), low: elo_of(low), high: elo_of(high) })
    }
}

/// The greatest share of other results (95%) that `games` equal ones leave room for.
fn rule_of_three(games: f64) -> f64 {
    (3.0 / games).min(1.0)
}

/// The Elo difference at which `score` points per game are expected.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // Infinite at both ends, and 0 rather than -0 in the middle.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, losses: u32, draws: u32) -> Score {
        Score { wins, losses, draws }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.05
    }

    #[test]
    fn elo_agrees_with_values_worked_out_by_hand() {
        // 75%: 400 log10 3 = 190.85; sd of a game 0.4330, error of 100 games 0.08487.
        let elo = score(75, 25, 0).elo().unwrap();
        assert!(close(elo.difference, 190.85), "{elo:?}");
        assert!(close(elo.low, 400.0 * (0.66513_f64 / 0.33487).log10()), "{elo:?}");
        assert!(close(elo.high, 400.0 * (0.83487_f64 / 0.16513).log10()), "{elo:?}");
        // 40 wins, 20 losses, 40 draws: mean 0.6, variance (40*0.16 + 20*0.36 + 40*0.01) / 100 = 0.14.
        let elo = score(40, 20, 40).elo().unwrap();
        let error = 1.959_964 * (0.14_f64 / 100.0).sqrt();
        assert!(close(elo.difference, 70.44), "{elo:?}");
        assert!(close(elo.low, 400.0 * ((0.6 - error) / (0.4 + error)).log10()), "{elo:?}");
        assert_eq!(score(0, 0, 0).elo(), None);
        assert_eq!(score(5, 5, 0).elo().unwrap().difference, 0.0);
    }

    #[test]
    fn equal_results_still_have_an_interval() {
        let elo = score(300, 0, 0).elo().unwrap();
        assert!(elo.difference.is_infinite() && elo.high.is_infinite());
        assert!(close(elo.low, 400.0 * 99_f64.log10()));
        let elo = score(0, 300, 0).elo().unwrap();
        assert!(elo.low == f64::NEG_INFINITY && close(elo.high, -400.0 * 99_f64.log10()));
        let elo = score(0, 0, 300).elo().unwrap();
        assert!(elo.difference == 0.0 && close(elo.high, 400.0 * (0.505_f64 / 0.495).log10()));
        assert!(close(elo.low, -elo.high));
    }
}
