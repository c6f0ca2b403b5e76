//! SPSA: simultaneous perturbation stochastic approximation (Spall, 1992), with the usual gain sequences.
//!
//! In iteration `k`, all values are moved simultaneously and at random by `c_k` up or down, and the engine
//! with these values plays the engine with the opposite moves. The score of that match, in games won minus
//! lost, determines how far the values move in the direction of the winner. The steps shrink as `c_k = c /
//! k^gamma` and `a_k = a / (A + k)^alpha`. `c` and `a` follow from their values at the end: `c_end`, and
//! `r_end = a_end / c_end^2`, the share of `c_end` by which one won game moves a value.
//!
//! Without steps (`r_end = 0`) the values stay fixed, and the same games are a *screening*: each parameter is
//! at its upper or lower value, all of them independently at random, and [`Spsa::effects`] estimates the
//! effect of each. The games give as much information on each of twenty changes as a match of the same length
//! gives on a single change, because the other changes are on either side equally often (a two-level
//! factorial design; Fisher, 1935).
//!
//! Engines take integers: a value between two integers is rounded up or down at random, in proportion and
//! equally for both sides, so that the mean is the intended value. Each iteration has its own random numbers,
//! independent of earlier draws.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::stats::pentanomial::NORMALISED_ELO;
use crate::stats::{Score, Z_95};

/// A number to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Initial value.
    pub start: f64,
    /// Its smallest value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
    /// Perturbation of its value in the last iteration.
    pub c_end: f64,
    /// The share of `c_end` by which a won game moves it in the last iteration.
    pub r_end: f64,
}

impl Parameter {
    /// The integer within the range that is nearest to a value: engines take integers, even if the range ends
    /// between two of them.
    pub fn whole(&self, value: f64) -> i64 {
        (value.round() as i64).clamp(self.min.ceil() as i64, self.max.floor() as i64)
    }
}

/// Shape of the gain sequences `a_k` and `c_k`, which determine how the steps shrink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gains {
    /// Exponent of the steps.
    pub alpha: f64,
    /// Exponent of the perturbations.
    pub gamma: f64,
    /// `A` as a share of the iterations: the larger, the smaller the first steps.
    pub stability: f64,
}

impl Default for Gains {
    fn default() -> Gains {
        Gains { alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// The values that the engines of an iteration play with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The values of the first engine.
    pub plus: Vec<i64>,
    /// The values of the second engine, mirrored at the current values.
    pub minus: Vec<i64>,
}

/// An estimate of a parameter's effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Elo of its upper value over its lower one, averaged over the values of the other parameters.
    pub elo: f64,
    /// Half the width of the 95% interval.
    pub margin: f64,
}

/// A tuning in progress.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    gains: Gains,
    iterations: u32,
    seed: u64,
    values: Vec<f64>,
    done: u32,
}

/// The steps of one parameter in one iteration.
struct ParameterStep {
    /// Perturbation of the value, `c_k`.
    c: f64,
    /// Distance by which a won game moves the value, `a_k / c_k`.
    gain: f64,
}

impl Spsa {
    /// A tuning of `parameters`, at least one, in `iterations` iterations, in its initial state.
    pub fn new(parameters: Vec<Parameter>, gains: Gains, iterations: u32, seed: u64) -> Spsa {
        let values = parameters.iter().map(|parameter| parameter.start).collect();
        Spsa { parameters, gains, iterations, seed, values, done: 0 }
    }

    /// The tuned parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The current values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of completed iterations.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Whether all iterations are complete.
    pub fn is_complete(&self) -> bool {
        self.done >= self.iterations
    }

    /// The values for the next iteration: perturbed in opposite directions for the two engines, and rounded
    /// at random.
    pub fn trial(&self) -> Trial {
        let mut random = self.random();
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let shift = self.step(parameter).c * direction(&mut random);
            let round = random.random::<f64>();
            let tried = |value: f64| {
                let within = value.clamp(parameter.min, parameter.max);
                parameter.whole((within + round).floor())
            };
            trial.plus.push(tried(value + shift));
            trial.minus.push(tried(value - shift));
        }
        trial
    }

    /// Whether a parameter has the same upper and lower value in all iterations, as in a screening.
    pub fn is_screened(&self, parameter: &Parameter) -> bool {
        parameter.r_end == 0.0 && self.gains.gamma == 0.0
    }

    /// Updates the values with the result of the trial and advances to the next iteration.
    pub fn learn(&mut self, score: Score) {
        let mut random = self.random();
        let won = f64::from(score.wins) - f64::from(score.losses);
        for (index, parameter) in self.parameters.iter().enumerate() {
            let direction = direction(&mut random);
            // Drawn for the rounding in the trial, so that the directions are the same as there.
            let _ = random.random::<f64>();
            let moved = self.values[index] + self.step(parameter).gain * direction * won;
            self.values[index] = moved.clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }

    /// The effect of the upper value of each parameter over the lower one, from the scores of all iterations
    /// so far. `None` before the second iteration, or if no game was won.
    pub fn effects(&self, scores: &[Score]) -> Option<Vec<Effect>> {
        let games: f64 = scores.iter().map(|score| f64::from(score.games())).sum();
        let won = |score: &Score| f64::from(score.wins) - f64::from(score.losses);
        // Most of an iteration's score is due to the openings, so the iterations are the independent samples.
        let variance = scores.iter().map(|score| won(score).powi(2)).sum::<f64>() / games;
        if scores.len() < 2 || variance == 0.0 {
            return None;
        }
        let mut sums = vec![0.0; self.parameters.len()];
        for (iteration, score) in scores.iter().enumerate() {
            let mut random = random(self.seed, iteration as u32);
            for sum in &mut sums {
                *sum += direction(&mut random) * won(score);
                // Drawn for the rounding.
                let _ = random.random::<f64>();
            }
        }
        // Wins minus losses per game have the slope of normalised Elo, which is Elo without draws.
        let margin = Z_95 * (variance / games).sqrt() * NORMALISED_ELO;
        let effect = |sum: f64| Effect { elo: sum / games * NORMALISED_ELO, margin };
        Some(sums.into_iter().map(effect).collect())
    }

    fn random(&self) -> ChaCha8Rng {
        random(self.seed, self.done)
    }

    fn step(&self, parameter: &Parameter) -> ParameterStep {
        let Gains { alpha, gamma, stability } = self.gains;
        let last = f64::from(self.iterations);
        let now = f64::from(self.done + 1);
        let a_big = stability * last;
        let c = parameter.c_end * (last / now).powf(gamma);
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        let a = a_end * ((a_big + last) / (a_big + now)).powf(alpha);
        ParameterStep { c, gain: a / c }
    }
}

/// The random numbers of an iteration, counted from 0.
fn random(seed: u64, iteration: u32) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(iteration) + 1);
    random
}

fn direction(random: &mut ChaCha8Rng) -> f64 {
    if random.random::<bool>() { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: f64, best: f64) -> Parameter {
        let far = (start - best).abs();
        Parameter {
            name: name.to_owned(),
            start,
            min: best - 3.0 * far,
            max: best + 3.0 * far,
            c_end: far / 5.0,
            r_end: 0.02,
        }
    }

    /// A match of `games` games between engines whose Elo falls with the square of the distance from the best
    /// values.
    fn play(trial: &Trial, best: &[f64], scale: &[f64], games: u32, random: &mut ChaCha8Rng) -> Score {
        let elo = |values: &[i64]| -> f64 {
            let distance = |i: usize| (values[i] as f64 - best[i]) / scale[i];
            (0..best.len()).map(|i| -40.0 * distance(i).powi(2)).sum()
        };
        let expected = 1.0 / (1.0 + 10_f64.powf((elo(&trial.minus) - elo(&trial.plus)) / 400.0));
        let mut score = Score::default();
        for _ in 0..games {
            // A fifth of the games is drawn.
            let drawn = random.random_bool(0.2);
            let won = random.random_bool(expected);
            score.draws += u32::from(drawn);
            score.wins += u32::from(won && !drawn);
            score.losses += u32::from(!won && !drawn);
        }
        score
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        // Far from the optimum, in different units, one of them with very few integer values.
        let starts = [900.0, 40.0, 5.0, -100.0];
        let best = [400.0, 90.0, 9.0, 300.0];
        let parameters: Vec<Parameter> =
            starts.iter().zip(&best).map(|(&start, &best)| parameter("p", start, best)).collect();
        let scale: Vec<f64> = starts.iter().zip(&best).map(|(start, best)| (start - best).abs()).collect();
        for seed in 1..=3 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut spsa = Spsa::new(parameters.clone(), Gains::default(), 2500, seed);
            while !spsa.is_complete() {
                let score = play(&spsa.trial(), &best, &scale, 8, &mut random);
                spsa.learn(score);
            }
            for index in 0..best.len() {
                let off = (spsa.values()[index] - best[index]).abs() / scale[index];
                assert!(off < 0.35, "seed {seed}, {index}: {:?}, best {best:?}", spsa.values());
            }
        }
    }

    #[test]
    fn the_last_steps_have_the_configured_size() {
        let parameter = Parameter { c_end: 10.0, r_end: 0.05, ..parameter("p", 100.0, 0.0) };
        let mut spsa = Spsa::new(vec![parameter.clone()], Gains::default(), 100, 1);
        let first = spsa.step(&parameter);
        (0..99).for_each(|_| spsa.learn(Score::default()));
        let last = spsa.step(&parameter);
        assert!((last.c - 10.0).abs() < 1e-9 && (last.gain - 0.5).abs() < 1e-9, "{} {}", last.c, last.gain);
        assert!(first.c > last.c && first.gain > last.gain);
        assert_eq!(spsa.values(), [100.0], "even results change nothing");
    }

    #[test]
    fn values_between_two_are_tried_on_both_sides_in_proportion() {
        let parameter =
            Parameter { start: 5.25, min: 0.0, max: 9.0, c_end: 1.0, r_end: 0.01, name: "p".to_owned() };
        let gains = Gains { gamma: 0.0, ..Gains::default() };
        let mut spsa = Spsa::new(vec![parameter], gains, 4000, 1);
        let mut sum = 0;
        while !spsa.is_complete() {
            let Trial { plus, minus } = spsa.trial();
            assert_eq!((plus[0] - minus[0]).abs(), 2);
            sum += plus[0] + minus[0];
            spsa.learn(Score { draws: 2, ..Score::default() });
        }
        let mean = sum as f64 / 8000.0;
        assert!((mean - 5.25).abs() < 0.03, "{mean}");
    }

    #[test]
    fn a_screening_separates_what_each_parameter_is_worth() {
        // Effects of 60, 0 and -40 Elo, all tried in the same games.
        let worth = [60.0, 0.0, -40.0];
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            start: 0.5,
            min: 0.0,
            max: 1.0,
            c_end: 0.5,
            r_end: 0.0,
        };
        let gains = Gains { gamma: 0.0, ..Gains::default() };
        let mut spsa = Spsa::new(["a", "b", "c"].map(parameter).to_vec(), gains, 2000, 1);
        assert_eq!(spsa.effects(&[]), None);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut scores = Vec::new();
        while !spsa.is_complete() {
            let Trial { plus, minus } = spsa.trial();
            assert!(plus.iter().zip(&minus).all(|(plus, minus)| plus + minus == 1), "{plus:?} {minus:?}");
            let elo = |values: &[i64]| -> f64 {
                values.iter().zip(worth).map(|(&value, worth)| value as f64 * worth).sum()
            };
            let expected = 1.0 / (1.0 + 10_f64.powf((elo(&minus) - elo(&plus)) / 400.0));
            let wins = (0..4).filter(|_| random.random_bool(expected)).count() as u32;
            let score = Score { wins, losses: 4 - wins, draws: 0 };
            spsa.learn(score);
            scores.push(score);
        }
        assert_eq!(spsa.values(), [0.5; 3], "a screening changes no value");
        let effects = spsa.effects(&scores).unwrap();
        for (effect, worth) in effects.iter().zip(worth) {
            assert!((effect.elo - worth).abs() < effect.margin, "{effects:?}");
            assert!((5.0..12.0).contains(&effect.margin), "{effects:?}");
        }
    }

    #[test]
    fn nothing_leaves_its_range() {
        let parameter =
            Parameter { start: 1.0, min: 0.5, max: 3.9, c_end: 9.0, r_end: 9.0, name: "p".to_owned() };
        let mut spsa = Spsa::new(vec![parameter], Gains::default(), 50, 1);
        while !spsa.is_complete() {
            let Trial { plus, minus } = spsa.trial();
            assert!([plus[0], minus[0]].iter().all(|value| (1..=3).contains(value)), "{plus:?} {minus:?}");
            spsa.learn(Score { wins: 8, ..Score::default() });
            assert!((0.5..=3.9).contains(&spsa.values()[0]));
        }
    }
}
