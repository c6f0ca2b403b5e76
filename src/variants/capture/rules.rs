//! The options of a capture game, and its named presets.

use std::fmt;

use super::super::options::{DoubleThree, FiveLength};
use super::super::spec::{self, SpecError};
use crate::board::notation::clip;
use crate::board::{ByColor, Color, Size};

/// When a breakable five wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiveMode {
    /// If the next move does not break it.
    Next,
    /// It stays pending as long as it is on the board; its owner wins after one of his own moves if it can
    /// then no longer be broken. The sources give only the name of this mode, so this is our interpretation.
    Lingering,
}

/// Where the first stones may be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Anywhere.
    Free,
    /// Black's first stone at the centre.
    Center,
    /// Black's first stone at the centre, black's second at least three points away from it (outside the 5x5
    /// square).
    Pro,
    /// Like [`Start::Pro`], but at least four points away (outside the 7x7 square).
    LongPro,
}

/// The rules of a capture game. Where the sources differ or leave a choice, there is an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureRules {
    /// The preset that the options are based on.
    pub preset: &'static str,
    /// `size`: the board size.
    pub size: Size,
    /// `goal_pairs` (two stones each) or `goal_stones`: the number of captured stones that wins.
    pub goal_stones: u16,
    /// `start_pairs=BLACK/WHITE`: the captures of each side before the first move, in stones.
    pub start_stones: ByColor<u16>,
    /// `double_three`: which sides may not make two free threes with one stone.
    pub double_three: DoubleThree,
    /// `capture_exempts_33`: a capturing move may make a double three.
    pub capture_exempts_33: bool,
    /// `five_exempts_33`: a move that makes a five may make a double three.
    pub five_exempts_33: bool,
    /// `breakable_five`: a five is pending while the opponent can capture from it or win by captures.
    pub breakable_five: bool,
    /// `five_mode`: how long a five stays pending.
    pub five_mode: FiveMode,
    /// `five`: which rows win.
    pub five: FiveLength,
    /// `capture_three`: rows of three stones can also be captured.
    pub capture_three: bool,
    /// `start`: where the first stones may be placed.
    pub start: Start,
}

/// The first preset; the others change some of its options.
const GOMOKU42: CaptureRules = CaptureRules {
    preset: "gomoku42",
    size: spec::square(19),
    goal_stones: 10,
    start_stones: ByColor([0, 0]),
    double_three: DoubleThree::Both,
    capture_exempts_33: true,
    five_exempts_33: false,
    breakable_five: true,
    five_mode: FiveMode::Next,
    five: FiveLength::AtLeast,
    capture_three: false,
    start: Start::Free,
};

const PENTE: CaptureRules = CaptureRules {
    preset: "pente",
    double_three: DoubleThree::Off,
    capture_exempts_33: false,
    breakable_five: false,
    ..GOMOKU42
};

/// The named games.
pub const PRESETS: [CaptureRules; 5] = [
    GOMOKU42,
    CaptureRules {
        preset: "gomoku42-web",
        capture_exempts_33: false,
        five_mode: FiveMode::Lingering,
        ..GOMOKU42
    },
    CaptureRules {
        preset: "ninuki",
        size: spec::square(15),
        double_three: DoubleThree::Black,
        five: FiveLength::Exact,
        start: Start::Center,
        ..GOMOKU42
    },
    PENTE,
    CaptureRules { preset: "keryo", goal_stones: 15, capture_three: true, ..PENTE },
];

const FIVE_MODE: [(&str, FiveMode); 2] = [("next", FiveMode::Next), ("lingering", FiveMode::Lingering)];
const START: [(&str, Start); 4] =
    [("free", Start::Free), ("center", Start::Center), ("pro", Start::Pro), ("long_pro", Start::LongPro)];

/// More stones than are captured in any game.
const MOST_STONES: u16 = 400;

impl CaptureRules {
    /// Parses the rules from `NAME` or `NAME:option=value,...`.
    ///
    /// ```
    /// use kakugo::variants::capture::CaptureRules;
    /// let rules = CaptureRules::parse("pente:goal_pairs=7,size=15").expect("options of pente");
    /// assert_eq!((rules.goal_stones, rules.to_string()), (14, "pente:size=15,goal_pairs=7".to_owned()));
    /// ```
    ///
    /// # Errors
    /// When the game or an option does not exist, or the options contradict each other.
    pub fn parse(text: &str) -> Result<CaptureRules, SpecError> {
        let (name, options) = spec::split(text);
        let preset = PRESETS.into_iter().find(|rules| rules.preset.eq_ignore_ascii_case(name));
        let mut rules = preset.ok_or_else(|| SpecError::UnknownGame(clip(name)))?;
        for (option, value) in options {
            rules.set(option, value)?;
        }
        rules.checked()
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), SpecError> {
        match option.trim() {
            "size" => self.size = spec::size(option, value)?,
            "goal_pairs" => self.goal_stones = 2 * spec::number(option, value, 1..=MOST_STONES / 2)?,
            "goal_stones" => self.goal_stones = spec::number(option, value, 1..=MOST_STONES)?,
            "start_pairs" => {
                let (black, white) = value
                    .split_once('/')
                    .ok_or_else(|| spec::bad_value(option, value, "black's/white's, such as 0/2"))?;
                let stones = |pairs| Ok(2 * spec::number(option, pairs, 0..=MOST_STONES / 2)?);
                self.start_stones = ByColor([stones(black)?, stones(white)?]);
            }
            "double_three" => self.double_three = spec::word(option, value, &DoubleThree::WORDS)?,
            "capture_exempts_33" => self.capture_exempts_33 = spec::flag(option, value)?,
            "five_exempts_33" => self.five_exempts_33 = spec::flag(option, value)?,
            "breakable_five" => self.breakable_five = spec::flag(option, value)?,
            "five_mode" => self.five_mode = spec::word(option, value, &FIVE_MODE)?,
            "five" => self.five = spec::word(option, value, &FiveLength::WORDS)?,
            "capture_three" => self.capture_three = spec::flag(option, value)?,
            "start" => self.start = spec::word(option, value, &START)?,
            other => return Err(SpecError::UnknownOption(clip(other))),
        }
        Ok(())
    }

    /// These rules on a board of another size.
    ///
    /// # Errors
    /// When the opening does not fit on the board.
    pub fn with_size(self, size: Size) -> Result<CaptureRules, SpecError> {
        CaptureRules { size, ..self }.checked()
    }

    fn checked(self) -> Result<CaptureRules, SpecError> {
        if Color::ALL.into_iter().any(|color| self.start_stones[color] >= self.goal_stones) {
            return Err(SpecError::Impossible("start_pairs must be below the goal"));
        }
        // The required distance must exist on the board; otherwise black's second stone cannot be placed.
        let reach = self.size.width().max(self.size.height()) / 2;
        if self.pro_distance().is_some_and(|distance| reach < distance) {
            return Err(SpecError::Impossible("the board is too small for this start"));
        }
        Ok(self)
    }

    /// Minimum distance of black's second stone from the centre, by the larger coordinate, if there is one.
    pub fn pro_distance(&self) -> Option<u8> {
        match self.start {
            Start::Free | Start::Center => None,
            Start::Pro => Some(3),
            Start::LongPro => Some(4),
        }
    }

    /// The rules as text, one sentence per line.
    pub fn words(&self) -> Vec<String> {
        let pairs = if self.capture_three { "two or three stones" } else { "two stones" };
        let five = match self.five {
            FiveLength::AtLeast => "Five or more in a row",
            FiveLength::Exact => "Exactly five in a row (six do not count)",
        };
        let goal = match self.goal_stones {
            1 => "one captured stone wins".to_owned(),
            stones if self.capture_three || stones % 2 == 1 => format!("{stones} captured stones win"),
            2 => "one captured pair wins".to_owned(),
            stones => format!("{} captured pairs win", stones / 2),
        };
        let mut words = vec![
            format!("Black and white alternately place one stone on a {} board; black begins.", self.size),
            format!(
                "A stone captures a row of exactly {pairs} of the other side if it and another stone of its colour stand at"
            ),
            "the two ends of the row, in any of the eight directions. Moving between two enemy stones is safe."
                .to_owned(),
            format!("{five} or {goal}."),
        ];
        if self.breakable_five {
            words.push(
                "A five does not win yet while the other side can break it by a capture or win by a capture:"
                    .to_owned(),
            );
            words.push(match self.five_mode {
                FiveMode::Next => "the next move has to do so, or the five wins.".to_owned(),
                FiveMode::Lingering => {
                    "it stays pending, and wins after a move of its owner once it can no longer be broken."
                        .to_owned()
                }
            });
        }
        let bound = match self.double_three {
            DoubleThree::Both => Some("Neither side may"),
            DoubleThree::Black => Some("Black may not (white may)"),
            DoubleThree::Off => None,
        };
        if let Some(bound) = bound {
            words.push(format!("{bound} make two free threes with one stone, counted before any capture."));
            if self.capture_exempts_33 {
                words.push("A move that captures is exempt.".to_owned());
            }
            if self.five_exempts_33 {
                words.push("A move that makes a five is exempt.".to_owned());
            }
        }
        match (self.start, self.pro_distance()) {
            (Start::Free, _) => {}
            (_, None) => words.push("Black's first stone goes to the centre.".to_owned()),
            (_, Some(distance)) => words.push(format!(
                "Black's first stone goes to the centre, black's second at least {distance} points away from it."
            )),
        }
        words.push("If a side has no legal move, the game is drawn.".to_owned());
        words
    }

    /// Each option and its value as text.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let flag = |on: bool| if on { "yes" } else { "no" }.to_owned();
        let start = self.start_stones;
        vec![
            ("size", spec::format_size(self.size)),
            match self.goal_stones {
                pairs if pairs % 2 == 0 => ("goal_pairs", (pairs / 2).to_string()),
                stones => ("goal_stones", stones.to_string()),
            },
            ("start_pairs", format!("{}/{}", start[Color::Black] / 2, start[Color::White] / 2)),
            ("double_three", spec::format_word(self.double_three, &DoubleThree::WORDS)),
            ("capture_exempts_33", flag(self.capture_exempts_33)),
            ("five_exempts_33", flag(self.five_exempts_33)),
            ("breakable_five", flag(self.breakable_five)),
            ("five_mode", spec::format_word(self.five_mode, &FIVE_MODE)),
            ("five", spec::format_word(self.five, &FiveLength::WORDS)),
            ("capture_three", flag(self.capture_three)),
            ("start", spec::format_word(self.start, &START)),
        ]
    }
}

impl fmt::Display for CaptureRules {
    /// The preset, followed by the options that differ from it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let preset = PRESETS.iter().find(|rules| rules.preset == self.preset).unwrap_or(&GOMOKU42);
        spec::format(f, self.preset, &self.options(), &preset.options())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_written_by_name_alone_and_read_back() {
        for rules in PRESETS {
            assert_eq!(rules.to_string(), rules.preset);
            assert_eq!(CaptureRules::parse(rules.preset), Ok(rules));
        }
    }

    #[test]
    fn every_option_is_read_and_written() {
        let text = "keryo:size=13x11,goal_pairs=4,start_pairs=1/2,double_three=black,capture_exempts_33=yes,\
                    five_exempts_33=yes,breakable_five=yes,five_mode=lingering,five=exact,capture_three=no,start=pro";
        let rules = CaptureRules::parse(text).unwrap();
        assert_eq!(rules.to_string(), text);
        assert_eq!(rules.start_stones, ByColor([2, 4]));
    }

    #[test]
    fn the_goal_is_named() {
        for (text, goal) in [
            ("pente", "Five or more in a row or 5 captured pairs win."),
            ("pente:goal_pairs=1", "Five or more in a row or one captured pair wins."),
            ("pente:goal_stones=1", "Five or more in a row or one captured stone wins."),
            ("keryo:goal_stones=2", "Five or more in a row or 2 captured stones win."),
        ] {
            let words = CaptureRules::parse(text).unwrap().words();
            assert!(words.iter().any(|line| line == goal), "{text}: {words:?}");
        }
    }

    #[test]
    fn invalid_rules_are_rejected() {
        for (text, said) in [
            ("chess", "there is no game 'chess'"),
            ("pente:colour=red", "the game has no option 'colour'"),
            ("pente:size=4", "size can't be '4', only N or WxH, each side from 5 to 22"),
            ("pente:size=19x23", "size can't be '19x23', only N or WxH, each side from 5 to 22"),
            ("pente:goal_pairs=0", "goal_pairs can't be '0', only 1 to 200"),
            ("pente:five", "five can't be '', only at_least, exact"),
            ("pente:start_pairs=5/0", "start_pairs must be below the goal"),
            ("pente:size=5,start=pro", "the board is too small for this start"),
        ] {
            assert_eq!(CaptureRules::parse(text).unwrap_err().to_string(), said);
        }
    }
}
