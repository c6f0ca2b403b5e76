//! Decisions in a procedure, the answers to them, and the answers as text.

use std::fmt;

use crate::board::notation::{NotationError, parse_point};
use crate::board::{Point, Size};

/// Where a stone has to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// On any empty point.
    Anywhere,
    /// At the centre.
    Center,
    /// In the square of that side around the centre.
    Within(u8),
    /// Outside the square of that side around the centre.
    Outside(u8),
}

impl Area {
    /// Whether `point` of a board of `size` belongs to it.
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

/// Decision that a procedure asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Put one of the 26 openings: black, white, black.
    Opening,
    /// Put one of the 26 openings and say how many fifth moves black will offer.
    OpeningAndCount {
        /// The most that may be said.
        most: usize,
    },
    /// Put three stones anywhere: black, white, black.
    ThreeStones,
    /// Put a stone of the colour to move.
    Stone(Area),
    /// Put the fourth stone anywhere and say how many fifth moves black will offer.
    StoneAndCount {
        /// The most that may be said.
        most: usize,
    },
    /// Take the other colour, or stay with the own.
    Swap,
    /// Take the other colour, stay with the own, or put two more stones, white and black.
    SwapOrTwoStones,
    /// Take the other colour, or stay with black and put the fifth stone, or offer fifth moves.
    SwapOrFifths {
        /// Where the fifth stone has to come, unless it is one of several offered.
        area: Area,
        /// Number of fifth moves to offer.
        count: usize,
    },
    /// Offer so many fifth moves, no two of them symmetric.
    Fifths(usize),
    /// Pick one of the fifth moves offered.
    Choice,
}

impl fmt::Display for Decision {
    /// Instruction for a person: `put a stone within the central 3x3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Decision::Opening => f.write_str("put one of the 26 openings"),
            Decision::OpeningAndCount { most } => {
                write!(f, "put one of the 26 openings and say how many fifths, 1 to {most}")
            }
            Decision::ThreeStones => f.write_str("put three stones, black, white and black"),
            Decision::Stone(area) => write!(f, "put a stone {area}"),
            Decision::StoneAndCount { most } => {
                write!(f, "put the fourth stone and say how many fifths, 1 to {most}")
            }
            Decision::Swap => f.write_str("swap the colours or stay"),
            Decision::SwapOrTwoStones => {
                f.write_str("swap the colours, stay, or put two stones, white and black")
            }
            Decision::SwapOrFifths { area, count } => {
                write!(f, "swap the colours, put the fifth stone {area}, or offer {count} fifths")
            }
            Decision::Fifths(count) => write!(f, "offer {count} fifths, no two of them symmetric"),
            Decision::Choice => f.write_str("choose one of the fifths offered"),
        }
    }
}

impl Decision {
    /// Answers as a person may type them: `h9 fifths 4`.
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
    /// These stones, black and white in turn, the first of the colour to move.
    Stones(Vec<Point>),
    /// These stones, and so many fifth moves.
    StonesAndCount(Vec<Point>, usize),
    /// The other colour.
    Swap,
    /// The own colour.
    Stay,
    /// These fifth moves to pick from.
    Offer(Vec<Point>),
    /// This one of the fifth moves offered.
    Choose(Point),
}

/// The words of answers in the protocol, see [`Answer::parse`].
const SWAP: &str = "SWAP";
const STAY: &str = "STAY";
const OFFER: &str = "OFFER";
const CHOOSE: &str = "CHOOSE";
const FIFTHS: &str = "FIFTHS";

impl Answer {
    /// Reads an answer: `SWAP`, `STAY`, points (`7,7 7,6 8,5`, or `h8 h9 i10`), points with `FIFTHS n` behind them,
    /// `OFFER` with points, `CHOOSE` with one. Words in any case.
    ///
    /// # Errors
    /// When the text is none of these, or a point is not on a board of `size`.
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

    /// The answer as people read it: points by `name`, words in small letters.
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
    /// As the protocol has it and [`Answer::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |points: &[Point]| points.iter().map(|p| format!("{p:?}")).collect::<Vec<_>>().join(" ");
        match self {
            Answer::Stones(points) => f.write_str(&list(points)),
            Answer::StonesAndCount(points, count) => write!(f, "{} {FIFTHS} {count}", list(points)),
            Answer::Swap => f.write_str(SWAP),
            Answer::Stay => f.write_str(STAY),
            Answer::Offer(points) => write!(f, "{OFFER} {}", list(points)),
            Answer::Choose(point) => write!(f, "{CHOOSE} {point:?}"),
        }
    }
}

/// Why a text is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// There is nothing.
    Empty,
    /// A word is neither one of ours nor a point of the board.
    Point(NotationError),
    /// `SWAP` or `STAY` with something behind it.
    TooMuch,
    /// `CHOOSE` without exactly one point.
    OnePoint,
    /// `FIFTHS` without a number, or with something behind it.
    Count,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            AnswerError::Empty => f.write_str("there is no answer"),
            AnswerError::Point(error) => error.fmt(f),
            AnswerError::TooMuch => f.write_str("swap and stay stand alone"),
            AnswerError::OnePoint => f.write_str("choose needs one point"),
            AnswerError::Count => f.write_str("fifths needs one number"),
        }
    }
}

impl std::error::Error for AnswerError {}

/// Why an answer is against the procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerRefusal {
    /// Nothing is to be decided any more.
    Over,
    /// It answers another question than this one.
    Unasked(Decision),
    /// So many stones were to be put, or fifth moves offered, not as many as were.
    StoneCount {
        /// Number of points asked for.
        wanted: usize,
        /// Number of points in the answer.
        got: usize,
    },
    /// There is a stone already, or the point comes twice, or is not on the board.
    Taken(Point),
    /// The stone has to come elsewhere.
    Outside(Point, Area),
    /// The three stones are none of the 26 openings.
    NoOpening,
    /// So many fifths can't be said.
    FifthCount {
        /// Number said.
        said: usize,
        /// The most that may be said.
        most: usize,
    },
    /// These two of the fifth moves offered are the same but for a turn or reflection.
    Symmetric(Point, Point),
    /// This fifth move is not offered.
    NotOffered(Point),
}

impl AnswerRefusal {
    /// The reason in a line, points by `name`.
    pub fn describe(&self, name: &dyn Fn(Point) -> String) -> String {
        match self {
            AnswerRefusal::Over => "nothing is left to decide".to_owned(),
            AnswerRefusal::Unasked(decision) => format!("that is not the question: {decision}"),
            AnswerRefusal::StoneCount { wanted, got } => format!("{wanted} points are wanted, not {got}"),
            AnswerRefusal::Taken(point) => format!("{} is not empty", name(*point)),
            AnswerRefusal::Outside(point, area) => format!("{} is not {area}", name(*point)),
            AnswerRefusal::NoOpening => {
                "no opening: black at the centre, white beside it, black within the central 5x5".to_owned()
            }
            AnswerRefusal::FifthCount { said, most } => format!("fifths go from 1 to {most}, not {said}"),
            AnswerRefusal::Symmetric(a, b) => format!("{} and {} are symmetric", name(*a), name(*b)),
            AnswerRefusal::NotOffered(point) => format!("{} is not offered", name(*point)),
        }
    }
}

impl fmt::Display for AnswerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.describe(&|point| format!("{point:?}")))
    }
}

impl std::error::Error for AnswerRefusal {}
