//! Analysis: not only the best move but the best few, each with its own value and line.
//!
//! In every iteration the root is searched once for each of them, excluding the moves that were found before
//! it. A search for one move does not use this module.

use std::sync::atomic::Ordering;

use super::iterative_deepening::Deepening;
use super::params::ANALYSIS_FOURS;
use super::root_moves::RootMove;
use super::worker::Worker;
use crate::board::Point;
use crate::rules::PointClass;
use crate::think::score::{DRAW, INFINITE, mate_in};
use crate::think::{Iteration, RootEvent, SearchReport};

impl Worker<'_> {
    /// Searches deeper and deeper for the `count` best moves until a limit is reached or nothing more can be
    /// found. Returns fewer moves if all others lose immediately.
    pub fn analyze(&mut self, deepening: &Deepening, count: usize) -> SearchReport {
        self.list_root_moves();
        let best_move = self.report_fallback();
        self.judge_sure_wins(deepening, count);
        let mut lines = vec![self.iteration(0, DRAW, best_move.into_iter().collect(), deepening.started)];
        for depth in deepening.depths() {
            self.root.begin_iteration();
            self.reporter.root_event(RootEvent::Iteration(depth));
            self.judge(depth, count);
            let is_over = self.shared.is_over();
            // An interrupted iteration knows nothing about moves that it did not search, so the last complete
            // one counts.
            if self.root.judged().is_empty() || is_over && lines[0].depth > 0 {
                break;
            }
            lines = self.report_lines(depth, deepening);
            let is_decided = lines.iter().all(|line| self.is_decided(depth, line.value));
            if is_over || is_decided || self.time_is_up(deepening, 0.0) {
                break;
            }
        }
        if deepening.thread == 0 {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
        for line in &mut lines {
            line.nodes = self.total_nodes();
            line.elapsed = deepening.started.elapsed();
        }
        let others = lines.split_off(1);
        let last = lines.remove(0);
        SearchReport { best_move: last.pv.first().copied(), last, others }
    }

    /// Judges the moves that need no search: moves that complete a row, or the first move of a win by fours
    /// or threats.
    fn judge_sure_wins(&mut self, deepening: &Deepening, count: usize) {
        let us = self.position.board().side_to_move();
        let fives = self.position.at_least(us, PointClass::Five);
        if !fives.is_empty() && self.last_ply > 0 {
            let listed: Vec<Point> = fives.iter().filter(|&point| self.root.contains(point)).collect();
            for point in listed.into_iter().take(count) {
                self.root.judge_unsearched(mate_in(1), vec![point]);
            }
        } else if let Some((line, value)) = self.forced_win(deepening) {
            if let (Some(symmetries), Some(&first)) = (self.counted_symmetries(), line.first()) {
                // The list may contain a symmetric image of this move instead.
                symmetries.images(first).for_each(|image| self.root.remove(image));
            }
            self.root.judge_unsearched(value, line);
        }
    }

    /// Judges the best moves at one depth.
    fn judge(&mut self, depth: i32, count: usize) {
        while self.root.judged().len() < count {
            let Some(before) = self.root.best_unjudged().map(|best| best.previous) else { break };
            let last = if before > -INFINITE { before } else { DRAW };
            self.aspirate(depth, last);
            // The result of an interrupted iteration is discarded, but the first iteration still provides the
            // best of the moves that it finished.
            let is_over = self.shared.is_over();
            if is_over && (depth > 1 || !self.root.judged().is_empty()) {
                break;
            }
            self.root.judge();
            if is_over {
                break;
            }
        }
    }

    /// Reports the lines of an iteration. The first one is always completed up to its mate, the others only while
    /// there is time.
    fn report_lines(&mut self, depth: i32, deepening: &Deepening) -> Vec<Iteration> {
        let judged = self.root.judged().to_vec();
        let mut lines = Vec::new();
        for RootMove { value, mut line, .. } in judged {
            if lines.is_empty() || !self.shared.is_interrupted() {
                self.complete_within(&mut line, value, ANALYSIS_FOURS);
            }
            lines.push(self.iteration(depth, value, line, deepening.started));
        }
        self.reporter.lines(&lines);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::root_options::RootOptions;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::notation::{parse_fen, parse_moves};
    use crate::rules::{Position, Rule};
    use crate::system::host::Instant;

    #[test]
    fn an_interrupted_analysis_completes_only_its_first_line() {
        // Both ends of the three make an open four.
        let board = parse_fen("15/15/15/15/15/15/15/6XXX6/15/6O1OO5/15/15/15/15/15 b").expect("a position");
        let fours = parse_moves("f8j8", board.size()).expect("moves");
        let position = Position::new(board, Rule::default());
        let options = RootOptions::default();
        let started = Instant::now();
        let deepening =
            Deepening { started, budget: None, start_depth: 1, max_depth: 10, thread: 0, solvers: true };
        let lengths = |stops: bool, deadline: Option<Instant>| -> Vec<usize> {
            with_worker(
                &position,
                &options,
                |shared| {
                    shared.stop.store(stops, Ordering::Relaxed);
                    shared.deadline = deadline;
                },
                |mut worker| {
                    worker.list_root_moves();
                    for &four in &fours {
                        worker.root.judge_unsearched(mate_in(3), vec![four]);
                    }
                    worker.report_lines(1, &deepening).iter().map(|line| line.pv.len()).collect()
                },
            )
        };
        assert_eq!(lengths(false, None), [3, 3]);
        assert_eq!(lengths(true, None), [3, 1], "stopped");
        assert_eq!(lengths(false, Some(started)), [3, 1], "out of time");
    }
}
