//! Searches of single positions for a review.

use std::sync::atomic::AtomicBool;

use super::{Effort, MarkTerms};
use crate::board::{Color, Point};
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::rules::{GomokuGame, Position};
use crate::search::Situation;
use crate::system::host::Instant;
use crate::think::score::{Value, is_mate};
use crate::think::{Clock, Limits, Silent};
use crate::threat::{SolverLimits, SolverResult, VctSolver};

/// Bytes of the table of each search: enough for a million nodes.
const TABLE_BYTES: u64 = 64 << 20;
/// Lines of each search: the second one shows whether the best move is the only one.
const LINES: usize = 2;
/// Positions that the solver looks at for the proof of a missed win.
const PROOF_NODES: u64 = 200_000;
/// Bytes of the solver's table.
const PROOF_BYTES: usize = 16 << 20;

/// The result of the search of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// The side to move.
    pub color: Color,
    /// Value of the best move for the side to move.
    pub value: Value,
    /// Win rate of the best move.
    pub win_rate: f32,
    /// The best move and the line after it.
    pub line: Vec<Point>,
    /// Win rate of the second best move, if there is one.
    pub second: Option<f32>,
    /// The move that has to be played, if all others lose at once.
    pub forced: Option<Point>,
}

impl Insight {
    /// The side that the search has proven to lose.
    pub fn proven_loser(&self) -> Option<Color> {
        is_mate(self.value).then(|| if self.value > 0 { !self.color } else { self.color })
    }

    /// Facts about the move to `point`, after which the next search leaves its side `after`. Where that search, which
    /// looked one ply deeper, finds the move better than this one found the best, it is believed.
    pub(super) fn rated(&self, point: Point, after: f32) -> MarkTerms {
        let wins = is_mate(self.value) && self.value > 0;
        let is_best = self.line.first() == Some(&point) || self.forced == Some(point);
        // A proof stands, even if the next search does not find it again.
        let after = if wins && is_best { 1.0 } else { after };
        let before = if is_best { after } else { self.win_rate.max(after) };
        MarkTerms {
            before,
            after,
            second: self.second,
            is_best,
            is_forced: self.forced.is_some(),
            wins,
            still_wins: after >= 1.0,
        }
    }
}

/// Searches positions one after the other, each as if it were the first.
pub(super) struct Analyst {
    engine: Engine,
    effort: Effort,
}

impl Analyst {
    pub(super) fn new(networks: Networks, effort: Effort) -> Analyst {
        let mut engine = Engine::new(Options { hash_bytes: Some(TABLE_BYTES), ..Options::default() });
        engine.set_networks(networks);
        Analyst { engine, effort }
    }

    /// Searches the position of a game that has not ended.
    pub(super) fn look_at(&mut self, game: &GomokuGame, stop: &AtomicBool) -> Insight {
        let position = game.position();
        let board = position.board();
        let color = board.side_to_move();
        self.engine.new_game(board.size());
        self.engine.set_rule(position.rule());
        self.engine.set_board(board.clone());
        let clock = |turn_ms| Clock { turn_ms: Some(turn_ms), match_ms: 0, left_ms: None, increment_ms: 0 };
        let mut limits = Limits { started: Instant::now(), multi_pv: LINES, ..Limits::infinite() };
        match self.effort {
            Effort::Nodes(nodes) => limits.max_nodes = Some(nodes),
            Effort::Time(time) => {
                limits.clock = Some(clock(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)));
            }
        }
        let report = self.engine.shelter(TABLE_BYTES, |engine| engine.think(&limits, stop, &Silent));
        let win_rate = |value| self.engine.win_rate(value);
        Insight {
            color,
            value: report.last.value,
            win_rate: win_rate(report.last.value),
            second: report.others.first().map(|line| win_rate(line.value)),
            line: report.last.pv,
            forced: forced(position),
        }
    }
}

/// The only move that does not lose at once, if there is just one: the way to stop a five, or the last legal move.
fn forced(position: &Position) -> Option<Point> {
    let mut position = position.clone();
    let strongest = position.strongest();
    match Situation::of(&mut position, strongest) {
        Situation::MustBlock(set) if set.len() == 1 => set.iter().next(),
        _ => {
            let empty = position.board().empty();
            empty.iter().next().filter(|_| empty.len() == 1)
        }
    }
}

/// Proves wins by fours and threats.
pub(super) struct ProofFinder(VctSolver);

impl ProofFinder {
    pub(super) fn new() -> ProofFinder {
        ProofFinder(VctSolver::new(PROOF_BYTES))
    }

    /// The main line of a proof that the side to move wins, if the solver finds one.
    pub(super) fn win(&mut self, position: &Position, stop: &AtomicBool) -> Option<Vec<Point>> {
        let mut position = position.clone();
        self.0.clear();
        let limits =
            SolverLimits { max_nodes: Some(PROOF_NODES), deadline: None, stop: Some(stop), max_moves: None };
        let SolverResult::Win { moves, .. } = self.0.solve(&mut position, &limits) else { return None };
        self.0.prove(&mut position, moves).map(|proof| proof.main_line())
    }
}
