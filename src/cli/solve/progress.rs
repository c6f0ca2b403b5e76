//! Progress of `solve`: lines on standard error, if it is a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use super::report::within;
use crate::terminal::output::status_line;
use crate::terminal::text::counted;

/// Least time between two lines.
const INTERVAL: Duration = Duration::from_secs(2);

/// The goal of the current search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A win of any length.
    Win,
    /// A win in at most `within` moves, after one in `found` moves.
    Shorter { found: u16, within: u16 },
    /// The moves that hold, of `all` that are judged one after the other.
    Defenses { judged: usize, all: usize },
}

/// The lines of progress of one run.
pub struct Progress {
    pub stage: Stage,
    started: Instant,
    reported: Instant,
}

impl Progress {
    pub fn new(started: Instant) -> Progress {
        Progress { stage: Stage::Win, started, reported: started }
    }

    /// Prints a line if it is time for the next one; `nodes` is the number of nodes so far.
    pub fn report(&mut self, nodes: u64) {
        if self.reported.elapsed() >= INTERVAL && io::stderr().is_terminal() {
            self.reported = Instant::now();
            status_line(line(self.stage, self.started.elapsed().as_secs(), nodes));
        }
    }
}

fn line(stage: Stage, seconds: u64, nodes: u64) -> String {
    let so_far = match stage {
        Stage::Win => "no answer yet".to_owned(),
        Stage::Shorter { found, within: most } => {
            format!("a win in {}, searching for one{}", counted(found, "move"), within(Some(most)))
        }
        Stage::Defenses { judged, all } => format!("{judged} of {} judged", counted(all, "move")),
    };
    format!("{seconds} s, {}, {so_far} (Ctrl-C stops)", counted(nodes, "node"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_own_line() {
        assert_eq!(line(Stage::Win, 2, 1), "2 s, 1 node, no answer yet (Ctrl-C stops)");
        assert_eq!(
            line(Stage::Shorter { found: 12, within: 4 }, 5, 300),
            "5 s, 300 nodes, a win in 12 moves, searching for one in at most 4 moves (Ctrl-C stops)"
        );
        assert_eq!(
            line(Stage::Defenses { judged: 0, all: 219 }, 2, 300),
            "2 s, 300 nodes, 0 of 219 moves judged (Ctrl-C stops)"
        );
    }
}
