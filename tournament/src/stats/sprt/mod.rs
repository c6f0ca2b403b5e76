//! The generalised sequential probability ratio test: decides when the results of a match answer a question.
//!
//! The question is whether the first engine is better by `elo1` (H1) or only by `elo0` (H0). The distribution
//! of results is not known in advance, so each hypothesis is represented by the most likely distribution that
//! it allows: the one that maximises the likelihood of the counts among all distributions with the expected
//! score (logistic), or with the expected score in standard deviations (normalised), that the hypothesis
//! states. By Lagrange's multiplier the logistic one is `p_i = f_i / (1 + theta (v_i - s))` with the observed
//! frequencies `f_i`, the values `v_i` and the expected score `s`, where `theta` is the only root of `sum f_i
//! (v_i - s) / (1 + theta (v_i - s))` between the poles; the normalised one is found in [`normalised`]. (Van den
//! Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", 2019;
//! "Normalized Elo", 2021.)
//!
//! A match over several leagues is one such test on the pooled counts of all leagues. A pair from any league
//! is a sample of the mixture of the leagues' distributions, whose expectation is the weighted mean of their
//! scores: the quantity that a change of play should raise. A sum of one ratio per league would instead
//! weight leagues by the precision of their results (the tests show drawn games of one league outvoting
//! losses in four others), and would estimate five distributions from a fifth of the games each. Pairs are
//! distributed evenly instead of sampled, so differences between the leagues' scores do not increase the
//! variance of the mean, although pooling counts them: differences of 10 Elo between leagues make the test
//! longer by less than 1%.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::pentanomial::NORMALISED_ELO;
use super::{Pairs, score_of};

mod normalised;

/// Count used for a result that has not occurred. With 0, a distribution in which the result is impossible
/// would follow from too few games. The value is too small to matter next to one game.
const UNSEEN: f64 = 1e-3;
/// Number of bisections of the interval of theta: beyond the precision of the numbers.
const HALVINGS: usize = 80;

/// Greatest Elo difference of a hypothesis. The scores of far greater ones round to 1, which no likelihood fits.
const MAX_ELO: f64 = 2000.0;

/// The Elo scale of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// The usual Elo: only the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: the expected score in standard deviations of a game, so that a test takes about
    /// equally long at any draw rate.
    Normalised,
}

/// A test, as configured before the first game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// The hypothesis that a test accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Accepted {
    /// The first engine is better by at most `elo0`.
    H0,
    /// The first engine is better by at least `elo1`.
    H1,
}

/// State of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtStatus {
    /// The log likelihood ratio, H1 over H0.
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    /// The outcome, once a bound is reached.
    pub decision: Option<Accepted>,
}

impl SprtStatus {
    /// The state of a test of `elo1` against `elo0` in one line: bounds, likelihood ratio, outcome.
    pub fn describe(&self, elo0: f64, elo1: f64) -> String {
        let outcome = match self.decision {
            Some(Accepted::H1) => format!("accepted: better by at least {elo1}"),
            Some(Accepted::H0) => format!("rejected: better by at most {elo0}"),
            None => "undecided".to_owned(),
        };
        let SprtStatus { llr, lower, upper, .. } = self;
        format!("SPRT {elo0} to {elo1}: LLR {llr:.2} of {lower:.2} to {upper:.2}, {outcome}")
    }
}

impl Sprt {
    /// A test of `elo1` against `elo0` that wrongly accepts H1 with probability `alpha`, and H0 with `beta`.
    ///
    /// # Errors
    /// Returns an error if `elo0` is not below `elo1`, if one of them is out of range, or if an error rate is not
    /// between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt> {
        ensure!(elo0.is_finite() && elo1.is_finite() && elo0 < elo1, "elo0 must be below elo1");
        let is_in_range = elo0 >= -MAX_ELO && elo1 <= MAX_ELO;
        ensure!(is_in_range, "elo0 and elo1 must be from -{MAX_ELO} to {MAX_ELO}");
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        ensure!(is_rate(alpha) && is_rate(beta), "alpha and beta must be between 0 and 0.5");
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The state of the test after these pairs of games.
    pub fn status(&self, pairs: &Pairs) -> SprtStatus {
        let counts = pairs.0.map(|count| count as f64);
        // The variance of a pair's points per game is half the variance of a game.
        self.status_of(&counts, &Pairs::VALUES, 2.0)
    }

    /// The state of the test after `counts` results of these `values`, each of which is the mean of
    /// `games_per_result` games.
    fn status_of<const N: usize>(
        &self,
        counts: &[f64; N],
        values: &[f64; N],
        games_per_result: f64,
    ) -> SprtStatus {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr =
            if counts.iter().sum::<f64>() == 0.0 { 0.0 } else { self.llr(counts, values, games_per_result) };
        let decision = match llr {
            llr if llr >= upper => Some(Accepted::H1),
            llr if llr <= lower => Some(Accepted::H0),
            _ => None,
        };
        SprtStatus { llr, lower, upper, decision }
    }

    fn llr<const N: usize>(&self, counts: &[f64; N], values: &[f64; N], games_per_result: f64) -> f64 {
        let counts = counts.map(|count| if count == 0.0 { UNSEEN } else { count });
        let total: f64 = counts.iter().sum();
        let observed = Distribution { values: *values, shares: counts.map(|count| count / total) };
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => observed.likeliest_with_mean(score_of(elo)),
            Model::Normalised => {
                normalised::likeliest(&observed, elo / NORMALISED_ELO * games_per_result.sqrt())
            }
        };
        observed.log_ratio(&likeliest(self.elo1), &likeliest(self.elo0)) * total
    }
}

/// A test in the course of a match. A decision is final: games that were still being played do not reopen it.
#[derive(Clone, Debug)]
pub struct SprtProgress {
    sprt: Sprt,
    pairs: u64,
    status: SprtStatus,
}

impl SprtProgress {
    /// The test before the first game.
    pub fn new(sprt: Sprt) -> SprtProgress {
        SprtProgress { sprt, pairs: 0, status: sprt.status(&Pairs::default()) }
    }

    /// Continues the test after a game that brought the pairs to `pairs`.
    pub fn note(&mut self, pairs: &Pairs) {
        if !self.is_decided() && pairs.count() > self.pairs {
            self.pairs = pairs.count();
            self.status = self.sprt.status(pairs);
        }
    }

    /// The state of the test.
    pub fn status(&self) -> SprtStatus {
        self.status
    }

    /// Whether the test has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.status.decision.is_some()
    }

    /// Number of pairs that the state is based on.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }
}

/// Possible results, evenly spaced from 0 to 1, and their shares.
#[derive(Clone, Copy)]
struct Distribution<const N: usize> {
    values: [f64; N],
    shares: [f64; N],
}

impl<const N: usize> Distribution<N> {
    /// The most likely distribution with expectation `mean`, which is between 0 and 1.
    fn likeliest_with_mean(&self, mean: f64) -> Distribution<N> {
        let gradient = self.values.map(|value| value - mean);
        // Every value has a positive share, so values lie on both sides of the mean.
        let least = gradient.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = gradient.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        for _ in 0..HALVINGS {
            let theta = 0.5 * (low + high);
            let expectation: f64 =
                gradient.iter().zip(&self.shares).map(|(g, share)| share * g / (1.0 + theta * g)).sum();
            // The expectation falls from plus to minus infinity between the poles.
            *(if expectation > 0.0 { &mut low } else { &mut high }) = theta;
        }
        let theta = 0.5 * (low + high);
        let shares = std::array::from_fn(|i| self.shares[i] / (1.0 + theta * gradient[i]));
        Distribution { values: self.values, shares }
    }

    /// The mean log likelihood ratio of two distributions over the observed results.
    fn log_ratio(&self, above: &Distribution<N>, below: &Distribution<N>) -> f64 {
        (0..N).map(|i| self.shares[i] * (above.shares[i] / below.shares[i]).ln()).sum()
    }
}

#[cfg(test)]
mod tests;
