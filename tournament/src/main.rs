//! `tournament`: plays engines of the Gomocup protocol against each other and referees them. See the library.

use std::io::{self, Write};
use std::process::ExitCode;

use kakugo::arguments;
use tournament::cli::Cli;
use tournament::text::{self, visible};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(status) = tournament::process::supervisor::serve() {
        return status;
    }
    let format = |to: &mut env_logger::fmt::Formatter, record: &log::Record| {
        // As it is by default, but for what engines say.
        let (time, text) = (to.timestamp(), record.args().to_string());
        writeln!(to, "[{time} {:<5} {}] {}", record.level(), record.target(), visible(&text))
    };
    env_logger::Builder::from_default_env().format(format).init();
    match arguments::parse::<Cli>().run() {
        Ok(status) => status,
        Err(error) => {
            // Not eprintln, which would panic when nobody reads.
            let _ = writeln!(io::stderr(), "tournament: {}", text::error(&error));
            ExitCode::from(2)
        }
    }
}
