//! Values positions within one budget for a whole decision.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Brief, LEVEL};
use crate::board::{Bitboard, Board, Point, Size};
use crate::database::{Known, Label, Probe};
use crate::engine::Engine;
use crate::rules::{Position, Verdict};
use crate::search::score::{DRAW, MATE, Value};
use crate::search::{Clock, GameProgress, Limits, SearchReport, Silent};

/// A decision looks at many positions: it may visit as many nodes as so many moves.
const MOVES_WORTH: u64 = 64;
/// Nodes for each millisecond of a decision, on a machine that is not slow; a slower one is stopped by the clock.
const NODES_PER_MS: u64 = 200;
/// The fewest nodes of a search: with less it does not see every move once, and its value means nothing.
const LEAST_NODES: u64 = 200;
/// The fewest for each of several moves that are asked for: with less their list is short.
const LEAST_NODES_PER_MOVE: u64 = 100;
/// The least depth of a known value that takes the place of a search, in plies: a search here gets no further.
const KNOWN_DEPTH: i16 = 8;
/// No candidate is worse than this.
const WORST: Value = MATE;

/// The engine at work on a decision. Its position is put back at the end.
pub struct Judge<'a> {
    engine: &'a mut Engine,
    stop: &'a AtomicBool,
    /// The position of the engine before.
    before: Board,
    max_depth: Option<i32>,
    /// When the decision has to be there.
    deadline: Option<Instant>,
    /// When it was begun.
    started: Instant,
    budget: u64,
    used: u64,
    progress: Option<&'a dyn Fn(u64)>,
    known: Option<&'a dyn Probe>,
}

impl Drop for Judge<'_> {
    fn drop(&mut self) {
        self.engine.set_board(self.before.clone());
    }
}

impl Judge<'_> {
    /// A judge who has what `brief` allows.
    pub fn new<'a>(engine: &'a mut Engine, brief: &Brief<'a>) -> Judge<'a> {
        let limits = brief.limits;
        let is_free = limits.clock.is_none() && limits.max_nodes.is_none();
        let clock = limits.clock.or_else(|| is_free.then(Clock::default));
        let progress = GameProgress::of(engine.position().board());
        let time = clock.map(|clock| clock.budget(progress).optimum);
        let by_time = time.map_or(u64::MAX, |time| time.as_millis() as u64 * NODES_PER_MS);
        let by_nodes = limits.max_nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MOVES_WORTH));
        Judge {
            before: engine.position().board().clone(),
            engine,
            stop: brief.stop,
            max_depth: limits.max_depth,
            deadline: time.map(|time| limits.started + time),
            started: limits.started,
            budget: by_time.min(by_nodes).max(LEAST_NODES),
            used: 0,
            progress: brief.progress,
            known: brief.known,
        }
    }

    /// Nodes that may still be visited.
    pub fn nodes_left(&self) -> u64 {
        self.budget.saturating_sub(self.used)
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.used
    }

    /// Whether the decision has to be taken on what is known.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.time_left() == Some(Duration::ZERO)
    }

    /// Share of the nodes or of the time that is used, in percent, whichever is more.
    fn percent(&self) -> u64 {
        let by_nodes = self.used.saturating_mul(100) / self.budget;
        let by_time = self.deadline.map_or(0, |deadline| {
            let all = deadline.saturating_duration_since(self.started).as_millis().max(1);
            (self.started.elapsed().as_millis() * 100 / all) as u64
        });
        by_nodes.max(by_time).min(100)
    }

    fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Value of `board` to its side to move; a draw when there is no time left to find out.
    pub fn value(&mut self, board: &Board, nodes: u64) -> Value {
        let found = self.known.and_then(|known| known.probe(board, self.engine.position().rule()));
        if let Some(value) = found.and_then(|found| found.value_by(KNOWN_DEPTH)) {
            return Value::from(value);
        }
        if self.is_over() {
            return DRAW;
        }
        self.search(board, nodes, 1).last.value
    }

    /// Positions of `stones` stones on an empty board of `size` that are known to be level and how they go on; with
    /// their values to the side to move.
    pub fn known_level(&self, size: Size, stones: usize) -> Vec<(Board, Value)> {
        let rule = self.engine.position().rule();
        let level = |known: &Known| {
            let value = Value::from(known.best_move.and_then(|_| known.value_by(KNOWN_DEPTH))?);
            (known.label == Label::None && value.abs() <= LEVEL).then_some(value)
        };
        let is_level = |known: &Known| level(known).is_some();
        let found = self.known.map(|known| known.positions(rule, size, stones, &is_level));
        found.into_iter().flatten().filter_map(|(board, known)| Some((board, level(&known)?))).collect()
    }

    /// The best moves of the side to move, `count` of them at most, best first, with their values to it. At least one,
    /// unless the board is full.
    pub fn best(&mut self, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
        let report = self.search(board, nodes, count.max(1));
        let first = report.best_move.map(|point| (point, report.last.value));
        let others = report.others.iter().filter_map(|line| Some((*line.pv.first()?, line.value)));
        first.into_iter().chain(others).take(count).collect()
    }

    /// The empty points of `board` where the side to move neither wins nor fouls.
    pub fn quiet_points(&mut self, board: &Board) -> Bitboard {
        let mut position = Position::new(board.clone(), self.engine.position().rule());
        let empty = *board.empty();
        empty.iter().filter(|&point| position.verdict(point) == Verdict::Plain).collect()
    }

    fn search(&mut self, board: &Board, nodes: u64, multi_pv: usize) -> SearchReport {
        self.engine.set_board(board.clone());
        let turn_ms = self.time_left().map(|left| left.as_millis().max(1) as u64);
        let least = LEAST_NODES.max(LEAST_NODES_PER_MOVE * multi_pv as u64);
        let limits = Limits {
            clock: turn_ms.map(|turn_ms| Clock { turn_ms: Some(turn_ms), ..Clock::default() }),
            max_depth: self.max_depth,
            max_nodes: Some(nodes.max(least)),
            multi_pv,
            ..Limits::infinite()
        };
        let report = self.engine.think(&limits, self.stop, &Silent);
        self.used += report.last.nodes;
        if let Some(progress) = self.progress {
            progress(self.percent());
        }
        report
    }

    /// Orders `candidates` by `cost`, the least first, with the costs: all are looked at shortly, the better half for
    /// twice as long, and so on, until `kept` are left or the nodes are used up. `cost` gets the nodes for one look.
    ///
    /// Those that dropped out come behind the others in the order of their last look.
    pub fn sift<T>(
        &mut self,
        candidates: Vec<T>,
        kept: usize,
        nodes: u64,
        mut cost: impl FnMut(&mut Judge, &mut T, u64) -> Value,
    ) -> Vec<(T, Value)> {
        let mut ordered: Vec<(T, Value)> =
            candidates.into_iter().map(|candidate| (candidate, WORST)).collect();
        let mut left = ordered.len();
        let rounds = u64::from((left.max(1) / kept.max(1)).max(1).ilog2()) + 1;
        let used_up = self.used + nodes;
        for _ in 0..rounds {
            let each = nodes / rounds / left.max(1) as u64;
            for (candidate, value) in &mut ordered[..left] {
                let found = cost(self, candidate, each);
                // A search that was cut short says nothing.
                if self.is_over() {
                    break;
                }
                *value = found;
            }
            // A stable sort, so that equals keep their order on every machine.
            ordered[..left].sort_by_key(|&(_, value)| value);
            if self.is_over() || self.used >= used_up {
                break;
            }
            left = left.div_ceil(2).max(kept.min(left));
        }
        // Nothing is known of a first one that nobody has looked at.
        if let Some((_, value)) = ordered.first_mut().filter(|(_, value)| *value == WORST) {
            *value = DRAW;
        }
        ordered
    }
}
