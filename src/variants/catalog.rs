//! The catalogue of games, by name.

use super::capture::{self, CaptureGame, CaptureRules};
use super::double_three::{DoubleThreeGame, DoubleThreeRules};
use super::roku::{RokuGame, RokuRules, sheet};
use super::{SpecError, spec};
use crate::board::Size;
use crate::game::Game;

/// Starts a new game from `NAME` or `NAME:option=value,...`.
///
/// ```
/// let game = kakugo::variants::open("ninuki:size=13").expect("a game with an option");
/// assert_eq!(game.legal_moves().len(), 1, "the centre");
/// ```
///
/// # Errors
/// When the game or an option does not exist, or the options contradict each other.
pub fn open(text: &str) -> Result<Box<dyn Game>, SpecError> {
    Ok(match parse(text)? {
        GameRules::Capture(rules) => Box::new(CaptureGame::new(rules)),
        GameRules::DoubleThree(rules) => Box::new(DoubleThreeGame::new(rules)),
        GameRules::Roku(rules) => Box::new(RokuGame::new(rules)),
    })
}

/// The named games, each with a one-line description.
pub const GAMES: [(&str, &str); 11] = [
    (
        "gomoku42",
        "19x19, five or five pairs; no double three, a five can be broken (the subject of the 42 schools)",
    ),
    (
        "gomoku42-web",
        "the same, but a capture does not excuse a double three, and a five wins only when it can no longer \
         be broken",
    ),
    ("ninuki", "15x15, exactly five or five pairs; black may not make a double three (Ninuki-renju)"),
    ("pente", "19x19, five or five pairs, a five wins at once"),
    ("keryo", "pente with captures of two or three stones, fifteen of which win"),
    ("gomoku33", "15x15, five or more; no double three for either side (the rule of 1899)"),
    (
        "roku",
        "Gomoku Roku: a race around a hexagonal sheet; the side that is behind moves, five in a row win",
    ),
    ("roku-ninuki", "Gomoku Roku with captured pairs, three of which win"),
    ("roku-handicap", "Gomoku Roku with a track stone that starts further ahead"),
    ("roku-dynamic", "Gomoku Roku that begins with one free stone for each side"),
    ("roku-thrilling", "Gomoku Roku with 15 stones and a track stone for each side"),
];

/// The rules of `NAME` or `NAME:option=value,...` as text, one sentence per line, followed by the options and
/// their values.
///
/// # Errors
/// See [`open`].
pub fn rules_in_words(text: &str) -> Result<Vec<String>, SpecError> {
    let (mut words, options) = match parse(text)? {
        GameRules::Capture(rules) => (rules.words(), rules.options()),
        GameRules::DoubleThree(rules) => (rules.words(), rules.options().to_vec()),
        GameRules::Roku(rules) => (rules.words(), rules.options().to_vec()),
    };
    let options: Vec<String> = options.iter().map(|(option, value)| format!("{option}={value}")).collect();
    words.extend(["Options:".to_owned(), format!("  {}", options.join(" "))]);
    Ok(words)
}

/// `text` with the board size set to `size`.
///
/// # Errors
/// See [`open`]. Also when the game has a fixed board.
pub fn with_size(text: &str, size: Size) -> Result<String, SpecError> {
    match parse(text)? {
        GameRules::Capture(rules) => Ok(rules.with_size(size)?.to_string()),
        GameRules::DoubleThree(rules) => Ok(rules.with_size(size).to_string()),
        GameRules::Roku(rules) if size == sheet().size() => Ok(rules.to_string()),
        GameRules::Roku(_) => Err(SpecError::Impossible("Gomoku Roku is played on an 11x11 sheet")),
    }
}

/// The rules of one of the families.
pub enum GameRules {
    /// A game with captures.
    Capture(CaptureRules),
    /// Gomoku without double threes.
    DoubleThree(DoubleThreeRules),
    /// Gomoku Roku.
    Roku(RokuRules),
}

/// Parses the rules of a game from `NAME` or `NAME:option=value,...`.
///
/// # Errors
/// See [`open`].
pub fn parse(text: &str) -> Result<GameRules, SpecError> {
    let (name, _) = spec::split(text);
    let is = |preset: &str| preset.eq_ignore_ascii_case(name);
    Ok(if capture::PRESETS.iter().any(|rules| is(rules.preset)) {
        GameRules::Capture(CaptureRules::parse(text)?)
    } else if is(DoubleThreeRules::NAME) {
        GameRules::DoubleThree(DoubleThreeRules::parse(text)?)
    } else {
        // `RokuRules` knows its own names and rejects others.
        GameRules::Roku(RokuRules::parse(text)?)
    })
}
