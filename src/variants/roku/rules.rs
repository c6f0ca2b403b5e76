//! The options of Gomoku Roku, and its named variants.
//!
//! The rule book shows the steps of Handicap, Dynamic and Thrilling in pictures that are not public. Their
//! settings here are our interpretation of the book's text.

use std::fmt;

use super::super::spec::{self, SpecError};
use super::sheet::sheet;
use crate::board::Color;
use crate::board::notation::clip;

/// The rules of a game of Gomoku Roku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RokuRules {
    /// The variant that the options are based on.
    pub preset: &'static str,
    /// `supply`: the number of stones of each side, including the track stone.
    pub supply: u8,
    /// `track_gap`: the number of extra circles by which the stronger side's track stone starts ahead.
    pub track_gap: u8,
    /// `stronger`: the side whose track stone starts ahead.
    pub stronger: Color,
    /// `pre_stones`: the number of stones that each side places in the opening, in turn and without moving
    /// its track stone.
    pub pre_stones: u8,
    /// `ninuki`: whether pairs are captured.
    pub ninuki: bool,
    /// `goal_pairs`: the number of captured pairs that wins.
    pub goal_pairs: u8,
}

const ROKU: RokuRules = RokuRules {
    preset: "roku",
    supply: 31,
    track_gap: 0,
    stronger: Color::White,
    pre_stones: 0,
    ninuki: false,
    goal_pairs: 3,
};

/// The named variants.
pub const PRESETS: [RokuRules; 5] = [
    ROKU,
    RokuRules { preset: "roku-ninuki", ninuki: true, ..ROKU },
    RokuRules { preset: "roku-handicap", track_gap: 3, ..ROKU },
    RokuRules { preset: "roku-dynamic", pre_stones: 1, ..ROKU },
    RokuRules { preset: "roku-thrilling", supply: 16, ..ROKU },
];

const STRONGER: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

impl RokuRules {
    /// Parses the rules from `NAME` or `NAME:option=value,...`.
    ///
    /// # Errors
    /// When the variant or an option does not exist, or the options contradict each other.
    pub fn parse(text: &str) -> Result<RokuRules, SpecError> {
        let (name, options) = spec::split(text);
        let preset = PRESETS.into_iter().find(|rules| rules.preset.eq_ignore_ascii_case(name));
        let mut rules = preset.ok_or_else(|| SpecError::UnknownGame(clip(name)))?;
        for (option, value) in options {
            match option.trim() {
                "supply" => rules.supply = spec::number(option, value, 2..=61)?,
                "track_gap" => rules.track_gap = spec::number(option, value, 0..=5)?,
                "stronger" => rules.stronger = spec::word(option, value, &STRONGER)?,
                "pre_stones" => rules.pre_stones = spec::number(option, value, 0..=3)?,
                "ninuki" => rules.ninuki = spec::flag(option, value)?,
                "goal_pairs" => rules.goal_pairs = spec::number(option, value, 1..=20)?,
                other => return Err(SpecError::UnknownOption(clip(other))),
            }
        }
        if rules.supply < rules.pre_stones + 2 {
            return Err(SpecError::Impossible(
                "the supply must be larger than pre_stones and the track stone",
            ));
        }
        Ok(rules)
    }

    /// The rules as text, one sentence per line.
    pub fn words(&self) -> Vec<String> {
        let (each, gap, free) = (self.supply, self.track_gap, self.pre_stones);
        let (least, most) = (sheet().costs().min().unwrap_or(0), sheet().costs().max().unwrap_or(0));
        let mut words = vec![
            format!(
                "Each side has {each} stones. The sheet is a hexagon of circles: the outermost ring is the track, the"
            ),
            format!(
                "inner circles cost {least} to {most}, more towards the centre, and no stone may be placed on the centre itself."
            ),
        ];
        words.push(match gap {
            0 => "Black places a stone on any track circle, white on either neighbour of it.".to_owned(),
            _ => format!(
                "Black places a stone on any track circle; white's is placed so that {} is {} circles ahead.",
                self.stronger,
                gap + 1
            ),
        });
        if free > 0 {
            let stones =
                if free == 1 { "a free stone".to_owned() } else { format!("{free} free stones, in turn") };
            words.push(format!("Then each side places {stones}, black first, without moving on the track."));
        }
        words.push(
            "The side whose track stone is behind (clockwise) moves, and keeps moving as long as it is behind:".to_owned(),
        );
        words.push(
            "it places a stone on an empty circle and advances its track stone by the circle's cost; if the"
                .to_owned(),
        );
        words.push("other track stone is there, it moves one circle further.".to_owned());
        words.push("Five stones of the same side in a row then win; track stones count. Rows are straight lines of circles,".to_owned());
        words.push(
            "including lines that pass between neighbouring circles; the centre interrupts them.".to_owned(),
        );
        if self.ninuki {
            words.push("After the move, exactly two enemy stones in a row between two stones of the mover are removed if the placed".to_owned());
            words.push("stone or the mover's track stone has enclosed them; if there are several such pairs, the mover chooses one (h8/2).".to_owned());
            words.push(match self.goal_pairs {
                1 => "One removed pair also wins.".to_owned(),
                pairs => format!("{pairs} removed pairs also win."),
            });
        }
        words.push("A side that has to move without a stone left loses; a full sheet is a draw.".to_owned());
        words
    }

    /// Each option and its value as text.
    pub fn options(&self) -> [(&'static str, String); 6] {
        [
            ("supply", self.supply.to_string()),
            ("track_gap", self.track_gap.to_string()),
            ("stronger", self.stronger.to_string()),
            ("pre_stones", self.pre_stones.to_string()),
            ("ninuki", if self.ninuki { "yes" } else { "no" }.to_owned()),
            ("goal_pairs", self.goal_pairs.to_string()),
        ]
    }
}

impl fmt::Display for RokuRules {
    /// The variant, followed by the options that differ from it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let preset = PRESETS.iter().find(|rules| rules.preset == self.preset).unwrap_or(&ROKU);
        spec::format(f, self.preset, &self.options(), &preset.options())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_and_options_are_read_and_written() {
        for rules in PRESETS {
            assert_eq!(RokuRules::parse(&rules.to_string()), Ok(rules));
            assert_eq!(rules.to_string(), rules.preset);
        }
        let text = "roku:supply=16,track_gap=5,stronger=black,pre_stones=2,ninuki=yes,goal_pairs=4";
        assert_eq!(RokuRules::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn numbers_in_the_words_fit() {
        for (text, sentence) in [
            ("roku", "inner circles cost 1 to 4, "),
            ("roku-ninuki", "3 removed pairs also win."),
            ("roku-ninuki:goal_pairs=1", "One removed pair also wins."),
        ] {
            let words = RokuRules::parse(text).unwrap().words();
            assert!(words.iter().any(|line| line.starts_with(sentence)), "{text}: {words:?}");
        }
    }

    #[test]
    fn invalid_rules_are_rejected() {
        for (text, said) in [
            ("rok", "there is no game 'rok'"),
            ("roku:track_gap=6", "track_gap can't be '6', only 0 to 5"),
            ("roku:size=11", "the game has no option 'size'"),
            ("roku:supply=3,pre_stones=2", "the supply must be larger than pre_stones and the track stone"),
        ] {
            assert_eq!(RokuRules::parse(text).unwrap_err().to_string(), said);
        }
    }
}
