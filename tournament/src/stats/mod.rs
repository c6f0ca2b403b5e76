//! Statistics of strength from results. It reads no files and knows no engines.
//!
//! - [`score`]: won, lost and drawn games of one side, the Elo difference they stand for, how likely one side is the
//!   better one.
//! - [`pentanomial`]: the same from pairs of games over one opening, whose results are not independent.
//! - [`sprt`]: when a match may stop.
//! - [`leagues`]: a match of two engines league by league.
//! - [`duel`]: everything about two engines, from the records of their games.
//! - [`ratings`]: a whole pool on one scale.
//! - [`summary`], [`standings`]: what they come to: a batch while it runs, and any games afterwards.
//!
//! Intervals hold 95%.

pub mod duel;
mod format;
pub mod game_line;
pub mod leagues;
pub mod pentanomial;
pub mod ratings;
pub mod score;
pub mod sprt;
pub mod standings;
pub mod summary;

pub use duel::Duel;
pub use pentanomial::Pairs;
pub use ratings::{DrawModel, Pool, Rating, Ratings};
pub use score::{Elo, Score};
pub use sprt::{Accepted, Model, Sprt, SprtStatus};

/// Standard deviations to either side that hold 95% of a normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which `score` points per game are expected: infinite at 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // Adding 0 makes 0 of -0.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// The points per game that are expected at an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The share of a standard normal distribution below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The greatest share of other results (95%) that `trials` equal ones leave room for: the rule of three.
pub(crate) fn rule_of_three(trials: f64) -> f64 {
    (3.0 / trials).min(1.0)
}

/// An Elo difference from a mean score and the variance of that mean; with no variance to go by, `trials` equal
/// results leave room for some others.
pub(crate) fn elo_from(mean: f64, variance_of_mean: f64, trials: f64) -> Elo {
    let (low, high) = if variance_of_mean > 0.0 {
        let error = Z_95 * variance_of_mean.sqrt();
        (mean - error, mean + error)
    } else {
        let others = rule_of_three(trials);
        (mean - others * mean, mean + others * (1.0 - mean))
    };
    Elo { difference: elo_of(mean), low: elo_of(low), high: elo_of(high) }
}
