//! Values that are written as text, both in a config and on the command line.
//!
//! Each is parsed by [`FromStr`] and written by [`fmt::Display`], so that an option and a line of a config
//! mean the same.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, ensure};
use kakugo::board::{Size, SizeError};
use kakugo::rules::Rule;
use kakugo::variants;
use serde::{Deserialize, Serialize};

use crate::openings::Source;

/// Maximum length of an engine's name, in characters.
const MAX_NAME: usize = 200;

/// Serialises a type with `FromStr` and `Display` in a config, as a text or a number.
macro_rules! as_text {
    ($type:ty) => {
        impl TryFrom<TextOrNumber> for $type {
            type Error = String;

            fn try_from(text: TextOrNumber) -> Result<$type, String> {
                text.0.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }
    };
}

/// A value in a config, as a text or a number: `"20x15"` or `15`.
#[derive(Deserialize)]
#[serde(from = "Written")]
pub(super) struct TextOrNumber(String);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a number")]
enum Written {
    Text(String),
    Number(u64),
}

impl From<Written> for TextOrNumber {
    fn from(written: Written) -> TextOrNumber {
        TextOrNumber(match written {
            Written::Text(text) => text,
            Written::Number(number) => number.to_string(),
        })
    }
}

/// The rule of a batch; continuous games cannot be refereed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrNumber", into = "String")]
pub struct GameRule(pub Rule);

as_text!(GameRule);

impl FromStr for GameRule {
    type Err = String;

    fn from_str(text: &str) -> Result<GameRule, String> {
        match text.parse::<Rule>() {
            Ok(rule) if rule.continuous => {
                Err("continuous games cannot be refereed, because a five does not end them".to_owned())
            }
            Ok(rule) => Ok(GameRule(rule)),
            Err(_) if variants::parse(text).is_ok() => Err(format!(
                "{text} is a game, not a rule: use --game {text} (in a config: game = \"{text}\")"
            )),
            Err(_) if text.eq_ignore_ascii_case("gomoku") => {
                Err("gomoku has several rules: freestyle (five or more win) or standard (exactly five)"
                    .to_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl fmt::Display for GameRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrNumber", into = "String")]
pub struct BoardSize(pub Size);

as_text!(BoardSize);

impl FromStr for BoardSize {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardSize, String> {
        text.parse().map(BoardSize).map_err(|error: SizeError| error.to_string())
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number of bytes, such as `350M`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrNumber", into = "String")]
pub struct Bytes(pub u64);

as_text!(Bytes);

/// The units of [`Bytes`] and their binary exponents.
const UNITS: [(char, u32); 3] = [('G', 30), ('M', 20), ('K', 10)];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" => 0,
            unit => {
                let known = UNITS.iter().find(|(name, _)| unit == name.to_string());
                known.ok_or("the units of bytes are K, M and G")?.1
            }
        };
        let number: u64 =
            digits.parse().map_err(|_| "expected a number of bytes, such as 350M".to_owned())?;
        number.checked_mul(1 << unit).map(Bytes).ok_or_else(|| "too many bytes".to_owned())
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let whole = |(_, exponent): &&(char, u32)| self.0 > 0 && self.0.is_multiple_of(1 << *exponent);
        match UNITS.iter().find(whole) {
            Some((unit, exponent)) => write!(f, "{}{unit}", self.0 >> exponent),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Source of openings: the original text, which is known to parse as a [`Source`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrNumber", into = "String")]
pub struct OpeningSource(String);

as_text!(OpeningSource);

impl OpeningSource {
    /// The source that the text names.
    pub fn source(&self) -> Source {
        self.0.parse().expect("the text was parsed as a source before")
    }

    /// The source for one league, with `{league}` replaced by the league's name.
    ///
    /// # Errors
    /// Returns an error if the name makes the source invalid.
    pub fn of_league(&self, name: &str) -> anyhow::Result<Source> {
        self.0.replace("{league}", name).parse().map_err(anyhow::Error::msg)
    }
}

impl From<Source> for OpeningSource {
    fn from(source: Source) -> OpeningSource {
        OpeningSource(source.to_string())
    }
}

impl FromStr for OpeningSource {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningSource, String> {
        text.parse::<Source>().map(|_| OpeningSource(text.to_owned())).map_err(|error| error.to_string())
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The processors that engines are pinned to: `auto`, or a list such as `0-3,6`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrNumber", into = "String")]
pub enum Pin {
    /// All processors that this program may use.
    Auto,
    /// The listed processors.
    List(Vec<usize>),
}

as_text!(Pin);

/// The greatest processor number in a list.
const MAX_PROCESSOR: usize = 1023;

impl FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> Result<Pin, String> {
        if text == "auto" {
            return Ok(Pin::Auto);
        }
        let wrong = || format!("'{text}' is neither 'auto' nor a list of processors such as 0-3,6");
        let mut list = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range: (usize, usize) = first.parse().ok().zip(last.parse().ok()).ok_or_else(wrong)?;
            if range.0 > range.1 || range.1 > MAX_PROCESSOR {
                return Err(wrong());
            }
            list.extend(range.0..=range.1);
        }
        let mut sorted = list.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < list.len() {
            Err(format!("'{text}' names a processor twice"))
        } else {
            Ok(Pin::List(list))
        }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Pin::Auto => f.write_str("auto"),
            Pin::List(list) => {
                let words: Vec<String> = list.iter().map(usize::to_string).collect();
                f.write_str(&words.join(","))
            }
        }
    }
}

/// Checks the name of an engine or league. Names appear in tables, on pages and in every record.
pub(super) fn check_name(name: &str, what: &str) -> Result<()> {
    ensure!(!name.trim().is_empty(), "{what} has an empty name");
    let length = name.chars().count();
    ensure!(
        length <= MAX_NAME,
        "the name of {what} has at most {MAX_NAME} characters; this one has {length}"
    );
    ensure!(
        !name.contains(char::is_control),
        "'{}' cannot be the name of {what}: it contains control characters",
        name.escape_debug()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_bytes_and_processors_are_read() {
        assert_eq!("20".parse(), Ok(BoardSize(Size::square(20).unwrap())));
        assert_eq!("20x15".parse(), Ok(BoardSize(Size::new(20, 15).unwrap())));
        for text in ["4", "15x", "300", "", "x"] {
            assert!(text.parse::<BoardSize>().is_err(), "{text}");
        }
        assert_eq!("350m".parse(), Ok(Bytes(350 << 20)));
        assert_eq!("0".parse(), Ok(Bytes(0)));
        for text in ["5T", "", "99999999999G", "M", "-1"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
        assert_eq!("0-2,6".parse(), Ok(Pin::List(vec![0, 1, 2, 6])));
        assert_eq!("auto".parse(), Ok(Pin::Auto));
        for text in ["", "3-1", "a", "0-99999999999", "1,1", "0-2,2"] {
            assert!(text.parse::<Pin>().is_err(), "{text}");
        }
        assert!("2".parse::<GameRule>().is_err() && "chess".parse::<GameRule>().is_err());
        for text in ["random:x", "", "+random:4"] {
            assert!(text.parse::<OpeningSource>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["350M", "0", "1", "3G", "1025"] {
            assert_eq!(text.parse::<Bytes>().unwrap().to_string(), text);
        }
        assert_eq!("0-2,6".parse::<Pin>().unwrap().to_string(), "0,1,2,6");
    }
}
