//! Maximum likelihood strengths of one block, by Newton's method, and bounds for blocks that won or lost all
//! games against another one.
//!
//! Strengths are in natural units here.

use anyhow::{Context, Result};
use nalgebra::{DMatrix, DVector};

use super::{DrawModel, Meetings, SWEEP, Standing};
use crate::stats::{Score, normal_below};

/// Maximum number of Newton steps. Each step doubles the number of correct digits, so far fewer are needed.
const STEPS: usize = 200;
/// The iteration ends when the largest component of a step is below this bound.
const PRECISION: f64 = 1e-10;
/// Longest step, in natural units (350 Elo): far from the maximum, the quadratic model is not reliable.
const LONGEST_STEP: f64 = 2.0;
/// Larger than any distance between a bound and the strengths that it comes from.
const FAR: f64 = 60.0;

/// The strengths of a block.
pub(super) struct Fit {
    /// The strength of each player, in the order of the block.
    pub strengths: Vec<f64>,
    /// The covariance of the strengths.
    pub covariance: DMatrix<f64>,
    /// Davidson's parameter.
    pub nu: Option<f64>,
    /// Whether draws count as half points although Davidson's model was requested.
    pub is_without_nu: bool,
}

impl Fit {
    /// The standard error of a player's strength.
    pub fn error(&self, player: usize) -> f64 {
        self.covariance[(player, player)].max(0.0).sqrt()
    }

    /// Likelihood of superiority of one player over another, 0 to 1; `None` when both are given.
    pub fn los(&self, one: usize, other: usize) -> Option<f64> {
        let of = |a, b| self.covariance[(a, b)];
        let variance = of(one, one) + of(other, other) - 2.0 * of(one, other);
        let difference = self.strengths[one] - self.strengths[other];
        (variance > 0.0).then(|| normal_below(difference / variance.sqrt()))
    }

    /// Shifts the whole `block`, which has these strengths, to the point where its sweep against players with
    /// known `strengths` has the likelihood [`SWEEP`], in natural units: the bound of a one-sided interval. `nu` is
    /// the parameter of the known players.
    pub fn bound(
        &self,
        block: &[usize],
        standing: Standing,
        meetings: &Meetings,
        strengths: &[f64],
        nu: Option<f64>,
    ) -> f64 {
        let sign = if standing == Standing::Below { -1.0 } else { 1.0 };
        let place = |player: usize| block.iter().position(|&other| other == player);
        let sweeps: Vec<(f64, f64, f64)> = meetings
            .iter()
            .filter_map(|(&(first, second), score)| {
                let (own, other) = match (place(first), place(second)) {
                    (Some(own), None) => (own, second),
                    (None, Some(own)) => (own, first),
                    _ => return None,
                };
                let known = Some(strengths[other]).filter(|strength| strength.is_finite())?;
                Some((self.strengths[own], known, f64::from(score.games())))
            })
            .collect();
        let log_likelihood = |shift: f64| -> f64 {
            let term = |&(own, other, games): &(f64, f64, f64)| {
                games * Chances::new(sign * (own + shift - other), nu).win.ln()
            };
            sweeps.iter().map(term).sum()
        };
        // Anchors may be far from 0.
        let levels = sweeps.iter().map(|&(own, other, _)| other - own);
        let (lowest, highest) =
            levels.fold((0.0_f64, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
        let (mut low, mut high) = (lowest - FAR, highest + FAR);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            let is_too_likely = log_likelihood(middle) > SWEEP.ln();
            *(if is_too_likely == (sign > 0.0) { &mut high } else { &mut low }) = middle;
        }
        0.5 * (low + high)
    }
}

/// Win, draw and loss with probabilities proportional to e^(d/2), nu, e^(-d/2); without nu, only win and
/// loss.
#[derive(Clone, Copy)]
struct Chances {
    win: f64,
    draw: f64,
    loss: f64,
}

impl Chances {
    fn new(difference: f64, nu: Option<f64>) -> Chances {
        // Scaled to avoid overflow.
        let (strong, weak) = ((difference.abs() / -2.0).exp(), (-difference.abs()).exp());
        let draw = nu.map_or(0.0, |nu| nu * strong);
        let sum = 1.0 + draw + weak;
        let (win, loss) = if difference >= 0.0 { (1.0, weak) } else { (weak, 1.0) };
        Chances { win: win / sum, draw: draw / sum, loss: loss / sum }
    }

    fn log_likelihood(&self, score: &Score, nu: Option<f64>) -> f64 {
        let [wins, losses, draws] = [score.wins, score.losses, score.draws].map(f64::from);
        let term = |count: f64, chance: f64| if count > 0.0 { count * chance.ln() } else { 0.0 };
        let draws_of = |draws| match nu {
            Some(_) => term(draws, self.draw),
            None => term(draws / 2.0, self.win) + term(draws / 2.0, self.loss),
        };
        term(wins, self.win) + term(losses, self.loss) + draws_of(draws)
    }
}

/// The likelihood of a block's games as a function of the free strengths and, last, the log of nu.
struct Likelihood {
    /// Index of the free parameter for a player's strength, or its fixed value.
    strengths: Vec<Result<usize, f64>>,
    meetings: Vec<(usize, usize, Score)>,
    free: usize,
    has_nu: bool,
    is_without_nu: bool,
}

impl Likelihood {
    fn new(block: &[usize], meetings: &Meetings, given: &[Option<f64>], model: DrawModel) -> Likelihood {
        let place = |player: usize| block.iter().position(|&other| other == player);
        let meetings: Vec<_> = meetings
            .iter()
            .filter_map(|(&(first, second), &score)| Some((place(first)?, place(second)?, score)))
            .collect();
        let mut free = 0;
        let strengths: Vec<Result<usize, f64>> = block
            .iter()
            .map(|&player| {
                given[player].map_or_else(
                    || {
                        free += 1;
                        Ok(free - 1)
                    },
                    Err,
                )
            })
            .collect();
        // Without draws nu is 0, and the other model is the same.
        let drawn = meetings.iter().any(|(_, _, score)| score.draws > 0);
        let wants_nu = model == DrawModel::Davidson && drawn;
        let has_nu = wants_nu && bounds_nu(&meetings, &strengths);
        Likelihood { strengths, meetings, free, has_nu, is_without_nu: wants_nu && !has_nu }
    }

    fn parameters(&self) -> usize {
        self.free + usize::from(self.has_nu)
    }

    fn strength(&self, player: usize, at: &DVector<f64>) -> f64 {
        self.strengths[player].map_or_else(|fixed| fixed, |index| at[index])
    }

    fn nu(&self, at: &DVector<f64>) -> Option<f64> {
        self.has_nu.then(|| at[self.free].exp())
    }

    fn value(&self, at: &DVector<f64>) -> f64 {
        let nu = self.nu(at);
        let term = |(first, second, score): &(usize, usize, Score)| {
            let difference = self.strength(*first, at) - self.strength(*second, at);
            Chances::new(difference, nu).log_likelihood(score, nu)
        };
        self.meetings.iter().map(term).sum()
    }

    /// The gradient and the information, which is minus the matrix of second derivatives.
    fn derivatives(&self, at: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let size = self.parameters();
        let (mut gradient, mut information) = (DVector::zeros(size), DMatrix::zeros(size, size));
        let nu = self.nu(at);
        for (first, second, score) in &self.meetings {
            let difference = self.strength(*first, at) - self.strength(*second, at);
            let chances = Chances::new(difference, nu);
            let games = f64::from(score.games());
            // Each game is a choice among exponentials of linear terms: the derivatives are the means and
            // (co)variances of the points and of the indicator of a draw.
            let expected = chances.win + 0.5 * chances.draw;
            let variance = chances.win + 0.25 * chances.draw - expected * expected;
            let covariance = chances.draw * (0.5 - expected);
            let players = [(self.strengths[*first], 1.0), (self.strengths[*second], -1.0)];
            for (one, sign) in players {
                let Ok(one) = one else { continue };
                gradient[one] += sign * (score.points() - games * expected);
                for (other, other_sign) in players {
                    let Ok(other) = other else { continue };
                    information[(one, other)] += sign * other_sign * games * variance;
                }
                if nu.is_some() {
                    information[(one, self.free)] += sign * games * covariance;
                    information[(self.free, one)] += sign * games * covariance;
                }
            }
            if nu.is_some() {
                gradient[self.free] += f64::from(score.draws) - games * chances.draw;
                information[(self.free, self.free)] += games * chances.draw * (1.0 - chances.draw);
            }
        }
        (gradient, information)
    }

    /// Without a fixed strength, only differences count: the sum is then fixed at 0, which adds this value to
    /// each element of the information on strengths and subtracts its inverse from the covariance.
    fn pin(&self, information: &mut DMatrix<f64>) -> f64 {
        if self.free < self.strengths.len() {
            return 0.0;
        }
        let scale = information.trace().max(1.0) / self.free as f64;
        for row in 0..self.free {
            for column in 0..self.free {
                information[(row, column)] += scale;
            }
        }
        1.0 / (scale * (self.free * self.free) as f64)
    }
}

/// Whether the likelihood has its maximum at a finite nu. It has none if nu can grow together with the differences:
/// if the players can be placed on a line so that each winner is at least one unit above the loser, players who drew
/// are at most one unit apart, and all anchors are at one point. This is impossible exactly if a cycle of players has
/// more wins than draws, where a step between two anchors counts as neither. The method of Bellman and Ford finds
/// such a cycle.
fn bounds_nu(meetings: &[(usize, usize, Score)], strengths: &[Result<usize, f64>]) -> bool {
    if meetings.iter().any(|(_, _, score)| score.wins > 0 && score.losses > 0) {
        return true;
    }
    // The second player is at most this far above the first.
    let mut bounds: Vec<(usize, usize, i64)> = Vec::new();
    for &(first, second, score) in meetings {
        bounds.extend((score.wins > 0).then_some((first, second, -1)));
        bounds.extend((score.losses > 0).then_some((second, first, -1)));
        if score.draws > 0 {
            bounds.extend([(first, second, 1), (second, first, 1)]);
        }
    }
    let anchors: Vec<usize> = (0..strengths.len()).filter(|&player| strengths[player].is_err()).collect();
    bounds.extend(anchors.windows(2).flat_map(|pair| [(pair[0], pair[1], 0), (pair[1], pair[0], 0)]));
    let mut highest = vec![0_i64; strengths.len()];
    for _ in 0..highest.len() {
        let mut is_met = true;
        for &(from, to, distance) in &bounds {
            let most = highest[from] + distance;
            if highest[to] > most {
                (highest[to], is_met) = (most, false);
            }
        }
        if is_met {
            return false;
        }
    }
    true
}

/// The maximum likelihood strengths of `block`, whose players must all have scored against each other; the
/// mean is 0 unless a strength is `given`.
///
/// # Errors
/// Returns an error if the iteration does not converge.
pub(super) fn fit(
    block: &[usize],
    meetings: &Meetings,
    given: &[Option<f64>],
    model: DrawModel,
) -> Result<Fit> {
    let likelihood = Likelihood::new(block, meetings, given, model);
    let anchors: Vec<f64> = block.iter().filter_map(|&player| given[player]).collect();
    let start = if anchors.is_empty() { 0.0 } else { anchors.iter().sum::<f64>() / anchors.len() as f64 };
    let mut at = DVector::from_element(likelihood.parameters(), start);
    if likelihood.has_nu {
        at[likelihood.free] = 0.0;
    }
    if likelihood.parameters() > 0 {
        climb(&likelihood, &mut at)?;
    }
    let strengths = (0..block.len()).map(|player| likelihood.strength(player, &at)).collect();
    Ok(Fit {
        strengths,
        covariance: covariance(&likelihood, &at)?,
        nu: likelihood.nu(&at),
        is_without_nu: likelihood.is_without_nu,
    })
}

fn climb(likelihood: &Likelihood, at: &mut DVector<f64>) -> Result<()> {
    let mut value = likelihood.value(at);
    for _ in 0..STEPS {
        let (gradient, mut information) = likelihood.derivatives(at);
        likelihood.pin(&mut information);
        let mut step = information.cholesky().context("no ratings fit these results")?.solve(&gradient);
        let longest = step.amax();
        if longest < PRECISION {
            return Ok(());
        }
        step *= (LONGEST_STEP / longest).min(1.0);
        loop {
            let next = &*at + &step;
            let next_value = likelihood.value(&next);
            // At the maximum, rounding may look like a decrease.
            if next_value >= value - 1e-9 * value.abs() || step.amax() < PRECISION {
                (*at, value) = (next, next_value);
                break;
            }
            step *= 0.5;
        }
    }
    anyhow::bail!("the ratings did not converge")
}

/// The covariance of all strengths; it is 0 for given ones.
fn covariance(likelihood: &Likelihood, at: &DVector<f64>) -> Result<DMatrix<f64>> {
    let players = likelihood.strengths.len();
    if likelihood.parameters() == 0 {
        return Ok(DMatrix::zeros(players, players));
    }
    let (_, mut information) = likelihood.derivatives(at);
    let pinned = likelihood.pin(&mut information);
    let inverse = information.cholesky().context("no ratings fit these results")?.inverse();
    let of = |one: usize, other: usize| match (likelihood.strengths[one], likelihood.strengths[other]) {
        (Ok(one), Ok(other)) => inverse[(one, other)] - pinned,
        _ => 0.0,
    };
    Ok(DMatrix::from_fn(players, players, of))
}
