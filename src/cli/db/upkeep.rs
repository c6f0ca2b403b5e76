//! `db info`, `db check`, `db compact`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::json;

use super::DatabaseFile;
use super::bar::Bar;
use crate::board::Size;
use crate::cli::SystemError;
use crate::database::{
    Access, CACHE_BYTES, DatabaseError, DatabaseSummary, Fixed, Label, Store, count_damaged, fix, summarize,
};
use crate::rules::RuleKind;
use crate::terminal::output;

/// Arguments of `db info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    file: DatabaseFile,
    /// Prints one line of JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `db check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    file: DatabaseFile,
    /// Deletes invalid entries; keeps everything readable of a damaged file
    #[arg(long)]
    fix: bool,
}

/// A database as the only argument.
#[derive(Debug, Args)]
pub struct FileArgs {
    #[command(flatten)]
    file: DatabaseFile,
}

/// Prints the statistics of a database.
pub fn info(args: &InfoArgs) -> Result<()> {
    let store = args.file.open(Access::Read)?;
    let read = || summarize(&store.reader()?, &mut Bar::new("counting"));
    let summary = read().with_context(|| args.file.name())?;
    let bytes = fs::metadata(&args.file.path).map_err(SystemError).with_context(|| args.file.name())?.len();
    Ok(if args.json {
        output::print_json(json(&summary, bytes))
    } else {
        output::print(&text(&summary, bytes))
    }?)
}

fn json(summary: &DatabaseSummary, bytes: u64) -> String {
    let board = |(rule, size, count): &(RuleKind, Size, u64)| {
        let size = size.to_string();
        json!({ "rule": rule.name(), "size": size, "positions": count })
    };
    let DatabaseSummary { positions, by_label, with_value, with_games, with_best_move, with_text, .. } =
        summary;
    let boards: Vec<serde_json::Value> = summary.by_board.iter().map(board).collect();
    let line = json!({
        "positions": positions, "bytes": bytes, "boards": boards, "labels": by_label, "with_value": with_value,
        "with_games": with_games, "with_best_move": with_best_move, "with_text": with_text,
    });
    format!("{line}\n")
}

fn text(summary: &DatabaseSummary, bytes: u64) -> String {
    let mut text =
        format!("{} positions in {:.1} MiB\n", summary.positions, bytes as f64 / f64::from(1 << 20));
    let mut line = |name: String, count: u64| {
        if count > 0 {
            let _ = writeln!(text, "  {name:<24}{count:>12}");
        }
    };
    for (rule, size, count) in &summary.by_board {
        line(format!("{} {size}", rule.name()), *count);
    }
    for (&label, &count) in &summary.by_label {
        let label = Label::from_char(label).unwrap_or_default();
        line(format!("label {label}"), count);
    }
    line("with a value".to_owned(), summary.with_value);
    line("with games".to_owned(), summary.with_games);
    line("with a best move".to_owned(), summary.with_best_move);
    line("with text".to_owned(), summary.with_text);
    text
}

/// Verifies a database, and repairs it with --fix.
pub fn check(args: &CheckArgs) -> Result<()> {
    let mut note = String::new();
    if args.fix {
        let mut bar = Bar::new("checking");
        let fixed = fix(&args.file.path, CACHE_BYTES, &mut bar);
        drop(bar);
        match fixed.with_context(|| args.file.name())? {
            Fixed::Deleted(0) => {}
            Fixed::Deleted(count) => note = format!(", {count} damaged ones deleted"),
            Fixed::Recovered(_) => note = ", recovered from a damaged file".to_owned(),
        }
    }
    let (positions, damaged) = count(args)?;
    if damaged > 0 {
        bail!("{}: {damaged} of {positions} positions are damaged; --fix deletes them", args.file.name());
    }
    Ok(output::print(&format!("{positions} positions are sound{note}\n"))?)
}

/// The number of positions, and of damaged ones among them.
fn count(args: &CheckArgs) -> Result<(u64, u64)> {
    let file = args.file.name();
    let store = Store::open(&args.file.path, Access::Read);
    let store = store.map_err(|error| unreadable(&format!("cannot open {file}"), &error))?;
    let mut bar = Bar::new("checking");
    let mut numbers = || {
        let reader = store.reader()?;
        let damaged = count_damaged(&reader, &mut bar)?;
        Ok((reader.len()?, damaged))
    };
    numbers().map_err(|error| unreadable(&file, &error))
}

/// Why a database cannot be checked, and advice.
fn unreadable(what: &str, error: &DatabaseError) -> anyhow::Error {
    let help = match error {
        DatabaseError::Damaged(_) => "; --fix recovers what can be read",
        _ => "",
    };
    anyhow!("{what}: {error}{help}")
}

/// Makes the file as small as possible.
pub fn compact(args: &FileArgs) -> Result<()> {
    let path = &args.file.path;
    let length = || {
        let found = fs::metadata(path).map_err(SystemError);
        found.map(|found| found.len()).with_context(|| args.file.name())
    };
    let mut store = args.file.open(Access::Write)?;
    let before = length()?;
    store.compact().with_context(|| args.file.name())?;
    drop(store);
    let after = length()?;
    Ok(output::print(&format!("{before} bytes before, {after} after\n"))?)
}
