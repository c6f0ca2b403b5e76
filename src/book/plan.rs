//! Plan of a build.

use std::time::Duration;

use super::share::Share;
use crate::board::Board;
use crate::eval::Networks;
use crate::rules::Rule;

/// Points that a ply costs unless another number is asked for.
pub const DROP_OUT: u32 = 15;

/// Openings, searches, order and budget of a build. With one thread a book of so many positions depends on the plan and
/// on what the database held at first, never on the clock or on where earlier builds ended.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule.
    pub rule: Rule,
    /// The positions from which the book grows, all of one size.
    pub openings: Vec<Board>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Moves of a position that are added and searched; one more is kept with what the position's search said of it.
    pub moves: usize,
    /// Points by which a move may be worse for every ply that its line is shorter.
    pub drop_out: u32,
    /// Number of stones from which on positions are not expanded.
    pub deepest: usize,
    /// The part of the work.
    pub share: Share,
    /// Decides between positions that are equally promising.
    pub seed: u64,
    /// Positions expanded at once, each by one thread.
    pub threads: usize,
    /// Positions of this rule and size in the database that are enough.
    pub positions: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// The networks that searches use.
    pub networks: Networks,
}

impl Plan {
    /// A build from these openings, without a budget, on one thread.
    pub fn new(rule: Rule, openings: Vec<Board>) -> Plan {
        Plan {
            rule,
            openings,
            nodes: 100_000,
            moves: 4,
            drop_out: DROP_OUT,
            deepest: usize::MAX,
            share: Share::default(),
            seed: 0,
            threads: 1,
            positions: None,
            time: None,
            networks: Networks::default(),
        }
    }
}
