//! Saved games: a header line, then the moves.
//!
//! ```text
//! # Kakugo game: rule=renju size=15x15 result=1-0
//! h8 i9 j10
//! ```
//!
//! Games outside the Gomocup family have `game=pente:goal_pairs=7` instead of the rule; a pass is written as
//! the move `pass`.
//!
//! The result is `1-0` (black won), `0-1`, `1/2-1/2`, or `*` for an unfinished game. A file without a header
//! contains only moves. The result is not read back, because it follows from the moves.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::contest::Contest;
use super::parse_rule;
use crate::board::Size;
use crate::cli::SystemError;
use crate::cli::game_file::rule_of;
use crate::files;
use crate::game::{Turn, format_turns};
use crate::game_files::RecordedGame;
use crate::rules::{Rule, RuleKind};

/// Maximum size of a file with a game in bytes, with ample room for comments.
const MOST_BYTES: u64 = 1 << 16;

/// A game as stored in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedGame {
    /// The rule, if there is a header.
    pub rule: Option<RuleKind>,
    /// The game, if the header names one outside the Gomocup family.
    pub game: Option<String>,
    /// The board, if there is a header.
    pub size: Option<Size>,
    /// The moves, to be parsed for the board of the game.
    pub moves: String,
}

impl SavedGame {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is empty, is too long for a game, or its header has an unknown rule or size.
    pub fn load(path: &Path) -> Result<SavedGame> {
        let text = files::read_text(path, MOST_BYTES).map_err(SystemError)?;
        // A game without moves has its header.
        ensure!(!text.trim().is_empty(), "the file is empty");
        SavedGame::parse(&text)
    }

    /// A game from another program's file; its rule is ignored if another game `is_named`.
    ///
    /// # Errors
    /// If its rule or game is unknown.
    pub fn of(game: &RecordedGame, is_named: bool) -> Result<SavedGame> {
        let turns: Vec<Turn> = game.moves.iter().map(|recorded| recorded.mv).collect();
        let moves = format_turns(&turns, game.board());
        let mut saved = SavedGame { size: Some(game.board()), moves, ..SavedGame::default() };
        match game.rule.as_deref().filter(|_| !is_named) {
            Some(name) if name.parse::<Rule>().is_err() && game.open().is_some() => {
                saved.game = Some(name.to_owned());
            }
            Some(_) => saved.rule = Some(parse_rule(&rule_of(game)?.to_string())?),
            None => {}
        }
        Ok(saved)
    }

    fn parse(text: &str) -> Result<SavedGame> {
        let mut saved = SavedGame::default();
        for line in text.lines() {
            let Some(header) = line.trim_start().strip_prefix('#') else {
                saved.moves.push_str(line);
                saved.moves.push(' ');
                continue;
            };
            for (key, value) in header.split_whitespace().filter_map(|word| word.split_once('=')) {
                match key {
                    "rule" => saved.rule = Some(parse_rule(value)?),
                    "game" => saved.game = Some(value.to_owned()),
                    "size" => saved.size = Some(value.parse()?),
                    _ => {}
                }
            }
        }
        Ok(saved)
    }
}

/// Writes `game` to `path`, completely or not at all, and over an existing file only if `overwrite` is set.
///
/// # Errors
/// If the file exists, is not a regular file, or cannot be written; then it is unchanged.
pub fn save(game: &Contest, path: &Path, overwrite: bool) -> Result<()> {
    let shown = path.display();
    ensure!(path.file_name().is_some(), "{shown} is not a file name");
    ensure!(!path.is_dir(), "{shown} is a directory");
    let written =
        if overwrite { files::replace_with(path, game.record()) } else { files::create(path, game.record()) };
    if written.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        bail!("{shown} exists; use save! {shown} to overwrite it");
    }
    written.map_err(SystemError).with_context(|| format!("cannot write {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_back() {
        let saved = SavedGame::parse("# Kakugo game: rule=caro size=20x15 result=*\nh8i9\nj10\n").unwrap();
        let expected = SavedGame {
            rule: Some(RuleKind::Caro),
            game: None,
            size: Size::new(20, 15),
            moves: "h8i9 j10 ".to_owned(),
        };
        assert_eq!(saved, expected);
        assert_eq!(SavedGame::parse("h8\n").unwrap().rule, None);
        let other = SavedGame::parse("# Kakugo game: game=pente:goal_pairs=7 size=19x19 result=*\n").unwrap();
        assert_eq!(other.game.as_deref(), Some("pente:goal_pairs=7"));
        assert!(SavedGame::parse("# rule=chess").is_err());
        assert!(SavedGame::parse("# size=3").is_err());
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(SavedGame::load(empty.path()).unwrap_err().to_string(), "the file is empty");
    }
}
