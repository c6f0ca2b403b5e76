//! `db import`, `db export`, `db merge`.

use std::cell::Cell;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::bar::Bar;
use super::{DatabaseFile, open};
use crate::board::Size;
use crate::cli::game_file::GameKindArg;
use crate::cli::position_args::read_board;
use crate::cli::rule_name;
use crate::database::format::{
    self, EXPORT_FORMATS, Format, GameTally, ImportOptions, Imported, PLIES, Scope, TransferError,
    UnknownFormat,
};
use crate::database::{
    self, Access, BATCH, DatabaseError, Importer, MergeRule, MergeTally, Prefer, Store, Subtree,
};
use crate::files::{CodePage, inputs, is_same, without_repeats};
use crate::rules::Rule;
use crate::terminal::output::{self, status_line};

/// Arguments of `db import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(flatten)]
    file: DatabaseFile,
    /// The files to import; a folder means the games and libraries in and below it (.sgf, .pgn, .psq, .jsonl, .rif,
    /// .pos, .lib), a pattern such as '*.sgf' all files that match it
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<PathBuf>,
    /// Format of the sources: kdb, csv, txt, db, lib, sgf, pgn, psq, jsonl, rif, pos [default: determined by
    /// their extension or their first bytes]
    #[arg(long, value_name = "NAME")]
    format: Option<Format>,
    /// Rule of libraries and of all games, whatever the file says [default: the rule of each game, or
    /// freestyle]
    #[arg(long, value_name = "NAME", value_parser = rule_name::parse)]
    rule: Option<Rule>,
    /// Board of sources and games that do not specify it
    #[arg(long, value_name = "N|WxH", default_value = "15")]
    size: Size,
    /// Code page of games, libraries and unlabelled .db files, such as gbk [default: as labelled or detected]
    #[arg(long, value_name = "NAME")]
    encoding: Option<CodePage>,
    /// Kinds of SGF games to read: gomoku, or any (including GM[1], which Go programs write)
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    game_kind: GameKindArg,
    /// Imports all positions of SGF and results files, including variations and positions without data
    #[arg(long)]
    variations: bool,
    /// Imports the positions of a game up to this ply
    #[arg(long, value_name = "N", default_value_t = PLIES)]
    plies: usize,
    #[command(flatten)]
    taking: TakingArgs,
}

/// Arguments of `db merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    #[command(flatten)]
    file: DatabaseFile,
    /// The databases to merge
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
    #[command(flatten)]
    taking: TakingArgs,
}

/// Precedence between new and stored records.
#[derive(Debug, Args)]
struct TakingArgs {
    /// Whose label, value, best move and texts take precedence if both records have data
    #[arg(long, value_name = "WHICH", default_value = "better")]
    prefer: PreferArg,
    /// Adds up the games of both records, as is always done for games of sgf, pgn, psq, jsonl, rif and pos; otherwise
    /// the record with more games determines the counts
    #[arg(long)]
    add_games: bool,
    /// Positions per transaction; data reported as committed is kept even if the process is killed. A file of
    /// games, a library or a .db file is imported in one transaction
    #[arg(long, value_name = "N", default_value_t = BATCH)]
    batch: usize,
    /// Prints lines of JSON: one after each transaction, and the statistics of each source
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PreferArg {
    /// The known result, the shorter win, the deeper search
    Better,
    /// The stored record
    Stored,
    /// The new record
    New,
}

impl TakingArgs {
    fn rule(&self) -> MergeRule {
        let prefer = match self.prefer {
            PreferArg::Better => Prefer::Better,
            PreferArg::Stored => Prefer::Stored,
            PreferArg::New => Prefer::New,
        };
        MergeRule { prefer, adds_games: self.add_games }
    }

    /// Adds a source to `store` and prints the statistics.
    fn take(&self, store: &Store, source: &Path, format: Format, options: ImportOptions) -> Result<()> {
        let committed = Cell::new(0);
        let importer = Importer::new(store, self.rule()).with_batch(self.batch).with_commits(|tally| {
            committed.set(tally.committed);
            if self.json {
                // If nobody reads the output any more, the import is completed anyway.
                let _ = output::print_json(format!("{}\n", json!({ "committed": tally.committed })));
            }
        });
        let mut bar = Bar::new("importing");
        let result = format::import(format, source, options, importer, &mut bar);
        drop(bar);
        let imported = result.map_err(|error| {
            let failure = failure(&error, store, source, format, committed.get());
            let is_of_database = matches!(error, TransferError::Database(_));
            if is_of_database { anyhow!(failure) } else { SourceError(failure).into() }
        })?;
        Ok(if self.json {
            output::print_json(in_json(source, &imported) + "\n")
        } else {
            output::print(&(in_words(source, &imported) + "\n"))
        }?)
    }
}

fn in_json(source: &Path, imported: &Imported) -> String {
    let MergeTally { read, added, changed, .. } = imported.positions;
    let name = source.display().to_string();
    let mut line = json!({ "source": name, "read": read, "added": added, "changed": changed });
    if imported.left_out > 0 {
        line["left_out"] = imported.left_out.into();
    }
    if let Some(games) = imported.games.as_ref() {
        line["games"] = json!({
            "read": games.read, "without_result": games.without_result, "without_moves": games.without_moves,
            "of_other_kinds": games.of_other_kinds, "with_hidden_opening": games.with_hidden_opening,
            "wrong": games.wrong, "other_lines": games.other_lines, "torn": games.is_torn,
        });
        if let Some(why) = &imported.wrong_game {
            line["games"]["first_wrong"] = why.as_str().into();
        }
    }
    line.to_string()
}

fn in_words(source: &Path, imported: &Imported) -> String {
    let MergeTally { read, added, changed, .. } = imported.positions;
    let mut text = format!("{}: {read} read, {added} added, {changed} changed", source.display());
    if imported.left_out > 0 {
        text += &format!(", {} skipped because a database cannot store them", imported.left_out);
    }
    if let Some(games) = imported.games.as_ref() {
        let &GameTally { without_result, without_moves, of_other_kinds, other_lines, .. } = games;
        let &GameTally { with_hidden_opening, wrong, .. } = games;
        text += &format!("; games: {}", games.read);
        for (count, what) in [
            (without_result, "without a result"),
            (without_moves, "without moves"),
            (of_other_kinds, "skipped for other rules"),
            (with_hidden_opening, "skipped for an opening in private properties"),
            (wrong, "skipped as invalid"),
            (other_lines, "other lines skipped"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        if let Some(why) = &imported.wrong_game {
            text += &format!(" ({why})");
        }
        if games.is_torn {
            text += ", an incomplete last line skipped";
        }
    }
    text
}

/// A source whose content is invalid. The sources after it are imported.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct SourceError(String);

/// The error of an import in one line, with the number of positions committed before it.
fn failure(error: &TransferError, store: &Store, source: &Path, format: Format, committed: u64) -> String {
    let kept = match committed {
        0 if format.is_of_games() && !matches!(error, TransferError::NoGames) => {
            "; none of its games were imported".to_owned()
        }
        0 => String::new(),
        committed => format!("; the first {committed} were imported"),
    };
    format!("cannot import {}: {}{kept}", source.display(), reason(error, store.path()))
}

/// The reason of a failed transfer, with the name of the database at `path` if it is to blame.
fn reason(error: &TransferError, path: &Path) -> String {
    if error.is_of_database() { format!("{}: {error}", path.display()) } else { error.to_string() }
}

/// Imports the sources one after the other. If a source is invalid, this is reported, and the next one follows.
pub fn import(args: &ImportArgs) -> Result<()> {
    ensure_storable(args.rule)?;
    let options = ImportOptions {
        plies: args.plies,
        forced: args.rule,
        encoding: args.encoding,
        any_kind: args.game_kind == GameKindArg::Any,
        variations: args.variations,
        ..ImportOptions::new(args.rule.unwrap_or_default().kind, args.size)
    };
    let format_of = |source: &PathBuf| {
        ensure_file(source, "input")?;
        ensure_other(source, &args.file)?;
        args.format.map_or_else(|| Format::of_file(source), Ok).map_err(|error| unknown(source, error))
    };
    let sources = inputs(&args.sources, &["sgf", "pgn", "psq", "jsonl", "rif", "pos", "lib"])?;
    let sources = without_repeats(sources, warn_of_repeat);
    // An unknown format or a missing file is reported before anything is written.
    let formats: Vec<Format> = sources.iter().map(format_of).collect::<Result<_>>()?;
    for (source, &format) in sources.iter().zip(&formats) {
        let opened = match format {
            Format::Database => match Store::open(source, Access::Read) {
                // Damage is reported when the source is imported, as with other formats.
                Ok(_) | Err(DatabaseError::Damaged(_)) => Ok(()),
                Err(error) => Err(error.into()),
            },
            _ => crate::files::open(source).map(drop).map_err(TransferError::from),
        };
        opened.map_err(|error| not_opened(source, error))?;
    }
    let store = args.file.open(Access::Create)?;
    let mut failed = 0;
    for (source, format) in sources.iter().zip(formats) {
        match args.taking.take(&store, source, format, options) {
            Err(error) if sources.len() > 1 && error.is::<SourceError>() => {
                status_line(format_args!("error: {error}"));
                failed += 1;
            }
            result => result?,
        }
    }
    ensure!(failed == 0, "{failed} of {} sources could not be imported", sources.len());
    Ok(())
}

/// The error for a source whose format is unknown. A name without an extension that does not exist is more likely a
/// mistyped folder.
fn unknown(source: &Path, error: UnknownFormat) -> Error {
    let name = source.display();
    match source.metadata() {
        Ok(_) => anyhow!("{name}: unknown format; {error}"),
        Err(missing) if source.extension().is_none() => not_opened(source, missing),
        Err(_) => anyhow!("{name}: {error}"),
    }
}

fn not_opened(source: &Path, error: impl Display) -> Error {
    anyhow!("cannot import {}: {error}; nothing was imported", source.display())
}

/// Adds the other databases.
pub fn merge(args: &MergeArgs) -> Result<()> {
    let others = without_repeats(args.others.clone(), warn_of_repeat);
    for other in &others {
        ensure_other(other, &args.file)?;
        drop(open(other, Access::Read)?);
    }
    let store = args.file.open(Access::Write)?;
    let options = ImportOptions::new(Rule::default().kind, Size::default());
    others.iter().try_for_each(|other| args.taking.take(&store, other, Format::Database, options))
}

fn warn_of_repeat(file: &Path) {
    status_line(format_args!("warning: {} is named twice and used once", file.display()));
}

/// Rejects `-`, which other programs take as a stream.
fn ensure_file(path: &Path, stream: &str) -> Result<()> {
    let is_file = path.as_os_str() != "-";
    ensure!(is_file, "standard {stream} (-) is not supported: name a file, or write ./- for a file named -");
    Ok(())
}

fn ensure_other(other: &Path, file: &DatabaseFile) -> Result<()> {
    ensure!(!is_same(other, &file.path), "{} is the database itself", other.display());
    Ok(())
}

fn ensure_storable(rule: Option<Rule>) -> Result<()> {
    let is_continuous = rule.is_some_and(|rule| rule.continuous);
    ensure!(!is_continuous, "a database cannot store positions of continuous games");
    Ok(())
}

/// Arguments of `db export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    file: DatabaseFile,
    /// The file to write
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// Format of the target: kdb, csv, txt, db, lib [default: determined by its extension]
    #[arg(long, value_name = "NAME", value_parser = export_format)]
    format: Option<Format>,
    /// Only positions of this rule
    #[arg(long, value_name = "NAME", value_parser = rule_name::parse)]
    rule: Option<Rule>,
    /// Only positions on this board
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    /// Only this position and the positions that it can lead to: a FEN, or moves such as h8i9j10 (freestyle
    /// and 15x15 unless --rule and --size are given)
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Memory for a library, whose tree is written as a whole
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

fn export_format(name: &str) -> Result<Format, String> {
    name.parse().map_err(|_: UnknownFormat| format!("the formats for export are {EXPORT_FORMATS}"))
}

/// Writes the selected positions.
pub fn export(args: &ExportArgs) -> Result<()> {
    ensure_storable(args.rule)?;
    ensure_file(&args.target, "output")?;
    ensure_other(&args.target, &args.file)?;
    let target = args.target.display();
    let format = args.format.map_or_else(|| Format::of_path(&args.target), Ok);
    let format = format
        .map_err(|_| anyhow!("{target}: unknown format; the formats for export are {EXPORT_FORMATS}"))?;
    let store = args.file.open(Access::Read)?;
    let subtree = args.position.as_deref().map(|position| subtree(position, args)).transpose()?;
    let is_tree = subtree.is_some();
    let rule = args.rule.map(|rule| rule.kind);
    let scope = Scope { rule, size: args.size.filter(|_| !is_tree), subtree };
    let mut bar = Bar::new("exporting");
    let reader = store.reader().with_context(|| args.file.name())?;
    let memory = match format {
        Format::Library => usize::try_from(u64::from(args.memory) << 20).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let result = format::export_within(memory, format, &reader, &scope, &args.target, &mut bar);
    drop(bar);
    let exported = result.map_err(|error| {
        let reason = reason(&error, &args.file.path);
        anyhow!("cannot export to {target}: {reason}")
    })?;
    let left_out = if exported.left_out > 0 {
        format!(", {} skipped because the format cannot store them", exported.left_out)
    } else {
        String::new()
    };
    Ok(output::print(&format!("{target}: {} written{left_out}\n", exported.written))?)
}

fn subtree(position: &str, args: &ExportArgs) -> Result<Subtree> {
    let rule = args.rule.unwrap_or_default();
    let board = read_board(position, rule, args.size.unwrap_or_default())?;
    let size = board.size();
    ensure!(args.size.is_none_or(|given| given == size), "the position has a board of {size}");
    Ok(database::Subtree::of(&board, rule)?)
}
