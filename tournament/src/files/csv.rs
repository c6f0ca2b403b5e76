//! Comma-separated values, one game per line, for spreadsheets and data frames.
//!
//! The first line names the columns. Reading requires only `black`, `white` and `result`, in any order.
//! `played` contains the [`note`]s of the moves after the opening, separated by `|`.

use ::csv::{ReaderBuilder, StringRecord, Writer};
use anyhow::{Context, Result, anyhow, ensure};
use kakugo::game_files::name_of;
use kakugo::rules::Rule;
use serde::{Deserialize, Serialize};

use super::{Replay, UNFINISHED, blank, clip, judge, note, spaced};
use crate::files::input::MemoryBudget;
use crate::model::game_kind::VariantName;
use crate::model::record::{GameRecord, GameResult, MoveRecord};
use crate::text::{cell, counted, of_cell};

/// A line of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Row {
    #[serde(default)]
    game: usize,
    #[serde(default)]
    pair: usize,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    began: u64,
    #[serde(default)]
    rule: String,
    #[serde(default)]
    size: String,
    #[serde(default, rename = "clock")]
    limits: String,
    black: String,
    white: String,
    result: String,
    #[serde(default)]
    ending: String,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    opening: String,
    #[serde(default)]
    moves: String,
    #[serde(default)]
    played: String,
    #[serde(default)]
    black_about: String,
    #[serde(default)]
    white_about: String,
}

impl Row {
    /// The text columns.
    fn texts(&mut self) -> [&mut String; 12] {
        [
            &mut self.rule,
            &mut self.size,
            &mut self.limits,
            &mut self.black,
            &mut self.white,
            &mut self.ending,
            &mut self.detail,
            &mut self.opening,
            &mut self.moves,
            &mut self.played,
            &mut self.black_about,
            &mut self.white_about,
        ]
    }
}

/// Writes all games. Texts are [cells](cell), so that no spreadsheet reads one as a formula.
///
/// # Errors
/// Returns an error if a record cannot be written, which should never happen.
pub fn write(games: &[GameRecord]) -> Result<String> {
    let mut writer = Writer::from_writer(Vec::new());
    for game in games {
        let result = match game.result {
            _ if game.ending == UNFINISHED => "*",
            GameResult::Black => "1-0",
            GameResult::White => "0-1",
            GameResult::Draw => "1/2-1/2",
        };
        let text = |text: &str| cell(text).into_owned();
        writer.serialize(Row {
            game: game.game,
            pair: game.pair,
            seed: game.seed,
            began: game.began,
            rule: text(&game.rule),
            size: text(&spaced(&game.size)),
            limits: text(&game.limits),
            black: text(&game.black.name),
            white: text(&game.white.name),
            result: result.to_owned(),
            ending: text(&game.ending),
            detail: text(&game.detail),
            opening: text(&spaced(&game.opening)),
            moves: text(&spaced(&game.moves)),
            played: text(&game.played.iter().map(note::write).collect::<Vec<_>>().join("|")),
            black_about: text(&game.black.about),
            white_about: text(&game.white.about),
        })?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Reads all games of a text, by `rule` if one is given.
///
/// # Errors
/// Returns an error with its line if something cannot be read, or if there is no game.
pub(super) fn read(text: &str, rule: Option<Rule>) -> Result<Vec<GameRecord>> {
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| plain(&error))?.clone();
    let mut lines = Lines { text: text.as_bytes(), at: 0, line: 1 };
    let line = lines.of_row(&headers);
    for column in ["black", "white", "result"] {
        ensure!(headers.iter().any(|name| name == column), "line {line}: the column {column} is missing");
    }
    let (mut games, mut budget) = (Vec::new(), MemoryBudget::default());
    for row in reader.records() {
        let row = row.map_err(|error| plain(&error))?;
        let line = lines.of_row(&row);
        // Some editors leave lines that contain only blanks.
        if row.len() == 1 && row[0].trim().is_empty() {
            continue;
        }
        let (fields, expected) = (counted(row.len(), "field"), headers.len());
        ensure!(row.len() == expected, "line {line}: {fields} instead of {expected}");
        let read = || -> Result<GameRecord> {
            let mut fields: Row = row.deserialize(Some(&headers)).map_err(|error| plain(&error))?;
            if let Some(rule) = rule.filter(|_| fields.rule.parse::<VariantName>().is_err()) {
                fields.rule = name_of(rule);
            }
            game_of(fields, games.len() + 1)
        };
        let game = read().with_context(|| format!("line {line}"))?;
        budget.take(game.memory())?;
        games.push(game);
    }
    ensure!(!games.is_empty(), "the file contains no games");
    Ok(games)
}

/// Counts the lines of a table up to its rows, which are asked for in order.
struct Lines<'a> {
    text: &'a [u8],
    /// Number of bytes before the last row.
    at: usize,
    /// Line in which this row begins.
    line: usize,
}

impl Lines<'_> {
    /// The line in which a row begins. The position of a row is the end of the previous one, before any empty lines,
    /// and with CRLF before the line feed.
    fn of_row(&mut self, row: &StringRecord) -> usize {
        let end = row.position().map_or(self.at, |position| position.byte() as usize);
        let empty = self.text[end..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
        let begin = end + empty;
        self.line += self.text[self.at..begin].iter().filter(|&&byte| byte == b'\n').count();
        self.at = begin;
        self.line
    }
}

fn game_of(mut row: Row, number: usize) -> Result<GameRecord> {
    for text in row.texts() {
        *text = of_cell(std::mem::take(text));
    }
    let mut record = blank(number);
    let or_default = |text: String, otherwise: String| if text.is_empty() { otherwise } else { text };
    record.game = if row.game == 0 { number } else { row.game };
    (record.pair, record.seed, record.began) = (row.pair, row.seed, row.began);
    record.rule = or_default(row.rule, Rule::default().to_string());
    record.size = or_default(row.size, record.size);
    record.ending = or_default(row.ending, record.ending);
    (record.limits, record.detail) = (row.limits, row.detail);
    (record.opening, record.moves) = (row.opening, row.moves);
    (record.black.name, record.black.about) = (row.black, row.black_about);
    (record.white.name, record.white.about) = (row.white, row.white_about);
    let result = match row.result.trim() {
        "1-0" => Some(GameResult::Black),
        "0-1" => Some(GameResult::White),
        "1/2-1/2" => Some(GameResult::Draw),
        "*" => None,
        other => return Err(anyhow!("'{}' is not a result", clip(other))),
    };
    record.played = row
        .played
        .split('|')
        .filter(|text| !text.is_empty())
        .map(|text| note::read(text).with_context(|| format!("'{}' is not the note of a move", clip(text))))
        .collect::<Result<Vec<MoveRecord>>>()?;
    Replay::of(&record)?;
    judge(&mut record, result);
    Ok(record)
}

/// The error without the library's own description of the position.
fn plain(error: &::csv::Error) -> anyhow::Error {
    match error.kind() {
        ::csv::ErrorKind::Deserialize { err, .. } => anyhow!("{err}"),
        ::csv::ErrorKind::Utf8 { err, .. } => anyhow!("{err}"),
        _ => anyhow!("{error}"),
    }
}
