//! The course of a procedure.

use super::answer::{Answer, AnswerRefusal, Area, Decision};
use super::openings::Opening;
use super::{Person, Procedure, Unfit};
use crate::board::{Bitboard, Board, Color, Point, Size};
use crate::rules::symmetry::Symmetries;

/// Number of fifth moves where the procedure fixes it.
const RIF_FIFTHS: usize = 2;
const TARAGUCHI_FIFTHS: usize = 10;
/// The largest number of fifth moves that can be requested.
const YAMAGUCHI_MOST: usize = 12;
const SOOSORV_MOST: usize = 8;
/// Placeholder in a script for the number of fifth moves that a person has chosen.
const SAID: usize = 0;

impl Procedure {
    /// All possible decisions in order. [`Negotiation::answer`] skips some of them.
    const fn script(self) -> &'static [Decision] {
        use Decision::{Choice, Fifths, Opening, OpeningAndCount, Stone, StoneAndCount, Swap};
        match self {
            Procedure::Rif => &[Opening, Swap, Stone(Area::Anywhere), Fifths(RIF_FIFTHS), Choice],
            Procedure::RenjuSwap => &[
                Stone(Area::Center),
                Stone(Area::Within(3)),
                Stone(Area::Within(5)),
                Swap,
                Stone(Area::Anywhere),
                Fifths(RIF_FIFTHS),
                Choice,
            ],
            Procedure::Yamaguchi => {
                &[OpeningAndCount { most: YAMAGUCHI_MOST }, Swap, Stone(Area::Anywhere), Fifths(SAID), Choice]
            }
            Procedure::Soosorv8 => {
                &[Opening, Swap, StoneAndCount { most: SOOSORV_MOST }, Swap, Fifths(SAID), Choice]
            }
            Procedure::Taraguchi10 => &[
                Stone(Area::Center),
                Swap,
                Stone(Area::Within(3)),
                Swap,
                Stone(Area::Within(5)),
                Swap,
                Stone(Area::Within(7)),
                Decision::SwapOrFifths { area: Area::Within(9), count: TARAGUCHI_FIFTHS },
                Stone(Area::Within(9)),
                Swap,
            ],
            Procedure::Swap => &[Decision::ThreeStones, Swap],
            Procedure::Swap2 => &[Decision::ThreeStones, Decision::SwapOrTwoStones, Swap],
            Procedure::Pro => &[Stone(Area::Center), Stone(Area::Anywhere), Stone(Area::Outside(5))],
            Procedure::LongPro => &[Stone(Area::Center), Stone(Area::Anywhere), Stone(Area::Outside(7))],
        }
    }
}

/// The state of a procedure between two persons.
///
/// Invariant: the stones are the stones of the accepted answers, and lie on different points of the board.
///
/// ```
/// use kakugo::board::Size;
/// use kakugo::rules::procedure::{Answer, Negotiation, Procedure};
/// let size = Size::default();
/// let mut opening = Negotiation::new(Procedure::Swap2, size).expect("it fits on 15x15");
/// let answer = Answer::parse("h8 i9 j7", size).expect("three points");
/// assert_eq!(opening.answer(&answer), Ok(()));
/// assert_eq!(opening.stones().len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    procedure: Procedure,
    size: Size,
    stones: Vec<Point>,
    /// The person who plays black.
    black: Person,
    /// The person who answered last.
    last: Person,
    /// The remaining decisions, next one first.
    script: &'static [Decision],
    /// The number of fifth moves that a person has chosen; 0 before that.
    said: usize,
    offered: Vec<Point>,
}

impl Negotiation {
    /// The start of a procedure: an empty board, the first person with black.
    ///
    /// # Errors
    /// When the procedure cannot be played on a board of this size.
    pub fn new(procedure: Procedure, size: Size) -> Result<Negotiation, Unfit> {
        if !procedure.fits(size) {
            return Err(Unfit { procedure, size });
        }
        Ok(Negotiation {
            procedure,
            size,
            stones: Vec::new(),
            black: Person::First,
            last: Person::Second,
            script: procedure.script(),
            said: 0,
            offered: Vec::new(),
        })
    }

    /// The procedure.
    pub fn procedure(&self) -> Procedure {
        self.procedure
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stones placed so far, in order of play.
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// The board with these stones.
    pub fn board(&self) -> Board {
        Board::of_moves(self.size, &self.stones)
    }

    /// The fifth moves to choose from; empty if none are offered.
    pub fn offered(&self) -> &[Point] {
        &self.offered
    }

    /// The number of fifth moves that a person has chosen, if any.
    pub fn fifths_said(&self) -> Option<usize> {
        (self.said > 0).then_some(self.said)
    }

    /// The next decision; `None` when the procedure is over and the game continues normally.
    pub fn decision(&self) -> Option<Decision> {
        self.script.first().map(|&decision| self.with_said(decision))
    }

    /// The decisions that may follow this one, unless its answer ends the procedure early. A number of fifth
    /// moves that nobody has chosen yet is 0.
    pub fn to_come(&self) -> impl Iterator<Item = Decision> {
        self.script.iter().skip(1).map(|&decision| self.with_said(decision))
    }

    /// A decision of the script, with the number of fifth moves that a person has chosen.
    fn with_said(&self, decision: Decision) -> Decision {
        if decision == Decision::Fifths(SAID) { Decision::Fifths(self.said) } else { decision }
    }

    /// The person who decides next; after the procedure, the person to move.
    pub fn decider(&self) -> Person {
        match self.decision() {
            // The person who did not answer last judges the stones that were placed or offered.
            Some(
                Decision::Swap | Decision::SwapOrTwoStones | Decision::SwapOrFifths { .. } | Decision::Choice,
            ) => !self.last,
            _ => self.person(self.side_to_move()),
        }
    }

    /// The colour of the next stone.
    pub fn side_to_move(&self) -> Color {
        Color::ALL[self.stones.len() % 2]
    }

    /// The person who plays `color`.
    pub fn person(&self, color: Color) -> Person {
        if color == Color::Black { self.black } else { !self.black }
    }

    /// The colour that `person` plays.
    pub fn color(&self, person: Person) -> Color {
        if person == self.black { Color::Black } else { Color::White }
    }

    /// Answers the current decision on behalf of the person who has to decide.
    ///
    /// # Errors
    /// When the answer breaks the rules of the procedure; the state is unchanged then.
    pub fn answer(&mut self, answer: &Answer) -> Result<(), AnswerRefusal> {
        let decision = self.decision().ok_or(AnswerRefusal::Over)?;
        self.check(decision, answer)?;
        let who = self.decider();
        let mut next = &self.script[1..];
        match answer {
            Answer::Stones(points) => {
                self.stones.extend(points);
                if matches!(decision, Decision::SwapOrFifths { .. }) {
                    // Black stayed and placed the fifth stone, so the decision about it is skipped.
                    next = &next[1..];
                }
            }
            Answer::StonesAndCount(points, count) => {
                self.stones.extend(points);
                self.said = *count;
            }
            Answer::Swap | Answer::Stay => {
                if *answer == Answer::Swap {
                    self.black = !self.black;
                }
                if decision == Decision::SwapOrTwoStones {
                    next = &[];
                }
            }
            Answer::Offer(points) => {
                self.offered.clone_from(points);
                next = &[Decision::Choice];
            }
            Answer::Choose(point) => {
                self.stones.push(*point);
                self.offered.clear();
            }
        }
        self.script = next;
        self.last = who;
        Ok(())
    }

    /// Whether `answer` would be accepted.
    fn check(&self, decision: Decision, answer: &Answer) -> Result<(), AnswerRefusal> {
        match (decision, answer) {
            (Decision::Opening, Answer::Stones(points)) => self.check_opening(points),
            (Decision::OpeningAndCount { most }, Answer::StonesAndCount(points, count)) => {
                self.check_opening(points)?;
                check_count(*count, most)
            }
            (Decision::ThreeStones, Answer::Stones(points)) => self.check_points(points, 3, Area::Anywhere),
            (Decision::SwapOrTwoStones, Answer::Stones(points)) => {
                self.check_points(points, 2, Area::Anywhere)
            }
            (Decision::Stone(area) | Decision::SwapOrFifths { area, .. }, Answer::Stones(points)) => {
                self.check_points(points, 1, area)
            }
            (Decision::StoneAndCount { most }, Answer::StonesAndCount(points, count)) => {
                self.check_points(points, 1, Area::Anywhere)?;
                check_count(*count, most)
            }
            (Decision::Swap | Decision::SwapOrTwoStones, Answer::Swap | Answer::Stay)
            | (Decision::SwapOrFifths { .. }, Answer::Swap) => Ok(()),
            (Decision::Fifths(count) | Decision::SwapOrFifths { count, .. }, Answer::Offer(points)) => {
                self.check_points(points, count, Area::Anywhere)?;
                self.check_fifths(points)
            }
            (Decision::Choice, Answer::Choose(point)) => {
                if self.offered.contains(point) {
                    Ok(())
                } else {
                    Err(AnswerRefusal::NotOffered(*point))
                }
            }
            _ => Err(AnswerRefusal::Unasked(decision)),
        }
    }

    fn check_opening(&self, points: &[Point]) -> Result<(), AnswerRefusal> {
        self.check_points(points, 3, Area::Anywhere)?;
        Opening::of_stones(points, self.size).map(|_| ()).ok_or(AnswerRefusal::NoOpening)
    }

    /// Checks that the answer has `wanted` different empty points in `area`.
    fn check_points(&self, points: &[Point], wanted: usize, area: Area) -> Result<(), AnswerRefusal> {
        if points.len() != wanted {
            return Err(AnswerRefusal::StoneCount { wanted, got: points.len() });
        }
        let mut taken: Bitboard = self.stones.iter().copied().collect();
        for &point in points {
            if !self.size.contains(point) || taken.contains(point) {
                return Err(AnswerRefusal::Taken(point));
            }
            if !area.contains(point, self.size) {
                return Err(AnswerRefusal::Outside(point, area));
            }
            taken.insert(point);
        }
        Ok(())
    }

    /// Checks that no two of the points are the same move.
    fn check_fifths(&self, points: &[Point]) -> Result<(), AnswerRefusal> {
        let symmetries = Symmetries::of(&self.board());
        for (index, &a) in points.iter().enumerate() {
            if let Some(&b) = points[..index].iter().find(|&&b| symmetries.are_same(a, b)) {
                return Err(AnswerRefusal::Symmetric(b, a));
            }
        }
        Ok(())
    }
}

fn check_count(said: usize, most: usize) -> Result<(), AnswerRefusal> {
    if (1..=most).contains(&said) { Ok(()) } else { Err(AnswerRefusal::FifthCount { said, most }) }
}
