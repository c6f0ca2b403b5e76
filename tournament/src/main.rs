//! `tournament`: plays engines that speak the Gomocup protocol against each other and referees them. See the
//! library.

use std::process::ExitCode;

use kakugo::{arguments, output};
use tournament::cli::Cli;
use tournament::text;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(status) = tournament::process::supervisor::serve() {
        return status;
    }
    output::start_log();
    match arguments::parse::<Cli>().run() {
        Ok(status) => status,
        Err(error) => {
            output::status_line(format_args!("tournament: {}", text::error(&error)));
            ExitCode::from(2)
        }
    }
}
