//! The numbers of the classical evaluation, and the tables per point code that they span.
//!
//! What a point is worth comes from data files, one for each rule, which were fitted to games of the engine against
//! itself (see the head of each file); how much a move wants to be tried first is set by hand.

use std::sync::LazyLock;

use crate::board::{ByColor, Color};
use crate::rules::{LineClass, POINT_CODES, PointClass, RuleKind, point_codes};

/// Parts of a point of the search's values in which [`Weights`] count, so that small worths are not rounded away.
pub const PARTS: i32 = 16;

/// How much a move wants to be tried first for the class that it makes on one line.
const LINE_SCORES: [i16; LineClass::COUNT] = [0, 0, 2, 4, 8, 18, 22, 25, 70, 85, 90, 600, 600, 4000];

/// Added to the move score of a point whose four lines make this class together.
const fn class_score(class: PointClass) -> i16 {
    match class {
        PointClass::DoubleThree => 150,
        PointClass::FourThree => 300,
        PointClass::OpenFour => 800,
        PointClass::Five => 4000,
        _ => 0,
    }
}

/// Two lines that each could become a threat are worth more than their sum.
fn pair_score(lines: [LineClass; 4]) -> i16 {
    let promising = |line: LineClass| line >= LineClass::OpenTwoTwo && line <= LineClass::BlockedThree;
    match lines.into_iter().filter(|&line| promising(line)).count() {
        0 | 1 => 0,
        2 => 3,
        3 => 7,
        _ => 12,
    }
}

/// A power of two above [`POINT_CODES`]: a code read from an entry needs no bounds check.
const CODES: usize = 1 << 12;
const _: () = assert!(POINT_CODES <= CODES);

/// Tables over the point codes of one colour under one rule.
pub struct ColorWeights {
    /// What an empty point with this code is worth to the colour, in [`PARTS`] of a point.
    pub values: Box<[i16; CODES]>,
    /// How good a move to a point with this code looks to the colour.
    pub scores: Box<[i16; CODES]>,
}

/// Everything that the evaluation knows about one rule.
pub struct Weights {
    /// The tables of each colour.
    pub colors: ByColor<ColorWeights>,
    /// What the strongest threat of the side to move (first index) and that of the other side are worth to the side
    /// to move, the move itself included, in points.
    pub situations: [[i16; PointClass::COUNT]; PointClass::COUNT],
}

/// The worths of one colour's classes as a data file has them, in points.
struct Worths {
    line: [f32; LineClass::COUNT],
    pair: [[f32; LineClass::COUNT]; LineClass::COUNT],
    class: [f32; PointClass::COUNT],
}

impl Worths {
    /// Reads lines `line ...`, `pair CLASS ...` and `class ...`; any others are left alone.
    fn parse(text: &str) -> Worths {
        let mut pair = [[0.0; LineClass::COUNT]; LineClass::COUNT];
        for row in rows(text, "pair") {
            let (class, row) = row.split_first().expect("a pair row begins with its class");
            pair[*class as usize] = array(row);
        }
        Worths { line: array(&only_row(text, "line")), pair, class: array(&only_row(text, "class")) }
    }

    /// What a point is worth whose lines have these classes.
    fn of(&self, lines: [LineClass; 4], class: PointClass) -> f32 {
        let single: f32 = lines.iter().map(|&line| self.line[line as usize]).sum();
        let mut pairs = 0.0;
        for (i, &a) in lines.iter().enumerate() {
            pairs += lines[..i].iter().map(|&b| self.pair[a as usize][b as usize]).sum::<f32>();
        }
        single + pairs + self.class[class as usize]
    }
}

/// The numbers of every row that begins with `word`.
fn rows<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Vec<f32>> + 'a {
    let number = |text: &str| text.parse().expect("the embedded weights are numbers");
    text.lines()
        .filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
        .map(move |rest| rest.split_whitespace().map(number).collect())
}

fn only_row(text: &str, word: &str) -> Vec<f32> {
    rows(text, word).next().expect("the embedded weights have this row")
}

fn array<const N: usize>(row: &[f32]) -> [f32; N] {
    row.try_into().expect("a row has a number for each class")
}

impl ColorWeights {
    fn new(kind: RuleKind, color: Color, worths: &Worths) -> ColorWeights {
        let mut values = Box::new([0; CODES]);
        let mut scores = Box::new([0; CODES]);
        for (code, lines) in point_codes().enumerate() {
            let class = PointClass::new(kind, color, lines);
            values[code] = (worths.of(lines, class) * PARTS as f32).round() as i16;
            // A point that black may not play is worth little to black: it may turn out legal later.
            let share = if class == PointClass::Foul { 4 } else { 1 };
            let sum: i16 = lines.iter().map(|&line| LINE_SCORES[line as usize]).sum();
            scores[code] = (sum + pair_score(lines) + class_score(class)) / share;
        }
        ColorWeights { values, scores }
    }
}

impl Weights {
    /// The weights of a rule, from the text of each colour and that with the situations.
    fn new(kind: RuleKind, colors: ByColor<&str>, situations: &str) -> Weights {
        let mut table = [[0; PointClass::COUNT]; PointClass::COUNT];
        for row in rows(situations, "situation") {
            let (class, row) = row.split_first().expect("a situation row begins with its class");
            table[*class as usize] = array(row).map(|worth| worth.round() as i16);
        }
        let of = |color| ColorWeights::new(kind, color, &Worths::parse(colors[color]));
        Weights { colors: ByColor(Color::ALL.map(of)), situations: table }
    }

    /// The weights of a rule that treats both colours alike.
    fn even(kind: RuleKind, text: &str) -> Weights {
        Weights::new(kind, ByColor([text, text]), text)
    }
}

/// The weights of a rule, built when first asked for.
pub fn weights(kind: RuleKind) -> &'static Weights {
    static FREESTYLE: LazyLock<Weights> =
        LazyLock::new(|| Weights::even(RuleKind::Freestyle, include_str!("weights/freestyle.txt")));
    static STANDARD: LazyLock<Weights> =
        LazyLock::new(|| Weights::even(RuleKind::Standard, include_str!("weights/standard.txt")));
    static CARO: LazyLock<Weights> =
        LazyLock::new(|| Weights::even(RuleKind::Caro, include_str!("weights/caro.txt")));
    static RENJU: LazyLock<Weights> = LazyLock::new(|| {
        let colors = [include_str!("weights/renju-black.txt"), include_str!("weights/renju-white.txt")];
        Weights::new(RuleKind::Renju, ByColor(colors), include_str!("weights/renju-situation.txt"))
    });
    match kind {
        RuleKind::Freestyle => &FREESTYLE,
        RuleKind::Standard => &STANDARD,
        RuleKind::Renju => &RENJU,
        RuleKind::Caro | RuleKind::CaroExact => &CARO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_weights_that_know_good_from_bad() {
        for kind in RuleKind::ALL {
            let weights = weights(kind);
            for color in Color::ALL {
                let values = &weights.colors[color].values;
                let code = |lines| point_codes().position(|other| other == lines).expect("sorted classes");
                let dead = [LineClass::Dead; 4];
                let with = |line| {
                    let mut lines = dead;
                    lines[3] = line;
                    values[code(lines)]
                };
                assert_eq!(values[code(dead)], 0, "{kind:?} {color}");
                assert!(with(LineClass::OpenTwo) > 0, "{kind:?} {color}");
                assert!(with(LineClass::Four) > with(LineClass::OpenOne), "{kind:?} {color}");
            }
            let quiet = PointClass::Quiet as usize;
            assert!(weights.situations[quiet][quiet] > 0, "having the move is worth something");
        }
    }
}
