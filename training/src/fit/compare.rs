//! Compares networks: their losses by kind of position, phase of the game and threats on the board, their
//! calibration, and the accuracy of their policy.

use std::fmt::Write as _;

use kakugo::eval::{Network, logistic};
use rayon::prelude::*;

use super::case::{Prediction, Targets};
use super::losses::{Losses, Mean};
use super::plot::{Axis, Curve, Panel};
use super::rounded;
use super::samples::{Sample, Samples};

/// Number of stones of the last position of each phase, except the last phase.
const PHASES: [u16; 4] = [9, 19, 29, 49];
/// Number of buckets for expected scores.
const BUCKETS: usize = 20;
/// Minimum number of positions of a bucket, or of losses of a group, to be plotted.
const LEAST: f64 = 20.0;
/// Positions with at least this number of threat classes are counted together.
const MOST_THREATS: u32 = 6;
/// Number of ranks for which the policy's accuracy is plotted.
const RANKS: usize = 12;

/// A network with a display name.
pub struct Candidate<'a> {
    /// The name.
    pub name: String,
    /// The network.
    pub network: &'a Network,
}

/// The losses of all candidates on a group of positions.
pub struct GroupLosses {
    /// The criterion of the group, such as "20 to 29 stones".
    pub name: String,
    /// Number of positions.
    pub count: usize,
    /// One for each candidate.
    pub losses: Vec<Losses>,
}

/// The result of a comparison.
pub struct Comparison {
    /// Names of the candidates.
    pub names: Vec<String>,
    /// Losses by groups of positions.
    pub rows: Vec<GroupLosses>,
    /// Calibration, accuracy of the policy, and losses by phase and by threats.
    pub panels: Vec<Panel>,
}

/// Groups of positions on the axis of a panel.
struct Groups {
    name: &'static str,
    labels: Vec<String>,
}

/// Positions of a kind, with the predictions of all candidates.
struct Predicted<'a> {
    kind: &'static str,
    samples: &'a Samples,
    /// By candidate.
    predictions: Vec<Vec<Prediction>>,
}

/// Evaluates all candidates on played and on inner positions.
pub fn compare(candidates: &[Candidate], played: &Samples, inner: &Samples, task: Targets) -> Comparison {
    let names: Vec<String> = candidates.iter().map(|candidate| candidate.name.clone()).collect();
    let sets = [("played", played), ("inner", inner)].map(|(kind, samples)| {
        let of_candidate = |candidate: &Candidate| {
            let prediction = |sample| rounded::prediction(candidate.network, samples, sample, task);
            samples.all.par_iter().map(prediction).collect()
        };
        Predicted { kind, samples, predictions: candidates.iter().map(of_candidate).collect() }
    });
    let sets: Vec<&Predicted> = sets.iter().filter(|set| !set.samples.all.is_empty()).collect();
    let phases: Vec<String> = (0..=PHASES.len()).map(phase_name).collect();
    let threats: Vec<String> = (0..=MOST_THREATS).map(threats_name).collect();
    let mut rows = Vec::new();
    for set in &sets {
        rows.extend(set.row(set.kind.to_owned(), &|_| true));
        let groups = phases.iter().enumerate();
        rows.extend(
            groups.filter_map(|(i, name)| set.row(format!("  {name} stones"), &|one| phase_of(one) == i)),
        );
        let counts = 0..=MOST_THREATS;
        rows.extend(counts.filter_map(|count| set.row(threats_row(count), &|one| threats_of(one) == count)));
    }
    let stones = Groups { name: "stones", labels: phases };
    let classes = Groups { name: "threat classes", labels: threats };
    let of_value = |losses: &Losses| losses.value;
    let of_policy = |losses: &Losses| losses.policy;
    let by_phase = |sample: &Sample| phase_of(sample);
    let by_threats = |sample: &Sample| threats_of(sample) as usize;
    let panels = vec![
        calibration(&sets, &names),
        accuracy(&sets, &names),
        by_group("Value by number of stones", &sets, &names, &stones, by_phase, of_value),
        by_group("Policy by number of stones", &sets, &names, &stones, by_phase, of_policy),
        by_group("Value by threats on the board", &sets, &names, &classes, by_threats, of_value),
        by_group("Policy by threats on the board", &sets, &names, &classes, by_threats, of_policy),
    ];
    Comparison { names, rows, panels }
}

impl Predicted<'_> {
    /// The losses on the positions of a group; `None` if there are none.
    fn row(&self, name: String, is_in: &dyn Fn(&Sample) -> bool) -> Option<GroupLosses> {
        let part = || self.samples.all.iter().enumerate().filter(|(_, sample)| is_in(sample));
        let losses = |predictions: &Vec<Prediction>| {
            let mut losses = Losses::default();
            part().for_each(|(at, _)| losses.add(&predictions[at]));
            losses
        };
        let count = part().count();
        (count > 0).then(|| GroupLosses {
            name,
            count,
            losses: self.predictions.iter().map(losses).collect(),
        })
    }

    /// A curve for each candidate that has values.
    fn curves(&self, names: &[String], values: impl Fn(&[Prediction]) -> Option<Vec<f64>>) -> Vec<Curve> {
        let name =
            |name: &str| if name.is_empty() { self.kind.into() } else { format!("{}, {name}", self.kind) };
        let curves = names.iter().zip(&self.predictions);
        let curve = |(of, predictions): (&String, &Vec<Prediction>)| {
            values(predictions).map(|values| Curve { name: name(of), values })
        };
        curves.filter_map(curve).collect()
    }
}

impl Comparison {
    /// The losses as a table.
    pub fn text(&self) -> String {
        let (mut text, mut columns) = (format!("{:35}", ""), format!("{:26}{:>9}", "", "positions"));
        for name in &self.names {
            let _ = write!(text, "   {name:<27}");
            let _ = write!(columns, "   {:>8} {:>8} {:>9}", "value", "policy", "its best");
        }
        text = format!("{}\n{columns}\n", text.trim_end());
        for GroupLosses { name, count, losses } in &self.rows {
            let _ = write!(text, "{name:<26}{count:>9}");
            for losses in losses {
                let [value, policy] = [losses.value, losses.policy].map(Mean::text);
                let _ = write!(text, "   {value:>8} {policy:>8} {:>9}", losses.chosen.percent());
            }
            text.push('\n');
        }
        text
    }
}

fn phase_of(sample: &Sample) -> usize {
    PHASES.iter().filter(|&&last| sample.stones > last).count()
}

fn phase_name(phase: usize) -> String {
    let first = if phase == 0 { 0 } else { PHASES[phase - 1] + 1 };
    match PHASES.get(phase) {
        Some(last) => format!("{first} to {last}"),
        None => format!("{first} or more"),
    }
}

/// Number of threat classes of both sides together.
fn threats_of(sample: &Sample) -> u32 {
    sample.threat_sets().map(usize::count_ones).iter().sum::<u32>().min(MOST_THREATS)
}

fn threats_name(threats: u32) -> String {
    if threats == MOST_THREATS { format!("{threats} or more") } else { threats.to_string() }
}

/// The name of a row of the table.
fn threats_row(threats: u32) -> String {
    let classes = if threats == 1 { "class" } else { "classes" };
    format!("  {} threat {classes}", threats_name(threats))
}

/// Curves of the games' score over the expected score, for positions of games that have a result.
fn calibration(sets: &[&Predicted], names: &[String]) -> Panel {
    let middle = |bucket: usize| (bucket as f64 + 0.5) / BUCKETS as f64;
    let mut curves = vec![Curve { name: "expected".to_owned(), values: (0..BUCKETS).map(middle).collect() }];
    for set in sets {
        curves.extend(set.curves(names, |predictions| {
            let mut sums = [(0.0, 0.0); BUCKETS];
            for (sample, prediction) in set.samples.all.iter().zip(predictions) {
                let Some(result) = sample.result else { continue };
                let bucket = (logistic(prediction.odds) * BUCKETS as f32) as usize;
                let (sum, count) = &mut sums[bucket.min(BUCKETS - 1)];
                *sum += f64::from(result);
                *count += 1.0;
            }
            // If a bucket has too few positions, the curve has a gap.
            let score = |(sum, count): (f64, f64)| if count < LEAST { f64::NAN } else { sum / count };
            let any = sums.iter().any(|&(_, count)| count > 0.0);
            any.then(|| sums.map(score).to_vec())
        }));
    }
    let title = "Calibration: actual score over expected score".to_owned();
    Panel { title, axis: Axis::Shares("expected score"), shows_least: false, curves }
}

/// Curves of the share of positions whose chosen move is among the policy's best moves, over their number.
fn accuracy(sets: &[&Predicted], names: &[String]) -> Panel {
    let of_ranks = |predictions: &[Prediction]| -> Option<Vec<f64>> {
        let ranks: Vec<usize> = predictions.iter().filter_map(|prediction| prediction.rank).collect();
        let within = |most: usize| ranks.iter().filter(|&&rank| rank < most).count() as f64;
        let shares = || (1..=RANKS).map(|most| within(most) / ranks.len() as f64).collect();
        (!ranks.is_empty()).then(shares)
    };
    let curves = sets.iter().flat_map(|set| set.curves(names, of_ranks)).collect();
    let title = "Policy: share of positions whose chosen move is among its best".to_owned();
    Panel { title, axis: Axis::Steps("number of best moves"), shows_least: false, curves }
}

/// Curves of a loss over groups of positions, which `group_of` numbers.
fn by_group(
    title: &str,
    sets: &[&Predicted],
    names: &[String],
    groups: &Groups,
    group_of: impl Fn(&Sample) -> usize,
    loss: impl Fn(&Losses) -> Mean,
) -> Panel {
    let mut curves = Vec::new();
    for set in sets {
        curves.extend(set.curves(names, |predictions| {
            let (mut all, mut of_groups) = (Losses::default(), vec![Losses::default(); groups.labels.len()]);
            for (sample, prediction) in set.samples.all.iter().zip(predictions) {
                of_groups[group_of(sample)].add(prediction);
                all.add(prediction);
            }
            // Groups with too few losses have the mean loss.
            let mean = loss(&all).if_any()?;
            let of_group = |losses: &Losses| {
                let own = loss(losses);
                if own.count() < LEAST { mean } else { own.get() }
            };
            Some(of_groups.iter().map(of_group).collect())
        }));
    }
    let title = format!("{title}: mean cross entropy");
    Panel { title, axis: Axis::Groups(groups.name, groups.labels.clone()), shows_least: false, curves }
}

#[cfg(test)]
mod tests {
    use kakugo::eval::Networks;
    use kakugo::rules::RuleKind;
    use kakugo::think::Bound;

    use super::super::page::page;
    use super::*;

    const TASK: Targets = Targets { result_share: 0.3, policy_weight: 1.0, draw_weight: 1.0 };

    /// Forty positions with these labels and without points.
    fn samples(labels: Sample) -> Samples {
        let mut samples = Samples::default();
        (0..40).for_each(|_| samples.push(&[], &[], labels));
        samples
    }

    /// The positions with these log odds as the prediction for each.
    fn predicted<'a>(kind: &'static str, samples: &'a Samples, odds: f32) -> Predicted<'a> {
        let prediction = |sample| Prediction::new(sample, TASK, odds, 0.1, None);
        Predicted { kind, samples, predictions: vec![samples.all.iter().map(prediction).collect()] }
    }

    #[test]
    fn calibration_compares_with_the_results_of_games() {
        let labels = Sample { searched: 0.9, ..Sample::NOTHING };
        let (lost, inner) = (samples(Sample { result: Some(0.0), ..labels }), samples(labels));
        // An expected score of 0.905.
        let sets = [predicted("played", &lost, 2.25), predicted("inner", &inner, 2.25)];
        let panel = calibration(&[&sets[0], &sets[1]], &[String::new()]);
        let names: Vec<&str> = panel.curves.iter().map(|curve| &*curve.name).collect();
        assert_eq!(names, ["expected", "played"]);
        let [expected, played] = [0, 1].map(|curve| panel.curves[curve].values[18]);
        assert_eq!((expected, played), (0.925, 0.0));
        // The other buckets have no positions.
        assert_eq!(panel.curves[1].values.iter().filter(|value| value.is_finite()).count(), 1);
    }

    #[test]
    fn losses_that_no_position_has_are_left_out() {
        let networks = Networks::default();
        let candidate = Candidate { name: "a.net".to_owned(), network: networks.of(RuleKind::Freestyle) };
        let played = samples(Sample { result: Some(1.0), ..Sample::NOTHING });
        let inner = samples(Sample { bound: Bound::Lower, ..Sample::NOTHING });
        let comparison = compare(&[candidate], &played, &inner, TASK);
        let text = comparison.text();
        let line = text.lines().find(|line| line.starts_with("inner ")).expect("a line of inner positions");
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["inner", "40", "-", "-", "-"]);
        assert!(!text.contains("0.0000") && !text.contains("0.0 %"), "{text}");
        let page = page("Networks", &comparison, &["a note"]).unwrap();
        assert!(page.contains("<th>inner</th><td>40</td><td>-</td><td>-</td><td>-</td></tr>"), "{page}");
        assert_eq!(page.matches("class=\"least\">").count(), 3, "all, by stones and by threats: {page}");
        let names =
            |panel: &Panel| panel.curves.iter().map(|curve| &*curve.name).collect::<Vec<&str>>().join("; ");
        let shown: Vec<String> = comparison.panels.iter().map(names).collect();
        let (calibration, values) = ("expected; played, a.net", "played, a.net");
        assert_eq!(shown, [calibration, "", values, "", values, ""]);
    }

    #[test]
    fn rows_are_named_after_threat_classes() {
        let rows = [0, 1, MOST_THREATS].map(threats_row);
        assert_eq!(rows, ["  0 threat classes", "  1 threat class", "  6 or more threat classes"]);
    }

    #[test]
    fn groups_with_too_few_losses_have_the_mean_loss() {
        let mut positions = samples(Sample { searched: 1.0, ..Sample::NOTHING });
        // A group of forty bounds and one exact value, which the network thinks is wrong.
        let threats = 1;
        let bounds = samples(Sample { bound: Bound::Lower, threats, ..Sample::NOTHING });
        positions.all.extend(&bounds.all);
        positions.all.push(Sample { searched: 0.0, threats, ..Sample::NOTHING });
        let set = predicted("inner", &positions, 3.0);
        let labels = ["0", "1"].map(str::to_owned).into();
        let groups = Groups { name: "threat classes", labels };
        let group_of = |sample: &Sample| threats_of(sample) as usize;
        let panel =
            by_group("Value", &[&set], &[String::new()], &groups, group_of, |losses: &Losses| losses.value);
        let [first, second] = panel.curves[0].values[..] else { panic!("{panel:?}") };
        // The mean of 40 losses of 0.049 and one of 3.049.
        assert!((first - 0.0486).abs() < 1e-3 && (second - 0.1218).abs() < 1e-3, "{first} and {second}");
    }
}
