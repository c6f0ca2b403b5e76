//! Games: SGF, PGN, Piskvork's files, and results of `tournament`. Every position of a game gets its result
//! counted; positions of variations, which are imported on request, have none.
//!
//! Games that cannot be read or are illegal are skipped and counted, unless there are no others. Only a results file is
//! rejected if a record cannot be read. No position occurs twice within a game, because stones are only added.

use std::io::BufRead;

use super::{ImportOptions, TransferError};
use crate::board::{Board, Color, Point};
use crate::database::key::Canonical;
use crate::database::merging::Importer;
use crate::database::record::{GameCounts, Record};
use crate::game::{Game, GameResult, Outcome, Reason, Refusal, Turn, format_turns};
use crate::game_files::{FileError, RecordedGame, RecordedMove, is_note, results};
use crate::rules::{GomokuGame, Rule, plain};

/// Statistics of an import of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// Games in the file.
    pub read: u64,
    /// Games of unknown result, which are not counted; the comments on their positions are imported.
    pub without_result: u64,
    /// Games that were skipped because the file does not contain their moves.
    pub without_moves: u64,
    /// Games that were skipped because the database does not support their rules or boards.
    pub of_other_kinds: u64,
    /// Games that were skipped because their opening is in private properties.
    pub with_hidden_opening: u64,
    /// Games that were skipped because they cannot be read or are illegal.
    pub wrong: u64,
    /// Lines that are not games.
    pub other_lines: u64,
    /// Whether the file ends in the middle of a game, which was skipped.
    pub is_torn: bool,
}

/// Imports the positions of games. Returns the statistics and the reason why the first invalid game was skipped.
pub(super) fn import(
    mut games: impl Iterator<Item = Result<RecordedGame, FileError>>,
    options: &ImportOptions,
    into: &mut Importer,
) -> Result<(GameTally, Option<TransferError>), TransferError> {
    let mut import = GameImport { options, into, tally: GameTally::default(), fault: None };
    games.try_for_each(|game| import.take(game))?;
    import.finish()
}

/// Imports the positions of a results file, like [`import`], but ends with the error of the first record that cannot be
/// read: then nothing of the file is counted.
pub(super) fn import_results(
    input: impl BufRead,
    options: &ImportOptions,
    into: &mut Importer,
) -> Result<(GameTally, Option<TransferError>), TransferError> {
    let mut games = GameImport { options, into, tally: GameTally::default(), fault: None };
    let mut reader = results::ResultsReader::new(input);
    reader.by_ref().try_for_each(|game| games.take(Ok(game?)))?;
    let (tally, fault) = games.finish()?;
    Ok((GameTally { other_lines: reader.other_lines(), is_torn: reader.is_torn(), ..tally }, fault))
}

impl From<FileError> for TransferError {
    fn from(error: FileError) -> TransferError {
        match error {
            FileError::Line(line, what) | FileError::Rest(line, what) => {
                TransferError::line(line as u64, what)
            }
            FileError::Game(line, what) => TransferError::line(line as u64, format!("game: {what}")),
        }
    }
}

/// Imports one game after the other.
struct GameImport<'a, 'b> {
    options: &'a ImportOptions,
    into: &'a mut Importer<'b>,
    tally: GameTally,
    /// The error in the first invalid game.
    fault: Option<TransferError>,
}

impl GameImport<'_, '_> {
    /// Imports the next game, or counts it as skipped.
    fn take(&mut self, game: Result<RecordedGame, FileError>) -> Result<(), TransferError> {
        if let Err(error @ FileError::Rest(..)) = game {
            return Err(error.into());
        }
        self.tally.read += 1;
        match game.map_err(TransferError::from).and_then(|game| self.take_game(&game)) {
            Err(error @ TransferError::Input(..)) => {
                self.tally.wrong += 1;
                self.fault.get_or_insert(error);
                Ok(())
            }
            taken => taken,
        }
    }

    /// The statistics.
    ///
    /// # Errors
    /// If every game is invalid: the error in the first.
    fn finish(self) -> Result<(GameTally, Option<TransferError>), TransferError> {
        match self.fault {
            Some(fault) if self.tally.wrong == self.tally.read => Err(fault),
            fault => Ok((self.tally, fault)),
        }
    }

    fn take_game(&mut self, game: &RecordedGame) -> Result<(), TransferError> {
        let own_rule = self.options.forced.map(Ok).or_else(|| Some(game.rule.as_deref()?.parse::<Rule>()));
        let Ok(rule) = own_rule.unwrap_or(Ok(self.options.rule.into())) else {
            self.tally.of_other_kinds += 1;
            return Ok(());
        };
        if rule.continuous {
            self.tally.of_other_kinds += 1;
        } else if !game.hidden_opening.is_empty() {
            self.tally.with_hidden_opening += 1;
        } else if game.moves.is_empty() {
            self.tally.without_moves += 1;
        } else {
            let (line, number) = (game.line as u64, self.tally.read);
            let fault = |what| TransferError::line(line, format!("game {number}: {what}"));
            let result = judge(game, rule).map_err(fault)?;
            let positions = self.positions(game, rule, result).map_err(fault)?;
            // Either all positions of a game are imported or none.
            let too_long = positions.iter().find_map(|(_, record)| record.check().err());
            if let Some(error) = too_long {
                return Err(fault(error.to_string()));
            }
            self.tally.without_result += u64::from(result.is_none());
            for (position, record) in positions {
                self.into.add_position(&position, record)?;
            }
        }
        Ok(())
    }

    /// The positions of a game up to the last requested ply, starting with the empty board, with the data that the
    /// game adds to them, and then the positions of its variations, which have no result. If a position was set up for
    /// the side out of turn, it is the first.
    ///
    /// # Errors
    /// If a variation is illegal.
    fn positions(
        &self,
        game: &RecordedGame,
        rule: Rule,
        result: Option<GameResult>,
    ) -> Result<Vec<(Canonical, Record)>, String> {
        let first = if has_set_up_pass(game) { game.opening } else { 0 };
        let main: Vec<&RecordedMove> = game.moves.iter().collect();
        let mut found = self.line_positions(game, &main, first, rule, result);
        for (number, variation) in game.variations.iter().enumerate() {
            let line = game.line_of(number);
            replay(game, &line, rule).map_err(|what| format!("a variation: {what}"))?;
            found.extend(self.line_positions(game, &line, first.max(variation.ply + 1), rule, None));
        }
        Ok(found)
    }

    /// The positions of a line of play from ply `first` on.
    fn line_positions(
        &self,
        game: &RecordedGame,
        line: &[&RecordedMove],
        first: usize,
        rule: Rule,
        result: Option<GameResult>,
    ) -> Vec<(Canonical, Record)> {
        let turns: Vec<Turn> = line.iter().take(self.options.plies).map(|recorded| recorded.mv).collect();
        let moves: Option<Vec<Point>> = turns.iter().map(|turn| Some((*turn)?.point)).collect();
        let mut found = Vec::new();
        for ply in first..=turns.len() {
            let last = ply.checked_sub(1).and_then(|last| line[last].comment.as_deref());
            let comment = last.filter(|comment| !is_note(comment)).unwrap_or_default();
            let side_to_move = Color::ALL[ply % 2];
            let games = result.map_or_else(GameCounts::default, |result| count(result, side_to_move));
            let record = Record { games, text: comment.trim().replace("\r\n", "\n"), ..Record::default() };
            if record == Record::default() && !self.options.variations {
                continue;
            }
            let position = match &moves {
                Some(moves) => Some(Canonical::of_moves(&moves[..ply], rule.kind, game.board())),
                None => Canonical::of(&board_of(game, &turns[..ply]), rule),
            };
            found.extend(position.map(|position| (position, record)));
        }
        found
    }
}

/// Whether a side passed in the opening because the position was set up that way.
fn has_set_up_pass(game: &RecordedGame) -> bool {
    game.moves[..game.opening.min(game.moves.len())].iter().any(|recorded| recorded.mv.is_none())
}

/// The board after turns on empty points.
fn board_of(game: &RecordedGame, turns: &[Turn]) -> Board {
    let mut board = Board::new(game.board());
    for turn in turns {
        match turn {
            Some(mv) => board.play(mv.point),
            None => board.pass(),
        }
    }
    board
}

/// One game, counted for the side to move.
fn count(result: GameResult, side_to_move: Color) -> GameCounts {
    let mut games = GameCounts::default();
    match result.winner() {
        None => games.drawn = 1,
        Some(winner) if winner == side_to_move => games.won = 1,
        Some(_) => games.lost = 1,
    }
    games
}

/// Result of a legal game: the result in the file, or else the result by the rules.
///
/// # Errors
/// If a move is illegal, or if the file and the rules disagree.
fn judge(recorded: &RecordedGame, rule: Rule) -> Result<Option<GameResult>, String> {
    let main: Vec<&RecordedMove> = recorded.moves.iter().collect();
    let Some(outcome) = replay(recorded, &main, rule)? else { return Ok(recorded.result) };
    let by_rules = outcome.result();
    match recorded.result {
        Some(result) if result != by_rules => {
            let moves = recorded.moves.len();
            Err(format!("the file gives {}, but move {moves} made {}", in_words(result), end(outcome)))
        }
        _ => Ok(Some(by_rules)),
    }
}

/// Plays a line of a game, and returns how it ends by the rules, if it does.
///
/// # Errors
/// If a move is illegal.
fn replay(recorded: &RecordedGame, line: &[&RecordedMove], rule: Rule) -> Result<Option<Outcome>, String> {
    let turns: Vec<Turn> = line.iter().map(|recorded| recorded.mv).collect();
    let set_up = if has_set_up_pass(recorded) { recorded.opening } else { 0 };
    let board = board_of(recorded, &turns[..set_up]);
    for color in Color::ALL {
        if board.stones(color).iter().any(|point| plain::makes_five(&board, rule.kind, color, point)) {
            return Err("a winning row is set up".to_owned());
        }
    }
    let mut game = GomokuGame::from_board(board, rule);
    for (played, &turn) in turns.iter().enumerate().skip(set_up) {
        let taken = match turn {
            Some(mv) => game.check(mv).map(|()| game.play(mv)),
            None => game.pass(),
        };
        taken.map_err(|refusal| {
            let why = match (refusal, game.outcome()) {
                (Refusal::Over, Some(outcome)) => {
                    format!("the game was over with move {played}, {}", end(outcome))
                }
                (refusal, _) => refusal.to_string(),
            };
            format!("move {}, {}: {why}", played + 1, format_turns(&[turn], recorded.board()))
        })?;
    }
    Ok(game.outcome())
}

/// What ended the game.
fn end(outcome: Outcome) -> String {
    match outcome.reason {
        Reason::Five => "a winning row".to_owned(),
        Reason::Foul(foul) => format!("a {foul}, which is a foul"),
        other => other.to_string(),
    }
}

fn in_words(result: GameResult) -> String {
    match result.winner() {
        Some(winner) => format!("a win of {winner}"),
        None => "a draw".to_owned(),
    }
}
