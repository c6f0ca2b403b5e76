//! The numbers of the classical evaluation, set by hand, and the tables per point code that they span.

use std::sync::LazyLock;

use crate::board::Color;
use crate::rules::{LineClass, POINT_CODES, PointClass, RuleKind, point_codes};

/// What an empty point is worth to a colour for the class that a stone there would make on one line, in the units
/// of the search's values. The shapes on the board count through the points that would extend them: an open two
/// has about four points of class `OpenThree`, an open three two of class `OpenFour`.
const LINE_VALUES: [i16; LineClass::COUNT] = [0, 0, 0, 1, 1, 3, 4, 5, 12, 14, 16, 60, 60, 120];

/// How much a move wants to be tried first for the class that it makes on one line.
const LINE_SCORES: [i16; LineClass::COUNT] = [0, 0, 2, 4, 8, 18, 22, 25, 70, 85, 90, 600, 600, 4000];

/// Added to the value of a point whose four lines make this class together.
const fn class_value(class: PointClass) -> i16 {
    match class {
        PointClass::DoubleThree => 25,
        PointClass::FourThree => 60,
        PointClass::OpenFour => 20,
        _ => 0,
    }
}

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

/// A power of two above [`POINT_CODES`]: a code read from an entry needs no bounds check.
const CODES: usize = 1 << 12;
const _: () = assert!(POINT_CODES <= CODES);

/// Tables over the point codes of one colour under one rule.
pub struct Weights {
    /// What an empty point with this code is worth to the colour.
    pub values: Box<[i16; CODES]>,
    /// How good a move to a point with this code looks to the colour.
    pub scores: Box<[i16; CODES]>,
}

impl Weights {
    fn new(kind: RuleKind, color: Color) -> Weights {
        let table = |per_line: &[i16; LineClass::COUNT], per_class: fn(PointClass) -> i16| {
            let entry = |lines: [LineClass; 4]| {
                let class = PointClass::new(kind, color, lines);
                // A point that black may not play is worth little to black: it may turn out legal later.
                let share = if class == PointClass::Foul { 4 } else { 1 };
                let sum: i16 = lines.iter().map(|&line| per_line[line as usize]).sum();
                (sum + pair_bonus(lines) + per_class(class)) / share
            };
            let mut entries = Box::new([0; CODES]);
            entries.iter_mut().zip(point_codes()).for_each(|(slot, lines)| *slot = entry(lines));
            entries
        };
        Weights { values: table(&LINE_VALUES, class_value), scores: table(&LINE_SCORES, class_score) }
    }
}

/// Two lines that each could become a threat are worth more than their sum.
fn pair_bonus(lines: [LineClass; 4]) -> i16 {
    let promising = |line: LineClass| line >= LineClass::OpenTwoTwo && line <= LineClass::BlockedThree;
    match lines.into_iter().filter(|&line| promising(line)).count() {
        0 | 1 => 0,
        2 => 3,
        3 => 7,
        _ => 12,
    }
}

/// The weights of a colour under a rule, built when first asked for.
pub fn weights(kind: RuleKind, color: Color) -> &'static Weights {
    static PLAIN: LazyLock<Weights> = LazyLock::new(|| Weights::new(RuleKind::Freestyle, Color::Black));
    static FOULS: LazyLock<Weights> = LazyLock::new(|| Weights::new(RuleKind::Renju, Color::Black));
    static CARO: LazyLock<Weights> = LazyLock::new(|| Weights::new(RuleKind::Caro, Color::Black));
    match kind {
        RuleKind::Renju if color == Color::Black => &FOULS,
        RuleKind::Caro | RuleKind::CaroExact => &CARO,
        RuleKind::Freestyle | RuleKind::Standard | RuleKind::Renju => &PLAIN,
    }
}
