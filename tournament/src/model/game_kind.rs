//! The game that is played: a rule of the Gomocup family on a board, or a game outside that family.
//!
//! Referee, openings and files use both through the library's [`Game`]. This module contains the remaining
//! differences: names, the INFO line, the notation of records. It uses the library's rules, never its search.

use std::fmt;
use std::str::FromStr;

use kakugo::board::{Point, Size, notation};
use kakugo::game::{Game, Move, format_moves};
use kakugo::rules::{GomokuGame, Rule};
use kakugo::variants;
use serde::{Deserialize, Serialize};

/// A rule with a board, or another game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameKind {
    /// A rule of the Gomocup family.
    Rule(Rule, Size),
    /// A capture game, or Gomoku Roku.
    Variant(VariantName),
}

impl GameKind {
    /// The game that records name `rule`, on a board of `size` if it has several; `None` if it is unknown.
    pub fn named(rule: &str, size: Size) -> Option<GameKind> {
        let variant = || rule.parse().ok().map(GameKind::Variant);
        rule.parse().map_or_else(|_| variant(), |rule| Some(GameKind::Rule(rule, size)))
    }

    /// Starts a new game.
    pub fn open(&self) -> Box<dyn Game> {
        match self {
            GameKind::Rule(rule, size) => Box::new(GomokuGame::new(*size, *rule)),
            GameKind::Variant(name) => name.open(),
        }
    }

    /// The board size; for boards that are not rectangular, the smallest enclosing rectangle.
    pub fn size(&self) -> Size {
        match self {
            GameKind::Rule(_, size) => *size,
            GameKind::Variant(name) => name.size(),
        }
    }

    /// The rule, if the game belongs to the Gomocup family.
    pub fn rule(&self) -> Option<Rule> {
        match self {
            GameKind::Rule(rule, _) => Some(*rule),
            GameKind::Variant(_) => None,
        }
    }

    /// The INFO line that selects the game.
    pub fn info(&self) -> String {
        match self {
            GameKind::Rule(rule, _) => format!("INFO rule {}", rule.code()),
            GameKind::Variant(name) => format!("INFO game {name}"),
        }
    }

    /// Formats moves for records.
    pub fn format_moves(&self, moves: &[Move]) -> String {
        let points = || moves.iter().map(|mv| mv.point).collect::<Vec<_>>();
        match self {
            GameKind::Rule(_, size) => notation::format_moves(&points(), *size),
            GameKind::Variant(name) => format_moves(moves, name.size()),
        }
    }

    /// Formats the stones of an opening for records.
    pub fn format_opening(&self, opening: &[Point]) -> String {
        self.format_moves(&opening.iter().copied().map(Move::from).collect::<Vec<_>>())
    }
}

impl fmt::Display for GameKind {
    /// Writes the name that [`GameKind::named`] parses.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GameKind::Rule(rule, _) => rule.fmt(f),
            GameKind::Variant(name) => name.fmt(f),
        }
    }
}

/// Name of a game outside the Gomocup family, with the options that differ from the preset: `pente` or
/// `pente:goal_pairs=7,size=15`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VariantName(String);

impl VariantName {
    /// Starts a new game.
    pub fn open(&self) -> Box<dyn Game> {
        variants::open(&self.0).expect("the name was checked when it was parsed")
    }

    /// The same game on a board of `size`.
    ///
    /// # Errors
    /// Returns an error if the game cannot be played on that board.
    pub fn with_size(&self, size: Size) -> Result<VariantName, String> {
        variants::with_size(&self.0, size).map(VariantName).map_err(|error| error.to_string())
    }

    /// The board size; for boards that are not rectangular, the smallest enclosing rectangle.
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
                Err(format!("{error}; known games: {}", known()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_with_what_differs() {
        let name = |text: &str| text.parse::<VariantName>().map(|name| name.to_string());
        assert_eq!(name("Pente:size=19,goal_pairs=7"), Ok("pente:goal_pairs=7".to_owned()));
        assert_eq!("roku".parse::<VariantName>().unwrap().size(), Size::square(11).unwrap());
        let error = name("chess").unwrap_err();
        assert!(error.starts_with("there is no game 'chess'; known games: gomoku42, "), "{error}");
        assert_eq!(
            name("pente:size=4"),
            Err("size can't be '4', only N or WxH, each side from 5 to 22".to_owned())
        );
    }

    #[test]
    fn records_name_rules_and_variants() {
        let size = Size::square(19).unwrap();
        let kind = |text: &str| GameKind::named(text, size);
        for (text, info, moves) in [
            ("renju", "INFO rule 4", "a19b19"),
            ("caro", "INFO rule 8", "a19b19"),
            ("pente", "INFO game pente", "a19 b19"),
        ] {
            let kind = kind(text).unwrap();
            assert_eq!((kind.to_string().as_str(), kind.info().as_str(), kind.size()), (text, info, size));
            assert_eq!(kind.format_opening(&[Point::new(0, 0), Point::new(1, 0)]), moves);
            assert_eq!((kind.open().name().as_str(), kind.open().size()), (text, size));
        }
        assert_eq!(kind("chess"), None);
    }
}
