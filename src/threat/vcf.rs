//! Victory by continuous fours (VCF): every move of the attacker is a four, so every reply is forced.
//!
//! A depth-first search with a table of solved and refuted positions. The exact rules are:
//! - The attacker completes a row if it can. If the defender can complete one, only a four that stops it
//!   continues the attack.
//! - A four is a legal move after which the attacker could complete a row. The defender answers with the
//!   legal moves that leave the attacker no completion: none or one, in caro up to three. If there is no such
//!   move, or in renju only fouls, the attacker has won.
//! - The defender's answer may itself be a four, which the attacker then has to stop with a four.
//!
//! The recursion uses two frames per four, hence at most one per point of the board, and the frames are
//! small: candidate moves lie on a stack that belongs to the solver. Once that stack has grown to its final
//! size, a call allocates nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::fours::{five_of, fours, stops, stops_of_last};
use super::table::FactTable;
use super::win_facts::{ENDLESS, WinFacts};
use crate::board::{Bitboard, Color, Direction, Point};
use crate::rules::{LineClass, PointClass, Position, RuleKind};
use crate::system::host::{Instant, look};

/// A solver's result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverResult {
    /// The side to move wins.
    Win {
        /// Its first move.
        first: Point,
        /// The number of its moves until the row is complete, including the first, against the longest
        /// defence in this win. Not always the smallest possible number.
        moves: u16,
    },
    /// The side to move has no such win; for [`VctSolver::solve`](super::VctSolver::solve), no win by fours,
    /// open threes and the quieter threats that it considers.
    None,
    /// The limits were reached first.
    Unknown,
}

/// The result of an attack below a node, with moves as in [`WinFacts`].
#[derive(Clone, Copy)]
enum AttackResult {
    Won(u16),
    Fails(u16),
    Stopped,
}

/// A four to try. Greater values are more promising.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    promise: u16,
    point: Point,
}

/// Initial capacity for candidate moves; longer chains make it grow.
const CANDIDATES: usize = 4096;

/// Bytes per position in the table.
const ENTRY_BYTES: usize = 16;

/// Number of fours between two checks of the clock and the stop flag: a millisecond or two.
const LOOK_INTERVAL: u64 = 1 << 10;

/// Deadline and stop flag, which end a search for fours before its node limit.
#[derive(Clone, Debug)]
struct Interruption {
    deadline: Instant,
    stop: Arc<AtomicBool>,
}

/// Finds wins by fours. It keeps its table between calls, because the facts in it stay true.
pub struct VcfSolver {
    table: FactTable<WinFacts>,
    /// The rule that the table applies to.
    kind: RuleKind,
    candidates: Vec<Candidate>,
    pub(super) nodes: u64,
    max_nodes: u64,
    /// Number of fours at which the limits are checked next.
    next_look: u64,
    interruption: Option<Interruption>,
}

impl VcfSolver {
    /// A solver with a table of `entries` positions, 16 bytes each; rounded down to a power of two.
    pub fn new(entries: usize) -> VcfSolver {
        VcfSolver {
            table: FactTable::new(entries.saturating_mul(ENTRY_BYTES)),
            kind: RuleKind::Freestyle,
            candidates: Vec::with_capacity(CANDIDATES),
            nodes: 0,
            max_nodes: 0,
            next_look: 0,
            interruption: None,
        }
    }

    /// Clears the table in constant time.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Number of fours tried by the last call that solved a position. [`VcfSolver::line`] and
    /// [`VcfSolver::win_line`] solve several positions, and only the last one counts.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins by fours; tries at most `max_nodes` of them. Positions without a four
    /// cost no node, so a call with 0 nodes still finds an immediate win.
    pub fn solve(&mut self, position: &mut Position, max_nodes: u64) -> SolverResult {
        self.solve_within(position, ENDLESS, max_nodes)
    }

    /// Whether the side to move wins in at most `max_moves` moves of its own, including the five.
    pub fn solve_within(&mut self, position: &mut Position, max_moves: u16, max_nodes: u64) -> SolverResult {
        let kind = position.rule().kind;
        if kind != self.kind {
            self.kind = kind;
            self.table.clear();
        }
        self.nodes = 0;
        self.max_nodes = max_nodes;
        self.set_next_look();
        self.candidates.clear();
        match self.attack(position, max_moves) {
            AttackResult::Won(moves) => match self.winning_move(position, max_moves) {
                Some(first) => SolverResult::Win { first, moves },
                None => SolverResult::Unknown,
            },
            AttackResult::Fails(_) => SolverResult::None,
            AttackResult::Stopped => SolverResult::Unknown,
        }
    }

    /// Like [`VcfSolver::solve_within`], but also ends at `deadline`, or soon after `stop` is set. The solver
    /// keeps `stop` during the call.
    pub fn solve_until(
        &mut self,
        position: &mut Position,
        max_moves: u16,
        max_nodes: u64,
        deadline: Instant,
        stop: &Arc<AtomicBool>,
    ) -> SolverResult {
        self.interruption = Some(Interruption { deadline, stop: Arc::clone(stop) });
        let result = self.solve_within(position, max_moves, max_nodes);
        self.interruption = None;
        result
    }

    fn set_next_look(&mut self) {
        let interval = if self.interruption.is_some() { LOOK_INTERVAL } else { u64::MAX };
        self.next_look = self.nodes.saturating_add(interval).min(self.max_nodes);
    }

    /// Whether a limit is reached. Called when [`VcfSolver::next_look`] fours have been tried.
    #[cold]
    fn must_stop(&mut self) -> bool {
        let is_interrupted = self.interruption.as_ref().is_some_and(|Interruption { deadline, stop }| {
            look(stop);
            stop.load(Ordering::Relaxed) || Instant::now() >= *deadline
        });
        self.set_next_look();
        is_interrupted || self.nodes >= self.max_nodes
    }

    /// The shortest win of the side to move. If the limit is reached before a shorter win is excluded,
    /// returns the shortest win found so far. The flag is `true` if no win is shorter.
    pub fn solve_shortest(&mut self, position: &mut Position, max_nodes: u64) -> (SolverResult, bool) {
        let mut best = self.solve(position, max_nodes);
        let mut nodes = self.nodes;
        let mut shortest = best != SolverResult::Unknown;
        while let SolverResult::Win { moves, .. } = best {
            let shorter = self.solve_within(position, moves - 1, max_nodes.saturating_sub(nodes));
            nodes += self.nodes;
            match shorter {
                SolverResult::Win { .. } => best = shorter,
                SolverResult::None => break,
                SolverResult::Unknown => {
                    shortest = false;
                    break;
                }
            }
        }
        self.nodes = nodes;
        (best, shortest)
    }

    /// Writes the moves of both sides of a win in `moves` moves, which a call has just found for the side to
    /// move, into `line`. The defence is the longest, and the line ends with the five or with the four that
    /// only a foul could stop. Parts that the table has lost are searched again with at most `max_nodes`
    /// nodes. Returns whether the line is complete; otherwise it ends where the win was not found again.
    pub fn line(
        &mut self,
        position: &mut Position,
        moves: u16,
        max_nodes: u64,
        line: &mut Vec<Point>,
    ) -> bool {
        line.clear();
        let (us, mut left, mut played) = (position.board().side_to_move(), moves, 0);
        let complete = loop {
            let SolverResult::Win { first, .. } = self.solve_within(position, left, max_nodes) else {
                break false;
            };
            line.push(first);
            if position.is_five(us, first) {
                break true;
            }
            position.play(first);
            played += 1;
            let fives = position.at_least(us, PointClass::Five);
            let stops = stops_of_last(position, us);
            // If nothing stops the row, the line shows the defender taking one of its points.
            let replies = if stops.is_empty() { fives } else { stops };
            let Some(reply) = self.longest_defense(position, replies, left - 1) else { break true };
            line.push(reply);
            position.play(reply);
            played += 1;
            left -= 1;
        };
        (0..played).for_each(|_| position.undo());
        complete
    }

    /// The moves of a win in `moves` moves that begins with `first`, as written by [`VcfSolver::line`]; only `first` if
    /// they are not found again completely.
    pub fn win_line(
        &mut self,
        position: &mut Position,
        first: Point,
        moves: u16,
        max_nodes: u64,
    ) -> Vec<Point> {
        let mut line = Vec::new();
        if self.line(position, moves, max_nodes, &mut line) { line } else { vec![first] }
    }

    /// The legal reply in `replies` that delays the attacker's win longest.
    fn longest_defense(&self, position: &mut Position, replies: Bitboard, left: u16) -> Option<Point> {
        let mut best = None;
        for reply in replies {
            if !position.is_allowed(reply) {
                continue;
            }
            let known = self.table.probe(position.board().hash_after(reply));
            let moves = known.map_or(0, |known| known.wins_in.min(left));
            if best.is_none_or(|(most, _)| moves > most) {
                best = Some((moves, reply));
            }
        }
        best.map(|(_, reply)| reply)
    }

    /// The first move of the win that was just found.
    fn winning_move(&self, position: &mut Position, max_moves: u16) -> Option<Point> {
        let us = position.board().side_to_move();
        if let Some(five) = five_of(position, us) {
            return Some(five);
        }
        let known = self.table.probe(position.board().hash());
        let stored = known.filter(|known| known.wins_in <= max_moves).and_then(|known| known.best());
        stored.or_else(|| position.at_least(us, PointClass::OpenFour).iter().next())
    }

    /// Whether the side to move wins within `max_moves`.
    fn attack(&mut self, position: &mut Position, max_moves: u16) -> AttackResult {
        let (hash, us) = (position.board().hash(), position.board().side_to_move());
        self.table.prefetch(hash);
        let strongest = position.strongest();
        if max_moves == 0 {
            return AttackResult::Fails(0);
        }
        if strongest[us] == PointClass::Five {
            return AttackResult::Won(1);
        }
        if max_moves == 1 {
            return AttackResult::Fails(1);
        }
        let threatened = strongest[!us] == PointClass::Five;
        if strongest[us] == PointClass::OpenFour && !threatened {
            return AttackResult::Won(2);
        }
        let has_fouls = self.kind.has_fouls(us);
        if strongest[us] < PointClass::Four && !has_fouls {
            return AttackResult::Fails(ENDLESS);
        }
        if let Some(known) = self.table.probe(hash) {
            if known.wins_within(max_moves) {
                return AttackResult::Won(known.wins_in);
            }
            if known.fails_within >= max_moves {
                return AttackResult::Fails(known.fails_within);
            }
        }
        let first = self.candidates.len();
        self.generate(position, threatened);
        let nodes_before = self.nodes;
        let mut fails_within = ENDLESS;
        let mut result = None;
        for place in (first..self.candidates.len()).rev() {
            let point = self.candidates[place].point;
            if self.nodes >= self.next_look && self.must_stop() {
                result = Some(AttackResult::Stopped);
                break;
            }
            self.nodes += 1;
            position.play(point);
            let node = self.defend(position, us, max_moves - 1);
            position.undo();
            match node {
                AttackResult::Won(moves) => {
                    self.table.store(hash, WinFacts::win(moves + 1, point), self.nodes - nodes_before);
                    result = Some(AttackResult::Won(moves + 1));
                    break;
                }
                AttackResult::Fails(within) => fails_within = fails_within.min(within.saturating_add(1)),
                AttackResult::Stopped => {
                    result = Some(AttackResult::Stopped);
                    break;
                }
            }
        }
        self.candidates.truncate(first);
        result.unwrap_or_else(|| {
            self.table.store(hash, WinFacts::failure(fails_within), self.nodes - nodes_before);
            AttackResult::Fails(fails_within)
        })
    }

    /// Whether `attacker`, which has just made a four, wins within `max_moves` more moves.
    fn defend(&mut self, position: &mut Position, attacker: Color, max_moves: u16) -> AttackResult {
        let mut longest = 1;
        for reply in stops_of_last(position, attacker) {
            if !position.is_allowed(reply) {
                continue;
            }
            position.play(reply);
            let node = self.attack(position, max_moves);
            position.undo();
            match node {
                AttackResult::Won(moves) => longest = longest.max(moves),
                other => return other,
            }
        }
        AttackResult::Won(longest)
    }

    /// Pushes the fours to try onto the stack, most promising last.
    #[inline(never)]
    fn generate(&mut self, position: &mut Position, threatened: bool) {
        let us = position.board().side_to_move();
        let mut points = fours(position, us);
        if threatened {
            points &= stops(position, !us);
        }
        let first = self.candidates.len();
        for point in points {
            self.candidates.push(Candidate { promise: promise(position, us, point), point });
        }
        self.candidates[first..].sort_unstable();
    }
}

/// Move-ordering score of a four on `point`: what it builds in addition to the four.
fn promise(position: &Position, color: Color, point: Point) -> u16 {
    let lines: u16 = Direction::ALL
        .into_iter()
        .map(|direction| match position.line_class(color, point, direction) {
            LineClass::OpenThree | LineClass::OpenThreeOne => 6,
            LineClass::BlockedThree => 4,
            LineClass::OpenTwo | LineClass::OpenTwoTwo => 3,
            LineClass::BlockedTwo | LineClass::OpenOne => 1,
            _ => 0,
        })
        .sum();
    lines + 8 * u16::from(position.class(color, point) == PointClass::FourThree)
}
