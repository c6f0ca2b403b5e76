//! Piskvork's format for one game, as read by [`kakugo::game_files::psq`]. Written with an error code and the
//! line of winner and rule that ends the files of Gomocup's archive; without a result, the line has only the rule.

use anyhow::{Result, ensure};
use kakugo::game_files::{GameFormat, ReadOptions, psq};
use kakugo::rules::Rule;

use super::foreign::{self, TagNames};
use super::replay::need_plain;
use super::{Games, Replay, UNFINISHED, clip};
use crate::model::record::{GameRecord, GameResult};
use crate::text::visible;

/// Names of the tags; the format has none.
pub(super) const NAMES: TagNames = TagNames {
    number: "",
    event: ["", "", ""],
    has_event: false,
    pair: "",
    seed: "",
    limits: "",
    ending: "",
    detail: "",
    opening: "",
    abouts: ["", ""],
    reason: "",
    result: "",
    began: ["", "", ""],
};

/// Piskvork's code for a game that ended without an error.
const NO_ERROR: i32 = -1;

/// Writes one game.
///
/// # Errors
/// Returns an error if the record's moves cannot be read, or a name would not be read back.
pub fn write(record: &GameRecord) -> Result<String> {
    need_plain(record, "a .psq file")?;
    let replay = Replay::of(record)?;
    ensure!(!replay.has_passes(), "a .psq file cannot represent a pass");
    for side in [&record.black, &record.white] {
        let is_name = psq::is_name(&visible(&side.name));
        ensure!(is_name, "in a .psq file the name '{}' would not be read back as a name", clip(&side.name));
    }
    // Two engines, the first of which begins (11 is a level of play, which has no meaning for engines).
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
        text += &format!("{winner},{}\n", capitalized(visible(&record.rule).into_owned()));
    } else if let Ok(rule) = record.rule.parse::<Rule>() {
        // A code alone would be read as an error code, and an unknown rule not at all.
        text += &format!("{}\n", capitalized(rule.to_string()));
    }
    Ok(text)
}

/// The name of a rule as Gomocup writes it.
fn capitalized(mut rule: String) -> String {
    if let Some(first) = rule.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    rule
}

/// Reads the game of a file, or several games in one file.
///
/// # Errors
/// Returns an error with its line if something cannot be read.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    ensure!(!bytes.trim_ascii().is_empty(), "the file is empty");
    foreign::read(GameFormat::Psq, bytes, &NAMES, options)
}
