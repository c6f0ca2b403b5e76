//! The options of a game as text: `NAME` or `NAME:key=value,key=value`.

use std::fmt;
use std::str::FromStr;

use crate::board::Size;
use crate::board::notation::clip;

/// Why a text does not name a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No game has this name.
    #[error("there is no game '{0}'")]
    UnknownGame(String),
    /// The game has no option of this name.
    #[error("the game has no option '{0}'")]
    UnknownOption(String),
    /// The option does not accept this value.
    #[error("{option} can't be '{value}', only {allowed}")]
    BadValue {
        /// The option.
        option: String,
        /// The value as given.
        value: String,
        /// The accepted values, in words.
        allowed: String,
    },
    /// The options contradict each other or the board.
    #[error("{0}")]
    Impossible(&'static str),
}

/// Splits the name from the options after the colon.
pub(super) fn split(text: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let options = options.split(',').map(str::trim).filter(|option| !option.is_empty());
    (name.trim(), options.map(|option| option.split_once('=').unwrap_or((option, ""))).collect())
}

/// Parses a numeric option and checks its range.
pub(super) fn number<T: FromStr + PartialOrd + fmt::Display>(
    option: &str,
    value: &str,
    range: std::ops::RangeInclusive<T>,
) -> Result<T, SpecError> {
    let number = value.trim().parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| bad_value(option, value, &format!("{} to {}", range.start(), range.end())))
}

/// Parses an option that accepts one of several words.
pub(super) fn word<T: Copy>(option: &str, value: &str, words: &[(&str, T)]) -> Result<T, SpecError> {
    let found = words.iter().find(|(word, _)| value.trim().eq_ignore_ascii_case(word));
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        bad_value(option, value, &words.join(", "))
    })
}

/// The word for a value of an option that accepts words.
pub(super) fn format_word<T: PartialEq>(value: T, words: &[(&str, T)]) -> String {
    let found = words.iter().find(|(_, meaning)| *meaning == value);
    found.map_or(String::new(), |(word, _)| (*word).to_owned())
}

/// A square board with sides of `side` points.
///
/// # Panics
/// When the size is out of range; in a constant, this is a compile error.
pub(super) const fn square(side: u8) -> Size {
    match Size::square(side) {
        Some(size) => size,
        None => panic!("a board of that size"),
    }
}

/// Parses a square or rectangular board.
pub(super) fn size(option: &str, value: &str) -> Result<Size, SpecError> {
    value.parse().map_err(|_| bad_value(option, value, "N or WxH, each side from 5 to 22"))
}

/// The board in the form that [`size`] reads.
pub(super) fn format_size(size: Size) -> String {
    if size.width() == size.height() { size.width().to_string() } else { size.to_string() }
}

/// Parses `yes` or `no`, `on` or `off`.
pub(super) fn flag(option: &str, value: &str) -> Result<bool, SpecError> {
    word(option, value, &[("yes", true), ("no", false), ("on", true), ("off", false)])
}

pub(super) fn bad_value(option: &str, value: &str, allowed: &str) -> SpecError {
    SpecError::BadValue { option: clip(option), value: clip(value), allowed: allowed.to_owned() }
}

/// Formats a game: its preset, and the options that differ from the preset.
pub(super) fn format(
    f: &mut fmt::Formatter,
    preset: &str,
    own: &[(&str, String)],
    usual: &[(&str, String)],
) -> fmt::Result {
    f.write_str(preset)?;
    let mut mark = ':';
    for (option, value) in own.iter().zip(usual).filter(|(own, usual)| own != usual).map(|(own, _)| own) {
        write!(f, "{mark}{option}={value}")?;
        mark = ',';
    }
    Ok(())
}
