//! Why a command fails; the type of the error determines the exit status.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::terminal::output::{OutputError, failure, is_closed, status_line};

/// Exit status for an invalid command line, position or file, the same as clap's own.
pub const USAGE_ERROR: u8 = 2;

/// The system refuses to read or write a file or a stream. Unlike invalid input, it exits with status 1.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct SystemError(#[from] pub io::Error);

/// The error of a file given on the command line that could not be read, written or loaded: invalid input.
pub fn file_error(action: &str, path: &Path, error: impl fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("cannot {action} {}: {error}", path.display())
}

/// Reports an error on standard error in one line; returns the exit status.
pub fn report(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref() {
        // The reader of the output has closed it.
        Some(OutputError(error)) if is_closed(error) => return ExitCode::SUCCESS,
        Some(OutputError(error)) => status_line(failure(error)),
        None => status_line(format_args!("error: {error:#}")),
    }
    let is_of_system = error.is::<OutputError>() || error.is::<SystemError>();
    if is_of_system { ExitCode::FAILURE } else { ExitCode::from(USAGE_ERROR) }
}
