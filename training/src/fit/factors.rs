//! Tables over point codes, spanned by what their codes have in common.
//!
//! A table has some 2,400 entries, many of them for codes that hardly ever occur. What it says of a code is the sum
//! of the worths of its line classes, of their pairs and of its point class, which it shares with other codes, and a
//! correction of its own. Both are fitted together; decay draws the corrections to zero where there is little to learn.

use kakugo::board::Color;
use kakugo::rules::{LineClass, POINT_CODES, PointClass, RuleKind, point_codes};

const LINES: usize = LineClass::COUNT;
const PAIRS: usize = LINES * (LINES + 1) / 2;
/// Shared worths of one table: of line classes, of their pairs, of point classes.
pub const FACTORS: usize = LINES + PAIRS + PointClass::COUNT;

/// Some tables over the point codes, one behind the other.
#[derive(Debug)]
pub struct Tables {
    /// Per table, per code: the factors that it is the sum of.
    factors_of: Vec<Vec<u16>>,
    tables: usize,
}

impl Tables {
    /// Tables for these colours under a rule.
    pub fn new(kind: RuleKind, colors: &[Color]) -> Tables {
        let mut factors_of = Vec::with_capacity(colors.len() * POINT_CODES);
        for (table, &color) in colors.iter().enumerate() {
            let numbered =
                |lines| factors(kind, color, lines).map(|factor| (table * FACTORS + factor) as u16);
            factors_of.extend(point_codes().map(|lines| numbered(lines).collect()));
        }
        Tables { factors_of, tables: colors.len() }
    }

    /// How many entries all tables have together.
    pub fn entries(&self) -> usize {
        self.tables * POINT_CODES
    }

    /// How many numbers the entries are computed from: the factors, then a correction for each entry.
    pub fn parameters(&self) -> usize {
        self.tables * FACTORS + self.entries()
    }

    /// The entries that some parameters span.
    pub fn expand(&self, parameters: &[f64]) -> Vec<f64> {
        let (factors, corrections) = parameters.split_at(self.tables * FACTORS);
        let shared = |of: &Vec<u16>| of.iter().map(|&factor| factors[usize::from(factor)]).sum::<f64>();
        self.factors_of.iter().zip(corrections).map(|(of, own)| shared(of) + own).collect()
    }

    /// From the derivatives by the entries to those by the parameters; `spread` is applied to how often a factor
    /// occurs in an entry.
    fn gather(&self, entries: &[f64], parameters: &mut [f64], spread: impl Fn(f64) -> f64) {
        let (factors, corrections) = parameters.split_at_mut(self.tables * FACTORS);
        for ((of, own), &entry) in self.factors_of.iter().zip(corrections).zip(entries) {
            *own += entry;
            for (i, &factor) in of.iter().enumerate() {
                // A factor that occurs n times is met n times.
                let times = of.iter().filter(|&&other| other == factor).count();
                if of[..i].contains(&factor) {
                    continue;
                }
                factors[usize::from(factor)] += entry * spread(times as f64);
            }
        }
    }

    /// Adds what first derivatives by the entries mean for the parameters.
    pub fn add_gradient(&self, entries: &[f64], parameters: &mut [f64]) {
        self.gather(entries, parameters, |times| times);
    }

    /// Adds what second derivatives by the entries mean for the parameters, each by itself.
    pub fn add_curvature(&self, entries: &[f64], parameters: &mut [f64]) {
        self.gather(entries, parameters, |times| times * times);
    }

    /// Writes the decay of each parameter.
    pub fn set_decay(&self, factor: f64, correction: f64, decay: &mut [f64]) {
        let (factors, corrections) = decay.split_at_mut(self.tables * FACTORS);
        factors.fill(factor);
        corrections.fill(correction);
    }
}

/// The factors of a code. Lines of which nothing can come have none, so that the code of an empty board is worth 0.
fn factors(kind: RuleKind, color: Color, lines: [LineClass; 4]) -> impl Iterator<Item = usize> {
    let live = lines.into_iter().filter(|&line| line != LineClass::Dead).map(|line| line as usize);
    let live: Vec<usize> = live.collect();
    let class = PointClass::new(kind, color, lines);
    let class = (class != PointClass::Quiet).then_some(LINES + PAIRS + class as usize);
    let pairs =
        live.iter().enumerate().flat_map(|(i, &a)| live[..i].iter().map(move |&b| (a.max(b), a.min(b))));
    let pairs: Vec<usize> = pairs.map(|(high, low)| LINES + high * (high + 1) / 2 + low).collect();
    live.into_iter().chain(pairs).chain(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_code_is_worth_nothing_and_others_their_sum() {
        let tables = Tables::new(RuleKind::Freestyle, &[Color::Black, Color::White]);
        let mut parameters = vec![0.0; tables.parameters()];
        parameters[FACTORS..2 * FACTORS].fill(1.0);
        parameters[2 * FACTORS + 5] = 0.25;
        let entries = tables.expand(&parameters);
        assert_eq!((entries[0], entries[5]), (0.0, 0.25), "the first table has only a correction");
        assert_eq!(entries[POINT_CODES], 0.0);
        let two_twos = [LineClass::Dead, LineClass::Dead, LineClass::OpenTwo, LineClass::OpenTwo];
        let code = point_codes().position(|lines| lines == two_twos).unwrap();
        assert_eq!(entries[POINT_CODES + code], 3.0, "two lines and a pair");
        let three = [LineClass::Dead, LineClass::Dead, LineClass::OpenTwo, LineClass::OpenThree];
        let code = point_codes().position(|lines| lines == three).unwrap();
        assert_eq!(entries[POINT_CODES + code], 4.0, "two lines, a pair and a class");
    }

    #[test]
    fn gradients_are_those_of_the_expansion() {
        let tables = Tables::new(RuleKind::Renju, &[Color::Black]);
        let weight = |entry: usize| (entry % 7) as f64 - 3.0;
        let weights: Vec<f64> = (0..tables.entries()).map(weight).collect();
        let mut gradient = vec![0.0; tables.parameters()];
        tables.add_gradient(&weights, &mut gradient);
        for at in [0, 2, 5, 9, 20, 60, 104, FACTORS - 1, FACTORS, FACTORS + 100] {
            let mut parameters = vec![0.0; tables.parameters()];
            parameters[at] = 1.0;
            let sum: f64 = tables.expand(&parameters).iter().zip(&weights).map(|(e, w)| e * w).sum();
            assert!((sum - gradient[at]).abs() < 1e-9, "parameter {at}: {sum} {}", gradient[at]);
        }
    }
}
