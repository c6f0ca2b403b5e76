//! Why moves are against the rules.

use std::fmt;

/// Why a move is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game has ended.
    Over,
    /// The point is not on the board.
    OffBoard,
    /// The point is not empty.
    Taken,
    /// The stone would make so many free threes at once.
    DoubleThree(usize),
    /// The first stone belongs in the centre.
    NotCentre,
    /// Black's second stone must keep at least so far from the centre.
    TooNear(u8),
    /// The first stone of each side belongs on the track: black's anywhere, white's where the rules put it.
    NotTrack,
    /// No stone is placed on the track after the beginning.
    Track,
    /// Nothing is placed on the centre.
    Centre,
    /// Nobody passes in this game.
    NoPass,
    /// There are only so many rows to choose from.
    NoSuchChoice(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the game is over"),
            Refusal::OffBoard => f.write_str("it is off the board"),
            Refusal::Taken => f.write_str("the point is not empty"),
            Refusal::DoubleThree(threes) => write!(f, "it would make {threes} free threes at once"),
            Refusal::NotCentre => f.write_str("the first stone belongs in the centre"),
            Refusal::TooNear(distance) => {
                write!(f, "black's second stone must be at least {distance} points from the centre")
            }
            Refusal::NotTrack => {
                f.write_str("the track stone belongs on a track circle, white's next to black's")
            }
            Refusal::Track => f.write_str("nothing is placed on the track"),
            Refusal::Centre => f.write_str("nothing is placed on the centre"),
            Refusal::NoPass => f.write_str("nobody passes in this game"),
            Refusal::NoSuchChoice(0) => f.write_str("there is no capture to choose"),
            Refusal::NoSuchChoice(rows) => write!(f, "there are only {rows} rows to capture from"),
        }
    }
}

impl std::error::Error for Refusal {}
