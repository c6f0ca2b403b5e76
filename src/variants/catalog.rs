//! The games by name.

use super::capture::{self, CaptureGame, CaptureRules};
use super::roku::{RokuGame, RokuRules};
use super::{Game, SpecError, spec};

/// A new game by `NAME` or `NAME:option=value,...`.
///
/// ```
/// let game = kakugo::variants::open("ninuki:size=13").unwrap();
/// assert_eq!(game.legal_moves().len(), 1, "the centre");
/// ```
///
/// # Errors
/// When there is no such game or option, or the options leave no game.
pub fn open(text: &str) -> Result<Box<dyn Game>, SpecError> {
    let (name, _) = spec::split(text);
    let is_capture_game = capture::PRESETS.iter().any(|rules| rules.preset.eq_ignore_ascii_case(name));
    Ok(match is_capture_game {
        true => Box::new(CaptureGame::new(CaptureRules::parse(text)?)),
        false => Box::new(RokuGame::new(RokuRules::parse(text)?)),
    })
}
