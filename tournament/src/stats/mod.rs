//! Statistics of playing strength from results. This module reads no files and knows no engines.
//!
//! - [`score`]: won, lost and drawn games of one side, the corresponding Elo difference, the likelihood of
//!   superiority.
//! - [`pentanomial`]: the same for pairs of games over one opening, whose results are not independent.
//! - [`progress`]: the games of a match as pairs and single games, and how far its test is.
//! - [`sprt`]: decides when a match may stop.
//! - [`leagues`]: a match between two engines by league.
//! - [`duel`]: the results of two engines against each other, from the records of a pool.
//! - [`repeats`]: games that repeat an earlier one, which count once.
//! - [`ratings`]: ratings of a whole pool on one scale.
//! - [`standings`]: all results of a pool of games.
//! - [`procedures`]: the scores of the players who negotiated openings.
//! - [`mod@format`]: the numbers of a match in text.
//!
//! All intervals are 95% intervals.

pub mod duel;
pub mod format;
pub mod leagues;
pub mod pentanomial;
pub mod procedures;
pub mod progress;
pub mod ratings;
pub mod repeats;
pub mod score;
pub mod sprt;
pub mod standings;

pub use duel::Duel;
pub use pentanomial::Pairs;
pub use progress::{MatchProgress, PairedResults};
pub use ratings::{DrawModel, Pool, Rating, Ratings};
pub use repeats::Repeats;
pub use score::{Elo, Score};
pub use sprt::{Accepted, Model, Sprt, SprtProgress, SprtStatus};

/// Number of standard deviations on either side of the mean that contain 95% of a normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which `score` points per game are expected; infinite at 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // Adding 0 turns -0 into 0.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// The expected points per game at an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The share of a standard normal distribution below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The greatest share of other results that is compatible (at 95%) with `trials` equal results: at a greater
/// share, equal results have a probability below 5%. Unlike the rule of three, `3 / trials`, which
/// approximates it, it is below 1 after any number of trials.
pub(crate) fn greatest_other_share(trials: f64) -> f64 {
    1.0 - 0.05_f64.powf(1.0 / trials)
}

/// The Elo difference for a mean score and the variance of that mean. If the variance is 0, `trials` equal
/// results leave room for some others.
pub(crate) fn elo_from(mean: f64, variance_of_mean: f64, trials: f64) -> Elo {
    let (low, high) = if variance_of_mean > 0.0 {
        let error = Z_95 * variance_of_mean.sqrt();
        (mean - error, mean + error)
    } else {
        let others = greatest_other_share(trials);
        (mean - others * mean, mean + others * (1.0 - mean))
    };
    Elo { difference: elo_of(mean), low: elo_of(low), high: elo_of(high) }
}
