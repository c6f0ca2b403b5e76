//! Ends of games by their rules.

use std::fmt;

use crate::board::Color;

/// Result of a game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// By what.
    pub reason: Reason,
}

impl Outcome {
    /// A win.
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The winner has five in a row, and it can't be broken any more.
    Five,
    /// The winner has captured as much as the game asks for.
    Captures,
    /// The loser has to move and has no stone left.
    NoStones,
    /// The next side has no legal move, or there is no place left for a stone.
    NoMove,
    /// The loser's stone was a foul.
    Foul(Foul),
    /// No point is empty any more.
    Full,
    /// Both sides have passed in turn.
    Passes,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Five => "five in a row",
            Reason::Captures => "enough stones are captured",
            Reason::NoStones => "the other side has no stone left to place",
            Reason::NoMove => "there is no move left",
            Reason::Foul(foul) => return foul.fmt(f),
            Reason::Full => "the board is full",
            Reason::Passes => "both sides have passed",
        })
    }
}

/// Shape that a rule forbids to make: it loses at once in renju, and may not be played elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// A row of six or more.
    Overline,
    /// Two or more fours at once.
    DoubleFour,
    /// Two or more threes at once.
    DoubleThree,
}

impl Foul {
    /// Every kind, the least row first.
    pub const ALL: [Foul; 3] = [Foul::DoubleThree, Foul::DoubleFour, Foul::Overline];
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
