//! The options of double-three gomoku.

use std::fmt;

use super::super::options::{DoubleThree, FiveLength};
use super::super::spec::{self, SpecError};
use crate::board::Size;
use crate::board::notation::clip;

/// The rules of a game of double-three gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleThreeRules {
    /// `size`: the board size.
    pub size: Size,
    /// `double_three`: which sides may not make two threes with one stone.
    pub double_three: DoubleThree,
    /// `straight_four`: the row that a fifth stone must make at either end of a straight four.
    pub straight_four: FiveLength,
}

impl DoubleThreeRules {
    /// The name of the game.
    pub const NAME: &str = "gomoku33";

    /// The game with default options.
    const USUAL: DoubleThreeRules = DoubleThreeRules {
        size: spec::square(15),
        double_three: DoubleThree::Both,
        straight_four: FiveLength::AtLeast,
    };

    /// Parses the rules from `gomoku33` or `gomoku33:option=value,...`.
    ///
    /// # Errors
    /// When the text names another game, or an option or value that does not exist.
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

    /// These rules on a board of another size.
    pub fn with_size(self, size: Size) -> DoubleThreeRules {
        DoubleThreeRules { size, ..self }
    }

    /// The rules as text, one sentence per line.
    pub fn words(&self) -> Vec<String> {
        let bound = match self.double_three {
            DoubleThree::Both => "Neither side may",
            DoubleThree::Black => "Black may not (white may)",
            DoubleThree::Off => {
                return vec![
                    self.beginning(),
                    "Five or more in a row win. Double threes are allowed.".to_owned(),
                ];
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
            "A forbidden point cannot be played, not even to stop a five.".to_owned(),
            format!("A three is a row that can become a straight four: an unbroken row of four with both ends empty{ends}."),
            "It does not count if that stone would itself be forbidden or win in another row, or if the row is already"
                .to_owned(),
            "a four. So a four and a three are allowed, but a four and two threes are not.".to_owned(),
            "If a side has no legal move, the game is drawn.".to_owned(),
        ]
    }

    fn beginning(&self) -> String {
        format!("Black and white alternately place one stone on a {} board; black begins.", self.size)
    }

    /// Each option and its value as text.
    pub fn options(&self) -> [(&'static str, String); 3] {
        [
            ("size", spec::format_size(self.size)),
            ("double_three", spec::format_word(self.double_three, &DoubleThree::WORDS)),
            ("straight_four", spec::format_word(self.straight_four, &FiveLength::WORDS)),
        ]
    }
}

impl fmt::Display for DoubleThreeRules {
    /// The name, followed by the options that differ from their defaults.
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
    fn invalid_rules_are_rejected() {
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
