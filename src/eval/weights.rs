//! The numbers of the evaluation, tables and network, from data files, one for each rule.
//!
//! The files are made by the package `training` from games of the engine against itself; the head of each says how.
//! Their lines:
//!
//! - `both CODE US THEM OWN THEIR`, or `black ...` and `white ...` where the colours differ: of a point with this code
//!   for a colour, what it is worth when that colour is to move and when the other is, in [`PARTS`] of a point, and
//!   how good a move to it looks to that colour and to the other. Codes that are not there have zeros.
//! - `rows-both CODE US... THEM...`, or `rows-black ...` and `rows-white ...`: what such a point adds to the channels
//!   of the network (see [`super::network`]) when that colour is to move and when the other is.
//! - `channels START...`: what the channels begin with. `hidden START WEIGHT...`: a number of the hidden layer, and
//!   `output START WEIGHT...`: the value. Without these lines the network says nothing.
//! - `situation US WORTH...`: what it is worth to the side to move, in points, to have the threats of the set US while
//!   the other side has those of each set in order (see [`super::threats`]).

use std::sync::LazyLock;

use super::network::{CHANNELS, Network, Row};
use super::threats::THREAT_SETS;
use crate::board::{ByColor, Color};
use crate::rules::{POINT_CODES, RuleKind};

/// Parts of a point of the search's values in which the worths of codes count, so that small worths are not rounded
/// away.
pub const PARTS: i32 = 16;

/// A power of two above [`POINT_CODES`]: a code read from an entry needs no bounds check.
const CODES: usize = 1 << 12;
const _: () = assert!(POINT_CODES <= CODES);

/// Tables over the point codes of one colour under one rule.
pub struct ColorWeights {
    /// What an empty point with this code adds to the sums that the evaluation keeps.
    pub sums: Box<[Sums; CODES]>,
    /// What an empty point with this code adds to the channels of the network.
    pub rows: Box<[Row; CODES]>,
    /// How good a move to a point with this code looks to the colour itself.
    pub own_scores: Box<[i16; CODES]>,
    /// How good the opponent's move to a point with this code looks to the opponent.
    pub their_scores: Box<[i16; CODES]>,
}

/// Black's points minus white's, in [`PARTS`], once as they count with black to move and once with white: two numbers
/// in one, so that one addition serves both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums(i64);

impl Sums {
    const HALF: u32 = 32;

    /// The sums that have these values with black and with white to move.
    pub fn new(to_move: ByColor<i32>) -> Sums {
        let [black, white] = to_move.0.map(i64::from);
        Sums(black + (white << Sums::HALF))
    }

    /// Black's points minus white's with `color` to move.
    #[inline]
    pub fn balance(self, color: Color) -> i32 {
        let black = self.0 as i32;
        match color {
            Color::Black => black,
            Color::White => ((self.0 - i64::from(black)) >> Sums::HALF) as i32,
        }
    }

    /// Adds what came and takes away what went.
    #[inline]
    pub fn change(&mut self, came: Sums, went: Sums) {
        self.0 += came.0 - went.0;
    }
}

/// Everything that the evaluation knows about one rule.
pub struct Weights {
    /// The tables of each colour.
    pub colors: ByColor<ColorWeights>,
    /// What it is worth to the side to move, in points, the move itself included, to have the threats of the first
    /// set while the other side has those of the second.
    pub situations: Box<[[i16; THREAT_SETS]; THREAT_SETS]>,
    /// What the channels are worth together.
    pub network: Network,
}

impl Weights {
    /// Reads a data file.
    fn parse(text: &str) -> Weights {
        let empty = || ColorWeights {
            sums: Box::new([Sums::default(); CODES]),
            rows: Box::new([Row::default(); CODES]),
            own_scores: Box::new([0; CODES]),
            their_scores: Box::new([0; CODES]),
        };
        let mut weights = Weights {
            colors: ByColor([empty(), empty()]),
            situations: Box::new([[0; THREAT_SETS]; THREAT_SETS]),
            network: Network::default(),
        };
        let mut hidden = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ').expect("a line has a word and numbers");
            let number = |text: &str| text.parse::<i32>().expect("the embedded weights are numbers");
            let numbers: Vec<i32> = rest.split_whitespace().map(number).collect();
            let (&first, others) = numbers.split_first().expect("a line has numbers");
            let network = &mut weights.network;
            match word {
                "both" => Color::ALL.into_iter().for_each(|color| weights.set_code(color, &numbers)),
                "black" => weights.set_code(Color::Black, &numbers),
                "white" => weights.set_code(Color::White, &numbers),
                "situation" => weights.situations[first as usize] = small(others),
                "rows-both" => Color::ALL.into_iter().for_each(|color| weights.set_row(color, first, others)),
                "rows-black" => weights.set_row(Color::Black, first, others),
                "rows-white" => weights.set_row(Color::White, first, others),
                "channels" => network.start = small(&numbers),
                "hidden" => {
                    (network.hidden_start[hidden], network.hidden[hidden]) = (first, small(others));
                    hidden += 1;
                }
                "output" => (network.output_start, network.output) = (first, small(others)),
                _ => panic!("the embedded weights have no lines '{word}'"),
            }
        }
        weights
    }

    fn set_code(&mut self, color: Color, numbers: &[i32]) {
        let &[code, us, them, own, their] = numbers else { panic!("a code has four numbers") };
        let weights = &mut self.colors[color];
        // To the other colour, to move or not, the worth of our points is a loss.
        let worth = match color {
            Color::Black => [us, them],
            Color::White => [-them, -us],
        };
        let code = code as usize;
        weights.sums[code] = Sums::new(ByColor(worth));
        [weights.own_scores[code], weights.their_scores[code]] = small(&[own, their]);
    }

    fn set_row(&mut self, color: Color, code: i32, numbers: &[i32]) {
        let (us, them) = numbers.split_at(CHANNELS);
        let row = &mut self.colors[color].rows[code as usize];
        (row[color], row[!color]) = (small(us), small(them));
    }
}

/// The numbers of a part of a line.
fn small<const N: usize>(numbers: &[i32]) -> [i16; N] {
    let small = |&number: &i32| i16::try_from(number).expect("the embedded weights are small numbers");
    numbers.iter().map(small).collect::<Vec<_>>().try_into().expect("a line has all its numbers")
}

/// The weights of a rule, built when first asked for.
pub fn weights(kind: RuleKind) -> &'static Weights {
    static FREESTYLE: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("weights/freestyle.txt")));
    static STANDARD: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("weights/standard.txt")));
    static RENJU: LazyLock<Weights> = LazyLock::new(|| Weights::parse(include_str!("weights/renju.txt")));
    static CARO: LazyLock<Weights> = LazyLock::new(|| Weights::parse(include_str!("weights/caro.txt")));
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
    use crate::rules::{LineClass, point_codes};

    #[test]
    fn two_sums_in_one_are_kept_apart() {
        let numbers = [-70_000, -1, 0, 1, 90_000];
        for black in numbers {
            for white in numbers {
                let mut sums = Sums::default();
                sums.change(Sums::new(ByColor([black, white])), Sums::default());
                sums.change(Sums::new(ByColor([-5, 7])), Sums::new(ByColor([3, -4])));
                assert_eq!(Color::ALL.map(|color| sums.balance(color)), [black - 8, white + 11]);
            }
        }
    }

    #[test]
    fn every_rule_has_weights_that_know_good_from_bad() {
        for kind in RuleKind::ALL {
            let weights = weights(kind);
            for color in Color::ALL {
                let table = &weights.colors[color];
                let code = |lines| point_codes().position(|other| other == lines).expect("sorted classes");
                let with = |line| code([LineClass::Dead, LineClass::Dead, LineClass::Dead, line]);
                let sign = if color == Color::Black { 1 } else { -1 };
                for to_move in Color::ALL {
                    let worth = |line| sign * table.sums[with(line)].balance(to_move);
                    assert_eq!(worth(LineClass::Dead), 0, "{kind:?} {color}");
                    assert!(worth(LineClass::Four) > worth(LineClass::OpenOne), "{kind:?} {color}");
                }
                for scores in [&table.own_scores, &table.their_scores] {
                    let score = |line| scores[with(line)];
                    assert!(score(LineClass::OpenThree) > score(LineClass::OpenTwo), "{kind:?} {color}");
                    assert!(score(LineClass::OpenTwo) > score(LineClass::Dead), "{kind:?} {color}");
                }
            }
            for color in Color::ALL {
                let rows = &weights.colors[color].rows;
                assert_eq!(rows[0], Row::default(), "a point where nothing can come of a stone adds nothing");
                assert!(rows.iter().filter(|&&row| row != Row::default()).count() > 500, "{kind:?} {color}");
            }
            let of_threats = weights.situations.iter().flatten();
            assert!(of_threats.filter(|&&worth| worth != 0).count() > 100, "threats are worth something");
        }
    }
}
