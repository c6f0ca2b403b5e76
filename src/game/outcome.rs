//! How games end under their rules.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::Color;

/// The result of a finished game. Its text is black's score first, as in results files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// Black won.
    #[serde(rename = "1-0")]
    Black,
    /// White won.
    #[serde(rename = "0-1")]
    White,
    /// The game is drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win of `winner`.
    pub const fn win(winner: Color) -> GameResult {
        match winner {
            Color::Black => GameResult::Black,
            Color::White => GameResult::White,
        }
    }

    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::Black => Some(Color::Black),
            GameResult::White => Some(Color::White),
            GameResult::Draw => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            GameResult::Black => "1-0",
            GameResult::White => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// The end of a game under its rules.
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

    /// The result, without the reason.
    pub fn result(self) -> GameResult {
        self.winner.map_or(GameResult::Draw, GameResult::win)
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
