//! The games to review: from files, or moves on the command line.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};

use crate::board::notation::parse_moves;
use crate::board::{Board, ByColor, Color, Size};
use crate::cli::file_error;
use crate::cli::game_file::{GameFileArgs, GameKindArg, rule_of};
use crate::cli::position_args::{NO_GAMES, file_of};
use crate::files::{self, inputs, is_same};
use crate::game::{GameResult, Outcome, PASS, Turn, parse_turns};
use crate::game_files::{ReadOptions, RecordedGame, read_any};
use crate::review::{GameMoves, side_and_points};
use crate::rules::Rule;

/// A game to review.
pub struct SourceGame {
    /// File and number, or the first moves: the name for messages.
    pub title: String,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// The result by the file or by the rules.
    pub result: Option<GameResult>,
    /// The moves.
    pub moves: GameMoves,
}

/// A game, or the reason why it is skipped.
pub enum ReviewedGame {
    /// A game that can be reviewed.
    Game(Box<SourceGame>),
    /// The reason why the next game is skipped, in one line.
    LeftOut(String),
}

type Games<'a> = Box<dyn Iterator<Item = Result<ReviewedGame>> + 'a>;

/// Settings for reading games.
pub struct SourceTerms<'a> {
    /// The rule of all games, instead of the rules in the files.
    pub rule: Option<Rule>,
    /// The board of games that do not specify one.
    pub size: Size,
    /// The selected game of a file, and settings for reading files.
    pub file: &'a GameFileArgs,
}

/// The sources that `names` refer to: folders and patterns are replaced by their files, except those that this
/// review `writes`, which an earlier run may have left there.
///
/// # Errors
/// Returns an error if a folder contains no such file, or if a pattern matches none.
pub fn names(names: &[String], writes: &[&Path]) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for name in names {
        let mut files = inputs(&[PathBuf::from(name)], &["sgf", "pgn", "psq", "jsonl", "rif", "pos"])?;
        files.retain(|file| file == Path::new(name) || !writes.iter().any(|written| is_same(file, written)));
        ensure!(!files.is_empty(), "{name}: no file to review");
        sources.extend(files);
    }
    Ok(sources)
}

/// The games of a file, or the game whose moves `name` lists.
///
/// # Errors
/// Returns an error if a file cannot be opened or its format is unknown, or if the name is neither a file nor a list
/// of moves.
pub fn games<'a>(name: &'a Path, terms: &'a SourceTerms) -> Result<Games<'a>> {
    let text = name.to_string_lossy();
    // What is not UTF-8 is the name of a file.
    let Some(path) = name.to_str().map_or(Some(name), file_of) else {
        ensure!(terms.file.game_number.is_none(), NO_GAMES);
        let (pass, rest) = match text.trim_start().strip_prefix(PASS) {
            Some(rest) => (Some(None), rest),
            None => (None, &*text),
        };
        let turns: Result<Vec<Turn>, _> = match parse_moves(rest, terms.size) {
            // Other passes are read for an error that names the cause.
            Err(_) if rest.contains(PASS) => parse_turns(&text, terms.size),
            moves => moves
                .map(|moves| pass.into_iter().chain(moves.into_iter().map(|at| Some(at.into()))).collect()),
        };
        let turns =
            turns.with_context(|| format!("'{}' is neither a file nor moves", text.escape_debug()))?;
        let rule = terms.rule.unwrap_or_default();
        let game = SourceGame::new(text.into_owned(), rule, Board::new(terms.size), &turns)
            .map_err(|why| anyhow!("this game cannot be reviewed: {why}"))?;
        return Ok(Box::new(std::iter::once(Ok(ReviewedGame::Game(Box::new(game))))));
    };
    let unreadable = |error| file_error("read", path, error);
    let input = BufReader::new(files::open(path).map_err(unreadable)?);
    let GameFileArgs { encoding, game_kind, .. } = *terms.file;
    let any_kind = game_kind == GameKindArg::Any;
    let (board, rule) = (terms.size, terms.rule);
    let options = ReadOptions { board, rule, encoding, any_kind, variations: false, positions: true };
    let recorded = read_any(input, options).map_err(unreadable)?;
    let recorded =
        recorded.ok_or_else(|| anyhow!("{text}: not an SGF, PGN, PSQ, RIF, POS or results file"))?;
    let wanted = terms.file.game_number;
    let numbered =
        (1..).zip(recorded).filter(move |(number, _)| wanted.is_none_or(|wanted| wanted == *number));
    Ok(Box::new(numbered.map(move |(number, game)| {
        let title = format!("{text}, game {number}");
        let game = game.map_err(|error| error.to_string());
        Ok(match game.and_then(|game| source_game(title.clone(), game, terms)) {
            Ok(game) => ReviewedGame::Game(Box::new(game)),
            Err(why) => ReviewedGame::LeftOut(format!("{title} is left out: {why}")),
        })
    })))
}

fn source_game(title: String, recorded: RecordedGame, terms: &SourceTerms) -> Result<SourceGame, String> {
    if let Some(name) = recorded.hidden_opening.first() {
        return Err(format!("its opening is in the private property {}", name.escape_debug()));
    }
    if let Some(error) = recorded.unread {
        return Err(error.to_string());
    }
    let rule = match terms.rule {
        Some(rule) if !recorded.is_variant() => rule,
        _ => rule_of(&recorded).map_err(|error| error.to_string())?,
    };
    let turns: Vec<Turn> = recorded.moves.iter().map(|played| played.mv).collect();
    let start = recorded.start.as_deref().cloned().unwrap_or_else(|| Board::new(recorded.board()));
    let game = SourceGame::new(title, rule, start, &turns)?;
    Ok(SourceGame { players: recorded.players, result: game.result.or(recorded.result), ..game })
}

impl SourceGame {
    /// A game of these turns from a position, with the result by the rules.
    fn new(title: String, rule: Rule, mut start: Board, turns: &[Turn]) -> Result<SourceGame, String> {
        let (first, moves) = side_and_points(turns).ok_or("it contains a pass")?;
        if moves.is_empty() {
            return Err("it has no moves".to_owned());
        }
        // After a pass, the other side begins.
        if first == Color::White {
            start.set_side_to_move(!start.side_to_move());
        }
        let moves = GameMoves::from_board(start, rule, moves).map_err(|illegal| illegal.to_string())?;
        let result = moves.outcome().map(Outcome::result);
        Ok(SourceGame { title, players: ByColor::default(), result, moves })
    }
}

/// The result in the notation of score files.
pub fn result_text(result: Option<GameResult>) -> String {
    result.map_or_else(|| "*".to_owned(), |result| result.to_string())
}
