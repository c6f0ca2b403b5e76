//! Long work on files and databases. It runs where searches run, so that `END` and `YXSTOP` are handled
//! meanwhile.

use std::path::PathBuf;

use crate::board::Point;
use crate::database::{Interrupted, Meter};
use crate::protocol::command::{DatabaseRequest, FileUse, Upkeep};
use crate::protocol::search_control::SearchControl;

/// Long work requested by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Reads or writes a file.
    File(FileUse, PathBuf),
    /// Checks or repairs the database.
    Keep(Upkeep),
    /// Executes a request for the position after these moves.
    Ask(DatabaseRequest, Vec<Point>),
}

/// Stops the work when its search control is stopped.
pub(super) struct StopMeter<'a>(pub(super) &'a SearchControl);

impl Meter for StopMeter<'_> {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
        if self.0.is_stopped() { Err(Interrupted) } else { Ok(()) }
    }
}
