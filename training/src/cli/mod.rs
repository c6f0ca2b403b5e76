//! The command line: one file per subcommand.

mod all;
mod fit;
mod inspect;
mod selfplay;

use std::io::{self, Write};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Makes games of the engine against itself and fits its evaluation to them.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Selfplay(selfplay::SelfplayArgs),
    Inspect(inspect::InspectArgs),
    Fit(fit::FitArgs),
    All(all::AllArgs),
}

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Selfplay(args) => selfplay::run(&args),
            Command::Inspect(args) => inspect::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::All(args) => all::run(&args),
        }
    }
}

/// Prints `text` as it is.
fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // Nobody reads any more: that is no error of ours.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("writing to standard output"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
