//! Openings from files of games.
//!
//! The opening of a game is what its file marks as the opening: stones that were set up, marked moves, the
//! opening in our own records. The record of a batch always has one, which may be the empty board, unless its
//! negotiation was not completed. An unfinished game is an opening as a whole; a finished game without a marked
//! opening is skipped. Each opening counts once, because a match plays it with both colours.

use std::collections::HashSet;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Point, Size};
use kakugo::game::{Move, parse_turns};
use kakugo::game_files::{FileError, GameFormat, GameReader, ReadOptions, RecordedGame};
use kakugo::output;

use super::list::check;
use crate::files::{RecordFormat, UNFINISHED, results};
use crate::model::game_kind::GameKind;
use crate::model::procedure::is_opening_complete;
use crate::model::record::GameRecord;
use crate::text::{counted, visible};

/// The beginning of a game in a file.
struct Beginning {
    size: Size,
    moves: Vec<Move>,
    /// Number of moves that the file marks as the opening, if it does.
    opening: Option<usize>,
    is_finished: bool,
}

/// The openings of the file `name` in `format`. Games without a playable opening are skipped with a warning.
///
/// # Errors
/// Returns an error if the file cannot be read, or if no game has a playable opening: the problem of the
/// first game, with its line or number.
pub fn parse(bytes: &[u8], format: RecordFormat, game: &GameKind, name: &str) -> Result<Vec<Vec<Point>>> {
    let mut openings = Openings { game, seen: HashSet::new(), found: Vec::new() };
    let (mut count, mut first) = (0, None);
    for beginning in beginnings(bytes, format)? {
        let (place, beginning) = beginning?;
        if let Err(error) = beginning.and_then(|found| openings.add(found)) {
            count += 1;
            first.get_or_insert(if place.is_empty() { error } else { error.context(place) });
        }
    }
    match first {
        Some(error) if openings.found.is_empty() => return Err(error),
        Some(error) => {
            let (games, were) = (counted(count, "game"), if count == 1 { "was" } else { "were" });
            let text = format!("{name}: {games} without a usable opening {were} skipped ({error:#})");
            output::status_line(visible(&text));
        }
        None => ensure!(!openings.found.is_empty(), "the file contains no games"),
    }
    Ok(openings.found)
}

/// Beginnings of games, each with its position for messages.
type Beginnings<'a> = Box<dyn Iterator<Item = Result<(String, Result<Beginning>)>> + 'a>;

fn beginnings(bytes: &[u8], format: RecordFormat) -> Result<Beginnings<'_>> {
    let foreign = match format {
        RecordFormat::Sgf => GameFormat::Sgf,
        RecordFormat::Pgn => GameFormat::Pgn,
        RecordFormat::Jsonl
        | RecordFormat::Psq
        | RecordFormat::Csv
        | RecordFormat::Rif
        | RecordFormat::Pos => {
            let results = results::parse_bytes(bytes, Some(format), &ReadOptions::default())?;
            // A results file may also contain games of other programs, which `convert` wrote.
            let is_batch = results.header.is_some();
            let is_jsonl = format == RecordFormat::Jsonl;
            return Ok(Box::new(results.games.into_iter().map(move |record| {
                let is_ours = is_jsonl && (is_batch || record.pair > 0);
                Ok((format!("game {}", record.game), Beginning::of_record(&record, is_ours)))
            })));
        }
    };
    let beginning = |game: Result<RecordedGame, FileError>| match game {
        Err(error @ FileError::Rest(..)) => Err(error.into()),
        Err(error) => Ok((String::new(), Err(error.into()))),
        Ok(game) => Ok((format!("game that begins in line {}", game.line), Beginning::of_game(&game))),
    };
    Ok(Box::new(GameReader::new(foreign, bytes, ReadOptions::default()).map(beginning)))
}

/// The openings found so far.
struct Openings<'a> {
    game: &'a GameKind,
    seen: HashSet<Vec<Point>>,
    found: Vec<Vec<Point>>,
}

impl Openings<'_> {
    fn add(&mut self, Beginning { size, mut moves, opening, is_finished }: Beginning) -> Result<()> {
        let wanted = self.game.size();
        ensure!(size == wanted, "its board is {size}, not {wanted}");
        ensure!(
            opening.is_some() || !is_finished,
            "the game is finished, and none of its moves is marked as the opening"
        );
        moves.truncate(opening.unwrap_or(moves.len()));
        let opening = check(moves, self.game)?;
        if self.seen.insert(opening.clone()) {
            self.found.push(opening);
        }
        Ok(())
    }
}

impl Beginning {
    fn of_game(game: &RecordedGame) -> Result<Beginning> {
        if let Some(name) = game.hidden_opening.first() {
            bail!("its opening is in the private property {name}, which is not supported");
        }
        if let Some(error) = &game.unread {
            bail!("{error}");
        }
        let moves: Option<Vec<Move>> = game.moves.iter().map(|recorded| recorded.mv).collect();
        Ok(Beginning {
            size: game.board(),
            moves: moves.context("a side passes")?,
            opening: (game.opening > 0).then_some(game.opening),
            is_finished: game.result.is_some(),
        })
    }

    /// The beginning of a record; `is_ours` if it is the game of a batch, so that an empty opening means the
    /// empty board.
    fn of_record(record: &GameRecord, is_ours: bool) -> Result<Beginning> {
        ensure!(is_opening_complete(record), "its opening was not completed");
        let size = record.size.parse::<Size>()?;
        let moves = |text: &str| -> Result<Vec<Move>> {
            parse_turns(text, size)?.into_iter().map(|turn| turn.context("a side passes")).collect()
        };
        let opening = (is_ours || !record.opening.is_empty()).then(|| moves(&record.opening));
        let opening = opening.transpose()?.map(|opening| opening.len());
        let is_finished = record.ending != UNFINISHED;
        Ok(Beginning { size, moves: moves(&record.moves)?, opening, is_finished })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{AnswerRecord, GameResult, MoveRecord, ProcedureRecord};
    use kakugo::board::notation::parse_moves;

    fn read(text: &str) -> Result<Vec<Vec<Point>>> {
        let game = GameKind::named("renju", Size::default()).unwrap();
        parse(text.as_bytes(), RecordFormat::of_content(text).unwrap(), &game, "games")
    }

    fn error_of(text: &str) -> String {
        format!("{:#}", read(text).unwrap_err())
    }

    #[test]
    fn games_give_what_they_began_with() {
        let games = "(;RE[W+1];B[hh]C[opening move];W[hi]C[opening move];B[aa]C[1ms])\n\
                     (;RE[B+1];B[hh]C[opening move];W[hi]C[opening move];B[bb]C[1ms])\n\
                     (;AB[hh]AW[ii];B[cc]RE[B+])\n(;B[hh];W[hi];B[ij])\n";
        let moves = |text| parse_moves(text, Size::default()).unwrap();
        assert_eq!(read(games).unwrap(), [moves("h8h7"), moves("h8i7"), moves("h8h7i6")]);
        let pgn = "[White \"a\"]\n[Black \"b\"]\n[BoardSize \"15\"]\n[OpeningMoves \"h8h7\"]\n[Result \"1-0\"]\n\n\
                   1. h8 h7 2. a1 1-0\n";
        assert_eq!(read(pgn).unwrap(), [moves("h8h7")]);
    }

    #[test]
    fn our_own_results_contain_every_opening_also_the_empty_one() {
        let mut record = GameRecord::example(1, ["a", "b"], GameResult::Black);
        (record.opening, record.moves) = (String::new(), "h8h7".to_owned());
        let own = crate::files::write(RecordFormat::Jsonl, &[record.clone()]).unwrap();
        assert_eq!(read(&own).unwrap(), [vec![]]);
        let psq = crate::files::write(RecordFormat::Psq, &[record]).unwrap();
        assert!(error_of(&psq).starts_with("game 1: the game is finished"), "{}", error_of(&psq));
    }

    #[test]
    fn openings_that_were_not_completed_are_skipped() {
        let mut record = GameRecord::example(1, ["a", "b"], GameResult::Black);
        record.rule = "renju".to_owned();
        let mut opening_after = |answers: &[&str], opening: &str| {
            let answer = |answer: &&str| AnswerRecord {
                by: "first".to_owned(),
                answer: (*answer).to_owned(),
                thought: MoveRecord::default(),
            };
            record.procedure = Some(ProcedureRecord {
                name: "swap2".to_owned(),
                first: "black".to_owned(),
                answers: answers.iter().map(answer).collect(),
            });
            (record.opening, record.moves) = (opening.to_owned(), opening.to_owned());
            crate::files::write(RecordFormat::Jsonl, std::slice::from_ref(&record)).unwrap()
        };
        let error = "game 0: its opening was not completed";
        assert_eq!(error_of(&opening_after(&[], "")), error);
        assert_eq!(error_of(&opening_after(&["h8 i9 j10"], "h8i9j10")), error);
        let complete = opening_after(&["h8 i9 j10", "stay"], "h8i9j10");
        assert_eq!(read(&complete).unwrap(), [parse_moves("h8i9j10", Size::default()).unwrap()]);
    }

    #[test]
    fn converted_games_give_the_same_openings_as_their_file() {
        let sgf = "(;B[hh];W[hi];B[ij])\n(;RE[B+1];B[hh];W[hi])\n";
        let games = results::parse(sgf, Some(RecordFormat::Sgf)).unwrap().games;
        let converted = crate::files::write(RecordFormat::Jsonl, &games).unwrap();
        assert_eq!(read(&converted).unwrap(), [parse_moves("h8h7i6", Size::default()).unwrap()]);
        assert_eq!(read(&converted).unwrap(), read(sgf).unwrap());
        let finished = crate::files::write(RecordFormat::Jsonl, &games[1..]).unwrap();
        assert!(error_of(&finished).starts_with("game 2: the game is finished"), "{}", error_of(&finished));
    }

    #[test]
    fn games_without_an_opening_are_named() {
        assert_eq!(
            error_of("\n(;RE[B+1];B[hh];W[hi])"),
            "game that begins in line 2: the game is finished, and none of its moves is marked as the opening"
        );
        assert_eq!(
            error_of("\n(;SZ[20];B[hh])"),
            "game that begins in line 2: its board is 20x20, not 15x15"
        );
        assert_eq!(error_of("(;B[hh];W[zz])"), "line 1: zz is off the board");
        let unread = error_of("[Event \"1\"]\n\n1. h8 t20 *\n");
        assert!(unread.starts_with("game that begins in line 1: line 3: "), "{unread}");
        let five = "(;B[hh];W[aa];B[ih];W[ba];B[jh];W[ca];B[kh];W[da];B[lh])";
        assert_eq!(error_of(five), "game that begins in line 1: stone 9 wins the game");
        let dummy = "[Event \"1\"]\n[Black \"a\"]\n[White \"b\"]\n[Result \"1-0\"]\n1-0\n";
        assert!(error_of(dummy).starts_with("game that begins in line 1: the game is finished"));
    }
}
