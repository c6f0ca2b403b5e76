//! Long work on files and databases. It runs where searches run, so `END` and `YXSTOP` are handled meanwhile.

use std::path::PathBuf;

use super::Session;
use super::task::Respond;
use crate::board::Point;
use crate::database::{Interrupted, Meter};
use crate::protocol::command::{DatabaseRequest, FileUse, Upkeep};
use crate::protocol::response::Response;
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

impl Session {
    /// Does long work; sends all lines of the answer except the last and returns it.
    pub(super) fn do_work(
        &mut self,
        work: &Work,
        control: &SearchControl,
        respond: Respond,
    ) -> Option<Response> {
        let meter = &mut StopMeter(control);
        let mut answers = match work {
            Work::File(file_use, path) => vec![self.carry_file(*file_use, path, meter)],
            Work::Keep(upkeep) => vec![self.keep_database(*upkeep, meter)],
            Work::Ask(request, points) => self.responses_to(request, points),
        };
        self.reserve_for_database();
        let last = answers.pop();
        answers.into_iter().for_each(respond);
        last
    }
}

/// Stops the work when its search control is stopped.
struct StopMeter<'a>(&'a SearchControl);

impl Meter for StopMeter<'_> {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
        if self.0.is_stopped() { Err(Interrupted) } else { Ok(()) }
    }
}
