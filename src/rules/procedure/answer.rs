//! The decisions of a procedure, the answers to them, and their text form.

use std::fmt;

use crate::board::notation::{NotationError, format_coordinates, parse_point};
use crate::board::{Point, Size};

/// Where a stone must be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// On any empty point.
    Anywhere,
    /// At the centre.
    Center,
    /// In the square of this side length around the centre.
    Within(u8),
    /// Outside the square of this side length around the centre.
    Outside(u8),
}

impl Area {
    /// Whether `point`, on a board of `size`, is in the area.
    pub fn contains(self, point: Point, size: Size) -> bool {
        let center = size.center();
        let distance = center.x().abs_diff(point.x()).max(center.y().abs_diff(point.y()));
        match self {
            Area::Anywhere => true,
            Area::Center => distance == 0,
            Area::Within(side) => distance <= side / 2,
            Area::Outside(side) => distance > side / 2,
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Area::Anywhere => f.write_str("anywhere"),
            Area::Center => f.write_str("at the centre"),
            Area::Within(side) => write!(f, "within the central {side}x{side}"),
            Area::Outside(side) => write!(f, "outside the central {side}x{side}"),
        }
    }
}

/// A decision that a procedure requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Place one of the 26 openings: black, white, black.
    Opening,
    /// Place one of the 26 openings and choose how many fifth moves black will offer.
    OpeningAndCount {
        /// The largest number allowed.
        most: usize,
    },
    /// Place three stones anywhere: black, white, black.
    ThreeStones,
    /// Place a stone of the colour to move.
    Stone(Area),
    /// Place the fourth stone anywhere and choose how many fifth moves black will offer.
    StoneAndCount {
        /// The largest number allowed.
        most: usize,
    },
    /// Take the other colour or keep one's own.
    Swap,
    /// Take the other colour, keep one's own, or place two more stones, white and black.
    SwapOrTwoStones,
    /// Take the other colour, or keep black and either place the fifth stone or offer fifth moves.
    SwapOrFifths {
        /// Where the fifth stone must be placed, unless it is one of several offers.
        area: Area,
        /// Number of fifth moves to offer.
        count: usize,
    },
    /// Offer this number of fifth moves, no two of them symmetric.
    Fifths(usize),
    /// Choose one of the offered fifth moves.
    Choice,
}

impl fmt::Display for Decision {
    /// The instruction for a person, such as `place a stone within the central 3x3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Decision::Opening => f.write_str("place one of the 26 openings"),
            Decision::OpeningAndCount { most } => {
                write!(f, "place one of the 26 openings and choose how many fifths, 1 to {most}")
            }
            Decision::ThreeStones => f.write_str("place three stones, black, white and black"),
            Decision::Stone(area) => write!(f, "place a stone {area}"),
            Decision::StoneAndCount { most } => {
                write!(f, "place the fourth stone and choose how many fifths, 1 to {most}")
            }
            Decision::Swap => f.write_str("swap the colours or stay"),
            Decision::SwapOrTwoStones => {
                f.write_str("swap the colours, stay, or place two stones, white and black")
            }
            Decision::SwapOrFifths { area, count } => {
                write!(f, "swap the colours, place the fifth stone {area}, or offer {count} fifths")
            }
            Decision::Fifths(count) => write!(f, "offer {count} fifths, no two of them symmetric"),
            Decision::Choice => f.write_str("choose one of the fifths offered"),
        }
    }
}

impl Decision {
    /// Sample answers as a person may type them, such as `h9 fifths 4`.
    pub const fn example(self) -> &'static str {
        match self {
            Decision::Opening => "kagetsu, 4D or h8 h9 i10",
            Decision::OpeningAndCount { .. } => "kagetsu fifths 4 or h8 h9 i10 fifths 4",
            Decision::ThreeStones => "h8 h9 i10",
            Decision::Stone(_) => "h9",
            Decision::StoneAndCount { .. } => "h9 fifths 4",
            Decision::Swap => "swap or stay",
            Decision::SwapOrTwoStones => "swap, stay or h9 i10",
            Decision::SwapOrFifths { .. } => "swap, h9 or offer h9 i10 ...",
            Decision::Fifths(_) => "offer h9 i10 ...",
            Decision::Choice => "choose h9",
        }
    }
}

/// A person's answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Place these stones, alternating in colour from the colour to move.
    Stones(Vec<Point>),
    /// Place these stones and ask for this number of fifth moves.
    StonesAndCount(Vec<Point>, usize),
    /// Take the other colour.
    Swap,
    /// Keep one's own colour.
    Stay,
    /// Offer these fifth moves.
    Offer(Vec<Point>),
    /// Choose this one of the offered fifth moves.
    Choose(Point),
}

/// The keywords of answers in the protocol; see [`Answer::parse`].
const SWAP: &str = "SWAP";
const STAY: &str = "STAY";
const OFFER: &str = "OFFER";
const CHOOSE: &str = "CHOOSE";
const FIFTHS: &str = "FIFTHS";

impl Answer {
    /// Reads an answer: `SWAP`, `STAY`, points (`7,7 7,6 8,5` or `h8 h9 i10`), points followed by `FIFTHS n`,
    /// `OFFER` with points, or `CHOOSE` with one point. Keywords may be in any case.
    ///
    /// # Errors
    /// When the text is none of these forms, or a point is not on a board of `size`.
    pub fn parse(text: &str, size: Size) -> Result<Answer, AnswerError> {
        let mut words = text.split_whitespace().peekable();
        let is = |word: &str, known: &str| word.eq_ignore_ascii_case(known);
        let point = |word: &str| parse_point(word, size).map_err(AnswerError::Point);
        let Some(&first) = words.peek() else { return Err(AnswerError::Empty) };
        if is(first, OFFER) {
            return Ok(Answer::Offer(words.skip(1).map(point).collect::<Result<_, _>>()?));
        }
        let alone = |answer| {
            if text.split_whitespace().count() == 1 { Ok(answer) } else { Err(AnswerError::TooMuch) }
        };
        if is(first, SWAP) {
            return alone(Answer::Swap);
        }
        if is(first, STAY) {
            return alone(Answer::Stay);
        }
        if is(first, CHOOSE) {
            let mut chosen = words.skip(1).map(point);
            return match (chosen.next(), chosen.next()) {
                (Some(point), None) => point.map(Answer::Choose),
                _ => Err(AnswerError::OnePoint),
            };
        }
        let mut stones = Vec::new();
        while let Some(word) = words.next() {
            if is(word, FIFTHS) {
                let count = words.next().and_then(|word| word.parse().ok());
                let count = count.filter(|_| words.next().is_none()).ok_or(AnswerError::Count)?;
                return Ok(Answer::StonesAndCount(stones, count));
            }
            stones.push(point(word)?);
        }
        Ok(Answer::Stones(stones))
    }

    /// The answer for people: points written by `name`, keywords in lower case.
    pub fn describe(&self, name: &dyn Fn(Point) -> String) -> String {
        let list = |points: &[Point]| points.iter().map(|&point| name(point)).collect::<Vec<_>>().join(" ");
        match self {
            Answer::Stones(points) => list(points),
            Answer::StonesAndCount(points, count) => format!("{} fifths {count}", list(points)),
            Answer::Swap => "swap".to_owned(),
            Answer::Stay => "stay".to_owned(),
            Answer::Offer(points) => format!("offer {}", list(points)),
            Answer::Choose(point) => format!("choose {}", name(*point)),
        }
    }
}

impl fmt::Display for Answer {
    /// The form used by the protocol, which [`Answer::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list =
            |points: &[Point]| points.iter().copied().map(format_coordinates).collect::<Vec<_>>().join(" ");
        match self {
            Answer::Stones(points) => f.write_str(&list(points)),
            Answer::StonesAndCount(points, count) => write!(f, "{} {FIFTHS} {count}", list(points)),
            Answer::Swap => f.write_str(SWAP),
            Answer::Stay => f.write_str(STAY),
            Answer::Offer(points) => write!(f, "{OFFER} {}", list(points)),
            Answer::Choose(point) => write!(f, "{CHOOSE} {}", format_coordinates(*point)),
        }
    }
}

/// Why a text is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The text is empty.
    #[error("there is no answer")]
    Empty,
    /// A word is neither a keyword nor a point of the board.
    #[error(transparent)]
    Point(NotationError),
    /// `SWAP` or `STAY` is followed by something.
    #[error("swap and stay take no arguments")]
    TooMuch,
    /// `CHOOSE` without exactly one point.
    #[error("choose needs one point")]
    OnePoint,
    /// `FIFTHS` without a number, or followed by more than a number.
    #[error("fifths needs one number")]
    Count,
}

/// Why an answer breaks the rules of the procedure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerRefusal {
    /// The procedure is over.
    Over,
    /// The answer does not fit the current decision.
    Unasked(Decision),
    /// The answer has the wrong number of stones or fifth moves.
    StoneCount {
        /// Number of points required.
        wanted: usize,
        /// Number of points in the answer.
        got: usize,
    },
    /// The point is occupied, occurs twice, or is not on the board.
    Taken(Point),
    /// The stone must be placed elsewhere.
    Outside(Point, Area),
    /// The three stones are not one of the 26 openings.
    NoOpening,
    /// This number of fifth moves is not allowed.
    FifthCount {
        /// Number in the answer.
        said: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// These two of the offered fifth moves are equal up to a rotation or reflection.
    Symmetric(Point, Point),
    /// This fifth move was not offered.
    NotOffered(Point),
}

impl AnswerRefusal {
    /// The reason in one line, with points written by `name`.
    pub fn describe(&self, name: &dyn Fn(Point) -> String) -> String {
        match self {
            AnswerRefusal::Over => "nothing is left to decide".to_owned(),
            AnswerRefusal::Unasked(decision) => format!("the answer does not fit the decision: {decision}"),
            AnswerRefusal::StoneCount { wanted, got } => {
                format!("expected {wanted} point{}, not {got}", if *wanted == 1 { "" } else { "s" })
            }
            AnswerRefusal::Taken(point) => format!("{} is not empty", name(*point)),
            AnswerRefusal::Outside(point, area) => format!("{} is not {area}", name(*point)),
            AnswerRefusal::NoOpening => {
                "not an opening: black must be at the centre, white next to it, black within the central 5x5"
                    .to_owned()
            }
            AnswerRefusal::FifthCount { said, most } => {
                format!("the number of fifths must be 1 to {most}, not {said}")
            }
            AnswerRefusal::Symmetric(a, b) => format!("{} and {} are symmetric", name(*a), name(*b)),
            AnswerRefusal::NotOffered(point) => format!("{} is not offered", name(*point)),
        }
    }
}

impl fmt::Display for AnswerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.describe(&format_coordinates))
    }
}
