//! Games: SGF, PGN, Piskvork's files, and results of `tournament`. The result of a game is counted for each
//! of its positions. Positions of variations, which are imported on request, have no results.
//!
//! Games that cannot be read or are illegal are skipped and counted, unless there are no others. A file without any
//! game is rejected, unless it is a results file with a header or a suite of positions. Only a results file is rejected
//! if a record cannot be read. Within a game, every position is counted once: stones are only added, and the position
//! after two passes, which is the position before them, is left out.

use std::io::BufRead;
use std::iter;

use super::{ImportOptions, TransferError};
use crate::board::{Board, Color, Point};
use crate::database::key::Canonical;
use crate::database::merging::Importer;
use crate::database::record::{GameCounts, MOST_TEXT_BYTES, Record, RecordError};
use crate::game::{Game, GameResult, Outcome, Reason, Refusal, Turn, format_turns};
use crate::game_files::{FileError, RecordedGame, RecordedMove, is_note, line_feeds, results};
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
    if import.tally.read == 0 {
        return Err(TransferError::NoGames);
    }
    import.finish()
}

/// Imports the positions of a results file, like [`import`], but stops at the first record that cannot be
/// read and returns its error; then no game of the file is counted.
pub(super) fn import_results(
    input: impl BufRead,
    options: &ImportOptions,
    into: &mut Importer,
) -> Result<(GameTally, Option<TransferError>), TransferError> {
    let mut games = GameImport { options, into, tally: GameTally::default(), fault: None };
    let mut reader = results::ResultsReader::with_options(input, options.reading());
    reader.by_ref().try_for_each(|game| games.take(Ok(game?)))?;
    // A batch may have no games yet, and a folder of games may also contain suites.
    if games.tally.read == 0 && !reader.has_header() && !reader.has_positions() {
        return Err(TransferError::NoGames);
    }
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
    /// Returns an error if every game is invalid: the error in the first.
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
        } else if let Some(error) = &game.unread {
            return Err(error.clone().into());
        } else if game.moves.is_empty() {
            self.tally.without_moves += 1;
        } else {
            let (line, number) = (game.line as u64, self.tally.read);
            let fault = |what| TransferError::line(line, format!("game {number}: {what}"));
            let mut replay = Replay::new(game, rule).map_err(fault)?;
            let result = judge(game, &mut replay).map_err(fault)?;
            // Either all positions of a game are imported or none.
            self.check(game, replay).map_err(fault)?;
            self.tally.without_result += u64::from(result.is_none());
            self.add(game, rule, result)?;
        }
        Ok(())
    }

    /// Checks the variations of a game, and the texts of all its positions.
    fn check(&self, game: &RecordedGame, mut replay: Replay) -> Result<(), String> {
        for number in 0..game.variations.len() {
            replay.play(&game.line_of(number)).map_err(|what| format!("a variation: {what}"))?;
        }
        // A text that is too long is rejected without being copied.
        let length = |text: &str| line_feeds(text).map(char::len_utf8).sum::<usize>();
        for (line, first, _) in lines(game, None) {
            let mut plies = first..=line.len().min(self.options.plies);
            if plies.any(|ply| length(text_at(&line, ply)) > MOST_TEXT_BYTES) {
                return Err(RecordError::TooLong.to_string());
            }
        }
        Ok(())
    }

    /// Adds the positions of a game up to the last requested ply, starting with the empty board, with the data that the
    /// game adds to them, and then the positions of its variations, which have no result. If a position was set up for
    /// the side out of turn, it is the first.
    fn add(
        &mut self,
        game: &RecordedGame,
        rule: Rule,
        result: Option<GameResult>,
    ) -> Result<(), TransferError> {
        let options = self.options;
        for (line, first, result) in lines(game, result) {
            let turns: Vec<Turn> = line.iter().take(options.plies).map(|recorded| recorded.mv).collect();
            let moves: Option<Vec<Point>> = turns.iter().map(|turn| Some((*turn)?.point)).collect();
            for (ply, record) in records(options, &line, first, result) {
                let position = match &moves {
                    Some(moves) => Some(Canonical::of_moves(&moves[..ply], rule.kind, game.board())),
                    None => Canonical::of(&board_of(game, &turns[..ply]), rule),
                };
                if let Some(position) = position {
                    self.into.add_position(&position, record)?;
                }
            }
        }
        Ok(())
    }
}

/// The lines of a game, each with its first ply that counts and its result: the game itself, then its
/// variations.
fn lines(
    game: &RecordedGame,
    result: Option<GameResult>,
) -> impl Iterator<Item = (Vec<&RecordedMove>, usize, Option<GameResult>)> {
    let first = if has_set_up_pass(game) { game.opening } else { 0 };
    let variations = (0..).zip(&game.variations);
    let variations =
        variations.map(move |(number, variation)| (game.line_of(number), first.max(variation.ply + 1), None));
    iter::once((game.moves.iter().collect(), first, result)).chain(variations)
}

/// The comment on the position at a ply, unless a program wrote it.
fn text_at<'a>(line: &[&'a RecordedMove], ply: usize) -> &'a str {
    let last = ply.checked_sub(1).and_then(|last| line[last].comment.as_deref());
    last.filter(|comment| !is_note(comment)).unwrap_or_default().trim()
}

/// The data that a line of play adds to its positions from ply `first` on, with their plies.
fn records(
    options: &ImportOptions,
    line: &[&RecordedMove],
    first: usize,
    result: Option<GameResult>,
) -> impl Iterator<Item = (usize, Record)> {
    (first..=line.len().min(options.plies)).filter_map(move |ply| {
        let is_repeated = ply >= 2 && line[ply - 2..ply].iter().all(|recorded| recorded.mv.is_none());
        // A comment after the second pass is still imported.
        let result = result.filter(|_| !is_repeated);
        let games = result.map_or_else(GameCounts::default, |result| count(result, Color::ALL[ply % 2]));
        let text = line_feeds(text_at(line, ply)).collect();
        let record = Record { games, text, ..Record::default() };
        (record != Record::default() || options.variations && !is_repeated).then_some((ply, record))
    })
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
/// Returns an error if a move is illegal, or if the file and the rules disagree.
fn judge(recorded: &RecordedGame, replay: &mut Replay) -> Result<Option<GameResult>, String> {
    let main: Vec<&RecordedMove> = recorded.moves.iter().collect();
    let Some(outcome) = replay.play(&main)? else { return Ok(recorded.result) };
    let by_rules = outcome.result();
    match recorded.result {
        Some(result) if result != by_rules => {
            let moves = recorded.moves.len();
            Err(format!("the file gives {}, but move {moves} made {}", in_words(result), end(outcome)))
        }
        _ => Ok(Some(by_rules)),
    }
}

/// Plays the lines of a game. For each line, only the moves that differ from the previous line are played.
struct Replay<'a> {
    recorded: &'a RecordedGame,
    rule: Rule,
    game: GomokuGame,
    /// The moves so far.
    turns: Vec<Turn>,
    /// Number of moves that were set up.
    set_up: usize,
}

impl Replay<'_> {
    /// Sets up the position before the first move.
    ///
    /// # Errors
    /// Returns an error if the game is over there.
    fn new(recorded: &RecordedGame, rule: Rule) -> Result<Replay<'_>, String> {
        let set_up = if has_set_up_pass(recorded) { recorded.opening } else { 0 };
        let turns: Vec<Turn> = recorded.moves.iter().take(set_up).map(|recorded| recorded.mv).collect();
        Ok(Replay { recorded, rule, game: set_up_game(recorded, rule, &turns)?, turns, set_up })
    }

    /// Plays a line, and returns how it ends by the rules, if it does.
    ///
    /// # Errors
    /// Returns an error if a move is illegal.
    fn play(&mut self, line: &[&RecordedMove]) -> Result<Option<Outcome>, String> {
        let line = line.iter().map(|recorded| recorded.mv);
        let mut common = self.turns.iter().zip(line.clone()).take_while(|(old, new)| **old == *new).count();
        if common < self.set_up {
            // A variation may leave the game within its opening.
            self.turns = line.clone().take(self.set_up).collect();
            self.game = set_up_game(self.recorded, self.rule, &self.turns)?;
            common = self.turns.len();
        }
        for _ in common..self.turns.len() {
            self.game.undo();
        }
        self.turns.truncate(common);
        for turn in line.skip(common) {
            let taken = match turn {
                Some(mv) => self.game.check(mv).map(|()| self.game.play(mv)),
                None => self.game.pass(),
            };
            taken.map_err(|refusal| self.why(turn, refusal))?;
            self.turns.push(turn);
        }
        Ok(self.game.outcome())
    }

    /// Why the next move of a line is illegal.
    fn why(&self, turn: Turn, refusal: Refusal) -> String {
        let played = self.turns.len();
        let why = match (refusal, self.game.outcome()) {
            (Refusal::Over, Some(outcome)) => {
                format!("the game was over with move {played}, {}", end(outcome))
            }
            (refusal, _) => refusal.to_string(),
        };
        format!("move {}, {}: {why}", played + 1, format_turns(&[turn], self.recorded.board()))
    }
}

/// A game that begins after turns that were set up.
///
/// # Errors
/// Returns an error if it is over there.
fn set_up_game(recorded: &RecordedGame, rule: Rule, turns: &[Turn]) -> Result<GomokuGame, String> {
    let board = board_of(recorded, turns);
    for color in Color::ALL {
        if board.stones(color).iter().any(|point| plain::makes_five(&board, rule.kind, color, point)) {
            return Err("a winning row is set up".to_owned());
        }
    }
    Ok(GomokuGame::from_board(board, rule))
}

/// The event that ended the game, in words.
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
