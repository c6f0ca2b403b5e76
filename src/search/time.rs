//! The clock: from what the manager allows to what one move may take.

use std::time::Instant;

/// The manager's clock, in its own units and conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// `timeout_turn`: milliseconds for one move; 0 means to play at once; `None` when never sent.
    pub turn_ms: Option<u64>,
    /// `timeout_match`: milliseconds for all moves of a game; 0 means no limit.
    pub match_ms: u64,
    /// `time_left`: milliseconds left of the match time; may be negative; `None` when never sent.
    pub left_ms: Option<i64>,
    /// `time_increment`: milliseconds added after each move.
    pub increment_ms: u64,
}

impl Default for Clock {
    /// The protocol's defaults for a manager that says nothing: 30 s a move, no match limit.
    fn default() -> Clock {
        Clock { turn_ms: None, match_ms: 0, left_ms: None, increment_ms: 0 }
    }
}

/// What ends a search, besides the stop flag.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the command to think was read: the manager's clock runs from here.
    pub started: Instant,
    /// The clock; `None` to think until another limit or the stop flag ends it.
    pub clock: Option<Clock>,
    /// Deepest iteration, in plies.
    pub max_depth: Option<i32>,
    /// Nodes to visit.
    pub max_nodes: Option<u64>,
}

impl Limits {
    /// No limit but the stop flag.
    pub fn infinite() -> Limits {
        Limits { started: Instant::now(), clock: None, max_depth: None, max_nodes: None }
    }
}
