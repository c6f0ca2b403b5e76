//! The games that a review is asked for: files, or moves on the command line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow};

use crate::board::notation::parse_moves;
use crate::board::{ByColor, Color, Point, Size};
use crate::cli::question::GameArgs;
use crate::game_files::results::ResultsReader;
use crate::game_files::{self, FileError, GameFormat, RecordedGame, RecordedResult};
use crate::review::{GameMoves, IllegalMove};
use crate::rules::Rule;

/// A game to review.
pub struct SourceGame {
    /// File and number, or the first moves: a name for messages.
    pub title: String,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// The result that the file gives, or the rules.
    pub result: Option<RecordedResult>,
    /// The moves.
    pub moves: GameMoves,
}

/// A game, or why there is none.
pub enum ReviewedGame {
    /// A game that can be reviewed.
    Game(Box<SourceGame>),
    /// Why the next game is left out, in one line.
    LeftOut(String),
}

type Games<'a> = Box<dyn Iterator<Item = Result<ReviewedGame>> + 'a>;

/// The games of a file called `text`, or the game whose moves `text` lists.
///
/// # Errors
/// When a file can't be opened or its format is not known, or the text is neither the name of a file nor moves.
pub fn games<'a>(text: &'a str, terms: &'a GameArgs) -> Result<Games<'a>> {
    let path = Path::new(text);
    if !path.is_file() {
        let moves = parse_moves(text, terms.size);
        let moves =
            moves.with_context(|| format!("'{}' is neither a file nor moves", text.escape_debug()))?;
        let game = SourceGame::new(text.to_owned(), terms.rule, terms.size, moves).map_err(Error::msg)?;
        return Ok(Box::new(std::iter::once(Ok(ReviewedGame::Game(Box::new(game))))));
    }
    let file = File::open(path).map_err(|error| anyhow!("cannot read {text}: {error}"))?;
    let mut input = BufReader::new(file);
    let beginning = input.fill_buf().map_err(|error| anyhow!("cannot read {text}: {error}"))?;
    let start = String::from_utf8_lossy(&beginning[..beginning.len().min(1024)]).into_owned();
    let recorded: Box<dyn Iterator<Item = Result<RecordedGame, FileError>> + 'a> =
        match GameFormat::of_content(&start) {
            Some(format) => game_files::read_on(format, terms.size, input),
            None if start.trim_start().starts_with('{') => Box::new(ResultsReader::new(input)),
            None => return Err(anyhow!("{text}: not an SGF, PGN or results file")),
        };
    Ok(Box::new((1..).zip(recorded).map(move |(number, game)| {
        let game = game.map_err(|error| anyhow!("{text}, {error}"))?;
        Ok(take(format!("{text}, game {number}"), game, terms))
    })))
}

fn take(title: String, recorded: RecordedGame, terms: &GameArgs) -> ReviewedGame {
    match source_game(title.clone(), recorded, terms) {
        Ok(game) => ReviewedGame::Game(Box::new(game)),
        Err(why) => ReviewedGame::LeftOut(format!("{title} is left out: {why}")),
    }
}

fn source_game(title: String, recorded: RecordedGame, terms: &GameArgs) -> Result<SourceGame, String> {
    let size = recorded.board();
    let rule = match recorded.rule.as_deref() {
        None => terms.rule,
        Some(name) => name.parse::<Rule>().map_err(|_| format!("{} is not reviewed", name.escape_debug()))?,
    };
    let moves = recorded.moves.iter().map(|played| played.mv.point).collect();
    let game = SourceGame::new(title, rule, size, moves)?;
    Ok(SourceGame { players: recorded.players, result: game.result.or(recorded.result), ..game })
}

impl SourceGame {
    /// A game of these moves, with the result that the rules give.
    fn new(title: String, rule: Rule, size: Size, moves: Vec<Point>) -> Result<SourceGame, String> {
        if moves.is_empty() {
            return Err("it has no moves".to_owned());
        }
        let illegal =
            |illegal: IllegalMove| format!("move {} is not legal: {}", illegal.number, illegal.refusal);
        let moves = GameMoves::new(rule, size, moves).map_err(illegal)?;
        let result = moves.outcome().map(|outcome| match outcome.winner {
            Some(winner) => RecordedResult::Win(winner),
            None => RecordedResult::Draw,
        });
        Ok(SourceGame { title, players: ByColor::default(), result, moves })
    }
}

/// The result as score files write it.
pub fn result_text(result: Option<RecordedResult>) -> &'static str {
    match result {
        Some(RecordedResult::Win(Color::Black)) => "1-0",
        Some(RecordedResult::Win(Color::White)) => "0-1",
        Some(RecordedResult::Draw) => "1/2-1/2",
        None => "*",
    }
}
