//! Analysis: not only the best move but the best few, each with a value and a line of its own.
//!
//! In every iteration the root is searched once for each, without the moves that were found before it. Nothing here is
//! part of a search for one move.

use std::sync::atomic::Ordering;

use super::iterative_deepening::Deepening;
use super::params::ANALYSIS_FOURS;
use super::report::{Iteration, SearchReport};
use super::score::{DRAW, Value, mate_in};
use super::variation;
use super::vote;
use super::worker::Worker;
use crate::board::{Bitboard, Point};
use crate::rules::PointClass;

/// A move of the root that has been judged: its value, and the line that it begins.
struct Judged {
    value: Value,
    line: Vec<Point>,
}

impl Worker<'_> {
    /// Searches deeper and deeper for the `count` best moves until a limit is reached or there is nothing more to find.
    /// There are fewer where all others lose at once.
    pub fn analyze(&mut self, deepening: &Deepening, count: usize) -> SearchReport {
        let fallback = self.fallback();
        if let Some(point) = fallback {
            deepening.reporter.fallback(point);
        }
        let sure = self.sure_wins(deepening, count);
        let nothing = self.iteration(0, DRAW, fallback.into_iter().collect(), deepening.started);
        let mut lines = vec![nothing];
        for depth in (1..=deepening.max_depth).filter(|&depth| !vote::skips(deepening.thread, depth)) {
            let judged = self.judge(&sure, &lines, depth, count);
            let is_over = self.shared.is_over();
            // A cut iteration says nothing of the moves that it has not seen, so the last whole one stands.
            if judged.is_empty() || is_over && lines[0].depth > 0 {
                break;
            }
            lines = self.tell(judged, depth, deepening);
            let best = lines[0].pv.first().copied();
            let is_decided = lines.iter().all(|line| self.is_decided(depth, line.value));
            if is_over || is_decided || self.time_is_up(deepening, best, 0.0) {
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

    /// The moves that need no search: those that complete a row, or the first of a win by fours.
    fn sure_wins(&mut self, deepening: &Deepening, count: usize) -> Vec<Judged> {
        let us = self.position.board().side_to_move();
        let fives = self.position.at_least(us, PointClass::Five);
        if !fives.is_empty() {
            let row = |point| Judged { value: mate_in(1), line: vec![point] };
            return fives.iter().take(count).map(row).collect();
        }
        let win = self.forced_win(deepening);
        win.into_iter().map(|(line, value)| Judged { value, line }).collect()
    }

    /// The best moves at one depth, best first; `before` is what the last iteration said of them.
    fn judge(&mut self, sure: &[Judged], before: &[Iteration], depth: i32, count: usize) -> Vec<Judged> {
        let mut judged: Vec<Judged> =
            sure.iter().map(|win| Judged { value: win.value, line: win.line.clone() }).collect();
        self.excluded = judged.iter().filter_map(|judged| judged.line.first().copied()).collect();
        while judged.len() < count {
            // What was best before of the moves that are left is looked at first.
            let hint =
                before.iter().find(|line| line.pv.first().is_some_and(|&p| !self.excluded.contains(p)));
            self.hint = hint.and_then(|line| line.pv.first().copied());
            let last = hint.map_or(DRAW, |line| line.value);
            let value = self.aspirate(depth, last);
            let line = self.lines[0].points();
            // What was cut short says nothing; but one move there has to be, whatever it is worth.
            if self.shared.is_over() && (depth > 1 || !judged.is_empty()) {
                break;
            }
            let Some(&first) = line.first() else { break };
            self.excluded.insert(first);
            judged.push(Judged { value, line });
        }
        self.excluded = Bitboard::EMPTY;
        self.hint = None;
        judged.sort_by_key(|judged| -judged.value);
        judged
    }

    /// Reports the lines of an iteration.
    fn tell(&mut self, judged: Vec<Judged>, depth: i32, deepening: &Deepening) -> Vec<Iteration> {
        let mut lines = Vec::new();
        for Judged { value, mut line } in judged {
            variation::complete(&self.position, self.shared.table, &mut line, value, ANALYSIS_FOURS);
            lines.push(self.iteration(depth, value, line, deepening.started));
        }
        deepening.reporter.lines(&lines);
        lines
    }
}
