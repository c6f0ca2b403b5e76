//! `tournament`: plays engines of the Gomocup protocol against each other and referees them. See the library.

use std::process::ExitCode;

use clap::Parser;

use tournament::cli::Cli;

fn main() -> ExitCode {
    env_logger::init();
    match Cli::parse().run() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("tournament: {error:#}");
            ExitCode::from(2)
        }
    }
}
