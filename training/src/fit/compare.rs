//! Networks side by side: their losses by kind of position, phase of the game and threats on the board, and their
//! calibration.

use std::fmt::Write as _;

use kakugo::eval::{Network, logistic};
use rayon::prelude::*;

use super::case::{Prediction, Targets};
use super::losses::{Losses, Mean};
use super::plot::{Curve, Panel};
use super::rounded;
use super::samples::{Sample, Samples};

/// Stones of the last position of each phase but the last.
const PHASES: [u16; 4] = [9, 19, 29, 49];
/// Parts that expected scores are sorted into.
const BUCKETS: usize = 20;
/// Positions that a bucket needs to be drawn.
const LEAST: f64 = 20.0;
/// Classes of threats from which on positions are counted as one kind.
const MOST_THREATS: u32 = 6;

/// A network with the name that it is shown by.
pub struct Candidate<'a> {
    /// The name.
    pub name: String,
    /// The network.
    pub network: &'a Network,
}

/// The comparison of some networks.
pub struct Comparison {
    /// Tables, as people read them.
    pub text: String,
    /// Expected scores and what came, played positions and inner ones.
    pub panels: Vec<Panel>,
}

/// Judges all candidates by played positions and by inner ones.
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
        None => format!("  {first} stones and more"),
    }
}

/// Classes of threats that both sides have together.
fn threats_of(sample: &Sample) -> u32 {
    sample.threat_sets().map(usize::count_ones).iter().sum::<u32>().min(MOST_THREATS)
}

fn threats_name(threats: u32) -> String {
    match threats {
        0 => "  no threats".to_owned(),
        1 => "  1 kind of threats".to_owned(),
        MOST_THREATS => format!("  {threats} kinds of threats or more"),
        _ => format!("  {threats} kinds of threats"),
    }
}

/// Curves of the score that came over the score that was expected.
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
        for (sample, prediction) in samples.all.iter().zip(predictions) {
            let bucket = (logistic(prediction.odds) * BUCKETS as f32) as usize;
            let (sum, count) = &mut sums[bucket.min(BUCKETS - 1)];
            *sum += f64::from(sample.target(task.result_share));
            *count += 1.0;
        }
        // Where hardly anything was expected the curve keeps to the diagonal.
        let came = |(bucket, (sum, count)): (usize, (f64, f64))| {
            if count < LEAST { middle(bucket) } else { sum / count }
        };
        let values = sums.into_iter().enumerate().map(came).collect();
        curves.push(Curve { name: candidate.name.clone(), values });
    }
    let title = format!("Calibration, {kind} positions: score that came over score expected");
    Panel { title, axis: "twentieths of the expected score".to_owned(), shows_least: false, curves }
}
