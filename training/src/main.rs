//! `training`: plays games of the engine against itself and trains the network of its evaluation on them. See
//! the library.

use std::process::ExitCode;

use kakugo::{arguments, output};
use training::cli::{Cli, status_line};

fn main() -> ExitCode {
    output::start_log();
    match arguments::parse::<Cli>().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            status_line(format_args!("training: {error:#}"));
            ExitCode::from(2)
        }
    }
}
