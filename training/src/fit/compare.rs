//! Compares networks: their losses by kind of position, phase of the game and threats on the board, and their
//! calibration.

use std::fmt::Write as _;

use kakugo::eval::{Network, logistic};
use rayon::prelude::*;

use super::case::{Prediction, Targets};
use super::losses::{Losses, Mean};
use super::plot::{Curve, Panel};
use super::rounded;
use super::samples::{Sample, Samples};

/// Number of stones of the last position of each phase, except the last phase.
const PHASES: [u16; 4] = [9, 19, 29, 49];
/// Number of buckets for expected scores.
const BUCKETS: usize = 20;
/// Minimum number of positions for a bucket to be plotted.
const LEAST: f64 = 20.0;
/// From this number of threat classes on, positions are counted together.
const MOST_THREATS: u32 = 6;

/// A network with a display name.
pub struct Candidate<'a> {
    /// The name.
    pub name: String,
    /// The network.
    pub network: &'a Network,
}

/// The result of a comparison.
pub struct Comparison {
    /// Formatted tables.
    pub text: String,
    /// Expected scores and actual results, for played and inner positions.
    pub panels: Vec<Panel>,
}

/// Evaluates all candidates on played and on inner positions.
pub fn compare(candidates: &[Candidate], played: &Samples, inner: &Samples, task: Targets) -> Comparison {
    let mut text = heading(candidates);
    let mut panels = Vec::new();
    for (kind, samples) in [("played", played), ("inner", inner)] {
        let predictions: Vec<Vec<Prediction>> = candidates
            .iter()
            .map(|candidate| {
                let prediction = |sample| rounded::prediction(candidate.network, samples, sample, task);
                samples.all.par_iter().map(prediction).collect()
            })
            .collect();
        let mut row = |name: &str, is_in: &dyn Fn(&Sample) -> bool| {
            let part = || samples.all.iter().enumerate().filter(|(_, sample)| is_in(sample));
            let count = part().count();
            if count == 0 {
                return;
            }
            let _ = write!(text, "{name:<26}{count:>9}");
            for predictions in &predictions {
                let mut losses = Losses::default();
                part().for_each(|(at, _)| losses.add(&predictions[at]));
                let [value, policy, chosen] = [losses.value, losses.policy, losses.chosen].map(Mean::get);
                let _ = write!(text, "   {value:>8.4} {policy:>8.4} {:>7.1} %", 100.0 * chosen);
            }
            text.push('\n');
        };
        row(kind, &|_| true);
        for phase in 0..=PHASES.len() {
            row(&phase_name(phase), &|sample| phase_of(sample) == phase);
        }
        for threats in 0..=MOST_THREATS {
            row(&threats_name(threats), &|sample| threats_of(sample) == threats);
        }
        panels.push(calibration(kind, candidates, samples, &predictions, task));
    }
    Comparison { text, panels }
}

fn heading(candidates: &[Candidate]) -> String {
    let (mut names, mut columns) = (format!("{:35}", ""), format!("{:26}{:>9}", "", "positions"));
    for candidate in candidates {
        let _ = write!(names, "   {:<27}", candidate.name);
        let _ = write!(columns, "   {:>8} {:>8} {:>9}", "value", "policy", "its best");
    }
    format!("{}\n{columns}\n", names.trim_end())
}

fn phase_of(sample: &Sample) -> usize {
    PHASES.iter().filter(|&&last| sample.stones > last).count()
}

fn phase_name(phase: usize) -> String {
    let first = if phase == 0 { 0 } else { PHASES[phase - 1] + 1 };
    match PHASES.get(phase) {
        Some(last) => format!("  {first} to {last} stones"),
        None => format!("  {first} stones or more"),
    }
}

/// Number of threat classes of both sides together.
fn threats_of(sample: &Sample) -> u32 {
    sample.threat_sets().map(usize::count_ones).iter().sum::<u32>().min(MOST_THREATS)
}

fn threats_name(threats: u32) -> String {
    match threats {
        0 => "  no threats".to_owned(),
        1 => "  1 kind of threat".to_owned(),
        MOST_THREATS => format!("  {threats} kinds of threats or more"),
        _ => format!("  {threats} kinds of threats"),
    }
}

/// Curves of the actual score over the expected score.
fn calibration(
    kind: &str,
    candidates: &[Candidate],
    samples: &Samples,
    predictions: &[Vec<Prediction>],
    task: Targets,
) -> Panel {
    let middle = |bucket: usize| (bucket as f64 + 0.5) / BUCKETS as f64;
    let mut curves = vec![Curve { name: "expected".to_owned(), values: (0..BUCKETS).map(middle).collect() }];
    for (candidate, predictions) in candidates.iter().zip(predictions) {
        let mut sums = [(0.0, 0.0); BUCKETS];
        for (sample, prediction) in
            samples.all.iter().zip(predictions).filter(|(sample, _)| sample.is_exact())
        {
            let bucket = (logistic(prediction.odds) * BUCKETS as f32) as usize;
            let (sum, count) = &mut sums[bucket.min(BUCKETS - 1)];
            *sum += f64::from(sample.target(task.result_share));
            *count += 1.0;
        }
        // If the bucket has too few positions, the curve stays on the diagonal.
        let score = |(bucket, (sum, count)): (usize, (f64, f64))| {
            if count < LEAST { middle(bucket) } else { sum / count }
        };
        let values = sums.into_iter().enumerate().map(score).collect();
        curves.push(Curve { name: candidate.name.clone(), values });
    }
    let title = format!("Calibration, {kind} positions: actual score over expected score");
    Panel { title, axis: "twentieths of the expected score".to_owned(), shows_least: false, curves }
}
