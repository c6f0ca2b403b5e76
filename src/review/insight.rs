//! Searches of single positions for a review.

use std::sync::atomic::AtomicBool;

use super::mark::STILL_WINS;
use super::{Effort, MarkTerms, MoveMark};
use crate::board::{Color, Point};
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::rules::{GomokuGame, Position};
use crate::search::{RootOptions, Situation};
use crate::think::score::{Value, is_mate};
use crate::think::{Clock, GameProgress, Iteration, Limits, Silent};
use crate::threat::{SolverLimits, SolverResult, VctSolver};

/// Maximum size of a search's table in bytes: enough for a million nodes.
pub(super) const TABLE_BYTES: u64 = 64 << 20;
/// Number of lines of each search: the second line shows whether the best move is the only one.
const LINES: usize = 2;
/// Difference between two win rates of a position that requires another look: the width of two marks.
const DISAGREEMENT: f32 = 0.10;
/// Maximum number of nodes of the solver for the proof of a missed win.
const PROOF_NODES: u64 = 200_000;
/// Size of a search's table divided by the size of the solver's table.
pub(super) const PROOF_SHARE: u64 = 4;

/// The result of the search of one position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Insight {
    /// The side to move.
    pub color: Color,
    /// The best move.
    pub best: ValuedLine,
    /// The second best move, if there is one.
    pub second: Option<ValuedLine>,
    /// The only move that does not lose immediately, if there is exactly one.
    pub forced: Option<Point>,
    /// The best move and the move made, from a search of these two moves alone, or of the move made alone if
    /// the best move is proven to win.
    pub(super) duel: Option<Duel>,
    /// The best move of the earlier look, if a search of this look has proven that it loses.
    pub(super) refuted: Option<ValuedLine>,
    /// Effort of the search, as a multiple of the effort of a first look.
    pub(super) factor: u32,
}

/// A move with its value and the line after it.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuedLine {
    /// Value of the move for the side to move.
    pub value: Value,
    /// Its win rate.
    pub win_rate: f32,
    /// The move and the line after it.
    pub line: Vec<Point>,
}

impl ValuedLine {
    fn new(line: Iteration, engine: &Engine) -> ValuedLine {
        let win_rate = rate_of(line.value, engine.win_rate(line.value));
        ValuedLine { value: line.value, win_rate, line: line.pv }
    }

    /// The move.
    pub(super) fn point(&self) -> Option<Point> {
        self.line.first().copied()
    }
}

/// Two moves that were searched together, to the same depth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Duel {
    pub(super) best: ValuedLine,
    pub(super) made: ValuedLine,
}

impl Duel {
    /// Win rate that the move made gives away; negative if it is the better one.
    fn loss(&self) -> f32 {
        self.best.win_rate - self.made.win_rate
    }
}

impl Insight {
    /// Whether the first look is enough to mark the move to `point`, if the first look at the next position
    /// gives the mover the win rate `after`. This is so if the mark is clear from a proven value or a forced move, if
    /// the move is the best one and `after` confirms its value, or if the duel does not refute the best move and agrees
    /// with `after` that the move loses nothing, or on whether it misses a win.
    pub(super) fn settles(&self, point: Point, after: f32) -> bool {
        let is_best = self.prefers(point);
        let wins = self.wins();
        let is_clear =
            if wins { is_best || after >= 1.0 } else { is_mate(self.best.value) || self.forced.is_some() };
        let loss = self.best.win_rate - after;
        match &self.duel {
            _ if is_clear => true,
            _ if is_best => loss.abs() < DISAGREEMENT,
            _ if self.is_refuted() => false,
            Some(duel) if wins => (duel.made.win_rate < STILL_WINS) == (after < STILL_WINS),
            Some(duel) => {
                [duel.loss(), loss].into_iter().all(|loss| MoveMark::of_loss(loss) == MoveMark::Best)
            }
            None => false,
        }
    }

    /// Whether the best move is proven to win.
    fn wins(&self) -> bool {
        is_mate(self.best.value) && self.best.value > 0
    }

    /// Whether the search prefers the move to `point`, or no other move is possible.
    fn prefers(&self, point: Point) -> bool {
        self.best.point() == Some(point) || self.forced == Some(point)
    }

    /// Whether the duel has proven that the best move loses, although another move may hold the position.
    pub(super) fn is_refuted(&self) -> bool {
        self.duel.as_ref().is_some_and(|duel| loses(duel.best.value)) && !loses(self.best.value)
    }

    /// The best move, unless it is proven to win and therefore needs no search in a duel.
    fn rival(&self) -> Option<Point> {
        self.best.point().filter(|_| !self.wins())
    }

    /// Whether the duel counts instead of the first look at the next position: it was longer, or it shows a
    /// smaller loss.
    fn is_fairer(&self, duel: &Duel, after: f32) -> bool {
        self.factor > 1 || duel.loss() < self.best.win_rate - after
    }

    /// The best move by the duel. If the duel refutes this move, the search of all moves counts.
    fn held<'a>(&'a self, duel: &'a Duel) -> &'a ValuedLine {
        if self.is_refuted() { &self.best } else { &duel.best }
    }

    /// Whether the next position proves that the best move, which was made, loses.
    fn is_wrong(&self, point: Point, after: f32) -> bool {
        let is_best = self.best.point() == Some(point) && self.forced != Some(point);
        after <= 0.0 && is_best && !is_mate(self.best.value)
    }

    /// The mark of the move to `point` by this look alone; `after` is as in [`Insight::rated`].
    pub(super) fn mark(&self, point: Point, after: f32) -> MoveMark {
        MoveMark::of(&self.rated(point, after).terms)
    }

    /// Facts about the move to `point`; `after` is the win rate of the mover by a proof or by the first look
    /// at the next position.
    pub(super) fn rated(&self, point: Point, after: f32) -> Rated<'_> {
        let wins = self.wins();
        let is_wrong = self.is_wrong(point, after);
        let other = self.second.as_ref().filter(|_| is_wrong);
        let is_best = !is_wrong && self.prefers(point);
        let is_proven = after <= 0.0 || after >= 1.0;
        let (best, after) = match &self.duel {
            // A proof remains valid even if the next search does not find it again.
            _ if wins && is_best => (&self.best, 1.0),
            _ if is_proven => (other.unwrap_or(&self.best), after),
            Some(duel) if !is_best && self.is_fairer(duel, after) => (self.held(duel), duel.made.win_rate),
            _ if is_best && self.factor > 1 => (&self.best, self.best.win_rate),
            _ => (&self.best, after),
        };
        let before = if is_best { after } else { best.win_rate.max(after) };
        let best = match &self.duel {
            // The move made is the better one.
            Some(duel) if !is_best && after > best.win_rate => &duel.made,
            _ => best,
        };
        let terms = MarkTerms {
            before,
            after,
            two_best: self.second.as_ref().map(|second| [self.best.win_rate, second.win_rate]),
            is_best,
            is_forced: self.forced.is_some(),
            wins,
            still_wins: after >= 1.0,
        };
        Rated { terms, best }
    }
}

/// The facts that determine the mark of a move, and the best move.
pub(super) struct Rated<'a> {
    pub(super) terms: MarkTerms,
    pub(super) best: &'a ValuedLine,
}

/// Searches positions one after the other, each independently of the previous ones.
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

    /// Searches a position of a game that has not ended, with `factor` times the effort; `made` is the move
    /// that was made there. If an `earlier` look has compared this move with the best one without refuting it,
    /// only these two moves are searched, otherwise all moves.
    pub(super) fn look(
        &mut self,
        game: &GomokuGame,
        made: Option<Point>,
        factor: u32,
        earlier: Option<&Insight>,
        stop: &AtomicBool,
    ) -> Insight {
        let compared = earlier.filter(|earlier| earlier.duel.is_some() && !earlier.is_refuted());
        match (made, compared) {
            (Some(made), Some(earlier)) => self.compare(game, made, factor, earlier, stop),
            _ => self.search(game, made, factor, stop),
        }
    }

    /// Compares the move `made` with the best move of an `earlier` look again. If that move loses or is much
    /// worse now, another one may be better: then all moves are searched.
    fn compare(
        &mut self,
        game: &GomokuGame,
        made: Point,
        factor: u32,
        earlier: &Insight,
        stop: &AtomicBool,
    ) -> Insight {
        self.set_position(game);
        let limits = self.effort.times(factor).limits();
        let rival = earlier.rival();
        let bytes = self.table_bytes(game, &limits);
        let answers = self.engine.shelter(bytes, |engine| duel(engine, rival, made, &limits, stop));
        let Some((best, answer)) = answers else { return Insight { factor, ..earlier.clone() } };
        let best = best.unwrap_or_else(|| earlier.best.clone());
        if loses(best.value) || best.win_rate < earlier.best.win_rate - DISAGREEMENT {
            let refuted = Some(best).filter(|best| loses(best.value));
            return Insight { refuted, ..self.search(game, Some(made), factor, stop) };
        }
        let duel = Some(Duel { best: best.clone(), made: answer });
        Insight { best, duel, factor, ..earlier.clone() }
    }

    /// Searches all moves of a position, then only the best one and the move `made`.
    fn search(&mut self, game: &GomokuGame, made: Option<Point>, factor: u32, stop: &AtomicBool) -> Insight {
        self.set_position(game);
        let limits = self.effort.times(factor).limits();
        let bytes = self.table_bytes(game, &limits);
        self.engine.shelter(bytes, |engine| {
            let report = engine.think(&limits, stop, &Silent);
            let second = report.others.into_iter().next();
            let mut insight = Insight {
                color: game.position().board().side_to_move(),
                best: ValuedLine::new(report.last, engine),
                second: second.map(|line| ValuedLine::new(line, engine)),
                forced: forced(game.position()),
                duel: None,
                refuted: None,
                factor,
            };
            let is_open = insight.forced.is_none() && !loses(insight.best.value);
            let made = made.filter(|&made| is_open && insight.best.point().is_some_and(|best| best != made));
            let answers = made.and_then(|made| duel(engine, insight.rival(), made, &limits, stop));
            insight.duel = answers.map(|(best, made)| {
                let best = best.unwrap_or_else(|| insight.best.clone());
                Duel { best, made }
            });
            insight
        })
    }

    fn set_position(&mut self, game: &GomokuGame) {
        let position = game.position();
        self.engine.new_game(position.board().size());
        self.engine.set_rule(position.rule());
        self.engine.set_board(position.board().clone());
    }

    /// Size of a search's table in bytes: a short search would lose time with a large table.
    fn table_bytes(&self, game: &GomokuGame, limits: &Limits) -> u64 {
        self.table_bytes.min(limits.useful_table_bytes(GameProgress::of(game.position().board())))
    }
}

impl Effort {
    /// `factor` times this effort.
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

/// Searches only the move `made` and the best one, without the latter if it needs no search. `None` if the
/// search returns no line for one of them.
fn duel(
    engine: &mut Engine,
    best: Option<Point>,
    made: Point,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<(Option<ValuedLine>, ValuedLine)> {
    let mut excluded = *engine.position().board().empty();
    excluded.remove(made);
    best.into_iter().for_each(|best| excluded.remove(best));
    let options = RootOptions { excluded, ..RootOptions::default() };
    let report = engine.think_with(limits, &options, stop, &Silent);
    let lines = report.into_lines();
    let of = |point: Point| {
        let line = lines.iter().find(|line| line.pv.first() == Some(&point))?;
        Some(ValuedLine::new(line.clone(), engine))
    };
    let best = match best {
        Some(best) => Some(of(best)?),
        None => None,
    };
    Some((best, of(made)?))
}

/// The win rate of a value, kept apart from 0 and 1 if nothing is proven: the rate of a large value would round to 1.
fn rate_of(value: Value, win_rate: f32) -> f32 {
    if is_mate(value) { win_rate } else { win_rate.clamp(f32::EPSILON, 1.0 - f32::EPSILON) }
}

/// Whether a value is proven to lose.
pub(super) fn loses(value: Value) -> bool {
    is_mate(value) && value < 0
}

/// The only move that does not lose immediately, if there is exactly one: the block of a five, or the last
/// empty point.
fn forced(position: &Position) -> Option<Point> {
    let mut position = position.clone();
    match Situation::find(&mut position) {
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
    /// A solver that runs alongside searches with tables of `table_bytes`.
    pub(super) fn new(table_bytes: u64) -> ProofFinder {
        ProofFinder(VctSolver::new((table_bytes / PROOF_SHARE) as usize))
    }

    /// The main line of a proof that the side to move wins, if the solver finds one.
    pub(super) fn win(&mut self, position: &Position, stop: &AtomicBool) -> Option<Vec<Point>> {
        let mut position = position.clone();
        self.0.clear();
        let limits =
            SolverLimits { max_nodes: Some(PROOF_NODES), deadline: None, stop: Some(stop), max_moves: None };
        let SolverResult::Win { moves, .. } = self.0.solve(&mut position, &limits) else { return None };
        self.0.prove(&mut position, moves, &limits).map(|proof| proof.main_line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::score::mate_in;

    #[test]
    fn only_a_proof_is_certain() {
        assert_eq!([rate_of(mate_in(3), 1.0), rate_of(-mate_in(3), 0.0)], [1.0, 0.0]);
        let rate = rate_of(10_000, 1.0);
        assert!(rate < 1.0 && 1.0 - rate > 0.0 && rate_of(-10_000, 0.0) > 0.0, "{rate}");
        assert_eq!(rate_of(50, 0.6), 0.6);
    }
}
