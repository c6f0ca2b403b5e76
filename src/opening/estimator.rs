//! Evaluates positions within one budget for a whole decision.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Brief, LEVEL};
use crate::board::{Bitboard, Board, Point, Size};
use crate::database::{Label, Probe, ProbeResult};
use crate::engine::{Engine, RootOptions};
use crate::rules::procedure::Symmetries;
use crate::rules::{GomokuGame, Position, Verdict};
use crate::system::host::Instant;
use crate::think::score::{DRAW, MATE, MATE_THRESHOLD, Value};
use crate::think::{Clock, GameProgress, Limits, SearchReport, Silent};

/// A decision evaluates many positions: it may use the node budget of this many moves.
const MOVES_WORTH: u64 = 64;
/// Nodes per millisecond of a decision on a machine of ordinary speed; on a slower one the clock stops it.
const NODES_PER_MS: u64 = 200;
/// Minimum number of nodes of a search. With fewer it would not see every move once, and its value would be
/// meaningless.
const LEAST_NODES: u64 = 200;
/// Minimum number of nodes for each of several requested moves; with fewer their list would be incomplete.
const LEAST_NODES_PER_MOVE: u64 = 100;
/// Minimum depth in plies of a known value that replaces a search; a search here does not get deeper.
const KNOWN_DEPTH: i16 = 8;
/// The cost of the worst possible candidate.
const WORST: Value = MATE;

/// The engine working on a decision. Its position is restored at the end.
pub struct Estimator<'a> {
    engine: &'a mut Engine,
    stop: &'a AtomicBool,
    /// The engine's original game.
    before: GomokuGame,
    max_depth: Option<i32>,
    solvers: bool,
    /// Time by which the decision must be made.
    deadline: Option<Instant>,
    /// Time at which the decision was started.
    started: Instant,
    budget: u64,
    used: u64,
    progress: Option<&'a dyn Fn(u64)>,
    known: Option<&'a dyn Probe>,
    excluded: Option<&'a dyn Fn(&Board) -> Bitboard>,
}

impl Drop for Estimator<'_> {
    fn drop(&mut self) {
        self.engine.set_family_game(self.before.clone());
    }
}

impl Estimator<'_> {
    /// An estimator with the limits of `brief`.
    pub fn new<'a>(engine: &'a mut Engine, brief: &Brief<'a>) -> Estimator<'a> {
        let limits = brief.limits;
        let is_free = limits.clock.is_none() && limits.max_nodes.is_none();
        let clock = limits.clock.or_else(|| is_free.then(Clock::default));
        let progress = GameProgress::of(engine.position().board());
        let time = clock.map(|clock| clock.budget(progress).optimum);
        let by_time = time.map_or(u64::MAX, |time| time.as_millis() as u64 * NODES_PER_MS);
        let by_nodes = limits.max_nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MOVES_WORTH));
        Estimator {
            before: engine.family_game().clone(),
            engine,
            stop: brief.stop,
            max_depth: limits.max_depth,
            solvers: limits.solvers,
            deadline: time.map(|time| limits.started + time),
            started: limits.started,
            budget: by_time.min(by_nodes).max(LEAST_NODES),
            used: 0,
            progress: brief.progress,
            known: brief.known,
            excluded: brief.excluded,
        }
    }

    /// Number of nodes that may still be visited.
    pub fn nodes_left(&self) -> u64 {
        self.budget.saturating_sub(self.used)
    }

    /// Number of nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.used
    }

    /// Whether the decision must be made now with the available information.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.time_left() == Some(Duration::ZERO)
    }

    /// The percentage of the nodes or of the time that is used, whichever is larger.
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

    /// The value of `board` for its side to move; the static value if no time is left.
    pub fn value(&mut self, board: &Board, nodes: u64) -> Value {
        let found = self.known.and_then(|known| known.probe(board, self.engine.position().rule()));
        if let Some(value) = found.and_then(|found| found.value_by(KNOWN_DEPTH)) {
            return value;
        }
        if self.is_over() {
            self.engine.set_board(board.clone());
            return self.engine.static_value();
        }
        self.search(board, nodes, 1, Bitboard::EMPTY).last.value
    }

    /// Known balanced positions with `stones` stones on an empty board of `size` whose continuations are
    /// known, with their values for the side to move.
    pub fn known_level(&self, size: Size, stones: usize) -> Vec<(Board, Value)> {
        let rule = self.engine.position().rule();
        let level = |known: &ProbeResult| {
            let value = known.best_move.and_then(|_| known.value_by(KNOWN_DEPTH))?;
            (known.label == Label::None && value.abs() <= LEVEL).then_some(value)
        };
        let is_level = |known: &ProbeResult| level(known).is_some();
        let found = self.known.map(|known| known.positions(rule, size, stones, &is_level));
        found.into_iter().flatten().filter_map(|(board, known)| Some((board, level(&known)?))).collect()
    }

    /// The best moves of the side to move, at most `count`, best first, with their values for it. At least
    /// one, unless the board is full. Moves with known values are not searched. Moves that are known to lose count
    /// only if there are no others, and moves that the book labels as blocked only if all moves are.
    pub fn best(&mut self, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
        let known = self.known_moves(board);
        if !known.blocked.is_empty() && known.blocked == self.plain_points(board) {
            return self.best_of_all(board, count, nodes);
        }
        let mut found = moves_of(&self.search(board, nodes, count.max(1), known.points()));
        if !known.points().is_empty() {
            let (lost, kept): (Vec<_>, Vec<_>) =
                known.distinct(board).into_iter().partition(|&(_, value)| is_lost(value));
            found.extend(kept);
            if found.is_empty() {
                found = lost;
            }
            found.sort_by_key(|&(_, value)| -value);
        }
        found.truncate(count);
        found
    }

    /// Like [`Estimator::best`], but by a search of all moves, whatever the book knows about them.
    pub fn best_of_all(&mut self, board: &Board, count: usize, nodes: u64) -> Vec<(Point, Value)> {
        let mut found = moves_of(&self.search(board, nodes, count.max(1), Bitboard::EMPTY));
        found.truncate(count);
        found
    }

    /// The points of `board` where the side to move is known to lose.
    pub fn lost_points(&self, board: &Board) -> Bitboard {
        let valued = self.known_moves(board).valued;
        valued.into_iter().filter(|&(_, value)| is_lost(value)).map(|(point, _)| point).collect()
    }

    /// The empty points of `board` where the side to move neither wins nor makes a foul, except moves that the book
    /// labels as blocked.
    pub fn quiet_points(&mut self, board: &Board) -> Bitboard {
        self.plain_points(board) - self.known_moves(board).blocked
    }

    /// The points of `board` on which no balancing stone may be placed.
    pub fn excluded_points(&self, board: &Board) -> Bitboard {
        self.excluded.map_or(Bitboard::EMPTY, |excluded| excluded(board))
    }

    /// The empty points of `board` where the side to move neither wins nor makes a foul.
    pub fn plain_points(&self, board: &Board) -> Bitboard {
        let mut position = Position::new(board.clone(), self.engine.position().rule());
        let empty = *board.empty();
        empty.iter().filter(|&point| position.verdict(point) == Verdict::Plain).collect()
    }

    /// The moves on `board` that the book knows, except moves that win and fouls.
    fn known_moves(&self, board: &Board) -> KnownMoves {
        let mut moves = KnownMoves::default();
        let Some(known) = self.known else { return moves };
        let rule = self.engine.position().rule();
        let mut after = board.clone();
        for point in self.plain_points(board) {
            after.play(point);
            let probed = known.probe(&after, rule);
            after.undo();
            match probed {
                Some(probed) if probed.label == Label::Blocked => moves.blocked.insert(point),
                Some(probed) => {
                    let value = probed.value_by(KNOWN_DEPTH).map(|value| (point, -value));
                    moves.valued.extend(value);
                }
                None => {}
            }
        }
        moves
    }

    fn search(&mut self, board: &Board, nodes: u64, multi_pv: usize, excluded: Bitboard) -> SearchReport {
        self.engine.set_board(board.clone());
        let turn_ms = self.time_left().map(|left| left.as_millis().max(1) as u64);
        let least = LEAST_NODES.max(LEAST_NODES_PER_MOVE * multi_pv as u64);
        let limits = Limits {
            clock: turn_ms.map(|turn_ms| Clock { turn_ms: Some(turn_ms), ..Clock::default() }),
            max_depth: self.max_depth,
            max_nodes: Some(nodes.max(least)),
            multi_pv,
            solvers: self.solvers,
            ..Limits::infinite()
        };
        let options = RootOptions { excluded, ..RootOptions::default() };
        let report = self.engine.think_with(&limits, &options, self.stop, &Silent);
        self.used += report.last.nodes;
        if let Some(progress) = self.progress {
            progress(self.percent());
        }
        report
    }

    /// Orders `candidates` by `cost`, lowest first, and returns them with their costs. All are evaluated
    /// briefly, the better half for twice as long, and so on, until `kept` are left or the nodes are used up.
    /// `cost` receives the number of nodes for one evaluation.
    ///
    /// Candidates that dropped out follow the others in the order of their last evaluation.
    pub fn sift<T: Clone>(
        &mut self,
        candidates: Vec<T>,
        kept: usize,
        nodes: u64,
        mut cost: impl FnMut(&mut Estimator, &mut T, u64) -> Value,
    ) -> Vec<(T, Value)> {
        let mut ordered: Vec<(T, Value)> =
            candidates.into_iter().map(|candidate| (candidate, WORST)).collect();
        let mut left = ordered.len();
        let rounds = u64::from((left.max(1) / kept.max(1)).max(1).ilog2()) + 1;
        let used_up = self.used + nodes;
        for _ in 0..rounds {
            let each = nodes / rounds / left.max(1) as u64;
            for (candidate, value) in &mut ordered[..left] {
                let mut evaluated = candidate.clone();
                let found = cost(self, &mut evaluated, each);
                let is_interrupted = self.is_over();
                // An interrupted search changes neither the value nor the candidate, in which `cost` may store
                // details. A candidate without an earlier value keeps them.
                if !is_interrupted || *value == WORST {
                    *candidate = evaluated;
                }
                if is_interrupted {
                    break;
                }
                *value = found;
            }
            // A stable sort, so that equal candidates keep their order on every machine.
            ordered[..left].sort_by_key(|&(_, value)| value);
            if self.is_over() || self.used >= used_up {
                break;
            }
            left = left.div_ceil(2).max(kept.min(left));
        }
        // No candidate was evaluated. The first is returned as if it were level, so it should be a natural one.
        if let Some((_, value)) = ordered.first_mut().filter(|(_, value)| *value == WORST) {
            *value = DRAW;
        }
        ordered
    }
}

/// The moves from a position that a book knows.
#[derive(Default)]
struct KnownMoves {
    /// Moves that should not be considered.
    blocked: Bitboard,
    /// The other moves with known values, for the side that makes the move.
    valued: Vec<(Point, Value)>,
}

impl KnownMoves {
    /// The points of all these moves.
    fn points(&self) -> Bitboard {
        self.blocked | self.valued.iter().map(|&(point, _)| point).collect()
    }

    /// One move of each set of moves that are symmetric on `board`, except blocked ones.
    fn distinct(self, board: &Board) -> Vec<(Point, Value)> {
        let points = Symmetries::of_board(board).distinct(self.valued.iter().map(|&(point, _)| point));
        self.valued.into_iter().filter(|(point, _)| points.contains(point)).collect()
    }
}

/// The best moves that a search has found, best first, with their values.
fn moves_of(report: &SearchReport) -> Vec<(Point, Value)> {
    let first = report.best_move.map(|point| (point, report.last.value));
    let others = report.others.iter().filter_map(|line| Some((*line.pv.first()?, line.value)));
    first.into_iter().chain(others).collect()
}

/// Whether a value is a proven loss.
fn is_lost(value: Value) -> bool {
    value < -MATE_THRESHOLD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    fn engine() -> Engine {
        Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() })
    }

    #[test]
    fn an_interrupted_evaluation_changes_neither_cost_nor_candidate() {
        let (mut engine, stop) = (engine(), AtomicBool::new(false));
        let limits = Limits::nodes(100);
        let mut estimator = Estimator::new(&mut engine, &Brief::new(&limits, &stop, 0));
        let candidates: Vec<(usize, Value)> = (0..4).map(|index| (index, 0)).collect();
        let mut calls = 0;
        let sifted = estimator.sift(candidates, 1, 1_000, |_, (index, value): &mut (usize, Value), _| {
            calls += 1;
            // The second round begins with the fifth call.
            let is_second_round = calls > 4;
            stop.store(is_second_round, Ordering::Relaxed);
            *value = if is_second_round { 99 } else { 10 + *index as Value };
            *value
        });
        assert_eq!((calls, sifted[0]), (5, ((0, 10), 10)));
    }

    #[test]
    fn the_solvers_work_only_if_the_limits_allow_it() {
        let moves = [(7, 7), (7, 6), (8, 6)].map(|(x, y)| Point::new(x, y));
        let board = Board::of_moves(Size::default(), &moves);
        let nodes = |solvers| {
            let (mut engine, stop) = (engine(), AtomicBool::new(false));
            // At depth 1 the search is complete long before the node limit.
            let limits = Limits { max_nodes: Some(1_000), max_depth: Some(1), solvers, ..Limits::infinite() };
            let mut estimator = Estimator::new(&mut engine, &Brief::new(&limits, &stop, 0));
            estimator.value(&board, 20_000);
            estimator.nodes()
        };
        assert!(nodes(true) > nodes(false));
    }

    #[test]
    fn a_candidate_keeps_its_only_evaluation() {
        let (mut engine, stop) = (engine(), AtomicBool::new(true));
        let limits = Limits::nodes(100);
        let mut estimator = Estimator::new(&mut engine, &Brief::new(&limits, &stop, 0));
        let sifted =
            estimator.sift(vec![(0, 0), (1, 0)], 1, 1_000, |_, (_, value): &mut (usize, Value), _| {
                *value = 99;
                *value
            });
        assert_eq!(sifted, [((0, 99), DRAW), ((1, 0), WORST)]);
    }
}
