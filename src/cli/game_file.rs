//! Game files of other programs, for commands about one position or game: which game of a file, and how it is
//! read.

use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use super::SystemError;
use crate::board::Size;
use crate::files::{self, CodePage};
use crate::game_files::{ReadOptions, RecordedGame, RecordedGames, read_any};
use crate::rules::Rule;

/// Kinds of SGF games that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GameKindArg {
    /// Gomoku and renju
    #[default]
    Gomoku,
    /// Any kind, read as gomoku
    Any,
}

/// How a file of games is read.
#[derive(Clone, Copy, Debug, Args)]
pub struct GameFileArgs {
    /// The game to read from a file with several games, from 1
    #[arg(long, value_name = "N", value_parser = parse_number)]
    pub game_number: Option<usize>,
    /// Code page of a file of games, such as gbk [default: as labelled or detected]
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<CodePage>,
    /// Kind of SGF games to read
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub game_kind: GameKindArg,
}

fn parse_number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "not a number of at least 1".to_owned())
}

impl GameFileArgs {
    /// The game in the file at `path`, with `rule` if one is given, on a board of `size` if the file does not
    /// specify it; `None` if it is not a file of games.
    ///
    /// # Errors
    /// Returns an error if the file or the game cannot be read, or the file has several games and none is
    /// selected.
    pub fn game(&self, path: &Path, rule: Option<Rule>, size: Option<Size>) -> Result<Option<RecordedGame>> {
        self.game_with(path, ReadOptions { rule, ..self.options(size) })
    }

    /// Like [`GameFileArgs::game`], but stones that the game sets up become its start, whatever they are.
    ///
    /// # Errors
    /// Returns the same errors.
    pub fn game_with_start(
        &self,
        path: &Path,
        rule: Option<Rule>,
        size: Option<Size>,
    ) -> Result<Option<RecordedGame>> {
        self.game_with(path, ReadOptions { rule, positions: true, ..self.options(size) })
    }

    fn game_with(&self, path: &Path, options: ReadOptions) -> Result<Option<RecordedGame>> {
        games(path, options)?.map(|games| self.chosen(games)).transpose()
    }

    /// The options for reading a file, with the board of games that do not specify it.
    pub fn options(&self, size: Option<Size>) -> ReadOptions {
        let any_kind = self.game_kind == GameKindArg::Any;
        let board = size.unwrap_or_default();
        ReadOptions { board, encoding: self.encoding, any_kind, ..ReadOptions::default() }
    }

    fn chosen(&self, mut games: RecordedGames) -> Result<RecordedGame> {
        let game = games.nth(self.game_number.unwrap_or(1) - 1);
        let game = game.with_context(|| match self.game_number {
            Some(number) => format!("there is no game {number}"),
            None => "no game in the file".to_owned(),
        })??;
        let is_only = self.game_number.is_some() || games.next().is_none();
        ensure!(is_only, "there are several games: select one with --game-number");
        if let Some(name) = game.hidden_opening.first() {
            bail!("its opening is in the private property {name}, which is not supported");
        }
        if let Some(error) = &game.unread {
            bail!("{error}");
        }
        Ok(game)
    }
}

/// The error of a game that commands about a position cannot read.
pub const OTHER_FAMILY: &str = "its game does not belong to the Gomocup family";

/// The games in the file at `path`; `None` if it is not a file of games.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn games(path: &Path, options: ReadOptions) -> Result<Option<RecordedGames<'static>>> {
    let input = BufReader::new(files::open(path).map_err(SystemError)?);
    Ok(read_any(input, options).map_err(SystemError)?)
}

/// The rule of a game of the Gomocup family, or freestyle if the game does not specify one.
///
/// # Errors
/// Returns an error if the rule is unknown, or the game does not belong to the family.
pub fn rule_of(game: &RecordedGame) -> Result<Rule> {
    let Some(name) = &game.rule else { return Ok(Rule::default()) };
    ensure!(!game.is_variant(), OTHER_FAMILY);
    let shown: String = name.chars().take(40).flat_map(char::escape_debug).collect();
    name.parse().ok().with_context(|| format!("its rule '{shown}' is unknown: set one with --rule"))
}
