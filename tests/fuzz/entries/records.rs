//! Entries of the fuzzers into the readers of the match runner: each function takes any bytes and panics when
//! something is wrong.

use std::fs;

use kakugo::game_files::ReadOptions;
use kakugo::rules::Rule;
use kakugo::variants;
use tournament::files::{self, RecordFormat, Replay};
use tournament::files::{journal, results};
use tournament::model::record::GameRecord;

/// Piskvork's files.
pub fn psq(bytes: &[u8]) {
    file(RecordFormat::Psq, bytes);
}

/// Smart Game Format.
pub fn sgf(bytes: &[u8]) {
    file(RecordFormat::Sgf, bytes);
}

/// Portable Game Notation.
pub fn pgn(bytes: &[u8]) {
    file(RecordFormat::Pgn, bytes);
}

/// Our results: as games, and as a file that a batch goes on with.
pub fn results(bytes: &[u8]) {
    file(RecordFormat::Jsonl, bytes);
    let path = std::env::temp_dir().join(format!("kakugo-fuzz-{}.jsonl", std::process::id()));
    fs::write(&path, bytes).expect("a temporary file");
    let read = journal::read(&path);
    fs::remove_file(&path).expect("it was just written");
    match read {
        Ok(Some(contents)) => contents.records.iter().for_each(check),
        Ok(None) => {}
        Err(error) => check_error(&error),
    }
}

fn file(format: RecordFormat, bytes: &[u8]) {
    match results::parse_bytes(bytes, Some(format), &ReadOptions::default()) {
        Ok(read) => read.games.iter().for_each(check),
        Err(error) => check_error(&error),
    }
}

/// A record that was read is written in every format, or refused; what is written reads as the same moves, unless the
/// rule is none that there is: its name may be anything.
fn check(record: &GameRecord) {
    let replay = match Replay::of(record) {
        Ok(replay) => replay,
        Err(error) => return check_error(&error),
    };
    let is_known = record.rule.parse::<Rule>().is_ok() || variants::open(&record.rule).is_ok();
    for format in [RecordFormat::Pgn, RecordFormat::Psq, RecordFormat::Sgf, RecordFormat::Csv] {
        match files::write(format, std::slice::from_ref(record)) {
            Ok(_) if !is_known => {}
            Ok(text) => {
                let read = files::read(format, &text);
                let read = read.unwrap_or_else(|error| panic!("{format:?}: {error:#} in\n{text}"));
                assert_eq!(read.len(), 1, "{format:?}:\n{text}");
                let again = Replay::of(&read[0]).expect("readers check the moves");
                assert_eq!(again.moves, replay.moves, "{format:?}:\n{text}");
            }
            Err(error) => check_error(&error),
        }
    }
}

fn check_error(error: &anyhow::Error) {
    let text = format!("{error:#}");
    assert_eq!(text.lines().count(), 1, "{text}");
}
