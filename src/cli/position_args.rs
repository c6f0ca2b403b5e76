//! The arguments of commands about one position, and how positions are read.

use std::path::Path;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::Args;

use super::game_file::{GameFileArgs, OTHER_FAMILY, rule_of};
use super::play::SavedGame;
use super::rule_name;
use crate::board::notation::{NotationError, format_fen, parse_fen, parse_moves};
use crate::board::offsets::parse_offsets;
use crate::board::{Board, Size};
use crate::game::{PASS, Turn, parse_turns};
use crate::game_files::RecordedGame;
use crate::rules::{Position, Rule, Verdict, plain};
use crate::terminal::text::counted;

/// Help for a position.
pub const POSITION: &str = "The position: a FEN (rows from the top, X for black, O for white, # blocked, numbers for \
    runs of empty points), moves from the empty board such as h8i9j10, or a file with a game (SGF, PGN, PSQ, RIF, \
    POS, results of `tournament`, or saved by play)";

/// The rule and the board of a position.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// Rule: freestyle, standard, renju, caro, caro-exact, or a Gomocup code
    #[arg(long, default_value = "freestyle", value_parser = rule_name::parse)]
    pub rule: Rule,
    /// The board for a list of moves
    #[arg(long, value_name = "N|WxH", default_value = "15")]
    pub size: Size,
}

/// The position of a command, and its rule.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// Rule: freestyle, standard, renju, caro, caro-exact, or a Gomocup code [default: freestyle, or the rule of the file]
    #[arg(long, value_parser = rule_name::parse)]
    pub rule: Option<Rule>,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// The position of a command that has its own rule.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    #[arg(value_name = "POSITION", help = POSITION)]
    pub position: String,
    /// The board for a list of moves, or for a game that states none [default: 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
    /// The position after N moves of the game, 0 for its beginning; stones that an SGF file sets up are no moves
    /// [default: after the last move]
    #[arg(long = "move", value_name = "N")]
    pub move_number: Option<usize>,
    #[command(flatten)]
    pub file: GameFileArgs,
}

impl PositionArgs {
    /// The board, without a winning row, and the rule.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or the game is over. If its last move ended it, the error says
    /// how to get the position before that move.
    pub fn read(&self) -> Result<(Board, Rule)> {
        self.read_undecided().map_err(|error| self.with_advice(error))
    }

    fn read_undecided(&self) -> Result<(Board, Rule)> {
        let (board, rule) = self.place.read_with(self.rule, FoulAtEnd::Refused)?;
        let board = self.undecided(board, rule);
        let board = match file_of(&self.place.position) {
            Some(path) => board.with_context(|| path.display().to_string()),
            None => board,
        };
        Ok((board?, rule))
    }

    fn with_advice(&self, error: Error) -> Error {
        match self.moves_before_end() {
            Some(number) => anyhow!("{error:#}; --move {number} is the position before the last move"),
            None => error,
        }
    }

    /// Number of moves before the last one, if the last one ended the game.
    fn moves_before_end(&self) -> Option<usize> {
        self.read_any().ok()?;
        let number = self.turns().ok()?.len().checked_sub(1)?;
        let (board, rule) = self.place.read_after(Some(number), self.rule, FoulAtEnd::Refused).ok()?;
        self.undecided(board, rule).ok().map(|_| number)
    }

    /// The board of this position, unless the game is over.
    fn undecided(&self, board: Board, rule: Rule) -> Result<Board> {
        match undecided(board.clone(), rule) {
            Err(_) if rule.continuous && self.is_replayed(rule) => Ok(board),
            checked => checked,
        }
    }

    /// Whether moves lead to the position from a board without a winning row.
    fn is_replayed(&self, rule: Rule) -> bool {
        let PlaceArgs { position, size, file, .. } = &self.place;
        let Some(path) = file_of(position) else { return !is_fen(position) };
        match file.game_with_start(path, self.rule, *size) {
            Ok(Some(game)) => game.start.is_none_or(|start| !plain::has_row(&start, rule.kind)),
            Ok(None) => SavedGame::load(path).is_ok_and(|saved| !is_fen(&saved.moves)),
            Err(_) => false,
        }
    }

    /// Like [`PositionArgs::read`], but also accepts a position in which the game is over.
    ///
    /// # Errors
    /// Returns an error if there is no such position.
    pub fn read_any(&self) -> Result<(Board, Rule)> {
        self.place.read_with(self.rule, FoulAtEnd::Played)
    }

    /// The turns that lead to the position; none for a FEN.
    ///
    /// # Errors
    /// Returns the same errors as [`PositionArgs::read_any`].
    pub fn turns(&self) -> Result<Vec<Turn>> {
        self.place.turns(self.rule)
    }
}

impl PlaceArgs {
    /// The board, and the rule unless `rule` is given.
    ///
    /// # Errors
    /// Returns an error if there is no such position.
    pub fn read_with(&self, rule: Option<Rule>, foul: FoulAtEnd) -> Result<(Board, Rule)> {
        self.read_after(self.move_number, rule, foul)
    }

    /// Like [`PlaceArgs::read_with`], but after `number` moves.
    fn read_after(
        &self,
        number: Option<usize>,
        rule: Option<Rule>,
        foul: FoulAtEnd,
    ) -> Result<(Board, Rule)> {
        let Some(path) = file_of(&self.position) else {
            let rule = rule.unwrap_or_default();
            let size = self.size.unwrap_or_default();
            ensure!(self.file.game_number.is_none(), NO_GAMES);
            return Ok((read_board_after(&self.position, rule, size, number, foul)?, rule));
        };
        read_file(path, rule, self.size, &self.file, number, foul).with_context(|| path.display().to_string())
    }

    fn turns(&self, rule: Option<Rule>) -> Result<Vec<Turn>> {
        let of_text = |text: &str, size: Size| -> Result<Vec<Turn>> {
            Ok(if is_fen(text) { Vec::new() } else { parse_turns(text, size).context("not a position")? })
        };
        let turns = match file_of(&self.position) {
            None => of_text(&self.position, self.size.unwrap_or_default())?,
            Some(path) => match self.file.game_with_start(path, rule, self.size)? {
                Some(game) => game.turns(),
                None => {
                    let saved = SavedGame::load(path)?;
                    of_text(&saved.moves, saved.size.or(self.size).unwrap_or_default())?
                }
            },
        };
        beginning(turns, self.move_number)
    }
}

/// The file named by a text, unless the text is a position.
pub fn file_of(text: &str) -> Option<&Path> {
    let is_position = parse_fen(text).is_ok() || listed_turns(text, Size::LARGEST).is_ok();
    let path = Path::new(text);
    let endings = ["sgf", "pgn", "psq", "txt", "jsonl", "rif", "pos"];
    let is_named_so = || {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
    };
    (!text.is_empty() && !is_position && (path.exists() || is_named_so())).then_some(path)
}

/// The first `number` turns, or all of them.
fn beginning(mut turns: Vec<Turn>, number: Option<usize>) -> Result<Vec<Turn>> {
    let number = number.unwrap_or(turns.len());
    ensure!(number <= turns.len(), "the game has only {}", counted(turns.len(), "move"));
    turns.truncate(number);
    Ok(turns)
}

/// A foul as the last move, which ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoulAtEnd {
    /// An error: the game is over.
    Refused,
    /// A stone like any other.
    Played,
}

/// Error for `--move` with a position without moves.
const NO_MOVES: &str = "--move needs moves or a game, and a FEN has none";
/// The error for `--game-number` without a file.
pub const NO_GAMES: &str = "--game-number needs a file with games";

/// The position of the game in a file after `number` moves, or its last one, and its rule, unless `rule` is given.
fn read_file(
    path: &Path,
    rule: Option<Rule>,
    size: Option<Size>,
    how: &GameFileArgs,
    number: Option<usize>,
    foul: FoulAtEnd,
) -> Result<(Board, Rule)> {
    if let Some(game) = how.game_with_start(path, rule, size)? {
        return after(&game, number, foul);
    }
    ensure!(how.game_number.is_none(), NO_GAMES);
    let saved = SavedGame::load(path)?;
    ensure!(saved.game.is_none(), OTHER_FAMILY);
    let rule = rule.or(saved.rule.map(Rule::from)).unwrap_or_default();
    if let Ok(board) = parse_fen(saved.moves.trim()) {
        ensure!(number.is_none(), NO_MOVES);
        return Ok((board, rule));
    }
    let size = saved.size.or(size).unwrap_or_default();
    let turns = parse_turns(&saved.moves, size).context("it contains no known game")?;
    Ok((played(beginning(turns, number)?, rule, size, foul)?, rule))
}

/// The position after `number` moves of a game, or after all, and its rule.
fn after(game: &RecordedGame, number: Option<usize>, foul: FoulAtEnd) -> Result<(Board, Rule)> {
    let rule = rule_of(game)?;
    let start = game.start.as_deref().cloned().unwrap_or_else(|| Board::new(game.board()));
    Ok((played_from(start, beginning(game.turns(), number)?, rule, foul)?, rule))
}

/// The position of a FEN, or of moves, without a winning row.
///
/// # Errors
/// Returns an error if the text is not a position, or the game is over.
pub fn read_position(text: &str, game: &GameArgs) -> Result<Board> {
    let board = read_board(text, game.rule, game.size)?;
    if is_fen(text) { undecided(board, game.rule) } else { undecided_after_moves(board, game.rule) }
}

/// The position in a line of a file of openings: a FEN, moves, or offsets from the centre, without a winning
/// row.
///
/// # Errors
/// Returns an error if the line is not a position, or if its game is over.
pub fn read_opening(line: &str, game: &GameArgs) -> Result<Board> {
    // Offsets have no letters, but moves may be numbered.
    if line.contains(|c: char| c == '/' || c.is_ascii_alphabetic()) {
        return read_position(line, game);
    }
    let turns = parse_offsets(line, game.size)?.into_iter().map(|point| Some(point.into())).collect();
    undecided_after_moves(played(turns, game.rule, game.size, FoulAtEnd::Refused)?, game.rule)
}

/// The board that moves lead to, unless there is a winning row on it that ends the game. In a continuous game, the
/// blocked points of one row may shorten an overline to another winning row, and play continues.
fn undecided_after_moves(board: Board, rule: Rule) -> Result<Board> {
    if rule.continuous { Ok(board) } else { undecided(board, rule) }
}

/// The board of a position that was set up, unless there is a winning row on it.
///
/// # Errors
/// Returns an error if there is one.
pub fn undecided(board: Board, rule: Rule) -> Result<Board> {
    let has_row = plain::has_row(&board, rule.kind);
    ensure!(!(has_row && rule.continuous), "there is a row whose points are blocked in a continuous game");
    ensure!(!has_row, "the game is over: there is a winning row");
    Ok(board)
}

/// The board of a FEN, or of moves on an empty board of `size`.
///
/// # Errors
/// Returns an error if the text is neither.
pub fn read_board(text: &str, rule: Rule, size: Size) -> Result<Board> {
    read_board_after(text, rule, size, None, FoulAtEnd::Refused)
}

/// Like [`read_board`], but after the first `number` moves.
fn read_board_after(
    text: &str,
    rule: Rule,
    size: Size,
    number: Option<usize>,
    foul: FoulAtEnd,
) -> Result<Board> {
    if is_fen(text) {
        ensure!(number.is_none(), NO_MOVES);
        parse_fen(text).context("not a position")
    } else {
        let turns = listed_turns(text, size).context("not a position")?;
        played(beginning(turns, number)?, rule, size, foul)
    }
}

/// Whether a position is a FEN, and not a list of moves.
fn is_fen(text: &str) -> bool {
    text.contains('/')
}

/// The turns of a list of moves, in which a side may pass.
fn listed_turns(text: &str, size: Size) -> Result<Vec<Turn>, NotationError> {
    match parse_moves(text, size) {
        Err(_) if text.contains(PASS) => parse_turns(text, size),
        moves => Ok(moves?.into_iter().map(|point| Some(point.into())).collect()),
    }
}

/// The board after moves and passes on an empty one.
fn played(turns: Vec<Turn>, rule: Rule, size: Size, foul_at_end: FoulAtEnd) -> Result<Board> {
    played_from(Board::new(size), turns, rule, foul_at_end)
}

/// The board after moves and passes in a position.
fn played_from(start: Board, turns: Vec<Turn>, rule: Rule, foul_at_end: FoulAtEnd) -> Result<Board> {
    let last = turns.len();
    let mut position = Position::new(start, rule);
    for (i, turn) in turns.into_iter().enumerate() {
        let Some(mv) = turn else {
            position.pass();
            continue;
        };
        match position.verdict(mv.point) {
            // In a continuous game the stones of a row become blocked points.
            Verdict::Plain | Verdict::Five => position.play_in_game(mv.point),
            Verdict::Foul(_) if i + 1 == last && foul_at_end == FoulAtEnd::Played => {
                position.play(mv.point);
            }
            Verdict::Foul(foul) => bail!("move {} is a {foul}", i + 1),
            Verdict::Illegal => bail!("move {} is not on an empty point", i + 1),
        }
    }
    // Like a position that was set up, it has no moves to take back.
    Ok(parse_fen(&format_fen(position.board()))?)
}
