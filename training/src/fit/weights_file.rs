//! The data files that the engine reads: see `src/eval/weights.rs` for their lines.

use std::fmt::Write as _;

use kakugo::eval::{ONE, PARTS, THREAT_SETS};
use kakugo::rules::POINT_CODES;

use super::network::Numbers;
use super::samples::Layout;

/// What was fitted, in the engine's units.
#[derive(Debug)]
pub struct Fitted {
    /// What the points are worth, in points, entry by entry of the layout.
    pub values: Vec<f64>,
    /// How good moves look, entry by entry.
    pub scores: Vec<f64>,
    /// What the situations are worth, in points: our set of threats times their number, plus theirs.
    pub situations: Vec<f64>,
    /// The network, whose output is in log odds.
    pub network: Numbers,
    /// Points that are one unit of log odds.
    pub points: f32,
}

impl Fitted {
    /// Whether all numbers are numbers: a fit to games that teach nothing may divide by nothing.
    pub fn is_finite(&self) -> bool {
        let doubles = [&self.values, &self.scores, &self.situations];
        let Numbers { rows, direct, start, hidden, hidden_start, output, output_start } = &self.network;
        let singles = rows.iter().chain(hidden).flatten().chain(direct).chain(start);
        let singles = singles.chain(hidden_start).chain(output).chain([output_start, &self.points]);
        doubles.into_iter().flatten().all(|number| number.is_finite())
            && singles.into_iter().all(|number| number.is_finite())
    }

    /// The text of the data file; `head` is what it says of itself.
    pub fn text(&self, layout: Layout, head: &str) -> String {
        let mut text = String::new();
        let mut line = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("a text takes all");
        head.lines().for_each(|head| line(format_args!("# {head}")));
        for &(word, color) in layout.colors() {
            for code in 0..POINT_CODES {
                let entries = [true, false].map(|is_us| layout.entry(color, is_us, code));
                let [us, them] = entries.map(|entry| whole(self.values[entry] * f64::from(PARTS)));
                let [own, their] = entries.map(|entry| whole(self.scores[entry]));
                if [us, them, own, their] != [0; 4] {
                    line(format_args!("{word} {code} {us} {them} {own} {their}"));
                }
            }
        }
        for (ours, row) in self.situations.chunks(THREAT_SETS).enumerate() {
            let row: Vec<String> = row.iter().map(|&worth| whole(worth).to_string()).collect();
            line(format_args!("situation {ours} {}", row.join(" ")));
        }
        self.network_lines(layout, &mut line);
        text
    }

    fn network_lines(&self, layout: Layout, line: &mut impl FnMut(std::fmt::Arguments)) {
        let network = &self.network;
        let one = ONE as f32;
        let join = |numbers: &[f32], unit: f32| {
            let words = numbers.iter().map(|&number| whole(f64::from(number * unit)).to_string());
            words.collect::<Vec<_>>().join(" ")
        };
        line(format_args!("channels {}", join(&network.start, one)));
        for (weights, start) in network.hidden.iter().zip(network.hidden_start) {
            let start = (start * one * one).round() as i32;
            line(format_args!("hidden {start} {}", join(weights, one)));
        }
        let points = self.points * PARTS as f32;
        let start = (network.output_start * points).round() as i32;
        line(format_args!("output {start} {}", join(&network.output, points)));
        for &(word, color) in layout.colors() {
            for code in 0..POINT_CODES {
                let entries = [true, false].map(|is_us| layout.entry(color, is_us, code));
                let rows = entries.map(|entry| join(&network.rows[entry], one));
                if rows.iter().any(|row| row.split(' ').any(|number| number != "0")) {
                    line(format_args!("rows-{word} {code} {} {}", rows[0], rows[1]));
                }
            }
        }
    }
}

fn whole(number: f64) -> i16 {
    number.round() as i16
}
