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

use std::error::Error;
use std::fmt;
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
    fn parse(text: &str) -> Result<Weights, WeightsError> {
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
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let read = weights.add_line(line, &mut hidden);
            read.map_err(|fault| WeightsError { line: index + 1, fault })?;
        }
        Ok(weights)
    }

    /// Adds what a line says; `hidden` is the next number of the hidden layer.
    fn add_line(&mut self, line: &str, hidden: &mut usize) -> Result<(), &'static str> {
        let (word, rest) = line.split_once(' ').ok_or("a line has a word and numbers")?;
        let numbers: Result<Vec<i32>, _> = rest.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|_| "it is no number, or too large")?;
        let (&first, others) = numbers.split_first().ok_or("a line has numbers")?;
        let network = &mut self.network;
        match word {
            "both" => Color::ALL.into_iter().try_for_each(|color| self.set_code(color, &numbers))?,
            "black" => self.set_code(Color::Black, &numbers)?,
            "white" => self.set_code(Color::White, &numbers)?,
            "situation" => {
                let row = usize::try_from(first).ok().and_then(|row| self.situations.get_mut(row));
                *row.ok_or("there is no such set of threats")? = small(others)?;
            }
            "rows-both" => {
                Color::ALL.into_iter().try_for_each(|color| self.set_row(color, first, others))?;
            }
            "rows-black" => self.set_row(Color::Black, first, others)?,
            "rows-white" => self.set_row(Color::White, first, others)?,
            "channels" => network.start = small(&numbers)?,
            "hidden" => {
                let start = network.hidden_start.get_mut(*hidden).ok_or("the hidden layer is full")?;
                (*start, network.hidden[*hidden]) = (first, small(others)?);
                *hidden += 1;
            }
            "output" => (network.output_start, network.output) = (first, small(others)?),
            _ => return Err("a line begins with an unknown word"),
        }
        Ok(())
    }

    fn set_code(&mut self, color: Color, numbers: &[i32]) -> Result<(), &'static str> {
        let &[code, ref worths @ ..] = numbers else { return Err("a line has numbers") };
        // Small ones alone: the sums over a board fit.
        let [us, them, own, their] = small(worths)?;
        let (us, them) = (i32::from(us), i32::from(them));
        let weights = &mut self.colors[color];
        // To the other colour, to move or not, the worth of our points is a loss.
        let worth = match color {
            Color::Black => [us, them],
            Color::White => [-them, -us],
        };
        let code = known_code(code)?;
        weights.sums[code] = Sums::new(ByColor(worth));
        [weights.own_scores[code], weights.their_scores[code]] = [own, their];
        Ok(())
    }

    fn set_row(&mut self, color: Color, code: i32, numbers: &[i32]) -> Result<(), &'static str> {
        let (us, them) = numbers.split_at_checked(CHANNELS).ok_or("a number is missing or too many")?;
        let row = &mut self.colors[color].rows[known_code(code)?];
        (row[color], row[!color]) = (small(us)?, small(them)?);
        Ok(())
    }
}

fn known_code(code: i32) -> Result<usize, &'static str> {
    usize::try_from(code).ok().filter(|&code| code < POINT_CODES).ok_or("points have no such code")
}

/// The numbers of a part of a line.
fn small<const N: usize>(numbers: &[i32]) -> Result<[i16; N], &'static str> {
    let small: Result<Vec<i16>, _> = numbers.iter().map(|&number| i16::try_from(number)).collect();
    let small = small.map_err(|_| "a number is too large")?;
    small.try_into().map_err(|_| "a number is missing or too many")
}

/// A fault of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The fault in a few words.
    pub fault: &'static str,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {} of the weights: {}", self.line, self.fault)
    }
}

impl Error for WeightsError {}

/// Whether `text` is a data file that the engine can be built with.
///
/// # Errors
/// Where it is not, and why.
pub fn check_weights(text: &str) -> Result<(), WeightsError> {
    Weights::parse(text).map(drop)
}

/// The weights of a rule, built when first asked for.
pub fn weights(kind: RuleKind) -> &'static Weights {
    fn read(text: &str) -> Weights {
        Weights::parse(text).expect("a test reads every embedded file")
    }
    static FREESTYLE: LazyLock<Weights> = LazyLock::new(|| read(include_str!("weights/freestyle.txt")));
    static STANDARD: LazyLock<Weights> = LazyLock::new(|| read(include_str!("weights/standard.txt")));
    static RENJU: LazyLock<Weights> = LazyLock::new(|| read(include_str!("weights/renju.txt")));
    static CARO: LazyLock<Weights> = LazyLock::new(|| read(include_str!("weights/caro.txt")));
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

    #[test]
    fn what_is_no_data_file_is_refused_with_its_line() {
        let refused = |text: &str, line, fault: &str| {
            let error = check_weights(text).expect_err(text);
            assert_eq!((error.line, error.fault), (line, fault), "{text}");
        };
        assert_eq!(check_weights("# nothing but a head\nboth 1 2 -3 4 -5\n"), Ok(()));
        refused("# head\n\n", 2, "a line has a word and numbers");
        refused("both 1 2 3 4 x", 1, "it is no number, or too large");
        refused("both 1 2 3 4 NaN", 1, "it is no number, or too large");
        refused("both 1 2 3 4 99999999999", 1, "it is no number, or too large");
        refused("both 1 2 3 4 32768", 1, "a number is too large");
        refused("both 1 2 3 4", 1, "a number is missing or too many");
        refused("both 9999 2 3 4 5", 1, "points have no such code");
        refused("both -1 2 3 4 5", 1, "points have no such code");
        refused("situation 0 1", 1, "a number is missing or too many");
        let row = " 1".repeat(THREAT_SETS);
        refused(&format!("situation {THREAT_SETS}{row}"), 1, "there is no such set of threats");
        refused("rows-both 1 2 3", 1, "a number is missing or too many");
        refused("chess 1", 1, "a line begins with an unknown word");
        refused(&format!("hidden 1{}\n", " 2".repeat(CHANNELS)).repeat(17), 17, "the hidden layer is full");
    }
}
