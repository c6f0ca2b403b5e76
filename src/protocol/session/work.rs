//! Work on files and databases that may take long: it is done where searches are, so that `END` and `YXSTOP` are
//! heard meanwhile.

use std::path::PathBuf;

use super::Session;
use super::task::Say;
use crate::board::Point;
use crate::database::{Interrupted, Meter};
use crate::protocol::command::{DatabaseRequest, FileUse, Upkeep};
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;

/// Long work that a command asks for.
pub(super) enum Work {
    /// Reads or writes a file.
    File(FileUse, PathBuf),
    /// Looks through the database.
    Keep(Upkeep),
    /// Carries a request out for the position after these moves.
    Ask(DatabaseRequest, Vec<Point>),
}

impl Session {
    /// Does what the last command asked for; returns the last line of its answer, the others are said.
    pub(super) fn do_work(&mut self, control: &SearchControl, say: Say) -> Option<Response> {
        let meter = &mut StopMeter(control);
        let mut answers = match self.work.take()? {
            Work::File(file_use, path) => vec![self.carry_file(file_use, &path, meter)],
            Work::Keep(upkeep) => vec![self.keep_database(upkeep, meter)],
            Work::Ask(request, points) => self.responses_to(&request, &points),
        };
        self.reserve_for_database();
        let last = answers.pop();
        answers.into_iter().for_each(say);
        last
    }
}

/// Ends work once its control says so.
struct StopMeter<'a>(&'a SearchControl);

impl Meter for StopMeter<'_> {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
        if self.0.is_stopped() { Err(Interrupted) } else { Ok(()) }
    }
}
