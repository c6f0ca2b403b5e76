//! Searches of single positions for a review.

use std::iter::once;
use std::sync::atomic::AtomicBool;

use super::mark::STILL_WINS;
use super::{Effort, MarkTerms, MoveMark};
use crate::board::{Color, Point};
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::rules::{GomokuGame, Position};
use crate::search::{RootOptions, Situation};
use crate::think::score::{Value, is_mate};
use crate::think::{Clock, Limits, Silent};
use crate::threat::{SolverLimits, SolverResult, VctSolver};

/// Bytes of the table of each search: enough for a million nodes.
pub(super) const TABLE_BYTES: u64 = 64 << 20;
/// Lines of each search: the second one shows whether the best move is the only one.
const LINES: usize = 2;
/// Difference of two win rates of one position that makes another look necessary: two marks.
const DISAGREEMENT: f32 = 0.10;
/// Positions that the solver looks at for the proof of a missed win.
const PROOF_NODES: u64 = 200_000;
/// Bytes of the solver's table.
const PROOF_BYTES: usize = 16 << 20;

/// The result of the search of one position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    /// Win rates of the best move and of the move that was made, by a search of these two alone, or only of the second where
    /// the first is proven to win.
    pub(super) duel: Option<Duel>,
    /// Effort of the search, in first looks.
    pub(super) factor: u32,
}

/// Win rates of two moves that were searched together, to the same depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Duel {
    pub(super) best: f32,
    pub(super) made: f32,
}

impl Duel {
    /// Win rate that the move that was made gives away, below 0 if it is the better one.
    fn loss(self) -> f32 {
        self.best - self.made
    }
}

impl Insight {
    /// The side that the search has proven to lose.
    pub fn proven_loser(&self) -> Option<Color> {
        is_mate(self.value).then(|| if self.value > 0 { !self.color } else { self.color })
    }

    /// Whether the first look is enough to mark the move to `point`, after which the next search leaves its side `after`: it is
    /// the best one, and the next search confirms its value, or the duel and the next search agree that it loses nothing or
    /// misses a win.
    pub(super) fn settles(&self, point: Point, after: f32) -> bool {
        let is_best = self.line.first() == Some(&point) || self.forced == Some(point);
        let wins = is_mate(self.value) && self.value > 0;
        let is_clear =
            if wins { is_best || after >= 1.0 } else { is_mate(self.value) || self.forced.is_some() };
        let loss = self.win_rate - after;
        match self.duel {
            _ if is_clear => true,
            _ if is_best => loss.abs() < DISAGREEMENT,
            Some(duel) if wins => (duel.made < STILL_WINS) == (after < STILL_WINS),
            Some(duel) => {
                [duel.loss(), loss].into_iter().all(|loss| MoveMark::of_loss(loss) == MoveMark::Best)
            }
            None => false,
        }
    }

    /// Whether the duel counts, and not the first look at the next position: the duel was longer, or it shows the smaller
    /// loss.
    fn is_fairer(&self, duel: Duel, after: f32) -> bool {
        self.factor > 1 || duel.loss() < self.win_rate - after
    }

    /// Facts about the move to `point`, after which the next search leaves its side `after`.
    pub(super) fn rated(&self, point: Point, after: f32) -> MarkTerms {
        let wins = is_mate(self.value) && self.value > 0;
        let is_best = self.line.first() == Some(&point) || self.forced == Some(point);
        let is_proven = after <= 0.0 || after >= 1.0;
        let (best, after) = match self.duel {
            // A proof stands, even if the next search does not find it again.
            _ if wins && is_best => (1.0, 1.0),
            Some(duel) if !is_best && !is_proven && self.is_fairer(duel, after) => (duel.best, duel.made),
            _ => (self.win_rate, after),
        };
        let before = if is_best { after } else { best.max(after) };
        MarkTerms {
            before,
            after,
            two_best: self.second.map(|second| [self.win_rate, second]),
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
    table_bytes: u64,
}

impl Analyst {
    pub(super) fn new(networks: Networks, effort: Effort, table_bytes: u64) -> Analyst {
        let mut engine = Engine::new(Options { hash_bytes: Some(table_bytes), ..Options::default() });
        engine.set_networks(networks);
        Analyst { engine, effort, table_bytes }
    }

    /// Searches the position of a game that has not ended, in which the move `made` was made, with `factor` times the effort.
    pub(super) fn look_at(
        &mut self,
        game: &GomokuGame,
        made: Option<Point>,
        factor: u32,
        stop: &AtomicBool,
    ) -> Insight {
        let position = game.position();
        let board = position.board();
        let color = board.side_to_move();
        self.engine.new_game(board.size());
        self.engine.set_rule(position.rule());
        self.engine.set_board(board.clone());
        let effort = self.effort.times(factor);
        let forced = forced(position);
        let (report, duel) = self.engine.shelter(self.table_bytes, |engine| {
            let report = engine.think(&effort.limits(), stop, &Silent);
            let best = report.last.pv.first().copied();
            let value = report.last.value;
            let is_open = forced.is_none() && !(is_mate(value) && value < 0);
            let moves = best.zip(made).filter(|(best, made)| best != made && is_open);
            let duel = moves.and_then(|moves| duel(engine, moves, value, &effort.limits(), stop));
            (report, duel)
        });
        let win_rate = |value| self.engine.win_rate(value);
        Insight {
            color,
            value: report.last.value,
            win_rate: win_rate(report.last.value),
            second: report.others.first().map(|line| win_rate(line.value)),
            line: report.last.pv,
            forced,
            duel,
            factor,
        }
    }
}

impl Effort {
    /// This effort several times.
    fn times(self, factor: u32) -> Effort {
        match self {
            Effort::Nodes(nodes) => Effort::Nodes(nodes.saturating_mul(factor.into())),
            Effort::Time(time) => Effort::Time(time.saturating_mul(factor)),
        }
    }

    /// The limits of a search.
    fn limits(self) -> Limits {
        let limits = Limits { multi_pv: LINES, ..Limits::infinite() };
        match self {
            Effort::Nodes(nodes) => Limits { max_nodes: Some(nodes), ..limits },
            Effort::Time(time) => {
                let turn_ms = Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
                Limits {
                    clock: Some(Clock { turn_ms, match_ms: 0, left_ms: None, increment_ms: 0 }),
                    ..limits
                }
            }
        }
    }
}

/// Searches two moves alone, or only the second one if the first is proven to win, by its `value`. `None` where the search
/// leaves one of them out.
fn duel(
    engine: &mut Engine,
    (best, made): (Point, Point),
    value: Value,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<Duel> {
    let wins = is_mate(value);
    let mut excluded = *engine.position().board().empty();
    excluded.remove(made);
    if !wins {
        excluded.remove(best);
    }
    let options = RootOptions { excluded, ..RootOptions::default() };
    let report = engine.think_with(limits, &options, stop, &Silent);
    let of = |point: Point| {
        let mut lines = once(&report.last).chain(&report.others);
        let line = lines.find(|line| line.pv.first() == Some(&point))?;
        Some(engine.win_rate(line.value))
    };
    let best = if wins { Some(engine.win_rate(value)) } else { of(best) };
    Some(Duel { best: best?, made: of(made)? })
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
