//! Moves as text: `h8`, or `h8/2` for the second of several captures.
//!
//! The list notation of [`crate::board::notation`] refuses a point that comes twice; here a point may become empty
//! again.

use std::fmt;

use super::{Game, Move, Refusal};
use crate::board::Size;
use crate::board::notation::{NotationError, format_point, parse_point};

/// Why a list of moves can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// A word is no move.
    NotAMove(NotationError),
    /// A move is against the rules: its number from 1, its text, the reason.
    Refused(usize, String, Refusal),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MoveError::NotAMove(error) => error.fmt(f),
            MoveError::Refused(number, text, refusal) => write!(f, "move {number}, {text}: {refusal}"),
        }
    }
}

impl std::error::Error for MoveError {}

impl From<NotationError> for MoveError {
    fn from(error: NotationError) -> MoveError {
        MoveError::NotAMove(error)
    }
}

/// A move as text; choices count from 1, and the first is not written.
pub fn format_move(mv: Move, size: Size) -> String {
    let point = format_point(mv.point, size);
    if mv.choice == 0 { point } else { format!("{point}/{}", u32::from(mv.choice) + 1) }
}

/// Moves with a blank between them.
pub fn format_moves(moves: &[Move], size: Size) -> String {
    moves.iter().map(|&mv| format_move(mv, size)).collect::<Vec<_>>().join(" ")
}

/// A move written `h8`, `7,7` or `h8/2`.
///
/// # Errors
/// When the text is none, or no point of a board of `size`.
pub fn parse_move(text: &str, size: Size) -> Result<Move, NotationError> {
    let text = text.trim();
    let Some((point, choice)) = text.split_once('/') else { return Ok(parse_point(text, size)?.into()) };
    let not_a_point = || NotationError::NotAPoint(super::spec::clip(text));
    let choice = choice.trim().parse::<u8>().ok().and_then(|number| number.checked_sub(1));
    Ok(Move { point: parse_point(point, size)?, choice: choice.ok_or_else(not_a_point)? })
}

/// Plays the moves of `text`, `h8 i9/2 j10` or `h8i9j10`, in `game`, all or none.
///
/// # Errors
/// When a word is no move or a move is against the rules; the game is as before.
pub fn parse_moves(game: &mut dyn Game, text: &str) -> Result<(), MoveError> {
    let played = game.moves().len();
    let result = words(text).iter().try_for_each(|word| {
        let mv = parse_move(word, game.size())?;
        let number = game.moves().len() + 1;
        game.check(mv).map_err(|refusal| MoveError::Refused(number, super::spec::clip(word), refusal))?;
        game.play(mv);
        Ok(())
    });
    if result.is_err() {
        while game.moves().len() > played {
            game.undo();
        }
    }
    result
}

/// The words of a list: each begins with a letter.
fn words(text: &str) -> Vec<String> {
    let apart = |c: char| [' '; 1].into_iter().filter(move |_| c.is_alphabetic()).chain([c]);
    let spaced: String = text.chars().flat_map(apart).collect();
    let words = spaced.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    #[test]
    fn choices_count_from_one_and_the_first_is_silent() {
        let size = Size::default();
        let mv = |choice| Move { point: Point::new(7, 7), choice };
        for (text, choice) in [("h8", 0), ("7,7", 0), ("h8/1", 0), ("h8/2", 1)] {
            assert_eq!(parse_move(text, size), Ok(mv(choice)), "{text}");
        }
        assert_eq!((format_move(mv(0), size), format_move(mv(1), size)), ("h8".into(), "h8/2".into()));
        for text in ["h8/0", "h8/", "h8/x", "/2", "h8/999", "h8/2/2", ""] {
            assert!(parse_move(text, size).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_are_split_before_each_letter() {
        assert_eq!(words("h8i9/2 j10, k11  7x"), ["h8", "i9/2", "j10", "k11", "7", "x"]);
        assert!(words(" ,, ").is_empty());
    }
}
