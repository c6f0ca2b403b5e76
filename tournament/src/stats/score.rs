//! Won, lost and drawn games, treated as independent.

use std::ops::AddAssign;

use serde::Serialize;

use super::{elo_from, normal_below};
use crate::model::record::GameResult;

/// Won, lost and drawn games of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

/// An Elo difference with its 95% interval; infinite if the games do not bound it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference at which the expected score equals the actual one.
    pub difference: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Score {
    /// Total number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The sum of both scores.
    pub fn plus(&self, other: &Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
        }
    }

    /// Counts a game: `won` is whether this side won it, `None` for a draw.
    pub fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }

    /// Counts a game by its recorded result.
    pub fn add_outcome(&mut self, outcome: GameResult, is_black: bool) {
        self.add(match outcome {
            GameResult::Black => Some(is_black),
            GameResult::White => Some(!is_black),
            GameResult::Draw => None,
        });
    }

    /// Takes back a game that was counted by its recorded result.
    pub(super) fn remove_outcome(&mut self, outcome: GameResult, is_black: bool) {
        match outcome {
            GameResult::Draw => self.draws -= 1,
            GameResult::Black if is_black => self.wins -= 1,
            GameResult::White if !is_black => self.wins -= 1,
            GameResult::Black | GameResult::White => self.losses -= 1,
        }
    }

    /// The score of the other side in these games.
    pub fn reversed(&self) -> Score {
        Score { wins: self.losses, losses: self.wins, draws: self.draws }
    }

    /// Total points; a draw counts half.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + 0.5 * f64::from(self.draws)
    }

    /// Points per game; a draw counts half. `None` without games.
    pub fn mean(&self) -> Option<f64> {
        let games = f64::from(self.games());
        (games > 0.0).then(|| self.points() / games)
    }

    /// Draws per game; `None` without games.
    pub fn draw_rate(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| f64::from(self.draws) / f64::from(games))
    }

    /// The variance of one game's points; 0 without games.
    pub fn variance(&self) -> f64 {
        let Some(mean) = self.mean() else { return 0.0 };
        let spread = |points: f64, count: u32| f64::from(count) * (points - mean).powi(2);
        let total = spread(1.0, self.wins) + spread(0.0, self.losses) + spread(0.5, self.draws);
        total / f64::from(self.games())
    }

    /// The Elo difference; its interval uses the normal approximation for the mean of independent games.
    /// `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        let games = f64::from(self.games());
        Some(elo_from(self.mean()?, self.variance() / games, games))
    }

    /// The likelihood of superiority: the probability, 0 to 1, that this side is the better one. Draws do not
    /// affect it. `None` without games.
    pub fn los(&self) -> Option<f64> {
        let decided = f64::from(self.wins + self.losses);
        if decided == 0.0 {
            return (self.games() > 0).then_some(0.5);
        }
        Some(normal_below((f64::from(self.wins) - f64::from(self.losses)) / decided.sqrt()))
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = self.plus(&other);
    }
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
        // A side that wins a game with probability p wins 300 of 300 with p^300: 5% at p = 0.990064.
        let bound = 400.0 * (0.990_064_f64 / 0.009_936).log10();
        let elo = score(300, 0, 0).elo().unwrap();
        assert!(elo.difference.is_infinite() && elo.high.is_infinite());
        assert!(close(elo.low, bound), "{elo:?}");
        let elo = score(0, 300, 0).elo().unwrap();
        assert!(elo.low == f64::NEG_INFINITY && close(elo.high, -bound), "{elo:?}");
        let elo = score(0, 0, 300).elo().unwrap();
        assert!(elo.difference == 0.0 && close(elo.high, 400.0 * (0.505_f64 / 0.495).log10()));
        assert!(close(elo.low, -elo.high));
    }

    #[test]
    fn even_the_shortest_sweep_bounds_the_difference() {
        for games in 1..=5 {
            let (won, lost) = (score(games, 0, 0).elo().unwrap(), score(0, games, 0).elo().unwrap());
            let least = super::super::score_of(won.low);
            assert!((least.powi(games as i32) - 0.05).abs() < 1e-9, "{games}: {won:?}");
            assert!((won.low + lost.high).abs() < 1e-9, "{games}: {won:?}, {lost:?}");
        }
    }

    #[test]
    fn los_agrees_with_the_exact_posterior() {
        // With a flat prior, the probability that a win is likelier than a loss is the share of Beta(w+1,
        // l+1) above one half, which is P(X <= w) for w+l+1 fair coins.
        let posterior = |wins: u32, losses: u32| {
            let n = wins + losses + 1;
            let mut term = 0.5_f64.powi(n as i32);
            let mut sum = 0.0;
            for heads in 0..=wins {
                sum += term;
                term *= f64::from(n - heads) / f64::from(heads + 1);
            }
            sum
        };
        for (wins, losses) in [(60, 40), (40, 60), (55, 50), (210, 180), (100, 100), (9, 3)] {
            let los = score(wins, losses, 77).los().unwrap();
            let exact = posterior(wins, losses);
            assert!((los - exact).abs() < 0.01, "{wins}-{losses}: {los} and {exact}");
        }
        assert_eq!(score(0, 0, 9).los(), Some(0.5));
        assert_eq!(score(0, 0, 0).los(), None);
    }

    #[test]
    fn draw_rates_and_outcomes_are_counted() {
        let mut counted = Score::default();
        for outcome in [GameResult::Black, GameResult::White, GameResult::White, GameResult::Draw] {
            counted.add_outcome(outcome, true);
        }
        assert_eq!(counted, score(1, 2, 1));
        assert_eq!(counted.reversed(), score(2, 1, 1));
        assert_eq!(counted.draw_rate(), Some(0.25));
    }
}
