//! How games end under their rules.

use std::fmt;

use crate::board::Color;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
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
    /// The winner has five in a row, which can no longer be broken.
    Five,
    /// The winner has captured as many stones as the game requires.
    Captures,
    /// The loser has to move and has no stone left.
    NoStones,
    /// The side to move has no legal move, or no point is left for a stone.
    NoMove,
    /// The loser's stone was a foul.
    Foul(Foul),
    /// No empty point is left.
    Full,
    /// Both sides passed in turn.
    Passes,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Five => "five in a row",
            Reason::Captures => "enough stones were captured",
            Reason::NoStones => "the other side has no stone left to place",
            Reason::NoMove => "there is no legal move left",
            Reason::Foul(foul) => return foul.fmt(f),
            Reason::Full => "the board is full",
            Reason::Passes => "both sides have passed",
        })
    }
}

/// A shape that a rule forbids: making it loses immediately in renju and is illegal in other games.
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
    /// Every kind, from the shortest row to the longest.
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
