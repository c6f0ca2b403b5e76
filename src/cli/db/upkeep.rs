//! `db info`, `db check`, `db compact`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use super::DatabaseFile;
use super::bar::Bar;
use crate::board::Size;
use crate::database::{Access, DatabaseSummary, Label, count_damaged, delete_damaged, summarize};
use crate::output;
use crate::rules::RuleKind;

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
    /// Deletes entries that can't be read
    #[arg(long)]
    fix: bool,
}

/// A database alone.
#[derive(Debug, Args)]
pub struct FileArgs {
    #[command(flatten)]
    file: DatabaseFile,
}

/// Prints the numbers of a database.
pub fn info(args: &InfoArgs) -> Result<()> {
    let store = args.file.open(Access::Read)?;
    let read = || summarize(&store.reader()?, &mut Bar::new("counting"));
    let summary = read().with_context(|| args.file.name())?;
    let bytes = fs::metadata(&args.file.path).with_context(|| args.file.name())?.len();
    Ok(output::print(&if args.json { json(&summary, bytes) } else { text(&summary, bytes) })?)
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

/// Verifies a database, and deletes what can't be read if that is asked for.
pub fn check(args: &CheckArgs) -> Result<()> {
    let store = args.file.open(if args.fix { Access::Write } else { Access::Read })?;
    let mut bar = Bar::new("checking");
    let damaged = if args.fix {
        delete_damaged(&store, &mut bar)
    } else {
        store.reader().and_then(|reader| count_damaged(&reader, &mut bar))
    };
    drop(bar);
    let damaged = damaged.with_context(|| args.file.name())?;
    let positions = store.reader().and_then(|reader| reader.len()).with_context(|| args.file.name())?;
    if damaged > 0 && !args.fix {
        bail!("{}: {damaged} of {positions} positions are damaged; --fix deletes them", args.file.name());
    }
    let deleted = if damaged > 0 { format!(", {damaged} damaged ones deleted") } else { String::new() };
    Ok(output::print(&format!("{positions} positions are sound{deleted}\n"))?)
}

/// Makes the file as small as it can be.
pub fn compact(args: &FileArgs) -> Result<()> {
    let path = &args.file.path;
    let length = || fs::metadata(path).map(|found| found.len()).with_context(|| args.file.name());
    let mut store = args.file.open(Access::Write)?;
    let before = length()?;
    store.compact().with_context(|| args.file.name())?;
    drop(store);
    let after = length()?;
    Ok(output::print(&format!("{before} bytes before, {after} after\n"))?)
}
