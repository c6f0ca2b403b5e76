//! `tournament`: plays engines of the Gomocup protocol against each other and referees them. See the library.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use tournament::cli::Cli;

fn main() -> ExitCode {
    env_logger::init();
    match Cli::parse().run() {
        Ok(status) => status,
        Err(error) => {
            // Not eprintln, which would panic when nobody reads.
            let _ = writeln!(io::stderr(), "tournament: {}", tournament::text::error(&error));
            ExitCode::from(2)
        }
    }
}
