//! Trains the network of the evaluation on games.
//!
//! [`samples`] are the quiet positions that were played and the inner positions of searches; the network
//! predicts who wins (by result and search) and which move the search chose. [`parameters`] are its weights
//! in floating point, with the rows of codes as sums of [`factors`]. A [`pass`] computes the gradient of a
//! [`case`], and [`descent`] follows it batch by batch with [`adam`]. In the end everything is rounded
//! ([`quantize`]), and [`compare`] evaluates the result ([`rounded`]). Everything depends only on the games
//! and the settings: no clock, no thread count, and randomness only from a seed.

pub mod adam;
pub mod case;
pub mod compare;
pub mod dequantize;
pub mod descent;
pub mod factors;
pub mod losses;
mod note;
pub mod page;
pub mod parameters;
pub mod pass;
pub mod plot;
pub mod quantize;
mod rays;
mod regions;
pub mod rounded;
pub mod samples;

use std::error::Error;
use std::fmt::{self, Write as _};
use std::slice;

use anyhow::{Result, ensure};
use kakugo::board::Color;
use kakugo::eval::{Networks, WeightsError, WeightsFile};
use kakugo::rules::RuleKind;

use self::case::Targets;
use self::compare::Candidate;
use self::descent::{Epoch, Training};
use self::losses::Mean;
use self::plot::{Axis, Curve, Panel};
use self::quantize::Units;
use self::samples::Samples;
use crate::games::GamesFile;

/// Greatest number of points per unit.
pub const MOST_POINTS: f32 = 1000.0;

/// Settings of a training.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings<'a> {
    /// The weights that the training continues from; `None`: random parameters.
    pub start: Option<&'a StartWeights>,
    /// Settings of the training.
    pub training: Training,
    /// Points per unit of log odds; `None`: the number with which the search's values fit the results best.
    pub points_per_unit: Option<f32>,
    /// Points per unit of the policy's logits; histories are weighted against them.
    pub score_points: f32,
}

/// Weights that a training continues from.
#[derive(Debug)]
pub struct StartWeights {
    /// Contents of the file.
    pub file: WeightsFile,
    /// The checksum that the file ends with. Encoding the contents again may give other bytes, because files
    /// of older versions are read too.
    pub checksum: u64,
}

impl StartWeights {
    /// Decodes the bytes of a weight file.
    ///
    /// # Errors
    /// Returns the same errors as [`WeightsFile::decode`].
    pub fn decode(bytes: &[u8]) -> Result<StartWeights, WeightsError> {
        let file = WeightsFile::decode(bytes)?;
        let checksum = *bytes.last_chunk().expect("a file ends with its checksum");
        Ok(StartWeights { file, checksum: u64::from_le_bytes(checksum) })
    }
}

/// Results of a training.
#[derive(Debug)]
pub struct FitResult {
    /// Contents of the weight file.
    pub bytes: Vec<u8>,
    /// Plots: the losses, epoch by epoch, and the results on held-out positions.
    pub panels: Vec<Panel>,
    /// Formatted summary of games, settings and losses.
    pub report: String,
}

/// The games have no position to train on, or none in a game that is held out.
#[derive(Debug)]
pub struct TooFewGames;

impl fmt::Display for TooFewGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too few games to train on")
    }
}

impl Error for TooFewGames {}

/// Receives the progress of a training.
pub trait FitListener {
    /// The positions of `games` games will be collected.
    fn collects(&mut self, games: usize);
    /// The training begins; it will process `positions` positions in total.
    fn begins(&mut self, positions: usize);
    /// `count` more games or positions were processed.
    fn took(&mut self, count: usize);
    /// An epoch is over.
    fn epoch(&mut self, number: usize, losses: &Epoch);
}

/// Number of colours with their own weights under a rule.
fn colors(kind: RuleKind) -> usize {
    if kind == RuleKind::Renju { 2 } else { 1 }
}

/// Trains on games of one rule.
///
/// # Errors
/// Returns an error if the games have several rules, or [`TooFewGames`].
pub fn fit(
    files: &[GamesFile],
    settings: &FitSettings<'_>,
    progress: &mut impl FitListener,
) -> Result<FitResult> {
    ensure!(!files.is_empty(), "there are no games to train on");
    let kind = files[0].recipe.rule;
    ensure!(files.iter().all(|file| file.recipe.rule == kind), "the games have several rules");
    progress.collects(files.iter().map(|file| file.games.len()).sum());
    let split = samples::collect(files, &search_scales(files), |games| progress.took(games));
    let counts = [&split.train, &split.held_out].map(|samples| samples.all.len());
    ensure!(counts.iter().all(|&count| count > 0), TooFewGames);
    let points_per_unit = settings.points_per_unit.unwrap_or_else(|| search_scale(files));

    let training = &settings.training;
    let start = settings.start.map(|start| dequantize::dequantize(&start.file.network, colors(kind)));
    progress.begins(training.epochs * split.train.all.len());
    let progress = std::cell::RefCell::new(progress);
    let (parameters, epochs) = descent::train(
        &split,
        colors(kind),
        training,
        start.as_ref(),
        |number, losses| progress.borrow_mut().epoch(number, losses),
        |positions| progress.borrow_mut().took(positions),
    );
    let units = Units { points_per_unit, score_points: settings.score_points };
    let network = quantize::quantize(&parameters, units);
    let units = (network.points_per_unit, settings.score_points);
    let mut report = note::describe(files, &split, units, training, &epochs);
    if let Some(StartWeights { checksum, .. }) = settings.start {
        writeln!(report, "The training continued from the weights {checksum:016x}.")?;
    }
    let error = rounded::error(&parameters, &network, &split.held_out, training.task);
    let of_moves =
        error.policy.if_any().map(|change| format!(", of their chosen moves by {:.3} %", 100.0 * change));
    writeln!(
        report,
        "Rounding changes the probabilities of held-out positions by {:.3} %{} on average.",
        100.0 * error.value.get(),
        of_moves.unwrap_or_default()
    )?;
    let built_in = Networks::default().of(kind).points_per_unit as f32;
    let before =
        [&split.held_out, &split.held_out_inner].map(|samples| engine_loss(samples, training, built_in));
    let mut panels = panels(&epochs, before);
    let all = Targets { policy_weight: 1.0, ..training.task };
    let candidate = Candidate { name: String::new(), network: &network };
    panels.extend(compare::compare(&[candidate], &split.held_out, &split.held_out_inner, all).panels);
    let bytes = WeightsFile { rule: kind, note: report.clone(), network }.encode(colors(kind) as u8);
    Ok(FitResult { bytes, panels, report })
}

/// The cross entropy of a probability with these log odds and the actual result, in a form in which no
/// exponential overflows.
pub(crate) fn log_loss(odds: f64, actual: f64) -> f64 {
    odds.max(0.0) - odds * actual + (-odds.abs()).exp().ln_1p()
}

/// The loss of the engine's current values on the samples with exact targets; `None` if there are none.
/// `points_per_unit` points make one unit of log odds of the built-in network, not of the trained one.
fn engine_loss(samples: &Samples, training: &Training, points_per_unit: f32) -> Option<f64> {
    let share = training.task.result_share;
    let exact = || samples.all.iter().filter(|sample| sample.is_exact());
    let loss = |sample: &samples::Sample| {
        log_loss(f64::from(sample.engine / points_per_unit), f64::from(sample.target(share)))
    };
    let count = exact().count();
    (count > 0).then(|| exact().map(loss).sum::<f64>() / count as f64)
}

/// Points per unit of log odds for the searches of each file.
pub fn search_scales(files: &[GamesFile]) -> Vec<f32> {
    files.iter().map(|file| search_scale(slice::from_ref(file))).collect()
}

/// Points per unit of log odds, from the values of quiet positions and the results.
fn search_scale(files: &[GamesFile]) -> f32 {
    let mut predicted = Vec::new();
    let mut actual = Vec::new();
    for file in files {
        for game in &file.games {
            for (i, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.quiet) {
                let black_moves = (game.opening.len() + i).is_multiple_of(2);
                let won = |black: bool| if black == black_moves { 1.0 } else { 0.0 };
                predicted.push(f64::from(ply.value));
                actual.push(game.winner.map_or(0.5, |winner| won(winner == Color::Black)));
            }
        }
    }
    scale(&predicted, &actual).0
}

/// Points per unit of log odds that minimise the mean cross entropy between the `predicted` values and the
/// results (`actual`, from 0 to 1); also returns that minimum.
pub fn scale(predicted: &[f64], actual: &[f64]) -> (f32, f64) {
    let loss = |points_per_unit: f64| {
        let one = |(&value, &actual): (&f64, &f64)| log_loss(value / points_per_unit, actual);
        predicted.iter().zip(actual).map(one).sum::<f64>()
    };
    // The loss has a single minimum, which is narrowed down from both sides.
    let (mut low, mut high) = (10.0_f64, f64::from(MOST_POINTS));
    while high / low > 1.005 {
        let (a, b) = (low.powf(2.0 / 3.0) * high.powf(1.0 / 3.0), low.powf(1.0 / 3.0) * high.powf(2.0 / 3.0));
        if loss(a) < loss(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let points_per_unit = (low * high).sqrt().round();
    (points_per_unit as f32, loss(points_per_unit) / predicted.len().max(1) as f64)
}

/// The curves of value and policy, except those without positions; `before` contains the losses of the engine's
/// current values.
fn panels(epochs: &[Epoch], before: [Option<f64>; 2]) -> Vec<Panel> {
    let curve = |name: &str, of: &dyn Fn(&Epoch) -> Mean| {
        let values = epochs.iter().map(|epoch| of(epoch).if_any()).collect::<Option<Vec<f64>>>();
        values.map(|values| Curve { name: name.to_owned(), values })
    };
    let panel = |title: &str, curves: &[Option<Curve>]| Panel {
        title: title.to_owned(),
        axis: Axis::Steps("epoch"),
        shows_least: true,
        curves: curves.iter().flatten().cloned().collect(),
    };
    let level = |name: &str, value: Option<f64>| {
        value.map(|value| Curve { name: name.to_owned(), values: vec![value] })
    };
    let values = [
        curve("training", &|epoch| epoch.train.value),
        curve("played, held out", &|epoch| epoch.held_out.value),
        curve("inner, held out", &|epoch| epoch.held_out_inner.value),
        level("played, before", before[0]),
        level("inner, before", before[1]),
    ];
    let policies = [
        curve("training", &|epoch| epoch.train.policy),
        curve("played, held out", &|epoch| epoch.held_out.policy),
        curve("inner, held out", &|epoch| epoch.held_out_inner.policy),
    ];
    vec![panel("Value: mean cross entropy", &values), panel("Policy: mean cross entropy", &policies)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_of_any_log_odds_is_finite() {
        for actual in [0.0, 0.3, 0.5, 1.0] {
            for odds in (-2000..=2000).map(|tenths| f64::from(tenths) / 10.0) {
                let direct = (1.0 + (-odds).exp()).ln() * actual + (1.0 + odds.exp()).ln() * (1.0 - actual);
                let loss = log_loss(odds, actual);
                assert!(
                    (loss - direct).abs() < 1e-12 * direct.max(1.0),
                    "{odds}, {actual}: {loss}, {direct}"
                );
            }
            // Beyond 709 the exponential overflows.
            for odds in [-30_000.0, -710.0, 710.0, 30_000.0] {
                let expected = if odds > 0.0 { odds * (1.0 - actual) } else { -odds * actual };
                let loss = log_loss(odds, actual);
                assert!((loss - expected).abs() < 1e-9, "{odds}, {actual}: {loss}, not {expected}");
            }
        }
    }
}
