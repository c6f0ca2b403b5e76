//! The limits of a search.

use std::time::Duration;

use super::clock::{Budget, Clock, GameProgress};
use crate::system::host::Instant;

/// Limits of a search in addition to the stop flag, and its extent: the number of moves to find, and whether
/// the solvers are used.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time at which the command to think was read; the manager's clock runs from here.
    pub started: Instant,
    /// The clock; `None` to think until another limit or the stop flag ends it.
    pub clock: Option<Clock>,
    /// Deepest iteration, in plies; `None`: no limit.
    pub max_depth: Option<i32>,
    /// Nodes to visit, for all moves and threads together; `None`: no limit.
    pub max_nodes: Option<u64>,
    /// Number of best moves to find, each with its own value and line: more than 1 for an analysis.
    pub multi_pv: usize,
    /// Whether the solvers of forced wins are used before the search.
    pub solvers: bool,
}

impl Limits {
    /// The time for the move; `None` if there is no clock.
    pub fn budget(&self, progress: GameProgress) -> Option<Budget> {
        self.clock.map(|clock| clock.budget(progress))
    }

    /// Time at which the move must be made at the latest; `None` if there is no clock.
    pub fn deadline(&self, progress: GameProgress) -> Option<Instant> {
        self.budget(progress).map(|budget| self.started + budget.maximum)
    }

    /// Size of a table that the search can make use of, in bytes: the nodes fill a sixteenth of it under a
    /// node limit, or a quarter of it under a time limit, at a million nodes per second. On a machine with
    /// cold memory, large pages take 2 ms per megabyte, which is an eighth of the time.
    ///
    /// A clock that leaves time for all nodes does not change the table.
    pub fn useful_table_bytes(&self, progress: GameProgress) -> u64 {
        let by_nodes = self.max_nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(16 * 16));
        let budget = self.budget(progress).filter(|_| !self.can_reach_nodes(progress));
        let by_clock = budget
            .map_or(u64::MAX, |budget| u64::try_from(budget.maximum.as_millis() << 16).unwrap_or(u64::MAX));
        by_nodes.min(by_clock)
    }

    /// Whether the search may visit all nodes of its limit: there is a limit, and the clock leaves time for it at
    /// a million nodes per second.
    pub fn can_reach_nodes(&self, progress: GameProgress) -> bool {
        let budget = self.budget(progress);
        self.max_nodes.is_some_and(|nodes| budget.is_none_or(|budget| budget.has_time_for(nodes)))
    }

    /// Time at which preparations that only make the search faster must end: a quarter of the time for an
    /// ordinary move. Unfinished preparations continue in the next search.
    pub fn end_of_preparation(&self, progress: GameProgress) -> Option<Instant> {
        self.budget(progress).map(|budget| self.started + budget.optimum / 4)
    }

    /// Time at which a table must stop requesting large pages: the end of preparation, or an eighth of the time
    /// that the nodes take at a million a second.
    pub fn end_of_enlargement(&self, progress: GameProgress) -> Option<Instant> {
        let by_nodes = self.max_nodes.map(|nodes| self.started + Duration::from_micros(nodes / 8));
        self.end_of_preparation(progress).into_iter().chain(by_nodes).min()
    }

    /// No limit except the stop flag; one move, with the solvers.
    pub fn infinite() -> Limits {
        Limits {
            started: Instant::now(),
            clock: None,
            max_depth: None,
            max_nodes: None,
            multi_pv: 1,
            solvers: true,
        }
    }

    /// No limit except a number of nodes and the stop flag; one move, with the solvers.
    pub fn nodes(max_nodes: u64) -> Limits {
        Limits { max_nodes: Some(max_nodes), ..Limits::infinite() }
    }

    /// No limit except a depth in plies and the stop flag; one move, with the solvers.
    pub fn depth(max_depth: i32) -> Limits {
        Limits { max_depth: Some(max_depth), ..Limits::infinite() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of `time_left` that means no limit.
    const NONE_MS: i64 = i32::MAX as i64;

    fn clock(turn_ms: u64, match_ms: u64, left_ms: i64) -> Clock {
        Clock { turn_ms: Some(turn_ms), match_ms, left_ms: Some(left_ms), increment_ms: 0 }
    }

    /// A 20x20 board with this number of stones.
    fn after(stones: usize) -> GameProgress {
        GameProgress { stones, empty: 400 - stones }
    }

    #[test]
    fn preparation_leaves_most_of_the_time() {
        let limits = Limits { clock: Some(clock(100, 0, NONE_MS)), ..Limits::infinite() };
        let end = limits.end_of_preparation(after(20)).expect("the clock runs");
        assert_eq!(end - limits.started, Duration::from_micros(18_500), "a quarter of 74 ms");
        assert_eq!(Limits::infinite().end_of_preparation(after(20)), None);
        // The longest move may take six times as long as an ordinary one, and a quarter of it would take
        // longer than an ordinary move.
        let limits = Limits { clock: Some(clock(5_000, 30_000, 30_000)), ..Limits::infinite() };
        let end = limits.end_of_preparation(after(2)).expect("the clock runs");
        let budget = limits.clock.expect("it is set").budget(after(2));
        assert!(budget.maximum / 4 > budget.optimum / 2, "{budget:?}");
        assert_eq!(end - limits.started, budget.optimum / 4);
    }

    #[test]
    fn large_pages_take_a_small_part_of_a_search() {
        let end = |limits: Limits| limits.end_of_enlargement(after(20)).map(|end| end - limits.started);
        assert_eq!(end(Limits::infinite()), None);
        let of_nodes = Limits::nodes(80_000);
        assert_eq!(end(of_nodes), Some(Duration::from_millis(10)));
        assert_eq!(of_nodes.end_of_preparation(after(20)), None, "preparation could change the result");
        let of_both = Limits { clock: Some(clock(100, 0, NONE_MS)), ..of_nodes };
        assert_eq!(end(of_both), Some(Duration::from_millis(10)));
        let of_many = Limits { max_nodes: Some(u64::MAX), ..of_both };
        assert_eq!(end(of_many), Some(Duration::from_micros(18_500)), "the clock's");
    }

    #[test]
    fn nodes_are_reached_if_the_clock_leaves_time_for_them() {
        assert!(!Limits::infinite().can_reach_nodes(after(20)), "there is no limit");
        assert!(Limits::nodes(u64::MAX).can_reach_nodes(after(20)), "there is no clock");
        let second = Some(clock(1_000, 0, NONE_MS));
        let timed = |nodes| Limits { clock: second, ..Limits::nodes(nodes) }.can_reach_nodes(after(20));
        assert!(timed(50_000) && timed(800_000));
        assert!(!timed(1_000_000_000) && !timed(u64::MAX));
    }

    #[test]
    fn a_table_suits_the_time_and_the_nodes() {
        let infinite = Limits::infinite();
        assert_eq!(infinite.useful_table_bytes(after(20)), u64::MAX);
        let timed = |clock| Limits { clock: Some(clock), ..Limits::infinite() }.useful_table_bytes(after(20));
        assert_eq!(timed(clock(100, 0, NONE_MS)), 74 << 16, "100 ms less the reserve");
        assert_eq!(timed(clock(5_000, 0, NONE_MS)), 4_800 << 16);
        assert!(timed(clock(5_000, 180_000, 400)) < 10 << 20, "little is left");
        assert_eq!(timed(clock(u64::MAX, 0, NONE_MS)), u64::MAX);
        let few_nodes = Limits::nodes(10_000);
        assert_eq!(few_nodes.useful_table_bytes(after(20)), 2_560_000);
        // At a million nodes per second, 74 ms are not reached.
        let of_both = |nodes| {
            let clock = Some(clock(100, 0, NONE_MS));
            Limits { clock, ..Limits::nodes(nodes) }.useful_table_bytes(after(20))
        };
        assert_eq!(of_both(70_000), 70_000 * 256, "the nodes'");
        assert_eq!(of_both(u64::MAX), 74 << 16, "the clock's");
    }
}
