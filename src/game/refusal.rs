//! Why moves break the rules.

/// Why a move breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The point is not on the board.
    #[error("the point is off the board")]
    OffBoard,
    /// The point is not empty.
    #[error("the point is not empty")]
    Taken,
    /// The stone would make this number of free threes at once.
    #[error("it would make {0} free threes at once")]
    DoubleThree(usize),
    /// The first stone must be placed on the centre.
    #[error("the first stone must be placed on the centre")]
    NotCentre,
    /// Black's second stone must be at least this far from the centre.
    #[error("black's second stone must be at least {0} points from the centre")]
    TooNear(u8),
    /// The first stone of each side must be placed on the track: black's anywhere, white's where the rules
    /// require it.
    #[error("the first stone must be placed on a track circle, white's next to black's")]
    NotTrack,
    /// Like [`Refusal::NotTrack`], but in a game where white's first stone starts this number of circles ahead of
    /// black's, or behind it if negative.
    #[error("the first stone must be placed on a track circle, white's {}", gap_in_words(*.0))]
    NotTrackGap(i8),
    /// After the opening, no stone may be placed on the track.
    #[error("no stone may be placed on the track")]
    Track,
    /// No stone may be placed on the centre.
    #[error("no stone may be placed on the centre")]
    Centre,
    /// Passing is not allowed in this game.
    #[error("passing is not allowed in this game")]
    NoPass,
    /// There are only this many rows to choose from.
    #[error("{}", choices_in_words(*.0))]
    NoSuchChoice(usize),
}

/// Where white's track stone starts, in words.
fn gap_in_words(ahead: i8) -> String {
    let side = if ahead > 0 { "ahead of" } else { "behind" };
    format!("{} circles {side} black's", ahead.unsigned_abs())
}

/// The available captures, in words.
fn choices_in_words(rows: usize) -> String {
    match rows {
        0 => "there is no capture to choose".to_owned(),
        1 => "there is only one capture, no choice".to_owned(),
        rows => format!("there are only {rows} rows to capture from"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_words() {
        for (refusal, text) in [
            (Refusal::NoSuchChoice(0), "there is no capture to choose"),
            (Refusal::NoSuchChoice(1), "there is only one capture, no choice"),
            (Refusal::NoSuchChoice(2), "there are only 2 rows to capture from"),
        ] {
            assert_eq!(refusal.to_string(), text);
        }
    }
}
