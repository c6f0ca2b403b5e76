//! Iterative deepening with aspiration windows, and the decision when to stop.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::helpers;
use super::params::{LINE_FOURS, ONE_PLY};
use super::root_moves::RootMove;
use super::situation::Situation;
use super::variation;
use super::worker::Worker;
use crate::board::Point;
use crate::rules::PointClass;
use crate::system::host::Instant;
use crate::think::score::{
    DRAW, INFINITE, MATE, MATE_THRESHOLD, Value, is_mate, mate_in, mate_plies, mated_in,
};
use crate::think::{Budget, Iteration, RootEvent, SearchReport};

/// The limits and the number of one thread's iterative deepening.
pub struct Deepening {
    /// Time at which the command to think was read.
    pub started: Instant,
    /// The time for the move, if it is limited.
    pub budget: Option<Budget>,
    /// Depth of the first iteration.
    pub start_depth: i32,
    /// Depth of the last iteration.
    pub max_depth: i32,
    /// Index of this thread, from 0.
    pub thread: usize,
    /// Whether solvers may examine the root.
    pub solvers: bool,
}

impl Deepening {
    /// The depths of the thread's iterations.
    pub fn depths(&self) -> impl Iterator<Item = i32> {
        let thread = self.thread;
        (self.start_depth..=self.max_depth).filter(move |&depth| !helpers::skips(thread, depth))
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached or nothing more can be found.
    pub fn deepen(&mut self, deepening: &Deepening) -> SearchReport {
        self.list_root_moves();
        // If a node limit ends the search, or the time is unlimited, the user wants the value of the only move as well.
        let saves_time = deepening.budget.is_some() && self.node_limit(deepening).is_none();
        if let Some((point, judgement)) = self.move_without_search(saves_time) {
            return match judgement {
                Some((value, depth)) => self.answer(vec![point], value, depth, deepening),
                None => self.answer_unjudged(point, deepening),
            };
        }
        // The solvers and the sifting of defences may take long.
        self.report_fallback();
        if deepening.thread == 0
            && let Some((line, value)) = self.forced_win(deepening)
        {
            return self.answer(line, value, 1, deepening);
        }
        self.keep_defenses(deepening);
        let best_move = self.report_fallback();
        let value = self.first_guess(deepening);
        let last = self.iteration(0, value, best_move.into_iter().collect(), deepening.started);
        let mut report = SearchReport { best_move, last, others: Vec::new() };
        let mut unsettled = 0.0;
        for depth in deepening.depths() {
            self.root.begin_iteration();
            self.reporter.root_event(RootEvent::Iteration(depth));
            let value = self.aspirate(depth, report.last.value);
            let over = self.shared.is_over();
            let Some(best) = self.root.best_unjudged().filter(|root| !over || root.value > -INFINITE) else {
                break;
            };
            // An interrupted iteration still provides the best of the moves that it finished.
            let (value, depth) = match over {
                true => interrupted(best, depth, &report.last, report.best_move),
                false => (value, depth),
            };
            let (point, line) = (best.point, best.line.clone());
            let is_new = report.best_move != Some(point);
            unsettled = unsettled / 2.0 + if is_new { 1.0 } else { 0.0 };
            report.best_move = Some(point);
            report.last = self.iteration(depth, value, line, deepening.started);
            if over {
                if is_new && depth > 0 && deepening.thread == 0 {
                    self.report_interrupted(report.last.clone());
                }
                break;
            }
            self.complete(&mut report.last.pv, value);
            self.reporter.iteration(&report.last);
            if self.is_decided(depth, value) || self.time_is_up(deepening, unsettled) {
                break;
            }
        }
        // A helper is done when it finds a win or the first thread stops it.
        if deepening.thread == 0 || report.last.value > MATE_THRESHOLD {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
        report.last.nodes = self.total_nodes();
        report.last.elapsed = deepening.started.elapsed();
        report
    }

    /// The move to play if nothing can be searched.
    pub(super) fn first_draft(&mut self) -> Option<Point> {
        self.list_root_moves();
        let forced = self.move_without_search(true).map(|(point, _)| point);
        forced.or_else(|| self.root.best_unjudged().map(|root| root.point))
    }

    /// Reports the move to play if the search has to end before its first iteration is complete.
    pub(super) fn report_fallback(&self) -> Option<Point> {
        let best = self.root.best_unjudged().map(|root| root.point);
        if let Some(point) = best {
            self.reporter.fallback(point);
        }
        best
    }

    /// Reports the last iteration, which was interrupted after it had found a best move that differs from the move last
    /// reported.
    fn report_interrupted(&self, mut last: Iteration) {
        self.complete(&mut last.pv, last.value);
        self.reporter.interrupted_iteration(&last);
    }

    /// The expected value before the first iteration: level, or the static evaluation if the first iteration
    /// is deep.
    fn first_guess(&mut self, deepening: &Deepening) -> Value {
        if deepening.start_depth > 1 { self.evaluator.value(&self.position) } else { DRAW }
    }

    /// Searches the root with a window around the last value, and widens the window on the side where it
    /// fails.
    pub(super) fn aspirate(&mut self, depth: i32, last: Value) -> Value {
        let mut delta = self.params.aspiration_delta;
        let narrow = depth >= self.params.aspiration_depth && !is_mate(last);
        let (mut alpha, mut beta) = if narrow { (last - delta, last + delta) } else { (-INFINITE, INFINITE) };
        loop {
            let value = self.search_root(alpha, beta, depth * ONE_PLY);
            // For a proven win the exact length does not matter.
            let is_settled = value > MATE_THRESHOLD || is_mate(value) && alpha <= -MATE;
            if self.shared.is_over() || (value > alpha && value < beta) || is_settled {
                return value;
            }
            delta = self.params.widened(delta);
            if value <= alpha {
                alpha = if is_mate(value) { -INFINITE } else { (value - delta).max(-INFINITE) };
            } else {
                beta = if is_mate(value) { INFINITE } else { (value + delta).min(INFINITE) };
            }
        }
    }

    /// A win, or a loss within the searched depth, is final: deeper iterations change nothing.
    pub(super) fn is_decided(&self, depth: i32, value: Value) -> bool {
        mate_plies(value).is_some_and(|plies| value > 0 || plies <= depth)
    }

    /// Whether starting another iteration is not worthwhile.
    pub(super) fn time_is_up(&self, deepening: &Deepening, unsettled: f64) -> bool {
        let Some(budget) = deepening.budget else { return false };
        let effort = self.root.first().map_or(0.0, |best| best.nodes as f64 / self.nodes.max(1) as f64);
        budget.is_spent(deepening.started.elapsed(), effort, unsettled)
    }

    /// Moves that need no search: the first stone, an immediate win and, to save time, the only way to stop a
    /// five. Also returns the value and the depth of its search, if they are known.
    fn move_without_search(&mut self, saves_time: bool) -> Option<(Point, Option<(Value, i32)>)> {
        let excluded = self.shared.setup.options.root_exclusions();
        let board = self.position.board();
        let (us, center) = (board.side_to_move(), board.size().center());
        if board.occupied().is_empty() && board.is_empty(center) && !excluded.contains(center) {
            return Some((center, Some((DRAW, 1))));
        }
        let first = |class| (self.position.at_least(us, class) - excluded).iter().next();
        let situation = Situation::find(&mut self.position.clone());
        if !self.trusts_threats() && (situation != Situation::Wins || self.last_ply == 0) {
            return None;
        }
        match situation {
            Situation::Wins => first(PointClass::Five).map(|point| (point, Some((mate_in(1), 1)))),
            Situation::WinsByFour => first(PointClass::OpenFour).map(|point| (point, Some((mate_in(3), 1)))),
            Situation::MustBlock(set) => {
                let mut blocks = (set - excluded).iter();
                match (blocks.next(), blocks.next()) {
                    (Some(only), None) if saves_time => Some((only, self.value_of_only_move(only))),
                    (None, _) => {
                        let fives = self.position.at_least(!us, PointClass::Five);
                        // Black may not stop a row by a foul: any other move is better.
                        let block = (fives - excluded).iter().find(|&point| self.position.is_allowed(point));
                        block
                            .or_else(|| self.root.best_unjudged().map(|root| root.point))
                            .map(|point| (point, Some((mated_in(2), 1))))
                    }
                    _ => None,
                }
            }
            Situation::MustDefend(_) | Situation::Free => None,
        }
    }

    /// The value of the root, whose only move is `only`, and the depth of its search. It comes from the
    /// table, where bounds do not count, or from the last search if the game has followed its line. If moves are
    /// excluded, the value of the position may belong to one of them, so only the value after `only` counts.
    fn value_of_only_move(&self, only: Point) -> Option<(Value, i32)> {
        let board = self.position.board();
        let is_whole = !self.shared.setup.options.leaves_out();
        let probe = |hash, ply| self.shared.table.probe(hash, ply).filter(|entry| entry.is_exact_or_proven());
        let of_root = probe(board.hash(), 0).filter(|_| is_whole).map(|entry| (entry.value, entry.depth));
        let stored = of_root.or_else(|| {
            let reply = probe(board.hash_after(only), 1)?;
            // The only reply to a four costs no depth.
            Some((-reply.value, reply.depth))
        });
        stored
            .map(|(value, depth)| (value, (depth / ONE_PLY).max(1)))
            .or(self.shared.expected.filter(|_| is_whole))
    }

    /// The report for a line that was not searched now, but may have been searched to some depth before.
    fn answer(
        &mut self,
        mut line: Vec<Point>,
        value: Value,
        depth: i32,
        deepening: &Deepening,
    ) -> SearchReport {
        let best_move = line.first().copied();
        self.complete(&mut line, value);
        let last = self.iteration(depth.max(line.len() as i32), value, line, deepening.started);
        self.reporter.iteration(&last);
        SearchReport { best_move, last, others: Vec::new() }
    }

    /// The report for the only move if nothing else is known about it: no value is reported.
    fn answer_unjudged(&mut self, only: Point, deepening: &Deepening) -> SearchReport {
        self.reporter.fallback(only);
        let value = self.evaluator.value(&self.position);
        let last = self.iteration(0, value, vec![only], deepening.started);
        SearchReport { best_move: Some(only), last, others: Vec::new() }
    }

    /// Extends the line up to the mate that the value promises, at little cost because a game is in progress.
    fn complete(&self, line: &mut Vec<Point>, value: Value) {
        self.complete_within(line, value, LINE_FOURS);
    }

    /// Extends the line up to the mate that the value promises, trying at most `max_fours` fours. A line
    /// that meets a blocked line stays unchanged.
    pub(super) fn complete_within(&self, line: &mut Vec<Point>, value: Value, max_fours: u64) {
        if !self.shared.setup.options.blocks_replies() {
            variation::complete(&self.position, self.shared.table, line, value, max_fours);
        }
    }

    /// The report of an iteration.
    pub(super) fn iteration(
        &mut self,
        depth: i32,
        value: Value,
        pv: Vec<Point>,
        started: Instant,
    ) -> Iteration {
        let elapsed = started.elapsed().max(Duration::from_micros(1));
        let selective_depth = (self.selective_depth as i32).max(depth);
        Iteration { depth, selective_depth, value, nodes: self.total_nodes(), elapsed, pv }
    }
}

/// The value and the depth to report if the iteration to `depth` was interrupted. `best` is the best of the moves
/// that it finished; `previous` is the iteration before it, in which `previous_move` was the best.
fn interrupted(
    best: &RootMove,
    depth: i32,
    previous: &Iteration,
    previous_move: Option<Point>,
) -> (Value, i32) {
    if best.value < -MATE_THRESHOLD {
        // A loss is not proven before all moves are searched.
        (previous.value, previous.depth)
    } else if previous_move != Some(best.point) {
        // A new best move was searched completely.
        (best.value, depth)
    } else if previous.depth == 0 {
        // No iteration is complete: the value is an estimate.
        (previous.value, previous.depth)
    } else {
        // The value of an unchanged move may lie outside the window.
        (previous.value, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::super::root_options::RootOptions;
    use super::super::transposition::TableEntry;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::Bitboard;
    use crate::board::notation::{parse_fen, parse_point};
    use crate::rules::{Position, RuleKind};
    use crate::think::Bound;

    #[test]
    fn an_interrupted_iteration_reports_what_it_has_shown() {
        let [old, new] = [7, 8].map(|x| Point::new(x, 7));
        let best = |point, value| RootMove {
            point,
            value,
            previous: 0,
            line: vec![point],
            nodes: 1,
            behind: 0,
            is_sure: false,
        };
        let previous = |depth| Iteration {
            depth,
            selective_depth: 9,
            value: 20,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![old],
        };
        let after = |point, value, depth| interrupted(&best(point, value), 6, &previous(depth), Some(old));
        assert_eq!(after(old, 35, 5), (20, 6), "the same move");
        assert_eq!(after(new, 35, 5), (35, 6), "a better move");
        assert_eq!(after(old, mated_in(8), 5), (20, 5), "the same move may lose");
        assert_eq!(after(new, mated_in(8), 5), (20, 5), "another move may lose");
        assert_eq!(after(old, 35, 0), (20, 0), "the first move of the first iteration");
        assert_eq!(after(new, 35, 0), (35, 6), "a better move of the first iteration");
        assert_eq!(after(old, mate_in(9), 5), (20, 6), "the same move wins");
        assert_eq!(after(new, mate_in(9), 5), (mate_in(9), 6), "a better move wins");
    }

    #[test]
    fn the_value_of_a_position_does_not_count_if_moves_are_excluded() {
        // In caro, j9 and k9 stop the four.
        let board =
            parse_fen("15/15/15/15/15/15/4XOOOO6/5X1X7/4X3X6/9X5/15/15/15/15/15 b").expect("a position");
        let [best, only] = ["j9", "k9"].map(|name| parse_point(name, board.size()).expect("a point"));
        let position = Position::new(board, RuleKind::Caro.into());
        let exact =
            |value| TableEntry { value, eval: 0, depth: 4 * ONE_PLY, bound: Bound::Exact, best: None };
        let of_root = (position.board().hash(), 0, exact(50));
        let of_reply = (position.board().hash_after(only), 1, exact(90));
        let value = |options: &RootOptions, stored: &[(u64, i32, TableEntry)]| {
            with_worker(
                &position,
                options,
                |shared| shared.expected = Some((70, 3)),
                |worker| {
                    for &(hash, ply, entry) in stored {
                        worker.shared.table.store(hash, ply, entry);
                    }
                    worker.value_of_only_move(only)
                },
            )
        };
        let all = RootOptions::default();
        let some = RootOptions { excluded: Bitboard::of(best), ..RootOptions::default() };
        let values = |stored: &[(u64, i32, TableEntry)]| (value(&all, stored), value(&some, stored));
        assert_eq!(values(&[]), (Some((70, 3)), None), "the last search's value");
        assert_eq!(values(&[of_root]), (Some((50, 4)), None), "the table's value");
        assert_eq!(values(&[of_root, of_reply]), (Some((50, 4)), Some((-90, 4))), "the value of the reply");
    }
}
