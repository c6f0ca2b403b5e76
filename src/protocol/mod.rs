//! The Gomocup (Piskvork) protocol with the Yixin extensions that GUIs use, on standard input and output.
//!
//! The path of a line: [`input`] (bytes, bounded; parsed once by [`parser`]) -> [`command::Command`] ->
//! [`session::Session`] (the state of the game, synchronous and free of I/O) -> [`response::Response`] -> one
//! line on standard output. The [`driver`] connects the threads: a reader, a thinker, and the loop between
//! them, which alone writes.
//!
//! Invariant: no input makes the process panic or exit, except `END` and a closed pipe. After an `ERROR` or
//! `UNKNOWN` answer the game is unchanged. This module does not know how moves are found.

pub mod block;
pub mod board_response;
pub mod command;
pub mod complaints;
pub mod database_response;
pub mod driver;
mod inbox;
pub mod input;
pub mod library;
pub mod log;
pub mod parser;
pub mod point_names;
pub mod response;
pub mod search_control;
pub mod session;
pub mod settings;
pub mod steering;
mod text;

#[cfg(feature = "cli")]
use std::io;
#[cfg(feature = "cli")]
use std::path::{Path, PathBuf};
#[cfg(feature = "cli")]
use std::process::ExitCode;

#[cfg(feature = "cli")]
use crate::engine::{Engine, Options};
#[cfg(feature = "cli")]
use crate::terminal::output;

/// Runs the protocol on standard input and output until `END` or a closed pipe. The files in `weights` are
/// loaded as by `INFO weights`; the database is only read.
#[cfg(feature = "cli")]
pub fn run(log: log::Log, weights: &[PathBuf], database: Option<&Path>) -> ExitCode {
    crate::system::memory::settle_allocator();
    let mut session = session::Session::new(Engine::new(Options::default()));
    weights.iter().for_each(|path| session.load_weights(path));
    database.into_iter().for_each(|path| session.read_database(path));
    match driver::run(session, io::stdin(), io::stdout(), log) {
        Ok(()) => ExitCode::SUCCESS,
        // A manager that no longer reads has ended the game; this is not a failure.
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::status_line(output::failure(&error));
            ExitCode::FAILURE
        }
    }
}
