//! Import and export of positions.
//!
//! Each format is a file in this folder with a function for each direction, and an arm in every `match` here;
//! the formats of games share one file and can only be imported. Import functions add what they find to an
//! [`Importer`]; export functions get a [`Reader`] and a [`Scope`]. An export replaces the target file as a
//! whole.

mod csv;
mod games;
mod kind;
mod library;
mod rapfi;
mod yixin;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::iter;
use std::path::Path;

use super::error::DatabaseError;
use super::key::Key;
use super::merging::{Importer, MergeRule, MergeTally, SORTED_BYTES, merge_with};
use super::meter::{Interrupted, Meter, Metered};
use super::record::{Record, RecordError};
use super::store::{Access, CACHE_BYTES, Reader, Store};
use super::subtree::Subtree;
use crate::board::Size;
use crate::files::{self, CodePage};
use crate::game_files::rif::RifReader;
use crate::game_files::{GameReader, ReadOptions, RecordedGame, pos};
use crate::rules::{Rule, RuleKind};

pub use csv::COLUMNS as CSV_COLUMNS;
pub use games::GameTally;
pub use kind::{EXPORT_FORMATS, Format, UnknownFormat};

/// Memory for pages of a database that is read once, in order.
const SOURCE_CACHE_BYTES: usize = 2 << 20;
/// Number of plies of a game whose positions are imported by default.
pub const PLIES: usize = 60;

/// Settings of an import that the file may not specify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// Rule of positions without a rule.
    pub rule: RuleKind,
    /// Board size of positions without a size.
    pub size: Size,
    /// Number of plies of each game whose positions are imported.
    pub plies: usize,
    /// Rule that overrides the rules of all games.
    pub forced: Option<Rule>,
    /// Code page that overrides the code page of all games and libraries, and of databases of Rapfi that are not
    /// labelled as UTF-8.
    pub encoding: Option<CodePage>,
    /// Whether games of any kind are read as gomoku.
    pub any_kind: bool,
    /// Whether all positions of SGF and of results files are imported, including the variations.
    pub variations: bool,
}

impl ImportOptions {
    /// The settings for a rule and a board, with [`PLIES`].
    pub const fn new(rule: RuleKind, size: Size) -> ImportOptions {
        ImportOptions {
            rule,
            size,
            plies: PLIES,
            forced: None,
            encoding: None,
            any_kind: false,
            variations: false,
        }
    }

    /// The settings for reading games.
    fn reading(&self) -> ReadOptions {
        let ImportOptions { size, forced, encoding, any_kind, variations, .. } = *self;
        ReadOptions { board: size, rule: forced, encoding, any_kind, variations, positions: false }
    }
}

/// The positions to export.
#[derive(Default)]
pub struct Scope {
    /// Only this rule.
    pub rule: Option<RuleKind>,
    /// Only this size.
    pub size: Option<Size>,
    /// Only this subtree.
    pub subtree: Option<Subtree>,
}

impl Scope {
    /// Whether a position is in the scope.
    pub fn contains(&self, key: &Key) -> bool {
        self.rule.is_none_or(|rule| rule == key.rule())
            && self.size.is_none_or(|size| size == key.size())
            && self.subtree.as_ref().is_none_or(|subtree| subtree.contains(key))
    }
}

/// Statistics of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Imported positions.
    pub positions: MergeTally,
    /// Positions that a database cannot store.
    pub left_out: u64,
    /// Games, if the file contains games.
    pub games: Option<GameTally>,
    /// Why the first invalid game was skipped.
    pub wrong_game: Option<String>,
}

/// Statistics of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Positions written.
    pub written: u64,
    /// Positions that the format cannot store.
    pub left_out: u64,
}

/// Why an import or export failed.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The input file is invalid, in this line if it has lines.
    #[error("{line}{reason}", line = line_prefix(*.0), reason = .1)]
    Input(Option<u64>, String),
    /// The input file should contain games, but has none.
    #[error("the file contains no games")]
    NoGames,
    /// The database that takes or gives the positions cannot be read or written, or cannot store one of them.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The other file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TransferError {
    /// An invalid line.
    fn line(line: u64, what: impl fmt::Display) -> TransferError {
        TransferError::Input(Some(line), what.to_string())
    }

    /// Whether the database that takes or gives the positions failed, and not the other file or its content.
    pub fn is_of_database(&self) -> bool {
        let TransferError::Database(error) = self else { return false };
        !matches!(error, DatabaseError::NoEntry | DatabaseError::Record(_) | DatabaseError::Interrupted)
    }

    /// The error of a database that is the other file.
    fn of_other(error: DatabaseError) -> TransferError {
        match error {
            DatabaseError::Io(error) => error.into(),
            error => TransferError::Input(None, error.to_string()),
        }
    }

    /// The error of adding a record, from this line if the input has lines: a text that is too long is in the input.
    fn adding(line: Option<u64>, error: DatabaseError) -> TransferError {
        match error {
            DatabaseError::Record(RecordError::TooLong) => TransferError::Input(line, error.to_string()),
            error => error.into(),
        }
    }
}

/// The part of a message that names the line.
fn line_prefix(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

impl From<Interrupted> for TransferError {
    fn from(interrupted: Interrupted) -> TransferError {
        TransferError::Database(interrupted.into())
    }
}

/// Imports the positions of the file at `path` into a database. Databases and tables specify rule and size
/// themselves; `options` apply to formats that do not. The games of a file are always added to the stored
/// ones. They and the positions of a library or of a database of Rapfi are imported in one transaction, whatever
/// the settings of `into`.
///
/// # Errors
/// Returns an error if the file cannot be read or is invalid, or the database cannot be written; what was
/// committed before is kept.
pub fn import(
    format: Format,
    path: &Path,
    options: ImportOptions,
    into: Importer,
    meter: &mut dyn Meter,
) -> Result<Imported, TransferError> {
    let mut into = match format {
        _ if format.is_of_games() => into.adds_games().with_batch(usize::MAX),
        Format::Library | Format::Rapfi => into.with_batch(usize::MAX),
        _ => into,
    };
    let (mut left_out, mut games, mut wrong_game) = (0, None, None);
    let mut take = |(tally, fault): (GameTally, Option<TransferError>)| {
        (games, wrong_game) = (Some(tally), fault.map(|fault| fault.to_string()));
    };
    match format {
        Format::Database => {
            let positions = import_database(path, into, meter)?;
            return Ok(Imported { positions, ..Imported::default() });
        }
        Format::Csv => csv::import(&mut open(path, meter)?, &mut into)?,
        Format::Yixin => yixin::import(&mut open(path, meter)?, &mut into)?,
        Format::Rapfi => left_out = rapfi::import(path, &options, &mut into, meter)?,
        Format::Library if options.size != Size::default() => {
            let what = "RenLib supports only 15x15 boards".to_owned();
            return Err(TransferError::Input(None, what));
        }
        Format::Library => left_out = library::import(path, &options, &mut into, meter)?,
        Format::Results => take(games::import_results(open(path, meter)?, &options, &mut into)?),
        Format::RenjuNet => {
            take(games::import(RifReader::new(open(path, meter)?, options.reading()), &options, &mut into)?);
        }
        Format::Position => {
            let game = position(open(path, meter)?, &options.reading())?;
            take(games::import(iter::once(Ok(game)), &options, &mut into)?);
        }
        Format::Sgf | Format::Pgn | Format::Piskvork => {
            let form = format.of_game_files().expect("it is one of their formats");
            let reader = GameReader::new(form, open(path, meter)?, options.reading());
            take(games::import(reader, &options, &mut into)?);
        }
    }
    Ok(Imported { positions: into.finish_with(meter)?, left_out, games, wrong_game })
}

fn import_database(path: &Path, into: Importer, meter: &mut dyn Meter) -> Result<MergeTally, TransferError> {
    let of_other = TransferError::of_other;
    let store = Store::open_with_cache(path, Access::Read, SOURCE_CACHE_BYTES).map_err(of_other)?;
    let reader = store.reader().map_err(of_other)?;
    merge_with(&reader, into, meter, of_other, |error| TransferError::adding(None, error))
}

/// The game of a file of RenLib.
fn position(input: impl Read, options: &ReadOptions) -> Result<RecordedGame, TransferError> {
    let mut bytes = Vec::new();
    input.take(pos::MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    pos::game(&bytes, options).ok_or_else(|| TransferError::Input(None, pos::NOT_A_GAME.to_owned()))
}

/// Opens a file whose bytes are counted as the steps of an import.
fn open<'a>(path: &Path, meter: &'a mut dyn Meter) -> io::Result<BufReader<Metered<'a, File>>> {
    let file = files::open(path)?;
    meter.begin(file.metadata()?.len());
    Ok(BufReader::with_capacity(1 << 16, Metered::new(file, meter)))
}

/// Writes positions of a database to the file at `path`.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the target is a database and exists already;
/// then the file is unchanged.
pub fn export(
    format: Format,
    from: &Reader,
    scope: &Scope,
    path: &Path,
    meter: &mut dyn Meter,
) -> Result<Exported, TransferError> {
    export_within(usize::MAX, format, from, scope, path, meter)
}

/// Like [`export`], but uses at most about `memory` bytes in addition to the pages of `from`.
///
/// # Errors
/// Returns the same errors as [`export`], and an error if a library needs more memory: its tree is written as
/// a whole.
pub fn export_within(
    memory: usize,
    format: Format,
    from: &Reader,
    scope: &Scope,
    path: &Path,
    meter: &mut dyn Meter,
) -> Result<Exported, TransferError> {
    let entries = Entries { from, scope, meter };
    match format {
        Format::Database => split(memory, entries, path),
        Format::Csv => replace(path, entries, csv::export),
        Format::Yixin => replace(path, entries, yixin::export),
        Format::Rapfi => replace(path, entries, rapfi::export),
        Format::Library => library::export(memory, from, scope, path, entries.meter),
        Format::Sgf
        | Format::Pgn
        | Format::Piskvork
        | Format::Results
        | Format::RenjuNet
        | Format::Position => {
            let reason = "a database stores results of games, not the games";
            let what = format!("{reason}: the formats for export are {EXPORT_FORMATS}");
            Err(TransferError::Input(None, what))
        }
    }
}

/// Replaces the file at `path` by the output of `write`.
fn replace(
    path: &Path,
    mut entries: Entries,
    write: impl FnOnce(&mut Entries, &mut dyn Write) -> Result<Exported, TransferError>,
) -> Result<Exported, TransferError> {
    let mut result = Ok(Exported::default());
    let replaced = files::replace(path, |output| {
        result = write(&mut entries, output);
        // The old file is kept; the reason is in `result`.
        if result.is_ok() { Ok(()) } else { Err(io::Error::other("the positions can't be written")) }
    });
    let exported = result?;
    replaced?;
    Ok(exported)
}

/// Copies positions into a new database, which takes its name once it is complete.
fn split(memory: usize, mut entries: Entries, path: &Path) -> Result<Exported, TransferError> {
    let check_free = || match path.symlink_metadata() {
        Ok(_) => {
            let what = "the file exists already; merge adds to a database".to_owned();
            Err(TransferError::Input(None, what))
        }
        Err(_) => Ok(()),
    };
    check_free()?;
    // One third each for pending records, changes collected by the store, and cached pages.
    let share = memory / 3;
    let mut exported = Exported::default();
    let of_other = TransferError::of_other;
    files::replace_held(path, |draft| {
        let cache_bytes = share.min(CACHE_BYTES);
        let store = Store::on_with_cache(Box::new(draft), Access::Create, cache_bytes).map_err(of_other)?;
        let mut into = Importer::new(&store, MergeRule::default()).with_memory(share.min(SORTED_BYTES));
        entries.visit(|key, record| into.add_entry(&key, &record).map_err(of_other))?;
        exported.written = into.finish().map_err(of_other)?.committed;
        check_free()
    })?;
    Ok(exported)
}

/// The positions of an export.
struct Entries<'a> {
    from: &'a Reader,
    scope: &'a Scope,
    meter: &'a mut dyn Meter,
}

impl Entries<'_> {
    fn visit(
        &mut self,
        mut visitor: impl FnMut(Key, Record) -> Result<(), TransferError>,
    ) -> Result<(), TransferError> {
        self.meter.begin(self.from.len()?);
        for entry in self.from.entries()? {
            let (key, record) = entry?;
            if self.scope.contains(&key) {
                visitor(key, record)?;
            }
            self.meter.advance(1)?;
        }
        Ok(())
    }
}

/// Upper bound on the length of a line: a full board with its texts, all escaped.
const MOST_LINE_BYTES: u64 = 4 << 20;

/// The next line without its line end, which may be LF or CRLF; `None` at the end of the file.
fn next_line(input: &mut dyn BufRead, line: u64) -> Result<Option<String>, TransferError> {
    let mut bytes = Vec::new();
    io::Read::take(&mut *input, MOST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MOST_LINE_BYTES {
        return Err(TransferError::line(line, "it is too long for a position"));
    }
    while bytes.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
        bytes.pop();
    }
    let text =
        String::from_utf8(bytes).map_err(|_| TransferError::line(line, "it is not a text in UTF-8"))?;
    Ok(Some(text))
}

/// Writes a line.
fn put_line(output: &mut dyn Write, line: &str) -> Result<(), TransferError> {
    output.write_all(line.as_bytes())?;
    Ok(output.write_all(b"\n")?)
}
