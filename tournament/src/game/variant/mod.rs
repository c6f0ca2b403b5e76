//! Games outside the Gomocup family, played and refereed by the library's `variants`.
//!
//! - [`referee`]: what a move means.
//! - [`openings`]: what games begin from.
//!
//! Requests for moves are in [`crate::player`]. Of the library only the rules of these games are used, never the search
//! that plays them.

use std::fmt;
use std::str::FromStr;

use kakugo::board::{Point, Size};
use kakugo::game::{Game, Move, format_moves};
use kakugo::variants;
use serde::{Deserialize, Serialize};

pub mod openings;
pub mod referee;

/// A game by its name with the options that differ from the preset, `pente` or `pente:goal_pairs=7,size=15`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VariantName(String);

impl VariantName {
    /// A new game.
    pub fn open(&self) -> Box<dyn Game> {
        variants::open(&self.0).expect("the name was read as a game before")
    }

    /// This game on a board of `size`.
    ///
    /// # Errors
    /// When it is not played on such a board.
    pub fn with_size(&self, size: Size) -> Result<VariantName, String> {
        variants::with_size(&self.0, size).map(VariantName).map_err(|error| error.to_string())
    }

    /// The board, or the smallest one that holds it.
    pub fn size(&self) -> Size {
        self.open().size()
    }
}

impl FromStr for VariantName {
    type Err = String;

    fn from_str(text: &str) -> Result<VariantName, String> {
        let known = || variants::GAMES.map(|(name, _)| name).join(", ");
        match variants::open(text) {
            Ok(game) => Ok(VariantName(game.name())),
            Err(error @ variants::SpecError::UnknownGame(_)) => {
                Err(format!("{error}; there are {}", known()))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl TryFrom<String> for VariantName {
    type Error = String;

    fn try_from(text: String) -> Result<VariantName, String> {
        text.parse()
    }
}

impl From<VariantName> for String {
    fn from(name: VariantName) -> String {
        name.0
    }
}

impl fmt::Display for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Stones of an opening as records have them.
pub fn format_opening(opening: &[Point], size: Size) -> String {
    let moves: Vec<Move> = opening.iter().copied().map(Move::from).collect();
    format_moves(&moves, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_with_what_differs() {
        let name = |text: &str| text.parse::<VariantName>().map(|name| name.to_string());
        assert_eq!(name("Pente:size=19,goal_pairs=7"), Ok("pente:goal_pairs=7".to_owned()));
        assert_eq!("roku".parse::<VariantName>().unwrap().size(), Size::square(11).unwrap());
        let error = name("chess").unwrap_err();
        assert!(error.starts_with("there is no game 'chess'; there are gomoku42, "), "{error}");
        assert_eq!(
            name("pente:size=4"),
            Err("size can't be '4', only N or WxH, each side from 5 to 22".to_owned())
        );
    }
}
