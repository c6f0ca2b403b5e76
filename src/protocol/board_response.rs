//! Responses for boards that draw more than moves: proofs, reviews, threats, the state of a game, and the decisions
//! of an opening procedure. Points are `x,y`, separated by blanks.

use std::fmt;

use super::text::{TEXT_LIMIT, one_line};
use crate::board::notation::format_coordinates;
use crate::board::{ByColor, Color, Point};
use crate::game::Outcome;
use crate::review::{GameReview, MoveMark, MoveReview, Summary};
use crate::rules::PointClass;
use crate::rules::procedure::{Area, Decision, Person};
use crate::think::score::{self, Value};

/// A line of `YXSOLVE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofResponse {
    /// A move of the attacker, with the replies that could matter and the steps that meet them.
    Step {
        /// The step's number; the first move of the win is step 0.
        number: usize,
        /// The attacker's move.
        attack: Point,
        /// Moves of the attacker from this one on, against the longest defence.
        moves: u16,
        /// Replies, each with the number of the step that meets it.
        replies: Vec<(Point, usize)>,
        /// Steps of which at least one wins after each reply that is not listed.
        otherwise: Vec<usize>,
    },
    /// The attacker wins in this number of moves; the moves of both sides against the longest defence.
    Win {
        /// Moves of the attacker.
        moves: u16,
        /// The main line.
        line: Vec<Point>,
    },
    /// There is no win by fours or threats.
    NoWin,
    /// Stopped, or out of time or nodes.
    Unknown,
}

impl fmt::Display for ProofResponse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ProofResponse::Step { number, attack, moves, replies, otherwise } => {
                write!(f, "PROOF {number} {} moves {moves}", Points(&[*attack]))?;
                write_some(f, " replies", replies, |f, (reply, next)| {
                    write!(f, " {}:{next}", Points(&[*reply]))
                })?;
                write_some(f, " else", otherwise, |f, next| write!(f, " {next}"))
            }
            ProofResponse::Win { moves, line } => write!(f, "SOLVE WIN {moves} {}", Points(line)),
            ProofResponse::NoWin => f.write_str("SOLVE NONE"),
            ProofResponse::Unknown => f.write_str("SOLVE UNKNOWN"),
        }
    }
}

/// Beginning of the line that reports a part of a review.
pub(super) const PART: &str = "REVIEW PART ";

/// A line of `YXREVIEW`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewResponse {
    /// A judged move.
    Move {
        /// Its number, from 1.
        ply: usize,
        /// The point.
        point: Point,
        /// The judgement.
        mark: MoveMark,
        /// Win rates of the best move and of the move that was made, in ten thousandths.
        rates: [u16; 2],
        /// Value of the best move.
        value: Value,
        /// The best move and the line after it.
        line: Vec<Point>,
        /// Whether the line is proven to win.
        is_proven: bool,
    },
    /// The whole game is judged.
    Done {
        /// Accuracy of each side in tenths of a per cent, if it has moves that count.
        accuracy: ByColor<Option<u16>>,
        /// Number of the losing move, after which its side is proven to lose to the end or which ended the game as
        /// a foul, and this side.
        lost_from: Option<(usize, Color)>,
    },
    /// A part of the game is judged, with its facts as text.
    Part(String),
    /// The review was stopped.
    Stopped,
}

impl ReviewResponse {
    /// The line for a move.
    pub fn of_move(judged: &MoveReview) -> ReviewResponse {
        // Only a proof is certain.
        let rate = |rate: f32| match (rate.clamp(0.0, 1.0) * 10_000.0).round() as u16 {
            0 if rate > 0.0 => 1,
            10_000 if rate < 1.0 => 9_999,
            rounded => rounded,
        };
        ReviewResponse::Move {
            ply: judged.ply,
            point: judged.point,
            mark: judged.mark,
            rates: [rate(judged.before), rate(judged.after)],
            value: judged.value,
            line: judged.line.clone(),
            is_proven: judged.is_proven,
        }
    }

    /// The last line.
    pub fn of_game(GameReview { accuracy, lost_from, .. }: GameReview) -> ReviewResponse {
        ReviewResponse::of_summary(&Summary { accuracy, lost_from })
    }

    /// The last line for a whole game.
    pub fn of_summary(summary: &Summary) -> ReviewResponse {
        let tenths = |color: Color| summary.accuracy[color].map(|accuracy| (accuracy * 10.0).round() as u16);
        ReviewResponse::Done { accuracy: ByColor(Color::ALL.map(tenths)), lost_from: summary.lost_from }
    }
}

impl fmt::Display for ReviewResponse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ReviewResponse::Move { ply, point, mark, rates, value, line, is_proven } => {
                let [before, after] = rates.map(|rate| f32::from(rate) / 10_000.0);
                let mark = mark.words().replace(' ', "-");
                write!(f, "REVIEW {ply} {} {mark} before {before:.4} after {after:.4}", Points(&[*point]))?;
                let what = if *is_proven { "proof" } else { "line" };
                write!(f, " value {} {what} {}", score::format(*value), Points(line))
            }
            ReviewResponse::Done { accuracy, lost_from } => {
                f.write_str("REVIEW DONE accuracy")?;
                for color in Color::ALL {
                    match accuracy[color] {
                        Some(tenths) => write!(f, " {:.1}", f32::from(tenths) / 10.0)?,
                        None => f.write_str(" -")?,
                    }
                }
                lost_from.map_or(Ok(()), |(ply, color)| write!(f, " lost {ply} {color}"))
            }
            ReviewResponse::Part(facts) => write!(f, "{PART}{facts}"),
            ReviewResponse::Stopped => f.write_str("REVIEW STOPPED"),
        }
    }
}

/// The line of `YXSTATE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateResponse {
    /// The side to move.
    pub to_move: Color,
    /// Black's stones.
    pub black: Vec<Point>,
    /// White's stones.
    pub white: Vec<Point>,
    /// Stones that the last move removed.
    pub removed: Vec<Point>,
    /// The row that has won.
    pub row: Vec<Point>,
    /// Points where the mover chooses among this number of captures.
    pub choices: Vec<(Point, usize)>,
    /// The end of the game.
    pub outcome: Option<Outcome>,
    /// A status in words, such as the number of captures.
    pub status: String,
}

impl fmt::Display for StateResponse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "STATE {}", self.to_move)?;
        for (name, points) in
            [("black", &self.black), ("white", &self.white), ("removed", &self.removed), ("row", &self.row)]
        {
            if !points.is_empty() {
                write!(f, "; {name} {}", Points(points))?;
            }
        }
        write_some(f, "; choices", &self.choices, |f, (point, count)| {
            write!(f, " {}:{count}", Points(&[*point]))
        })?;
        if let Some(Outcome { winner, reason }) = self.outcome {
            let winner = winner.map_or("draw".to_owned(), |winner| winner.to_string());
            write!(f, "; over {winner}: {reason}")?;
        }
        if !self.status.is_empty() {
            write!(f, "; status {}", one_line(&self.status, TEXT_LIMIT))?;
        }
        Ok(())
    }
}

/// A line of `YXTHREATS`.
pub(super) fn write_threats(
    f: &mut fmt::Formatter,
    color: Color,
    threats: &[(PointClass, Vec<Point>)],
) -> fmt::Result {
    write!(f, "THREATS {color}")?;
    for (index, (class, points)) in threats.iter().enumerate() {
        let end = if index == 0 { "" } else { ";" };
        write!(f, "{end} {} {}", name_of(*class), Points(points))?;
    }
    Ok(())
}

/// The name of a threat.
const fn name_of(class: PointClass) -> &'static str {
    match class {
        PointClass::Quiet => "quiet",
        PointClass::Foul => "foul",
        PointClass::OpenThree => "open-three",
        PointClass::DoubleThree => "double-three",
        PointClass::Four => "four",
        PointClass::FourThree => "four-three",
        PointClass::OpenFour => "open-four",
        PointClass::Five => "five",
    }
}

/// The line of `YXPROCEDURE`.
pub(super) fn write_due(
    f: &mut fmt::Formatter,
    person: Person,
    color: Color,
    decision: Option<Decision>,
    offered: &[Point],
) -> fmt::Result {
    let person = if person == Person::First { "first" } else { "second" };
    write!(f, "DUE {person} {color} ")?;
    match decision {
        None => f.write_str("MOVE"),
        Some(Decision::Opening) => f.write_str("OPENING"),
        Some(Decision::OpeningAndCount { most }) => write!(f, "OPENING FIFTHS {most}"),
        Some(Decision::ThreeStones) => f.write_str("STONES 3"),
        Some(Decision::Stone(area)) => write!(f, "STONE {}", InWords(area)),
        Some(Decision::StoneAndCount { most }) => write!(f, "STONE anywhere FIFTHS {most}"),
        Some(Decision::Swap) => f.write_str("SWAP"),
        Some(Decision::SwapOrTwoStones) => f.write_str("SWAP OR STONES 2"),
        Some(Decision::SwapOrFifths { area, count }) => {
            write!(f, "SWAP OR STONE {} OR OFFER {count}", InWords(area))
        }
        Some(Decision::Fifths(count)) => write!(f, "OFFER {count}"),
        Some(Decision::Choice) => write!(f, "CHOOSE {}", Points(offered)),
    }
}

/// An area of the board in one word or two.
struct InWords(Area);

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Area::Anywhere => f.write_str("anywhere"),
            Area::Center => f.write_str("centre"),
            Area::Within(side) => write!(f, "within {side}"),
            Area::Outside(side) => write!(f, "outside {side}"),
        }
    }
}

/// Points as `x,y`, separated by blanks.
pub(super) struct Points<'a>(pub(super) &'a [Point]);

impl fmt::Display for Points<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, point)| {
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{}", format_coordinates(*point))
        })
    }
}

/// Writes a word and the items after it; nothing if there are none.
fn write_some<T>(
    f: &mut fmt::Formatter,
    word: &str,
    items: &[T],
    write_one: impl Fn(&mut fmt::Formatter, &T) -> fmt::Result,
) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    f.write_str(word)?;
    items.iter().try_for_each(|item| write_one(f, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reason;

    const A: Point = Point::new(7, 7);
    const B: Point = Point::new(11, 3);

    #[test]
    fn proofs_and_reviews_have_the_form_of_the_protocol() {
        let step = ProofResponse::Step {
            number: 2,
            attack: A,
            moves: 3,
            replies: vec![(B, 3), (A, 4)],
            otherwise: vec![5, 6],
        };
        assert_eq!(step.to_string(), "PROOF 2 7,7 moves 3 replies 11,3:3 7,7:4 else 5 6");
        let win = ProofResponse::Win { moves: 2, line: vec![A, B, A] };
        assert_eq!(win.to_string(), "SOLVE WIN 2 7,7 11,3 7,7");
        let judged = ReviewResponse::Move {
            ply: 9,
            point: A,
            mark: MoveMark::OnlyMove,
            rates: [7312, 2051],
            value: score::mate_in(5),
            line: vec![A, B],
            is_proven: true,
        };
        let line = "REVIEW 9 7,7 only-move before 0.7312 after 0.2051 value +M5 proof 7,7 11,3";
        assert_eq!(judged.to_string(), line);
        let done = |lost_from| ReviewResponse::Done { accuracy: ByColor([Some(913), None]), lost_from };
        assert_eq!(done(None).to_string(), "REVIEW DONE accuracy 91.3 -");
        assert_eq!(done(Some((8, Color::White))).to_string(), "REVIEW DONE accuracy 91.3 - lost 8 white");
    }

    #[test]
    fn a_state_has_only_the_parts_that_there_are() {
        let mut state = StateResponse {
            to_move: Color::White,
            black: vec![A],
            white: Vec::new(),
            removed: Vec::new(),
            row: Vec::new(),
            choices: Vec::new(),
            outcome: None,
            status: String::new(),
        };
        assert_eq!(state.to_string(), "STATE white; black 7,7");
        state.removed = vec![B];
        state.choices = vec![(A, 2)];
        state.outcome = Some(Outcome::win(Color::Black, Reason::Captures));
        state.status = "captured: 5".to_owned();
        let line = "STATE white; black 7,7; removed 11,3; choices 7,7:2; over black: enough stones were captured; \
                    status captured: 5";
        assert_eq!(state.to_string(), line);
    }
}
