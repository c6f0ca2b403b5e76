//! The options of double-three gomoku.

use std::fmt;

use super::super::options::{DoubleThree, FiveLength};
use super::super::spec::{self, SpecError};
use crate::board::Size;
use crate::board::notation::clip;

/// The rules of a game of double-three gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleThreeRules {
    /// `size`: the board.
    pub size: Size,
    /// `double_three`: who must not make two threes with one stone.
    pub double_three: DoubleThree,
    /// `straight_four`: the rows that the fifth stone has to make at either end of a straight four.
    pub straight_four: FiveLength,
}

impl DoubleThreeRules {
    /// The name of the game.
    pub const NAME: &str = "gomoku33";

    /// The game without an option.
    const USUAL: DoubleThreeRules = DoubleThreeRules {
        size: spec::square(15),
        double_three: DoubleThree::Both,
        straight_four: FiveLength::AtLeast,
    };

    /// The rules of `gomoku33` or `gomoku33:option=value,...`.
    ///
    /// # Errors
    /// When that is another game, or it has no such option or value.
    pub fn parse(text: &str) -> Result<DoubleThreeRules, SpecError> {
        let (name, options) = spec::split(text);
        if !name.eq_ignore_ascii_case(DoubleThreeRules::NAME) {
            return Err(SpecError::UnknownGame(clip(name)));
        }
        let mut rules = DoubleThreeRules::USUAL;
        for (option, value) in options {
            match option.trim() {
                "size" => rules.size = spec::size(option, value)?,
                "double_three" => rules.double_three = spec::word(option, value, &DoubleThree::WORDS)?,
                "straight_four" => rules.straight_four = spec::word(option, value, &FiveLength::WORDS)?,
                other => return Err(SpecError::UnknownOption(clip(other))),
            }
        }
        Ok(rules)
    }

    /// These rules on another board.
    pub fn with_size(self, size: Size) -> DoubleThreeRules {
        DoubleThreeRules { size, ..self }
    }

    /// The rules in words, one sentence a line.
    pub fn words(&self) -> Vec<String> {
        let bound = match self.double_three {
            DoubleThree::Both => "Nobody may",
            DoubleThree::Black => "Black may not (white may)",
            DoubleThree::Off => {
                return vec![self.beginning(), "Five or more in a row win. Threes are free.".to_owned()];
            }
        };
        let ends = match self.straight_four {
            FiveLength::AtLeast => "",
            FiveLength::Exact => ", each of which makes exactly five",
        };
        vec![
            self.beginning(),
            "Five or more in a row win.".to_owned(),
            format!("{bound} make two threes with one stone, unless it makes a five."),
            "A barred point can't be played, not even to stop a five.".to_owned(),
            format!("A three can become a straight four: four in an unbroken row with both ends empty{ends}."),
            "It does not count when the stone for that is barred itself, or wins elsewhere, or when the row is a four"
                .to_owned(),
            "already. So a four and a three are allowed, a four and two threes are not.".to_owned(),
            "A side that has no legal move makes it a draw.".to_owned(),
        ]
    }

    fn beginning(&self) -> String {
        format!("Black and white place one stone in turn on a board of {}; black begins.", self.size)
    }

    /// Each option with its value as text.
    pub fn options(&self) -> [(&'static str, String); 3] {
        [
            ("size", spec::format_size(self.size)),
            ("double_three", spec::format_word(self.double_three, &DoubleThree::WORDS)),
            ("straight_four", spec::format_word(self.straight_four, &FiveLength::WORDS)),
        ]
    }
}

impl fmt::Display for DoubleThreeRules {
    /// The name with the options that differ from the usual ones.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        spec::format(f, DoubleThreeRules::NAME, &self.options(), &DoubleThreeRules::USUAL.options())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_read_and_written() {
        assert_eq!(DoubleThreeRules::parse("Gomoku33").unwrap().to_string(), "gomoku33");
        let text = "gomoku33:size=13x11,double_three=black,straight_four=exact";
        assert_eq!(DoubleThreeRules::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn what_makes_no_game_is_refused() {
        for (text, said) in [
            ("gomoku3", "there is no game 'gomoku3'"),
            ("gomoku33:five=exact", "the game has no option 'five'"),
            ("gomoku33:size=23", "size can't be '23', only N or WxH, each side from 5 to 22"),
            ("gomoku33:double_three=white", "double_three can't be 'white', only both, black, off"),
            ("gomoku33:straight_four", "straight_four can't be '', only at_least, exact"),
        ] {
            assert_eq!(DoubleThreeRules::parse(text).unwrap_err().to_string(), said);
        }
    }
}
