//! Files that positions come from and go to.
//!
//! Each format is a file of this folder with a function for each way, and a line in every `match` here; those of games
//! share one, and have one way. To the importers an [`Importer`] is given, to which they add what they find; exporters
//! get a [`Reader`] and a [`Scope`]. What is exported replaces the file as a whole.

mod csv;
mod games;
mod kind;
mod library;
mod yixin;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use super::error::DatabaseError;
use super::key::Key;
use super::merging::{Importer, MergeRule, MergeTally, merge};
use super::meter::{Interrupted, Meter, Metered};
use super::record::Record;
use super::store::{Access, Reader, Store};
use super::subtree::Subtree;
use crate::board::Size;
use crate::files::{self, CodePage};
use crate::rules::{Rule, RuleKind};

pub use csv::COLUMNS as CSV_COLUMNS;
pub use games::GameTally;
pub use kind::{Format, UnknownFormat};

/// Memory for pages of a database that is read once, in order.
const SOURCE_CACHE_BYTES: usize = 2 << 20;
/// Plies of a game whose positions are taken, unless another number is asked for.
pub const PLIES: usize = 60;

/// ImportTerms of an import that its file may not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportTerms {
    /// Rule of what tells none.
    pub rule: RuleKind,
    /// Board of what tells none.
    pub size: Size,
    /// Plies of each game after which its positions are taken no more.
    pub plies: usize,
    /// Rule of all games, whatever they tell.
    pub forced: Option<Rule>,
    /// Code page of all games, and of libraries, whatever they tell and look like.
    pub encoding: Option<CodePage>,
    /// Games of any kind are taken for gomoku.
    pub any_kind: bool,
}

impl ImportTerms {
    /// Those of a rule and a board, with [`PLIES`].
    pub const fn new(rule: RuleKind, size: Size) -> ImportTerms {
        ImportTerms { rule, size, plies: PLIES, forced: None, encoding: None, any_kind: false }
    }
}

/// Positions to export.
#[derive(Default)]
pub struct Scope {
    /// Of this rule only.
    pub rule: Option<RuleKind>,
    /// Of this size only.
    pub size: Option<Size>,
    /// Of this subtree only.
    pub subtree: Option<Subtree>,
}

impl Scope {
    /// Whether a position is meant.
    pub fn contains(&self, key: &Key) -> bool {
        self.rule.is_none_or(|rule| rule == key.rule())
            && self.size.is_none_or(|size| size == key.size())
            && self.subtree.as_ref().is_none_or(|subtree| subtree.contains(key))
    }
}

/// Numbers of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Positions.
    pub positions: MergeTally,
    /// Positions that a database can't hold.
    pub left_out: u64,
    /// Games, where the file has some.
    pub games: Option<GameTally>,
    /// Why the first game that is wrong was left out.
    pub wrong_game: Option<String>,
}

/// Numbers of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Positions that were written.
    pub written: u64,
    /// Positions that the format can't hold.
    pub left_out: u64,
}

/// Why an import or export failed.
#[derive(Debug)]
pub enum TransferError {
    /// The file that is read is wrong, in this line if it has lines.
    Input(Option<u64>, String),
    /// A database can't be read or written.
    Database(DatabaseError),
    /// The other file can't be read or written.
    Io(io::Error),
}

impl TransferError {
    /// A line that is wrong.
    fn line(line: u64, what: impl fmt::Display) -> TransferError {
        TransferError::Input(Some(line), what.to_string())
    }
}

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TransferError::Input(Some(line), what) => write!(f, "line {line}: {what}"),
            TransferError::Input(None, what) => f.write_str(what),
            TransferError::Database(error) => error.fmt(f),
            TransferError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TransferError {}

impl From<DatabaseError> for TransferError {
    fn from(error: DatabaseError) -> TransferError {
        TransferError::Database(error)
    }
}

impl From<Interrupted> for TransferError {
    fn from(interrupted: Interrupted) -> TransferError {
        TransferError::Database(interrupted.into())
    }
}

impl From<io::Error> for TransferError {
    fn from(error: io::Error) -> TransferError {
        TransferError::Io(error)
    }
}

/// Takes the positions of the file at `path` into a database. Databases and tables tell rule and size themselves, so
/// `terms` are for formats that do not. The games of a file always add to those that are there, and are taken in one
/// transaction, whatever `into` does with others.
///
/// # Errors
/// When the file can't be read or is wrong, or the database can't be written; what was committed before stays.
pub fn import(
    format: Format,
    path: &Path,
    terms: ImportTerms,
    into: Importer,
    meter: &mut dyn Meter,
) -> Result<Imported, TransferError> {
    let mut into = if format.is_of_games() { into.adds_games().with_batch(usize::MAX) } else { into };
    let (mut left_out, mut games, mut wrong_game) = (0, None, None);
    let mut take = |(tally, fault): (GameTally, Option<TransferError>)| {
        (games, wrong_game) = (Some(tally), fault.map(|fault| fault.to_string()));
    };
    match format {
        Format::Database => {
            let store = Store::open_with_cache(path, Access::Read, SOURCE_CACHE_BYTES)?;
            let positions = merge(&store.reader()?, into, meter)?;
            return Ok(Imported { positions, ..Imported::default() });
        }
        Format::Csv => csv::import(&mut open(path, meter)?, &mut into)?,
        Format::Yixin => yixin::import(&mut open(path, meter)?, &mut into)?,
        Format::Library if terms.size != Size::default() => {
            let what = "RenLib knows boards of 15x15 only".to_owned();
            return Err(TransferError::Input(None, what));
        }
        Format::Library => left_out = library::import(path, &terms, &mut into, meter)?,
        Format::Results => take(games::import_results(open(path, meter)?, &terms, &mut into)?),
        Format::Sgf | Format::Pgn | Format::Piskvork => {
            let form = format.of_game_files().expect("it is one of their formats");
            take(games::import(form, open(path, meter)?, &terms, &mut into)?);
        }
    }
    Ok(Imported { positions: into.finish()?, left_out, games, wrong_game })
}

/// Opens a file whose bytes are the steps of an import.
fn open<'a>(path: &Path, meter: &'a mut dyn Meter) -> io::Result<BufReader<Metered<'a, File>>> {
    let file = files::open(path)?;
    meter.begin(file.metadata()?.len());
    Ok(BufReader::with_capacity(1 << 16, Metered::new(file, meter)))
}

/// Writes positions of a database to the file at `path`.
///
/// # Errors
/// When a file can't be read or written, and for a database when one is there already; then the file is as it was.
pub fn export(
    format: Format,
    from: &Reader,
    scope: &Scope,
    path: &Path,
    meter: &mut dyn Meter,
) -> Result<Exported, TransferError> {
    let entries = Entries { from, scope, meter };
    match format {
        Format::Database => split(entries, path),
        Format::Csv => replace(path, entries, csv::export),
        Format::Yixin => replace(path, entries, yixin::export),
        Format::Library => library::export(from, scope, path, entries.meter),
        Format::Sgf | Format::Pgn | Format::Piskvork | Format::Results => {
            let what = "a database keeps no games, only how they ended: kdb, csv, txt and lib can be written";
            Err(TransferError::Input(None, what.to_owned()))
        }
    }
}

/// Replaces the file at `path` by what `write` makes of the positions.
fn replace(
    path: &Path,
    mut entries: Entries,
    write: impl FnOnce(&mut Entries, &mut dyn Write) -> Result<Exported, TransferError>,
) -> Result<Exported, TransferError> {
    let mut result = Ok(Exported::default());
    let replaced = files::replace(path, |output| {
        result = write(&mut entries, output);
        // The old file stays; why is in `result`.
        if result.is_ok() { Ok(()) } else { Err(io::Error::other("the positions can't be written")) }
    });
    let exported = result?;
    replaced?;
    Ok(exported)
}

/// Copies positions into a new database.
fn split(mut entries: Entries, path: &Path) -> Result<Exported, TransferError> {
    if path.symlink_metadata().is_ok() {
        let what = "there is a file already; merge adds to a database".to_owned();
        return Err(TransferError::Input(None, what));
    }
    let store = Store::open(path, Access::Create)?;
    let mut into = Importer::new(&store, MergeRule::default());
    entries.visit(|key, record| Ok(into.add_entry(key, record)?))?;
    Ok(Exported { written: into.finish()?.committed, left_out: 0 })
}

/// Positions on their way out.
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

/// No position has a longer line: a full board, its texts, and all escaped.
const MOST_LINE_BYTES: u64 = 4 << 20;

/// The next line, without its end; `None` at the end of the file. Ends of lines of both kinds are understood.
fn next_line(input: &mut dyn BufRead, line: u64) -> Result<Option<String>, TransferError> {
    let mut bytes = Vec::new();
    io::Read::take(&mut *input, MOST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MOST_LINE_BYTES {
        return Err(TransferError::line(line, "it is longer than a position can be"));
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
