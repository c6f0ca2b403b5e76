//! Files of games: results files, and the formats of other programs.
//!
//! - [`journal`], [`merge`]: writing and reading the results file safely, joining the files of shares.
//! - [`identity`]: whether a file belongs to another batch.
//! - [`results`]: reads games in any format.
//! - [`input`]: limits on input size; [`kakugo::files`] does the reading.
//! - [`pgn`]: Portable Game Notation, for rating programs; includes moves.
//! - [`psq`]: Piskvork's format for one game.
//! - [`sgf`]: Smart Game Format, which many board programs read.
//! - `foreign`: the common part of PGN and SGF: converts games read by [`kakugo::game_files`] to records.
//! - [`csv`]: for spreadsheets.
//! - [`replay`]: the checked moves of any record, for showing and writing them.
//! - [`timing`]: the time limits of the answers in any record.
//! - `limits`: completes the limits in old records.
//! - [`note`], [`date`]: the notes on moves, and the dates, in files of games.
//!
//! All readers return [`GameRecord`]s and report the line of unreadable content. Formats omit what they
//! cannot represent; only the results file is complete.

use std::iter;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::Size;
use kakugo::files::CodePage;
use kakugo::game::play_moves;
use kakugo::game_files::rif::{self, RifReader};
use kakugo::game_files::{GameFormat, ReadOptions, pos};
use kakugo::rules::Rule;

use crate::files::input::LINE_LIMIT;
use crate::files::journal::line;
use crate::model::ending::Ending;
use crate::model::game_kind::GameKind;
use crate::model::record::{GameRecord, GameResult, Side};

pub mod csv;
pub mod date;
mod foreign;
pub mod identity;
pub mod input;
pub mod journal;
mod limits;
pub mod merge;
pub mod note;
pub mod pgn;
pub mod psq;
pub mod replay;
pub mod results;
pub mod sgf;
pub mod timing;

pub(crate) use kakugo::game_files::clip;

pub use replay::Replay;

/// [`GameRecord::ending`] of a game whose file states no result. Its [`GameRecord::result`] is meaningless.
pub const UNFINISHED: &str = "unfinished";

/// [`GameRecord::ending`] of a game whose file states the result, but not the reason.
pub const UNKNOWN: &str = "unknown";

/// [`GameRecord::ending`] of a game of another program that a player lost by forfeit.
pub const FORFEIT: &str = "forfeit";

/// A format of game files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum RecordFormat {
    /// Results file of tournament: a header, then one record per line.
    Jsonl,
    /// Portable Game Notation.
    Pgn,
    /// Piskvork.
    Psq,
    /// Smart Game Format.
    Sgf,
    /// Comma-separated values.
    Csv,
    /// RenjuNet's database, which is only read.
    #[value(skip)]
    Rif,
    /// RenLib's game, which is only read.
    #[value(skip)]
    Pos,
}

impl RecordFormat {
    /// Extensions of files of games, by which they are found in a folder.
    pub const EXTENSIONS: &[&str] = &["jsonl", "ndjson", "pgn", "psq", "sgf", "csv", "rif", "pos"];

    /// The format that a file name indicates, if any.
    pub fn of_path(path: &Path) -> Option<RecordFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" | "log" => Some(RecordFormat::Jsonl),
            "pgn" => Some(RecordFormat::Pgn),
            "psq" => Some(RecordFormat::Psq),
            "sgf" => Some(RecordFormat::Sgf),
            "csv" => Some(RecordFormat::Csv),
            "rif" => Some(RecordFormat::Rif),
            "pos" => Some(RecordFormat::Pos),
            _ => None,
        }
    }

    /// The format that the beginning of a file indicates, if any.
    pub fn of_bytes(beginning: &[u8]) -> Option<RecordFormat> {
        if pos::is_file(beginning) {
            return Some(RecordFormat::Pos);
        }
        RecordFormat::of_content(&CodePage::decode_beginning(beginning))
    }

    /// The format that a file's content indicates, if any.
    pub fn of_content(text: &str) -> Option<RecordFormat> {
        match GameFormat::of_content(text) {
            Some(GameFormat::Sgf) => return Some(RecordFormat::Sgf),
            Some(GameFormat::Pgn) => return Some(RecordFormat::Pgn),
            Some(GameFormat::Psq) => return Some(RecordFormat::Psq),
            None => {}
        }
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let first_line = text.lines().next().unwrap_or("");
        match text.chars().next()? {
            '{' => Some(RecordFormat::Jsonl),
            _ if rif::is_beginning(text) => Some(RecordFormat::Rif),
            _ if first_line.split(',').any(|name| name.trim() == "black") => Some(RecordFormat::Csv),
            _ => None,
        }
    }

    /// The usual extension of file names.
    pub const fn extension(self) -> &'static str {
        match self {
            RecordFormat::Jsonl => "jsonl",
            RecordFormat::Pgn => "pgn",
            RecordFormat::Psq => "psq",
            RecordFormat::Sgf => "sgf",
            RecordFormat::Csv => "csv",
            RecordFormat::Rif => "rif",
            RecordFormat::Pos => "pos",
        }
    }
}

/// A record of which only the number is known.
pub(crate) fn blank(game: usize) -> GameRecord {
    let side = || Side { name: "?".to_owned(), about: String::new(), peak_memory: None };
    GameRecord {
        game,
        pair: 0,
        seed: 0,
        began: 0,
        league: None,
        event: Default::default(),
        rule: Rule::default().to_string(),
        size: Size::default().to_string(),
        limits: String::new(),
        black: side(),
        white: side(),
        opening: String::new(),
        moves: String::new(),
        variations: Vec::new(),
        comment: String::new(),
        comments: Default::default(),
        played: Vec::new(),
        result: GameResult::Draw,
        ending: UNFINISHED.to_owned(),
        detail: String::new(),
        procedure: None,
        evidence: None,
    }
}

/// A size or moves from a text, with single spaces, because line ends would be shown as escapes.
pub(crate) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fills in how the game ended if the file does not state it, by the rules alone; a `result` from the file is
/// kept.
pub(crate) fn judge(record: &mut GameRecord, result: Option<GameResult>) {
    let by_rules = ending_of(record);
    let is_stated = record.ending != UNFINISHED;
    match (result, by_rules) {
        (Some(result), Some((found, ending))) if found == result && !is_stated => {
            (record.result, record.ending) = (result, ending.to_owned());
        }
        (Some(result), _) => {
            record.result = result;
            if !is_stated {
                record.ending = UNKNOWN.to_owned();
            }
        }
        (None, Some((found, ending))) => (record.result, record.ending) = (found, ending.to_owned()),
        (None, None) => {
            record.ending = UNFINISHED.to_owned();
            record.detail = "the file does not state the result".to_owned();
        }
    }
}

/// Result and ending of a game by its rules; `None` if the game is unfinished or its rules are unknown.
fn ending_of(record: &GameRecord) -> Option<(GameResult, &'static str)> {
    let mut game = GameKind::named(&record.rule, record.size.parse().ok()?)?.open();
    play_moves(game.as_mut(), &record.moves).ok()?;
    let ending = Ending::Rules(game.outcome()?);
    Some((ending.outcome(), ending.name()))
}

/// The games of a file, and what was skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    /// The games that could be read.
    pub records: Vec<GameRecord>,
    /// The games that could not be read.
    pub wrong: Notice,
    /// Games without moves, because private properties contain the opening.
    pub hidden: Notice,
}

/// A number of affected games, and a description of the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The number of games.
    pub count: usize,
    /// Position and problem of the first game.
    pub first: Option<String>,
}

impl Notice {
    fn add(&mut self, what: String) {
        self.count += 1;
        self.first.get_or_insert(what);
    }
}

/// Reads the games of a text in one of the foreign formats.
///
/// # Errors
/// Returns the same errors as [`read_bytes`].
pub fn read(format: RecordFormat, text: &str) -> Result<Vec<GameRecord>> {
    Ok(read_bytes(format, text.as_bytes(), &ReadOptions::default())?.records)
}

/// Reads the games of a file in one of the foreign formats, in any encoding.
///
/// # Errors
/// Returns an error with its line if no game can be read, or if there is none; also for
/// [`RecordFormat::Jsonl`], which [`crate::files::results::read`] reads.
pub fn read_bytes(format: RecordFormat, bytes: &[u8], options: &ReadOptions) -> Result<Games> {
    match format {
        RecordFormat::Pgn => pgn::read(bytes, options),
        RecordFormat::Psq => psq::read(bytes, options),
        RecordFormat::Sgf => sgf::read(bytes, options),
        RecordFormat::Csv => {
            let text = CodePage::decode_file(bytes, options.encoding);
            let records = csv::read(text.trim_start_matches('\u{feff}'), options.rule)?;
            Ok(Games { records, ..Games::default() })
        }
        RecordFormat::Rif => foreign::read_games(RifReader::new(bytes, *options), false, &psq::NAMES),
        RecordFormat::Pos => {
            let game = pos::game(bytes, options).context(pos::NOT_A_GAME)?;
            foreign::read_games(iter::once(Ok(game)), false, &psq::NAMES)
        }
        RecordFormat::Jsonl => bail!("a results file is read by results::read"),
    }
}

/// Writes the games as a text in one of the foreign formats.
///
/// # Errors
/// Returns an error if a record's moves cannot be read, or if the format holds only one game.
pub fn write(format: RecordFormat, games: &[GameRecord]) -> Result<String> {
    let all = |write: fn(&GameRecord) -> Result<String>| {
        let one = |game: &GameRecord| write(game).with_context(|| format!("game {}", game.game));
        games.iter().map(one).collect::<Result<Vec<_>>>().map(|texts| texts.join("\n"))
    };
    match format {
        RecordFormat::Pgn => all(pgn::write),
        RecordFormat::Sgf => all(sgf::write),
        RecordFormat::Csv => csv::write(games),
        RecordFormat::Psq => {
            ensure!(games.len() == 1, "a .psq file holds one game; the input has {}", games.len());
            all(psq::write)
        }
        RecordFormat::Jsonl => games.iter().map(result_line).collect(),
        RecordFormat::Rif => bail!("RenjuNet's format is only read: write .sgf, .pgn, .psq, .csv or .jsonl"),
        RecordFormat::Pos => bail!("RenLib's .pos is only read: write .sgf, .pgn, .psq, .csv or .jsonl"),
    }
}

/// A record as a line of a results file.
///
/// # Errors
/// Returns an error if the line is longer than readers accept.
fn result_line(game: &GameRecord) -> Result<String> {
    let line = line(game);
    ensure!(
        line.len() as u64 <= LINE_LIMIT,
        "game {} takes more than the {} MiB of a line in a results file: write it as .sgf",
        game.game,
        LINE_LIMIT >> 20
    );
    Ok(line)
}

#[cfg(test)]
mod tests;
