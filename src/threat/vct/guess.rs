//! Initial estimate of the work needed to refute an attack that has not been searched yet.
//!
//! Attacks that look like a win are tried first, in proportion to their odds. With uniform numbers the search
//! would visit all similar attacks before it goes deep. The odds come from a logistic model of what the
//! attacker and the defender could make on the point, its distance from the last stone, and the threats of
//! both sides on the board. The model was fitted to the attacks that the search saw within 60,000 nodes of
//! each position of `forced-wins.jsonl`: the winning attacks, and all attacks of every twelfth node. A fuller
//! model separated the winning attacks from the others with an area under the curve of 0.98 on held-out
//! positions (0.92 with the threats on the board alone). The fit covers only what the search visits, and the
//! search used to visit quiet attacks last. The weights of quiet attacks, of the distance and of taken fours
//! were therefore set by counting solved positions of the same file and of `threats.jsonl`. Estimates for the
//! defender's replies from a similar model gained nothing.

use std::sync::LazyLock;

use super::numbers::INFINITE;
use crate::board::{Color, Point};
use crate::rules::{LineClass, POINT_CODES, PointClass, Position, point_codes};

/// Log odds in hundredths.
type LogOdds = i32;

/// Attacks with at least these log odds are estimated to be refuted by a single leaf.
const SURE: LogOdds = 550;
/// Log odds between neighbouring entries of [`DELTAS`].
const STEP: LogOdds = 10;
/// Growth factor of the estimate per step: the square root of the odds.
const GROWTH: f64 = 1.0513;
/// Number of entries of [`DELTAS`]; the last one is about 60.
const STEPS: usize = 83;

/// Disproof numbers by the number of steps that the log odds are below [`SURE`]. Computed at compile time, so
/// that every machine has the same values.
const DELTAS: [u32; STEPS] = {
    let mut deltas = [1; STEPS];
    let (mut step, mut delta) = (0, 1.0);
    while step < STEPS {
        deltas[step] = delta as u32;
        delta *= GROWTH;
        step += 1;
    }
    assert!(deltas[STEPS - 1] < INFINITE);
    deltas
};

/// Log odds per step of distance between an attack and the last stone, up to a maximum distance.
const PER_DISTANCE: LogOdds = -33;
const FARTHEST: i32 = 7;

/// Log odds of an attack by the codes of the attacker's and the defender's lines through its point.
static LINES: LazyLock<[[i16; POINT_CODES]; 2]> = LazyLock::new(|| {
    let table = |weight: fn(LineClass) -> i16| {
        let mut weights = [0; POINT_CODES];
        for (sum, lines) in weights.iter_mut().zip(point_codes()) {
            *sum = lines.into_iter().map(weight).sum();
        }
        weights
    };
    [table(of_line), table(of_taken_line)]
});

/// Log odds of an attack by what it makes on a line, in addition to its class.
fn of_line(line: LineClass) -> i16 {
    match line {
        LineClass::OpenOne => 15,
        LineClass::BlockedTwo => 35,
        LineClass::OpenTwoTwo => 90,
        LineClass::OpenTwo => 110,
        LineClass::BlockedThree => 135,
        LineClass::OpenThreeOne => -40,
        LineClass::OpenThree => 20,
        LineClass::Four => -30,
        _ => 0,
    }
}

/// Log odds of an attack by what it takes from the defender on a line.
fn of_taken_line(line: LineClass) -> i16 {
    match line {
        LineClass::OpenOne => 10,
        LineClass::BlockedTwo => 5,
        LineClass::BlockedThree | LineClass::OpenThreeOne | LineClass::OpenThree => 25,
        LineClass::Four => 150,
        LineClass::OpenFour | LineClass::DoubleFour => 385,
        LineClass::Five => 430,
        _ => 0,
    }
}

/// Log odds of an attack by its class.
fn of_class(class: PointClass) -> LogOdds {
    match class {
        PointClass::Quiet => -285,
        PointClass::DoubleThree => 350,
        PointClass::Four | PointClass::FourThree => 60,
        _ => 0,
    }
}

/// Log odds of every attack by the threats that both sides could make.
fn of_threats(position: &Position) -> LogOdds {
    /// For each kind of point (a four and a three, another four, two threes, a three): the weight of one such
    /// point, and the maximum number that is counted.
    const OURS: [(LogOdds, usize); 4] = [(125, 6), (10, 8), (25, 5), (15, 8)];
    const THEIRS: [(LogOdds, usize); 4] = [(-150, 3), (-50, 6), (-25, 5), (-5, 8)];
    const CLASSES: [PointClass; 4] =
        [PointClass::FourThree, PointClass::Four, PointClass::DoubleThree, PointClass::OpenThree];
    let weigh = |color: Color, weights: [(LogOdds, usize); 4]| {
        let mut stronger = 0;
        let of_kind = |(class, (weight, most)): (PointClass, (LogOdds, usize))| {
            let number = position.at_least(color, class).len();
            let exactly = number - std::mem::replace(&mut stronger, number);
            weight * exactly.min(most) as LogOdds
        };
        CLASSES.into_iter().zip(weights).map(of_kind).sum::<LogOdds>()
    };
    let us = position.board().side_to_move();
    weigh(us, OURS) + weigh(!us, THEIRS)
}

/// Estimates for the attacks of one node.
pub(super) struct Guess {
    us: Color,
    of_threats: LogOdds,
    last: Option<Point>,
}

impl Guess {
    /// Estimates for the attacker, who is to move; `last` is the defender's last stone, if it was played by
    /// the search.
    pub fn new(position: &Position, last: Option<Point>) -> Guess {
        Guess { us: position.board().side_to_move(), of_threats: of_threats(position), last }
    }

    /// The disproof number of the attack on `point`.
    pub fn delta(&self, position: &Position, point: Point) -> u32 {
        let [ours, theirs] = &*LINES;
        let lines = i32::from(ours[position.code(self.us, point)])
            + i32::from(theirs[position.code(!self.us, point)]);
        let far = self.last.map_or(0, |last| i32::from(last.distance(point)).min(FARTHEST));
        let odds = self.of_threats + lines + of_class(position.class(self.us, point)) + PER_DISTANCE * far;
        let steps = (SURE - odds).max(0) / STEP;
        DELTAS[(steps as usize).min(STEPS - 1)]
    }
}
