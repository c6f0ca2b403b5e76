//! Portable Game Notation, as [`kakugo::game_files::pgn`] reads and writes it, for BayesElo, Ordo and the like.
//!
//! A score sheet of ours says `1-0` when black wins, a PGN when White does, the player of the white stones: so the
//! result of a PGN is the other way round. Comments are [`note`](super::note)s.

use anyhow::Result;
use kakugo::game_files::{GameFormat, ReadOptions, pgn};

use super::foreign::{self, TagNames};
use super::{Games, Replay, date, spaced};
use crate::files::record::GameRecord;
use crate::text::visible;

const NAMES: TagNames = TagNames {
    number: "Round",
    pair: "Pair",
    seed: "Seed",
    clock: "TimeControl",
    ending: "Termination",
    detail: "TerminationDetail",
    opening: "OpeningMoves",
    abouts: ["BlackAbout", "WhiteAbout"],
    reason: "Termination",
    began: ["", "UTCDate", "UTCTime"],
};

/// One game.
///
/// # Errors
/// When the record's moves cannot be read.
pub fn write(record: &GameRecord) -> Result<String> {
    let replay = Replay::of(record)?;
    let moves = foreign::moves_of(record, &replay);
    let tags: Vec<(&str, String)> = tags(record, moves.len())
        .into_iter()
        .map(|(name, value)| (name, visible(&value).into_owned()))
        .collect();
    Ok(pgn::write(&tags, replay.size, &moves, replay.is_plain(), foreign::result_of(record)))
}

/// The Seven Tag Roster first, then ours; those that say nothing are left out.
fn tags(record: &GameRecord, plies: usize) -> Vec<(&'static str, String)> {
    let (day, time) = match date::of_seconds(record.began) {
        Some(([year, month, day], [hour, minute, second])) if record.began > 0 => {
            (format!("{year:04}.{month:02}.{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
        }
        _ => ("????.??.??".to_owned(), String::new()),
    };
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let mut tags = vec![
        ("Event", format!("{} {}", record.rule, record.size)),
        ("Site", "?".to_owned()),
        ("Date", day.clone()),
        (NAMES.number, record.game.to_string()),
        ("White", record.white.name.clone()),
        ("Black", record.black.name.clone()),
        ("Result", pgn::format_result(foreign::result_of(record)).to_owned()),
    ];
    let others = [
        ("UTCDate", if time.is_empty() { String::new() } else { day }),
        ("UTCTime", time),
        ("Variant", record.rule.clone()),
        ("BoardSize", spaced(&record.size)),
        (NAMES.clock, record.clock.clone()),
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

/// All games of a file.
///
/// # Errors
/// When there is no game that can be read. Moves of games of other kinds (there is no board
/// size, and the moves are no points) are left out without complaint: their results can still be rated.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    foreign::read(GameFormat::Pgn, bytes, &NAMES, options)
}
