//! Lines on both sides of the loop: lines that wait to be handled, and lines to be written.

use std::collections::VecDeque;
use std::io::{self, Write};

use crate::protocol::inbox::{Held, ReaderState};
use crate::protocol::input::InputLine;
use crate::protocol::log::Log;
use crate::protocol::response::Response;
use crate::protocol::session::{Handled, Session};

/// Writes lines to the manager, one by one, and to the log.
pub(super) struct Output<W> {
    pub(super) stream: W,
    pub(super) log: Log,
}

impl<W: Write> Output<W> {
    pub(super) fn respond(&mut self, response: &Response) -> io::Result<()> {
        let mut line = response.to_string();
        self.log.outgoing(&line);
        line.push('\n');
        self.stream.write_all(line.as_bytes())?;
        self.stream.flush()
    }
}

/// An entry of the queue: a line, or a gap where lines were lost.
pub(super) enum Waiting {
    Line(Held),
    /// Lines were lost here.
    Lost,
}

impl Waiting {
    /// Whether the entry is a line for which `is_wanted` is true.
    pub(super) fn is(&self, is_wanted: impl FnOnce(&InputLine) -> bool) -> bool {
        matches!(self, Waiting::Line(held) if is_wanted(&held.line))
    }

    /// Passes the entry to the session and returns the result.
    pub(super) fn handle(self, session: &mut Session, shared: &ReaderState) -> Handled {
        match self {
            Waiting::Line(held) => session.handle(&held.line),
            Waiting::Lost => {
                shared.room.reopen();
                session.lose_lines()
            }
        }
    }
}

/// Removes the first `YXSTOP` from the waiting lines, and returns whether there was one. It stops the search that is
/// about to begin: the manager sent it after the command, and could not know that the command was still waiting.
pub(super) fn take_stop(waiting: &mut VecDeque<Waiting>) -> bool {
    let first = waiting.iter().position(|waiting| waiting.is(InputLine::is_stop));
    first.and_then(|first| waiting.remove(first)).is_some()
}
