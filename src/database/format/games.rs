//! Games: SGF, PGN, and results of `tournament`. Every position of a game is counted for its result.
//!
//! A file is taken whole or not at all, so that one with a wrong game can be mended and taken again: games that come
//! twice count twice. Within a game no position comes twice, for its stones only become more.

use std::io::BufRead;

use super::{ImportTerms, TransferError};
use crate::board::{Color, Point};
use crate::database::error::DatabaseError;
use crate::database::key::Canonical;
use crate::database::merging::Importer;
use crate::database::record::{GameCounts, Record};
use crate::game::{Game, Outcome, Reason, Refusal, format_move};
use crate::game_files::{self, FileError, RecordedGame, RecordedResult, results};
use crate::rules::{GomokuGame, Rule};

/// Numbers of an import of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// Games of the file.
    pub read: u64,
    /// Games of these that count nothing, for nobody knows how they ended; comments on their positions are taken.
    pub without_result: u64,
    /// Games that were left out, for the file does not tell their moves.
    pub without_moves: u64,
    /// Games that were left out: by rules, or on boards, of which the database knows nothing.
    pub of_other_kinds: u64,
    /// Lines that are no games.
    pub other_lines: u64,
    /// The file ends in the middle of a game, which was left out.
    pub is_torn: bool,
}

/// Takes the positions of SGF and PGN games.
pub(super) fn import(
    format: game_files::GameFormat,
    input: impl BufRead,
    terms: &ImportTerms,
    into: &mut Importer,
) -> Result<GameTally, TransferError> {
    let mut taker = Taker { terms, into, tally: GameTally::default() };
    game_files::read_on(format, terms.size, input).try_for_each(|game| taker.take(&game?))?;
    Ok(taker.tally)
}

/// Takes the positions of a results file.
pub(super) fn import_results(
    input: impl BufRead,
    terms: &ImportTerms,
    into: &mut Importer,
) -> Result<GameTally, TransferError> {
    let mut taker = Taker { terms, into, tally: GameTally::default() };
    let mut reader = results::ResultsReader::new(input);
    reader.by_ref().try_for_each(|game| taker.take(&game?))?;
    Ok(GameTally { other_lines: reader.other_lines(), is_torn: reader.is_torn(), ..taker.tally })
}

impl From<FileError> for TransferError {
    fn from(error: FileError) -> TransferError {
        match error {
            FileError::Line(line, what) => TransferError::line(line as u64, what),
            FileError::Game(line, what) => TransferError::line(line as u64, format!("game: {what}")),
        }
    }
}

/// Takes one game after the other.
struct Taker<'a, 'b> {
    terms: &'a ImportTerms,
    into: &'a mut Importer<'b>,
    tally: GameTally,
}

impl Taker<'_, '_> {
    fn take(&mut self, game: &RecordedGame) -> Result<(), TransferError> {
        self.tally.read += 1;
        let told = game.rule.as_deref().map(str::parse::<Rule>);
        let Ok(rule) = told.unwrap_or(Ok(self.terms.rule.into())) else {
            self.tally.of_other_kinds += 1;
            return Ok(());
        };
        if rule.continuous {
            self.tally.of_other_kinds += 1;
        } else if game.moves.is_empty() {
            self.tally.without_moves += 1;
        } else {
            let (line, number) = (game.line as u64, self.tally.read);
            let fault = |what| TransferError::line(line, format!("game {number}: {what}"));
            let result = judge(game, rule).map_err(fault)?;
            self.tally.without_result += u64::from(result.is_none());
            self.add_positions(game, rule, result).map_err(|error| match error {
                DatabaseError::Record(error) => fault(error.to_string()),
                other => other.into(),
            })?;
        }
        Ok(())
    }

    /// Counts the positions up to the last ply that is asked for, the empty board first.
    fn add_positions(
        &mut self,
        game: &RecordedGame,
        rule: Rule,
        result: Option<RecordedResult>,
    ) -> Result<(), DatabaseError> {
        let moves: Vec<Point> =
            game.moves.iter().take(self.terms.plies).map(|played| played.mv.point).collect();
        for ply in 0..=moves.len() {
            let last = ply.checked_sub(1).and_then(|last| game.moves[last].comment.as_deref());
            let comment = last.filter(|comment| !game_files::is_note(comment)).unwrap_or_default();
            let side_to_move = Color::ALL[ply % 2];
            let games = result.map_or_else(GameCounts::default, |result| count(result, side_to_move));
            let record = Record { games, text: comment.trim().replace("\r\n", "\n"), ..Record::default() };
            if record != Record::default() {
                let position = Canonical::of_moves(&moves[..ply], rule.kind, game.board());
                self.into.add_position(&position, record)?;
            }
        }
        Ok(())
    }
}

/// One game for the side to move.
fn count(result: RecordedResult, side_to_move: Color) -> GameCounts {
    let mut games = GameCounts::default();
    match result {
        RecordedResult::Draw => games.drawn = 1,
        RecordedResult::Win(winner) if winner == side_to_move => games.won = 1,
        RecordedResult::Win(_) => games.lost = 1,
    }
    games
}

/// Result of a game that is played by the rules: the one that the file tells, or else the rules.
///
/// # Errors
/// When a move is against the rules, and when file and rules disagree.
fn judge(recorded: &RecordedGame, rule: Rule) -> Result<Option<RecordedResult>, String> {
    let mut game = GomokuGame::new(recorded.board(), rule);
    for (played, mv) in recorded.moves.iter().map(|recorded| recorded.mv).enumerate() {
        game.check(mv).map_err(|refusal| {
            let why = match (refusal, game.outcome()) {
                (Refusal::Over, Some(outcome)) => {
                    format!("the game was over with move {played}, {}", end(outcome))
                }
                (refusal, _) => refusal.to_string(),
            };
            format!("move {}, {}: {why}", played + 1, format_move(mv, recorded.board()))
        })?;
        game.play(mv);
    }
    let Some(outcome) = game.outcome() else { return Ok(recorded.result) };
    let by_rules = outcome.winner.map_or(RecordedResult::Draw, RecordedResult::Win);
    match recorded.result {
        Some(told) if told != by_rules => {
            let moves = recorded.moves.len();
            Err(format!("the file tells {}, but move {moves} made {}", in_words(told), end(outcome)))
        }
        _ => Ok(Some(by_rules)),
    }
}

/// By what a game ended.
fn end(outcome: Outcome) -> String {
    match outcome.reason {
        Reason::Five => "a winning row".to_owned(),
        Reason::Foul(foul) => format!("a {foul}, which is a foul"),
        other => other.to_string(),
    }
}

fn in_words(result: RecordedResult) -> String {
    match result {
        RecordedResult::Win(winner) => format!("a win of {winner}"),
        RecordedResult::Draw => "a draw".to_owned(),
    }
}
