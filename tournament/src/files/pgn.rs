//! Portable Game Notation, as read and written by [`kakugo::game_files::pgn`], for BayesElo, Ordo and similar
//! programs.
//!
//! In records, `1-0` means that black won; in a PGN, that White won, the player of the white stones. So the
//! result in a PGN is reversed. Comments are [`note`](super::note)s.

use anyhow::Result;
use kakugo::game_files::{GameFormat, ReadOptions, pgn};

use super::foreign::{self, TagNames};
use super::{Games, Replay, date, spaced};
use crate::model::record::GameRecord;
use crate::text::visible;

/// The tag with the number of a game that has an event.
const NUMBER: &str = "GameNumber";
/// A place by which readers recognise the games that PlayOK exports, whose results and moves have another meaning.
const PLAYOK: &str = "PlayOK";

const NAMES: TagNames = TagNames {
    number: NUMBER,
    event: ["Event", "Round", "Site"],
    has_event: true,
    pair: "Pair",
    seed: "Seed",
    limits: "TimeControl",
    ending: "Termination",
    detail: "TerminationDetail",
    opening: "OpeningMoves",
    abouts: ["BlackAbout", "WhiteAbout"],
    reason: "Termination",
    result: "",
    began: ["", "UTCDate", "UTCTime"],
};

/// Writes one game.
///
/// # Errors
/// Returns an error if the record's moves cannot be read.
pub fn write(record: &GameRecord) -> Result<String> {
    let replay = Replay::of(record)?;
    let moves = foreign::moves_of(record, &replay);
    let tags: Vec<(&str, String)> = tags(record, moves.len())
        .into_iter()
        .map(|(name, value)| (name, visible(&value).into_owned()))
        .collect();
    let comment = Some(record.comment.as_str()).filter(|comment| !comment.is_empty());
    let result = foreign::result_of(record);
    Ok(pgn::write_commented(&tags, replay.size, comment, &moves, replay.is_plain(), result))
}

/// The Seven Tag Roster first, then our own tags; empty tags are omitted.
fn tags(record: &GameRecord, plies: usize) -> Vec<(&'static str, String)> {
    let (day, time) = match date::of_seconds(record.began) {
        Some(([year, month, day], [hour, minute, second])) if record.began > 0 => {
            (format!("{year:04}.{month:02}.{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
        }
        _ => ("????.??.??".to_owned(), String::new()),
    };
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let event = &record.event;
    let or = |text: &str, other: String| if text.is_empty() { other } else { text.to_owned() };
    let place = if event.place == PLAYOK { "" } else { event.place.as_str() };
    // Without an event, the round is the number of the game.
    let (game, has_event) = (record.game.to_string(), !event.is_empty());
    let mut tags = vec![
        (NAMES.event[0], or(&event.name, foreign::event_name(&record.rule, &spaced(&record.size)))),
        (NAMES.event[2], or(place, "?".to_owned())),
        ("Date", day.clone()),
        (NAMES.event[1], or(&event.round, if has_event { "?".to_owned() } else { game.clone() })),
        ("White", record.white.name.clone()),
        ("Black", record.black.name.clone()),
        ("Result", pgn::format_result(foreign::result_of(record)).to_owned()),
    ];
    let others = [
        (NUMBER, if has_event { game } else { String::new() }),
        ("UTCDate", if time.is_empty() { String::new() } else { day }),
        ("UTCTime", time),
        ("Variant", record.rule.clone()),
        ("BoardSize", spaced(&record.size)),
        (NAMES.limits, record.limits.clone()),
        (NAMES.ending, record.ending.clone()),
        (NAMES.detail, record.detail.clone()),
        ("PlyCount", plies.to_string()),
        (NAMES.opening, spaced(&record.opening)),
        (NAMES.pair, number(record.pair as u64)),
        (NAMES.seed, number(record.seed)),
        (NAMES.abouts[1], record.white.about.clone()),
        (NAMES.abouts[0], record.black.about.clone()),
    ];
    tags.extend(others.into_iter().filter(|(_, value)| !value.is_empty()));
    tags
}

/// Reads all games of a file.
///
/// # Errors
/// Returns an error if no game can be read. Moves of other kinds of games (without a board size, and with
/// moves that are not points) are ignored silently, because their results can still be rated.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    foreign::read(GameFormat::Pgn, bytes, &NAMES, options)
}
