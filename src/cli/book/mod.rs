//! `book`: books of openings from the command line.

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
    /// The networks that a book is grown by.
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
    /// Grows the book of a database, which is begun where there is none; later calls go on
    Build(build::BuildArgs),
    /// Counts the positions of a book and shows its best line
    Info(info::InfoArgs),
}

/// Does what the arguments ask for.
///
/// # Errors
/// When a file can't be read or written, or is not what it should be.
pub fn run(args: &BookArgs) -> Result<()> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Info(args) => info::run(args),
    }
}
