//! The iterations that each thread of a search skips, and the vote that selects one thread's report.
//!
//! Threads that share only a table (Lazy SMP) fill it for each other. To be useful, a helper must search
//! something other than the first thread: it skips most iterations, so that it is soon several plies ahead,
//! and the first thread finds the results in the table. On the benchmark positions this reduces the nodes per
//! thread until the first thread reaches its depth by a factor of 1.9 with two threads, 3.3 with four and 5.1
//! with eight (medians of five runs). When each helper skipped every other iteration, the factors were 1.5,
//! 2.8 and 4.6.

use std::collections::HashMap;

use crate::think::SearchReport;
use crate::think::score::{MATE_THRESHOLD, Value};

/// Whether a thread skips the iteration of `depth`. The first thread, 0, skips none. Of the helpers, the
/// first four search one depth in four, the next six one in six, and so on, each with a different phase.
pub fn skips(thread: usize, depth: i32) -> bool {
    let Some(mut helper) = thread.checked_sub(1) else { return false };
    let mut size = 4;
    while helper >= size {
        helper -= size;
        size += 2;
    }
    !(depth as usize + helper).is_multiple_of(size)
}

/// The index of the report of the thread whose move gets the most votes. The weight of a thread's vote is its depth
/// times the sum of a constant and the difference between its value and the worst value. A win takes precedence,
/// the shortest first; a losing move is chosen only if every thread that has finished an iteration loses. The first
/// report wins ties.
pub fn vote(reports: &[SearchReport]) -> usize {
    /// Weight of the worst value per ply of depth, in points; the weight of a better value is larger by the
    /// difference between the two values.
    const LEAST: Value = 14;
    // A thread that has finished nothing has no value.
    let finished = reports.iter().filter(|report| report.last.depth > 0);
    let worst = finished.map(|report| report.last.value).min().unwrap_or_default();
    let mut votes = HashMap::new();
    for report in reports {
        let weight = i64::from(report.last.value - worst + LEAST) * i64::from(report.last.depth);
        *votes.entry(report.best_move).or_insert(0) += weight;
    }
    let rank = |report: &SearchReport| {
        let value = report.last.value;
        let win = if value > MATE_THRESHOLD { value } else { 0 };
        // A thread that has finished nothing does not know.
        let survives = value >= -MATE_THRESHOLD && report.last.depth > 0;
        (report.best_move.is_some(), win, survives, votes[&report.best_move], report.last.depth)
    };
    let mut best = 0;
    for index in 1..reports.len() {
        if rank(&reports[index]) > rank(&reports[best]) {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Point;
    use crate::think::Iteration;
    use crate::think::score::{mate_in, mated_in};

    fn report(column: u8, depth: i32, value: Value) -> SearchReport {
        let last =
            Iteration { depth, selective_depth: depth, value, nodes: 0, elapsed: Duration::ZERO, pv: vec![] };
        SearchReport { best_move: Some(Point::new(column, 0)), last, others: vec![] }
    }

    fn chosen(reports: &[SearchReport]) -> u8 {
        reports[vote(reports)].best_move.map_or(99, Point::x)
    }

    #[test]
    fn depth_and_value_decide() {
        assert_eq!(chosen(&[report(0, 10, 50)]), 0);
        assert_eq!(chosen(&[report(0, 10, 50), report(1, 10, 50)]), 0, "the first wins ties");
        assert_eq!(chosen(&[report(0, 10, 50), report(1, 12, 50)]), 1, "deeper");
        assert_eq!(chosen(&[report(0, 10, 20), report(1, 10, 50)]), 1, "better");
        let two = [report(0, 10, 20), report(1, 10, 20), report(1, 9, 20)];
        assert_eq!(chosen(&two), 1, "two votes");
        let (first, second, idle) = (report(0, 12, 300), report(1, 9, 310), report(0, 0, 0));
        assert_eq!(chosen(&[first.clone(), second.clone()]), 1, "better");
        assert_eq!(chosen(&[first, second, idle]), 1, "a thread without a value changes nothing");
    }

    #[test]
    fn wins_are_preferred_and_losses_avoided() {
        let wins = [report(0, 20, 900), report(1, 5, mate_in(9)), report(2, 5, mate_in(7))];
        assert_eq!(chosen(&wins), 2);
        assert_eq!(chosen(&[report(0, 20, mated_in(8)), report(1, 10, -300)]), 1);
        assert_eq!(chosen(&[report(0, 4, mated_in(4)), report(1, 0, 0)]), 0, "it has not looked yet");
        let nothing = SearchReport { best_move: None, ..report(0, 0, 0) };
        assert_eq!(chosen(&[nothing, report(3, 1, -300)]), 3);
    }

    #[test]
    fn every_depth_is_searched_by_one_helper_of_each_group() {
        assert!((1..50).all(|depth| !skips(0, depth)));
        for depth in 1..50 {
            for group in [1..=4, 5..=10, 11..=18] {
                let searching = group.clone().filter(|&thread| !skips(thread, depth)).count();
                assert_eq!(searching, 1, "{depth} {group:?}");
            }
        }
    }
}
