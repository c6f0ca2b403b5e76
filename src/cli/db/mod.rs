//! `db`: position databases on the command line.

mod bar;
mod query;
mod transfer;
mod upkeep;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use super::YES;
use crate::database::{Access, Store};

/// Arguments of `db`.
#[derive(Debug, Args)]
pub struct DbArgs {
    #[command(subcommand)]
    command: DbCommand,
}

/// Commands about a database.
#[derive(Debug, Subcommand)]
enum DbCommand {
    /// Counts the contents of a database
    Info(upkeep::InfoArgs),
    /// Shows what is known about a position and about each move from it
    Query(query::QueryArgs),
    /// Adds the positions and games of other files to a database, which is created if it does not exist
    Import(transfer::ImportArgs),
    /// Writes positions to another file
    Export(transfer::ExportArgs),
    /// Adds the positions of other databases to a database
    Merge(transfer::MergeArgs),
    /// Verifies every byte and every position of a database
    Check(upkeep::CheckArgs),
    /// Releases unused space of the file
    Compact(upkeep::FileArgs),
}

/// Runs the command; returns the exit status.
///
/// # Errors
/// Returns an error if a file is invalid or cannot be read or written.
pub fn run(args: &DbArgs) -> Result<u8> {
    match &args.command {
        DbCommand::Query(args) => return query::run(args),
        DbCommand::Info(args) => upkeep::info(args),
        DbCommand::Import(args) => transfer::import(args),
        DbCommand::Export(args) => transfer::export(args),
        DbCommand::Merge(args) => transfer::merge(args),
        DbCommand::Check(args) => upkeep::check(args),
        DbCommand::Compact(args) => upkeep::compact(args),
    }
    .map(|()| YES)
}

fn open(path: &Path, access: Access) -> Result<Store> {
    Store::open(path, access).with_context(|| format!("cannot open {}", path.display()))
}

/// A database.
#[derive(Debug, Args)]
struct DatabaseFile {
    /// The database
    #[arg(value_name = "FILE")]
    path: PathBuf,
}

impl DatabaseFile {
    fn open(&self, access: Access) -> Result<Store> {
        open(&self.path, access)
    }

    /// The file's name, as prefix of an error.
    fn name(&self) -> String {
        self.path.display().to_string()
    }
}
