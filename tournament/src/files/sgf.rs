//! Smart Game Format, as read and written by [`kakugo::game_files::sgf`].
//!
//! The comment of a move is a [`note`](super::note). Values without a standard property are stored in private
//! properties, which other programs keep or skip: KG game, KP pair, KS seed, KT start time, KC limits, KE
//! ending, KO opening, KB and KW the engines' answers to ABOUT.

use anyhow::Result;
use kakugo::board::Board;
use kakugo::game_files::{GameFormat, ReadOptions, sgf};

use super::foreign::{self, TagNames};
use super::replay::need_plain;
use super::{FORFEIT, Games, Replay, UNFINISHED, date, spaced};
use crate::model::ending::is_failure;
use crate::model::record::{GameRecord, GameResult};
use crate::text::visible;

const NAMES: TagNames = TagNames {
    number: "KG",
    event: ["EV", "RO", "PC"],
    has_event: false,
    pair: "KP",
    seed: "KS",
    limits: "KC",
    ending: "KE",
    detail: "GC",
    opening: "KO",
    abouts: ["KB", "KW"],
    reason: "TE",
    result: "RE",
    began: ["KT", "DT", ""],
};

/// Writes one game.
///
/// # Errors
/// Returns an error if the record's moves cannot be read or do not alternate.
pub fn write(record: &GameRecord) -> Result<String> {
    need_plain(record, "SGF")?;
    let replay = Replay::of(record)?;
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let day = match date::of_seconds(record.began) {
        Some(([year, month, day], _)) if record.began > 0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => String::new(),
    };
    let tags = [
        ("PB", record.black.name.clone()),
        ("PW", record.white.name.clone()),
        ("RE", result_of(record)),
        ("RU", record.rule.clone()),
        ("DT", day),
        (NAMES.event[0], record.event.name.clone()),
        (NAMES.event[1], record.event.round.clone()),
        (NAMES.event[2], record.event.place.clone()),
        (NAMES.detail, record.detail.clone()),
        (NAMES.number, number(record.game as u64)),
        (NAMES.pair, number(record.pair as u64)),
        (NAMES.seed, number(record.seed)),
        ("KT", number(record.began)),
        (NAMES.limits, record.limits.clone()),
        (NAMES.ending, record.ending.clone()),
        (NAMES.opening, spaced(&record.opening)),
        (NAMES.abouts[0], record.black.about.clone()),
        (NAMES.abouts[1], record.white.about.clone()),
    ];
    let tags = tags.into_iter().map(|(name, value)| (name, visible(&value).into_owned()));
    // Like the comments on moves, it may have several lines.
    let tags: Vec<(&str, String)> = tags.chain([("C", record.comment.clone())]).collect();
    let program = format!("Kakugo tournament:{}", env!("CARGO_PKG_VERSION"));
    let (moves, variations) = (foreign::moves_of(record, &replay), foreign::variations_of(record, &replay)?);
    Ok(sgf::write_tree(&program, &Board::new(replay.size), &tags, &moves, &variations))
}

/// The result in the notation of FF[4]: a letter for resignation, time and forfeit, and none for other wins.
fn result_of(record: &GameRecord) -> String {
    let winner = match record.result {
        _ if record.ending == UNFINISHED => return "?".to_owned(),
        GameResult::Draw => return "0".to_owned(),
        GameResult::Black => "B+",
        GameResult::White => "W+",
    };
    let how = match record.ending.as_str() {
        "resign" => "R",
        "time" => "T",
        ending if ending == FORFEIT || is_failure(ending) => "F",
        _ => "",
    };
    format!("{winner}{how}")
}

/// Reads the games of a collection. The main line is the game; its variations are read if the options say so.
///
/// # Errors
/// Returns an error if no game can be read.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    foreign::read(GameFormat::Sgf, bytes, &NAMES, options)
}
