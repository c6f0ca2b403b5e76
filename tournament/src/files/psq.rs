//! Piskvork's file of one game, as [`kakugo::game_files::psq`] reads it. Written with an error code and the line of
//! winner and rule with which Gomocup's archive ends.

use anyhow::{Result, bail, ensure};
use kakugo::game_files::{GameFormat, ReadOptions, psq};

use super::foreign::{self, TagNames};
use super::replay::need_plain;
use super::{Games, Replay, UNFINISHED, clip};
use crate::files::record::{GameRecord, GameResult};
use crate::text::visible;

/// The file has no tags.
const NAMES: TagNames = TagNames {
    number: "",
    pair: "",
    seed: "",
    clock: "",
    ending: "",
    detail: "",
    opening: "",
    abouts: ["", ""],
    reason: "",
    began: ["", "", ""],
};

/// The code of Piskvork for a game that ended without an error.
const NO_ERROR: i32 = -1;

/// One game.
///
/// # Errors
/// When the record's moves cannot be read.
pub fn write(record: &GameRecord) -> Result<String> {
    need_plain(record, "a .psq file")?;
    let replay = Replay::of(record)?;
    ensure!(!replay.has_passes(), "a .psq file has no place for a pass");
    if let Some(side) = [&record.black, &record.white].into_iter().find(|side| psq::is_move(&side.name)) {
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

/// The game of a file, or the games of several in one.
///
/// # Errors
/// When something cannot be read, with its line.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    ensure!(!bytes.trim_ascii().is_empty(), "an empty file");
    foreign::read(GameFormat::Psq, bytes, &NAMES, options)
}
