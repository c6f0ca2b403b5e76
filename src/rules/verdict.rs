//! The verdict on a move under a rule.

use crate::game::Foul;

/// The verdict on placing a stone on a point.
///
/// ```
/// use kakugo::board::Point;
/// use kakugo::board::notation::parse_fen;
/// use kakugo::game::Foul;
/// use kakugo::rules::{Position, Rule, RuleKind, Verdict};
/// // Two open threes cross in the middle.
/// let board = parse_fen("9/9/9/9/2XX5/5X3/5X3/9/9 b").expect("a board");
/// let mut position = Position::new(board, Rule::from(RuleKind::Renju));
/// assert_eq!(position.verdict(Point::new(5, 4)), Verdict::Foul(Foul::DoubleThree));
/// assert_eq!(position.verdict(Point::new(2, 4)), Verdict::Illegal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The point is off the board, blocked or occupied.
    Illegal,
    /// The stone makes a winning row.
    Five,
    /// The stone is a foul and loses (renju, black).
    Foul(Foul),
    /// The stone neither wins nor loses.
    Plain,
}
