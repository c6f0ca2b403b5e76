//! The most likely distribution of results that a hypothesis in normalised Elo allows: its mean is `t` of its own
//! standard deviations above even.
//!
//! A standard deviation `s` determines both moments, because the mean is `0.5 + t s`. With the standardised results
//! `x_i`, the most likely distribution with these moments is `p_i = f_i / (1 + a x_i + b (x_i^2 - 1))`. Its
//! multipliers minimise a convex function, so Newton's method finds them. The likelihood is then a function of `s`
//! alone, with the derivative `(a t + 2 b) / s`. It can have several maxima, mostly if almost all results are equal
//! or if the bounds are extreme; all are compared. All this takes a few tenths of a millisecond.

use super::Distribution;

/// Spacing of the logits of the standard deviation, between its limits, at which maxima are looked for.
const SPACING: f64 = 1.5;
/// Number of logits on either side of 0. The rarer the rarest result is, the nearer a maximum is to a limit; beyond the
/// last logits, floating-point precision does not suffice.
const REACH: i32 = 16;
/// Number of bisections between two logits.
const HALVINGS: usize = 36;
/// Maximum number of Newton steps; far fewer are needed except close to the limits.
const NEWTON_STEPS: usize = 60;
/// Maximum number of halvings of a Newton step.
const BACKTRACKING: usize = 50;
/// Twice the gain of a Newton step below which the multipliers count as exact.
const EXACT: f64 = 1e-16;
/// Twice the gain of a Newton step below which the full step is taken without comparing costs.
const CLOSE: f64 = 1e-9;

/// The most likely distribution whose mean is `t` of its standard deviations above even.
pub(super) fn likeliest<const N: usize>(observed: &Distribution<N>, t: f64) -> Distribution<N> {
    let mut search = Search::new(observed, t);
    let mut best: Option<Distribution<N>> = None;
    let (mut low, mut low_rises) = (f64::NEG_INFINITY, None);
    for index in -REACH - 1..=REACH + 1 {
        let high = SPACING * f64::from(index);
        let high_rises = search.rises(high);
        if matches!((low_rises, high_rises), (None, Some(false)) | (Some(true), None | Some(false))) {
            let found = search.maximum(low, high, low_rises.is_some());
            if best.is_none_or(|best| observed.log_ratio(&found, &best) > 0.0) {
                best = Some(found);
            }
        }
        (low, low_rises) = (high, high_rises);
    }
    best.unwrap_or(*observed)
}

/// The search for the best standard deviation.
struct Search<'a, const N: usize> {
    observed: &'a Distribution<N>,
    t: f64,
    /// Limits of the standard deviation; between them, some values can be impossible too.
    limits: (f64, f64),
    /// The last multipliers, with which the next problem starts.
    multipliers: [f64; 2],
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(observed: &'a Distribution<N>, t: f64) -> Search<'a, N> {
        // With the mean between 0.5 and the next value, the variance is least if only these two occur; it is
        // greatest if only 0 and 1 occur.
        let gap = observed.values[1] - observed.values[0];
        let limits = (gap * t.abs() / (1.0 + t * t), 0.5 / (1.0 + t * t).sqrt());
        Search { observed, t, limits, multipliers: [0.0; 2] }
    }

    fn deviation(&self, logit: f64) -> f64 {
        let (low, high) = self.limits;
        low + (high - low) / (1.0 + (-logit).exp())
    }

    /// Whether the likelihood rises with the standard deviation; `None` if no distribution has its moments or the logit
    /// is beyond [`REACH`].
    fn rises(&mut self, logit: f64) -> Option<bool> {
        let deviation = self.deviation(logit);
        if logit.abs() > SPACING * f64::from(REACH) || !self.is_possible(deviation) {
            return None;
        }
        self.fit(deviation);
        let [a, b] = self.multipliers;
        Some(a * self.t + 2.0 * b > 0.0)
    }

    /// Whether a distribution of these values has this standard deviation and the mean that belongs to it.
    fn is_possible(&self, deviation: f64) -> bool {
        let (mean, variance) = (0.5 + self.t * deviation, deviation * deviation);
        let values = self.observed.values.iter().copied();
        let below = values.clone().filter(|&value| value <= mean).fold(f64::NEG_INFINITY, f64::max);
        let above = values.filter(|&value| value > mean).fold(f64::INFINITY, f64::min);
        (mean - below) * (above - mean) < variance && variance < mean * (1.0 - mean)
    }

    /// The most likely distribution at a maximum of the likelihood between two logits. At one of them the likelihood
    /// rises or falls towards the other, where it does the opposite or is impossible.
    fn maximum(&mut self, mut low: f64, mut high: f64, is_low_possible: bool) -> Distribution<N> {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            // The impossible part shrinks from its own end.
            let rises = self.rises(middle).unwrap_or(!is_low_possible);
            *(if rises { &mut low } else { &mut high }) = middle;
        }
        let deviation = self.deviation(if is_low_possible { low } else { high });
        self.fit(deviation)
    }

    /// The most likely distribution with this standard deviation and the mean that belongs to it.
    fn fit(&mut self, deviation: f64) -> Distribution<N> {
        let Distribution { values, shares } = *self.observed;
        let constraints = values.map(|value| {
            let x = (value - 0.5) / deviation - self.t;
            [x, x * x - 1.0]
        });
        let (multipliers, divisors) = solve(&shares, &constraints, self.multipliers);
        self.multipliers = multipliers;
        Distribution { values, shares: std::array::from_fn(|i| shares[i] / divisors[i]) }
    }
}

/// The multipliers that minimise the [`cost`], and the divisors of the shares that they give.
fn solve<const N: usize>(
    shares: &[f64; N],
    constraints: &[[f64; 2]; N],
    start: [f64; 2],
) -> ([f64; 2], [f64; N]) {
    let mut found = divisors(constraints, start).map_or(([0.0; 2], [1.0; N]), |divisors| (start, divisors));
    for _ in 0..NEWTON_STEPS {
        let (multipliers, old) = found;
        let Some((step, gain)) = newton_step(shares, constraints, &old) else { break };
        let cost_before = cost(shares, &old);
        let mut scales = std::iter::successors(Some(1.0_f64), |scale| Some(0.5 * scale)).take(BACKTRACKING);
        let next = scales.find_map(|scale| {
            let next = [multipliers[0] + scale * step[0], multipliers[1] + scale * step[1]];
            let divisors = divisors(constraints, next)?;
            (gain < CLOSE || cost(shares, &divisors) < cost_before).then_some((next, divisors))
        });
        let Some(next) = next else { break };
        found = next;
    }
    found
}

/// The divisors `1 + a x_i + b (x_i^2 - 1)`; `None` unless all are positive.
fn divisors<const N: usize>(constraints: &[[f64; 2]; N], [a, b]: [f64; 2]) -> Option<[f64; N]> {
    let divisors = constraints.map(|[x, y]| 1.0 + a * x + b * y);
    divisors.iter().all(|&divisor| divisor > 0.0).then_some(divisors)
}

/// The function of the multipliers that is least for the most likely distribution.
fn cost<const N: usize>(shares: &[f64; N], divisors: &[f64; N]) -> f64 {
    -shares.iter().zip(divisors).map(|(share, divisor)| share * divisor.ln()).sum::<f64>()
}

/// Newton's step towards the least cost, and twice its gain; `None` if the cost is already minimal.
fn newton_step<const N: usize>(
    shares: &[f64; N],
    constraints: &[[f64; 2]; N],
    divisors: &[f64; N],
) -> Option<([f64; 2], f64)> {
    let (mut slope_a, mut slope_b, mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for ((share, [x, y]), divisor) in shares.iter().zip(constraints).zip(divisors) {
        let probability = share / divisor;
        slope_a += probability * x;
        slope_b += probability * y;
        let curvature = probability / divisor;
        aa += curvature * x * x;
        ab += curvature * x * y;
        bb += curvature * y * y;
    }
    let determinant: f64 = aa * bb - ab * ab;
    let step = [(bb * slope_a - ab * slope_b) / determinant, (aa * slope_b - ab * slope_a) / determinant];
    let gain: f64 = slope_a * step[0] + slope_b * step[1];
    (determinant > 0.0 && gain > EXACT).then_some((step, gain))
}
