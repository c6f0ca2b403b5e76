//! Searches of single positions for a review.

use std::iter::once;
use std::sync::atomic::AtomicBool;

use super::{Effort, MarkTerms, MoveMark};
use crate::board::{Color, Point};
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::rules::{GomokuGame, Position};
use crate::search::{RootOptions, Situation};
use crate::system::host::Instant;
use crate::think::score::{Value, is_mate};
use crate::think::{Clock, Limits, Silent};
use crate::threat::{SolverLimits, SolverResult, VctSolver};

/// Bytes of the table of each search: enough for a million nodes.
pub(super) const TABLE_BYTES: u64 = 64 << 20;
/// Lines of each search: the second one shows whether the best move is the only one.
const LINES: usize = 2;
/// Effort of the second duel, by which an error is confirmed, in searches.
const SECOND_LOOK: u32 = 4;
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
    /// Win rates of the best move and of the move that was made, by a search of these two alone.
    pub(super) duel: Option<Duel>,
}

/// Win rates of two moves that were searched together, to the same depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Duel {
    best: f32,
    made: f32,
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

    /// Facts about the move to `point`, after which the next search leaves its side `after`. A move that is not the best
    /// has lost what the duel and the next search agree on: two searches differ by more than many moves do.
    pub(super) fn rated(&self, point: Point, after: f32) -> MarkTerms {
        let wins = is_mate(self.value) && self.value > 0;
        let is_best = self.line.first() == Some(&point) || self.forced == Some(point);
        let is_proven = after <= 0.0 || after >= 1.0;
        let (best, after) = match self.duel {
            // A proof stands, even if the next search does not find it again.
            _ if wins && is_best => (1.0, 1.0),
            Some(duel) if !is_best && !is_proven && duel.loss() < self.win_rate - after => {
                (duel.best, duel.made)
            }
            _ => (self.win_rate, after),
        };
        let before = if is_best { after } else { best.max(after) };
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
    table_bytes: u64,
}

impl Analyst {
    pub(super) fn new(networks: Networks, effort: Effort, table_bytes: u64) -> Analyst {
        let mut engine = Engine::new(Options { hash_bytes: Some(table_bytes), ..Options::default() });
        engine.set_networks(networks);
        Analyst { engine, effort, table_bytes }
    }

    /// Searches the position of a game that has not ended, in which the move `made` was made.
    pub(super) fn look_at(&mut self, game: &GomokuGame, made: Option<Point>, stop: &AtomicBool) -> Insight {
        let position = game.position();
        let board = position.board();
        let color = board.side_to_move();
        self.engine.new_game(board.size());
        self.engine.set_rule(position.rule());
        self.engine.set_board(board.clone());
        let limits = self.effort.limits();
        let forced = forced(position);
        let (report, duel) = self.engine.shelter(self.table_bytes, |engine| {
            let report = engine.think(&limits, stop, &Silent);
            let best = report.last.pv.first().copied();
            let is_open = forced.is_none() && !is_mate(report.last.value);
            let moves = best.zip(made).filter(|(best, made)| best != made && is_open);
            let mut fight = |factor: u32| {
                let limits = Limits { started: Instant::now(), ..self.effort.times(factor).limits() };
                moves.and_then(|(best, made)| duel(engine, [best, made], &limits, stop))
            };
            // An error is not claimed lightly.
            let duel = fight(1);
            let is_error = duel.is_some_and(|duel| MoveMark::of_loss(duel.loss()) != MoveMark::Best);
            (report, if is_error { fight(SECOND_LOOK) } else { duel })
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

/// Searches two moves alone. `None` where the search leaves one of them out.
fn duel(engine: &mut Engine, [best, made]: [Point; 2], limits: &Limits, stop: &AtomicBool) -> Option<Duel> {
    let mut excluded = *engine.position().board().empty();
    [best, made].into_iter().for_each(|point| excluded.remove(point));
    let options = RootOptions { excluded, ..RootOptions::default() };
    let report = engine.think_with(limits, &options, stop, &Silent);
    let of = |point: Point| {
        let mut lines = once(&report.last).chain(&report.others);
        let line = lines.find(|line| line.pv.first() == Some(&point))?;
        Some(engine.win_rate(line.value))
    };
    Some(Duel { best: of(best)?, made: of(made)? })
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
