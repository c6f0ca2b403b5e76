//! Verdicts on a move under a rule.

use std::fmt;

/// Why a black move loses at once in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// A row of six or more.
    Overline,
    /// Two or more fours at once.
    DoubleFour,
    /// Two or more threes at once.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double-four",
            Foul::DoubleThree => "double-three",
        })
    }
}

/// Verdict on putting a stone on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The point is off the board, blocked, or has a stone.
    Illegal,
    /// The stone makes a winning row.
    Five,
    /// The stone is a foul and loses (renju, black).
    Foul(Foul),
    /// The stone decides nothing.
    Plain,
}
