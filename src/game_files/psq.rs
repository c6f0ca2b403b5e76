//! Piskvork's file of one game: a first line with the board, one line `x,y,ms` per stone (from 1, black
//! first), the names of the two engines.
//!
//! Piskvork ends the file with an error code, and Gomocup's archive adds a line with winner and rule,
//! `1,Renju` (1: the first engine won, 2: the second, 0: a draw; an unfinished game has the rule alone, or no
//! such line), or the name of the group; all of these are optional. Several such files in one are several games.

use std::io::BufRead;

use super::source::InputSource;
use super::{FileError, Parsed, ReadOptions, RecordedGame, RecordedMove, RuleWords, check_free, clip};
use crate::board::{Bitboard, ByColor, Size};
use crate::game::{GameResult, Move};
use crate::rules::Rule;

/// The first word of the first line.
pub const FIRST_WORD: &str = "Piskvorky";

/// Whether a line after the moves is read as the name of either player: it is not empty, and it is not a move, an error
/// code, the winner with the rule, or the beginning of another game.
pub fn is_name(line: &str) -> bool {
    let line = line.trim();
    let is_winner = line.split_once(',').is_some_and(|(winner, _)| read_winner(winner).is_ok());
    let is_other = line.is_empty() || is_move(line) || is_error_code(line) || is_winner;
    !is_other && !line.starts_with(FIRST_WORD)
}

/// Whether a line is a move: `x,y,ms`, or `x,y` alone.
fn is_move(line: &str) -> bool {
    numbers(line).is_some()
}

/// Whether a line is an error code of Piskvork.
fn is_error_code(line: &str) -> bool {
    line.parse::<i32>().is_ok()
}

/// Reads a game; its first line is next.
pub(super) fn parse<R: BufRead>(source: &mut InputSource<R>, options: &ReadOptions) -> Parsed {
    let mut lines = Vec::new();
    while source.peek()?.is_some() {
        let (number, place) = (source.line, source.place());
        let mut line = String::new();
        while let Some(c) = source.next()?.filter(|&c| c != '\n') {
            source.keep(&mut line, c)?;
        }
        source.count(LINE)?;
        if !lines.is_empty() && line.starts_with(FIRST_WORD) {
            source.return_to(place)?;
            break;
        }
        lines.push((number, line.trim().to_owned()));
    }
    Ok(of_lines(&lines, options))
}

/// Approximate memory of a line in addition to its characters, in bytes.
const LINE: usize = 60;

fn of_lines(lines: &[(usize, String)], options: &ReadOptions) -> Result<RecordedGame, FileError> {
    let Some(((line, first), rest)) = lines.split_first() else {
        return Err(FileError::Line(1, "an empty file".to_owned()));
    };
    let at = |line: usize| move |what: String| FileError::Line(line, what);
    let (size, second_begins) = read_header(first).map_err(at(*line))?;
    let mut game = RecordedGame {
        line: *line,
        size: Some(size),
        assumed_size: options.board,
        ..RecordedGame::default()
    };
    let stones = rest.iter().take_while(|(_, line)| is_move(line)).count();
    let (stones, rest) = rest.split_at(stones);
    for (number, text) in stones {
        let Some([x, y, ms]) = numbers(text) else { break };
        let point = x.checked_sub(1).zip(y.checked_sub(1)).and_then(|(x, y)| size.point(x, y));
        let point = point.ok_or_else(|| at(*number)(format!("{x},{y} is off the board")))?;
        game.moves.push(RecordedMove { mv: Some(Move::from(point)), comment: Some(format!("{ms}ms")) });
    }
    let words: Vec<(usize, String)> =
        stones.iter().map(|(number, text)| (*number, point_of(text).to_owned())).collect();
    check_free(Bitboard::EMPTY, &words, &game.moves)?;
    let names = read_ending(&mut game, rest)?;
    // A game between people has no names.
    if let Ok([first, second]) = <[String; 2]>::try_from(names) {
        game.players = ByColor([Some(first), Some(second)]);
    }
    if second_begins {
        game.players.0.swap(0, 1);
        let swapped = |result: GameResult| result.winner().map_or(result, |winner| GameResult::win(!winner));
        game.result = game.result.map(swapped);
    }
    Ok(game)
}

/// Reads the lines after the moves, and returns the names.
fn read_ending(game: &mut RecordedGame, lines: &[(usize, String)]) -> Result<Vec<String>, FileError> {
    let mut names = Vec::new();
    for (number, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        let fault = |what: String| FileError::Line(*number, what);
        if is_error_code(line) {
            continue;
        }
        // Such a line may also be an engine's name, but only the second one.
        let is_winner = |winner: &str| names.len() == 2 || names.is_empty() && read_winner(winner).is_ok();
        let winner = line.split_once(',').filter(|(winner, _)| winner.trim().parse::<i32>().is_ok());
        match winner.filter(|(winner, _)| is_winner(winner)) {
            Some((winner, rule)) => {
                game.result = Some(read_winner(winner).map_err(fault)?);
                game.set_rule(rule);
            }
            None if names.len() < 2 => names.push(line.clone()),
            None if is_rule(line) => game.set_rule(line),
            None => return Err(fault(format!("'{}' after the end of the game", clip(line)))),
        }
    }
    Ok(names)
}

/// Whether a line is the name of a rule, also of a continuous one.
fn is_rule(line: &str) -> bool {
    line.trim().parse::<Rule>().is_ok() || RuleWords::of(line) != RuleWords::Other
}

/// The board, and whether the second engine began.
fn read_header(line: &str) -> Result<(Size, bool), String> {
    let form = || format!("the first line is not '{FIRST_WORD} WxH, a:b, n'");
    let rest = line.trim_start_matches('\u{feff}').strip_prefix(FIRST_WORD).ok_or_else(form)?;
    let rest = rest.strip_prefix(' ').ok_or_else(form)?;
    let mut fields = rest.split(',').map(str::trim);
    let size = fields.next().unwrap_or("").parse::<Size>().map_err(|error| error.to_string())?;
    let levels = fields.next().ok_or_else(form)?;
    if !levels.contains(':') {
        return Err(format!("'{}' is not a:b", clip(levels)));
    }
    match fields.next() {
        None => Err("the first line does not specify who begins".to_owned()),
        Some("0") => Ok((size, false)),
        Some("1") => Ok((size, true)),
        Some(other) => Err(format!("'{}' for who begins, not 0 or 1", clip(other))),
    }
}

/// `x,y,ms`, or `x,y` alone.
fn numbers(line: &str) -> Option<[i32; 3]> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<i32>());
    let (x, y) = (fields.next()?.ok()?, fields.next()?.ok()?);
    let ms = fields.next().transpose().ok()?.unwrap_or(0);
    fields.next().is_none().then_some([x, y, ms])
}

/// The point in such a line, as written.
fn point_of(line: &str) -> &str {
    line.match_indices(',').nth(1).map_or(line, |(at, _)| &line[..at])
}

fn read_winner(text: &str) -> Result<GameResult, String> {
    match text.trim() {
        "0" => Ok(GameResult::Draw),
        "1" => Ok(GameResult::Black),
        "2" => Ok(GameResult::White),
        other => Err(format!("'{}' for the winner, not 0, 1 or 2", clip(other))),
    }
}
