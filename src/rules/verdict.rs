//! The verdict on a move under a rule.

use crate::game::Foul;

/// The verdict on placing a stone on a point.
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
