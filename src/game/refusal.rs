//! Why moves break the rules.

use std::fmt;

/// Why a move breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// The point is not on the board.
    OffBoard,
    /// The point is not empty.
    Taken,
    /// The stone would make this number of free threes at once.
    DoubleThree(usize),
    /// The first stone must be placed on the centre.
    NotCentre,
    /// Black's second stone must be at least this far from the centre.
    TooNear(u8),
    /// The first stone of each side must be placed on the track: black's anywhere, white's where the rules
    /// require it.
    NotTrack,
    /// After the opening, no stone may be placed on the track.
    Track,
    /// No stone may be placed on the centre.
    Centre,
    /// Passing is not allowed in this game.
    NoPass,
    /// There are only this many rows to choose from.
    NoSuchChoice(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the game is over"),
            Refusal::OffBoard => f.write_str("the point is off the board"),
            Refusal::Taken => f.write_str("the point is not empty"),
            Refusal::DoubleThree(threes) => write!(f, "it would make {threes} free threes at once"),
            Refusal::NotCentre => f.write_str("the first stone must be placed on the centre"),
            Refusal::TooNear(distance) => {
                write!(f, "black's second stone must be at least {distance} points from the centre")
            }
            Refusal::NotTrack => {
                f.write_str("the first stone must be placed on a track circle, white's next to black's")
            }
            Refusal::Track => f.write_str("no stone may be placed on the track"),
            Refusal::Centre => f.write_str("no stone may be placed on the centre"),
            Refusal::NoPass => f.write_str("passing is not allowed in this game"),
            Refusal::NoSuchChoice(0) => f.write_str("there is no capture to choose"),
            Refusal::NoSuchChoice(rows) => write!(f, "there are only {rows} rows to capture from"),
        }
    }
}

impl std::error::Error for Refusal {}
