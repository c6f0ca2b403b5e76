//! Moves as text: `h8`, or `h8/2` for the second of several captures.
//!
//! The list notation of [`crate::board::notation`] rejects a repeated point; here a point may become empty
//! again.

use super::{Game, Move, Refusal, Turn};
use crate::board::Size;
use crate::board::notation::{NotationError, clip, format_point, is_separator, parse_point, skip_to_move};

/// The word for a pass.
pub const PASS: &str = "pass";

/// Why a list of moves cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveListError {
    /// A word is not a move.
    #[error(transparent)]
    NotAMove(#[from] NotationError),
    /// A move breaks the rules: its number from 1, its text, the reason.
    #[error("move {0}, {1}: {2}")]
    Refused(usize, String, Refusal),
}

/// Formats a move; choices count from 1, and the first is not written.
pub fn format_move(mv: Move, size: Size) -> String {
    let point = format_point(mv.point, size);
    if mv.choice == 0 { point } else { format!("{point}/{}", u32::from(mv.choice) + 1) }
}

/// Formats moves, separated by spaces.
pub fn format_moves(moves: &[Move], size: Size) -> String {
    moves.iter().map(|&mv| format_move(mv, size)).collect::<Vec<_>>().join(" ")
}

/// Parses a move written as `h8`, `7,7` or `h8/2`.
///
/// # Errors
/// Returns an error if the text is not a move, or the point is not on a board of `size`.
pub fn parse_move(text: &str, size: Size) -> Result<Move, NotationError> {
    let text = text.trim();
    let Some((point, choice)) = text.split_once('/') else { return Ok(parse_point(text, size)?.into()) };
    let not_a_point = || NotationError::NotAPoint(clip(text));
    let choice = choice.trim().parse::<u8>().ok().and_then(|number| number.checked_sub(1));
    Ok(Move { point: parse_point(point, size)?, choice: choice.ok_or_else(not_a_point)? })
}

/// Formats turns as [`parse_turns`] reads them: moves separated by spaces, [`PASS`] for a pass.
pub fn format_turns(turns: &[Turn], size: Size) -> String {
    let word = |turn: &Turn| turn.map_or(PASS.to_owned(), |mv| format_move(mv, size));
    turns.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Parses the moves and passes of `text`: `h8 i9/2 pass j10` or `h8i9j10`.
///
/// # Errors
/// Returns an error if a word is not a move on a board of `size`.
pub fn parse_turns(text: &str, size: Size) -> Result<Vec<Turn>, NotationError> {
    let turn = |word: String| if word == PASS { Ok(None) } else { parse_move(&word, size).map(Some) };
    words(text).into_iter().map(turn).collect()
}

/// Plays the moves and passes of `text` in `game`: all of them or none.
///
/// # Errors
/// Returns an error if a word is not a move, or a move breaks the rules; the game is unchanged then.
pub fn play_moves(game: &mut dyn Game, text: &str) -> Result<(), MoveListError> {
    let size = game.size();
    for (played, turn) in parse_turns(text, size)?.into_iter().enumerate() {
        if let Err(refusal) = take_turn(game, turn) {
            (0..played).for_each(|_| game.undo());
            return Err(MoveListError::Refused(played + 1, format_turns(&[turn], size), refusal));
        }
    }
    Ok(())
}

/// Plays a move or passes for the side to move.
fn take_turn(game: &mut dyn Game, turn: Turn) -> Result<(), Refusal> {
    let Some(mv) = turn else { return game.pass() };
    game.check(mv)?;
    game.play(mv);
    Ok(())
}

/// The words of a list. Each is [`PASS`], or a move that starts with its only letter.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = skip_to_move(text, 0);
    while !rest.is_empty() {
        let part = &rest[..rest.find(is_separator).unwrap_or(rest.len())];
        let is_next = |&(at, c): &(usize, char)| at > 0 && c.is_alphabetic();
        let end = part.char_indices().find(is_next).map_or(part.len(), |(at, _)| at);
        let is_apart = !text[..text.len() - rest.len()].ends_with(char::is_alphanumeric);
        let (word, tail) = rest.split_at(if part == PASS && is_apart { PASS.len() } else { end });
        words.push(word.to_owned());
        rest = skip_to_move(tail, words.len());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    #[test]
    fn choices_count_from_one_and_the_first_is_not_written() {
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
        assert_eq!(words("h8 pass, i9pass"), ["h8", "pass", "i9", "p", "a", "s", "s"]);
        assert_eq!(words("1.h8 i9/2 2. pass_j10"), ["h8", "i9/2", "pass", "j10"]);
        assert!(words(" ,, ").is_empty());
    }
}
