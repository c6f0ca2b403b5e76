//! The plan of a build.

use std::time::Duration;

use super::share::Share;
use crate::board::Board;
use crate::eval::Networks;
use crate::rules::Rule;

/// Default cost of a ply in points.
pub const DROP_OUT: u32 = 15;

/// Openings, searches, order and budget of a build. With one thread a book of a given size depends only on
/// the plan and the initial contents of the database, never on the clock or on the end of earlier builds.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule.
    pub rule: Rule,
    /// The positions from which the book grows, all of the same size.
    pub openings: Vec<Board>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Number of moves of a position that are added and searched; one more is kept with the value from the
    /// search of the position.
    pub moves: usize,
    /// Cost of a ply in points: a move may lose this number of points for every ply by which its line is shorter.
    pub drop_out: u32,
    /// Positions with this number of stones or more are not expanded.
    pub deepest: usize,
    /// The part of the work to do.
    pub share: Share,
    /// Selects one of several equally promising positions.
    pub seed: u64,
    /// Number of positions expanded at the same time, each by one thread.
    pub threads: usize,
    /// Stops at this number of positions of this rule and size in the database.
    pub positions: Option<u64>,
    /// Time limit.
    pub time: Option<Duration>,
    /// The networks of the searches.
    pub networks: Networks,
}

impl Plan {
    /// A build from these openings, without limits, on one thread.
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
