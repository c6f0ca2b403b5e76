//! `book`: opening books on the command line.

mod build;
mod info;
mod meter;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::weights::WeightsArgs;

/// Arguments of `book`.
#[derive(Debug, Args)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

impl BookArgs {
    /// The networks used for growing a book.
    pub fn weights_mut(&mut self) -> Option<&mut WeightsArgs> {
        match &mut self.command {
            BookCommand::Build(args) => Some(&mut args.weights),
            BookCommand::Info(_) => None,
        }
    }
}

/// Commands about a book.
#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Grows the book of a database, which is created if it does not exist; run it again to continue
    Build(build::BuildArgs),
    /// Counts the positions of a book and shows its best line
    Info(info::InfoArgs),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if a file is invalid or cannot be read or written.
pub fn run(args: &BookArgs) -> Result<()> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Info(args) => info::run(args),
    }
}
