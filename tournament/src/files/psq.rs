//! Piskvork's file of one game: a first line with the board, one line `x,y,ms` per stone (from 1, black first), the
//! names of the two engines.
//!
//! Piskvork itself ends the file with an error code and Gomocup's archive adds a line with winner and rule, `1,Renju`
//! (1 is the first engine, 2 the second, 0 neither); we write both and do without them when reading.

use std::collections::HashSet;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::notation::format_moves;
use kakugo::board::{Point, Size};
use kakugo::rules::Rule;

use super::replay::need_plain;
use super::{Replay, UNFINISHED, blank, clip, judge};
use crate::files::record::{GameRecord, GameResult, MoveRecord};
use crate::text::visible;

/// The code of Piskvork for a game that ended without an error.
const NO_ERROR: i32 = -1;

/// One game.
///
/// # Errors
/// When the record's moves cannot be read.
pub fn write(record: &GameRecord) -> Result<String> {
    need_plain(record, "a .psq file")?;
    let replay = Replay::of(record)?;
    if let Some(side) = [&record.black, &record.white].into_iter().find(|side| numbers(&side.name).is_some())
    {
        bail!("in a .psq file the name '{}' would be a move", clip(&side.name));
    }
    // Two engines (11 is a level of play that means nothing to engines), the first of which begins.
    let mut text = format!("Piskvorky {}, 11:11, 0\n", replay.size);
    for (point, played) in replay.with_notes(record) {
        let ms = played.map_or(0.0, |played| played.ms).round();
        text += &format!("{},{},{ms}\n", point.x() + 1, point.y() + 1);
    }
    for side in [&record.black, &record.white] {
        text += &visible(&side.name);
        text.push('\n');
    }
    text += &format!("{NO_ERROR}\n");
    if record.ending != UNFINISHED {
        let winner = match record.result {
            GameResult::Draw => 0,
            GameResult::Black => 1,
            GameResult::White => 2,
        };
        let mut rule = visible(&record.rule).into_owned();
        if let Some(first) = rule.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text += &format!("{winner},{rule}\n");
    }
    Ok(text)
}

/// The game of a file.
///
/// # Errors
/// When something cannot be read, with its line.
pub fn read(text: &str) -> Result<Vec<GameRecord>> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())).peekable();
    let (_, first) = lines.next().context("an empty file")?;
    let (size, second_begins) = read_header(first).context("line 1")?;
    let mut record = blank(1);
    record.size = size.to_string();
    let mut moves = Vec::new();
    let mut taken = HashSet::new();
    while let Some(&(number, line)) = lines.peek() {
        let Some([x, y, ms]) = numbers(line) else { break };
        let on_board = x.checked_sub(1).zip(y.checked_sub(1)).and_then(|(x, y)| size.point(x, y));
        let point = on_board.with_context(|| format!("line {number}: {x},{y} is off the board"))?;
        ensure!(taken.insert(point), "line {number}: {x},{y} is already taken");
        moves.push(point);
        record.played.push(MoveRecord { ms: f64::from(ms), ..MoveRecord::default() });
        lines.next();
    }
    let mut rest = lines.filter(|(_, line)| !line.is_empty());
    // A game of people has no names.
    let mut result = None;
    let mut names = Vec::new();
    for (number, line) in &mut rest {
        if names.len() < 2 && line.parse::<i32>().is_err() {
            names.push(line.to_owned());
        } else if let Some((winner, rule)) = line.split_once(',') {
            result = Some(read_winner(winner).with_context(|| format!("line {number}"))?);
            let rule = rule.trim();
            record.rule = rule.parse().map_or(rule.to_lowercase(), |rule: Rule| rule.to_string());
        } else if line.parse::<i32>().is_err() {
            bail!("line {number}: '{}' after the end of the game", clip(line));
        }
    }
    if let Ok([first, second]) = <[String; 2]>::try_from(names) {
        (record.black.name, record.white.name) = (first, second);
    }
    if second_begins {
        std::mem::swap(&mut record.black, &mut record.white);
        result = result.map(|outcome| match outcome {
            GameResult::Black => GameResult::White,
            GameResult::White => GameResult::Black,
            GameResult::Draw => GameResult::Draw,
        });
    }
    finish(record, moves, size, result)
}

fn finish(
    mut record: GameRecord,
    moves: Vec<Point>,
    size: Size,
    result: Option<GameResult>,
) -> Result<Vec<GameRecord>> {
    record.moves = format_moves(&moves, size);
    if record.played.iter().all(|played| played.ms == 0.0) {
        record.played.clear();
    }
    judge(&mut record, result);
    Ok(vec![record])
}

/// The board, and whether the second engine has begun.
fn read_header(line: &str) -> Result<(Size, bool)> {
    let rest = line.strip_prefix("Piskvorky ").context("the first line is not 'Piskvorky WxH, a:b, n'")?;
    let mut fields = rest.split(',').map(str::trim);
    let size = fields.next().unwrap_or("").parse::<Size>()?;
    let levels = fields.next().context("the first line is not 'Piskvorky WxH, a:b, n'")?;
    ensure!(levels.contains(':'), "'{}' is not a:b", clip(levels));
    let beginner = fields.next().context("the first line does not tell who begins")?;
    match beginner {
        "0" => Ok((size, false)),
        "1" => Ok((size, true)),
        other => bail!("'{}' for who begins, not 0 or 1", clip(other)),
    }
}

/// `x,y,ms`, or `x,y` alone.
fn numbers(line: &str) -> Option<[i32; 3]> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<i32>());
    let (x, y) = (fields.next()?.ok()?, fields.next()?.ok()?);
    let ms = fields.next().transpose().ok()?.unwrap_or(0);
    fields.next().is_none().then_some([x, y, ms])
}

fn read_winner(text: &str) -> Result<GameResult> {
    match text.trim() {
        "0" => Ok(GameResult::Draw),
        "1" => Ok(GameResult::Black),
        "2" => Ok(GameResult::White),
        other => bail!("'{}' for the winner, not 0, 1 or 2", clip(other)),
    }
}
