//! Victory by continuous threats (VCT): every move of the attacker is a four or a threat of a winning four.
//!
//! A depth-first proof-number search (df-pn; Nagai, 2002) over attacks and all their answers, with short searches
//! for fours of either side at every node. Stones only come, so no position repeats, and what is found of a position
//! holds however it was reached: the table may mix all orders of moves, and keeps its facts from call to call.
//!
//! The recursion has one frame per stone that is put down, hence at most one per point of the board; the candidates
//! lie on a stack of the solver's own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::fours::{five_of, fours, stops};
use super::proof_table::{Entry, INFINITE, Numbers, ProofTable};
use super::table::{ENDLESS, Known};
use super::threats::{Reply, answers, attacks};
use super::vcf::{Answer, VcfSolver};
use crate::board::{Bitboard, Point};
use crate::rules::{PointClass, Position, RuleKind};

/// When a search gives up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Positions to look at.
    pub max_nodes: Option<u64>,
    /// The time to stop at.
    pub deadline: Option<Instant>,
    /// Looked at now and then; `true` stops the search.
    pub stop: Option<&'a AtomicBool>,
    /// The most moves that a win may take, the five included.
    pub max_moves: Option<u16>,
}

/// Fours tried at a node before its attacks are looked at, and for the defender before its answers are.
const ATTACKER_FOURS: u64 = 100;
const DEFENDER_FOURS: u64 = 50;
/// What a quiet attack is taken for before it is looked at: harder to prove than a four (1) or an open three (2).
const QUIET_DELTA: u32 = 4;
/// What a four against a threat is taken for: it mostly puts things off, so the real defences come first.
const FOUR_REPLY: Numbers = Numbers { phi: 2, delta: 2 };
/// Nodes between two looks at the clock and the stop flag.
const NODES_PER_LOOK: u64 = 256;
/// Entries of the table of fours.
const FOUR_ENTRIES: usize = 1 << 16;

/// A move to try, with what is known of the position behind it.
#[derive(Clone, Copy)]
struct Child {
    point: Point,
    numbers: Numbers,
    known: Known,
}

/// Finds wins by threats. Keeps its table from call to call: what was found stays true.
pub struct VctSolver {
    pub(super) table: ProofTable,
    pub(super) fours: VcfSolver,
    kind: RuleKind,
    children: Vec<Child>,
    nodes: u64,
    max_nodes: u64,
    next_look: u64,
    stopped: bool,
}

/// What looking at a node for the first time tells.
enum Expanded {
    Settled(Known),
    /// Moves to try are on the stack. All others: fail within so many moves, or lose within so many.
    Open(u16),
}

impl VctSolver {
    /// A solver with a table of at most `bytes`.
    pub fn new(bytes: usize) -> VctSolver {
        VctSolver {
            table: ProofTable::new(bytes),
            fours: VcfSolver::new(FOUR_ENTRIES),
            kind: RuleKind::Freestyle,
            children: Vec::with_capacity(4096),
            nodes: 0,
            max_nodes: u64::MAX,
            next_look: 0,
            stopped: false,
        }
    }

    /// Forgets what the tables hold, at no cost.
    pub fn clear(&mut self) {
        self.table.clear();
        self.fours.clear();
    }

    /// Positions that the last call has looked at, fours included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The solver of fours that this one uses.
    pub fn fours(&mut self) -> &mut VcfSolver {
        &mut self.fours
    }

    /// The first moves of the side to move that count as threats or may be: what an [`Answer::None`] has refuted.
    pub fn tried(&self, position: &mut Position) -> Bitboard {
        let threatened = position.strongest()[!position.board().side_to_move()] == PointClass::Five;
        attacks(position, threatened)
    }

    /// The same for fours.
    pub fn tried_fours(&self, position: &mut Position) -> Bitboard {
        let us = position.board().side_to_move();
        let fours = fours(position, us);
        if position.strongest()[!us] == PointClass::Five { fours & stops(position, !us) } else { fours }
    }

    /// The shortest win of the side to move. When the limits come before a shorter one is excluded, the shortest
    /// that was found; `true` says that none of this kind is shorter.
    pub fn solve_shortest(&mut self, position: &mut Position, limits: &Limits) -> (Answer, bool) {
        let mut best = self.solve(position, limits);
        let mut nodes = self.nodes;
        let mut within = 1;
        while let Answer::Win { moves, .. } = best {
            if within + 1 >= moves {
                break;
            }
            within += 1;
            let max_nodes = limits.max_nodes.map(|max_nodes| max_nodes.saturating_sub(nodes));
            let shorter = self.solve(position, &Limits { max_nodes, max_moves: Some(within), ..*limits });
            nodes += self.nodes;
            match shorter {
                Answer::Win { .. } => best = shorter,
                Answer::None => {}
                Answer::Unknown => {
                    self.nodes = nodes;
                    return (best, false);
                }
            }
        }
        self.nodes = nodes;
        (best, best != Answer::Unknown)
    }

    /// Whether the side to move wins by threats. [`Answer::None`] is exact about fours and open threes; of quieter
    /// threats, those are seen that a short search for fours sees.
    pub fn solve(&mut self, position: &mut Position, limits: &Limits) -> Answer {
        let kind = position.rule().kind;
        if kind != self.kind {
            self.kind = kind;
            self.clear();
        }
        self.nodes = 0;
        self.next_look = 0;
        self.stopped = false;
        self.children.clear();
        let left = limits.max_moves.unwrap_or(ENDLESS);
        let search = Search { limits, solver: self };
        search.run(position, left)
    }
}

/// One call's search.
struct Search<'a, 'b> {
    limits: &'a Limits<'b>,
    solver: &'a mut VctSolver,
}

impl Search<'_, '_> {
    fn run(mut self, position: &mut Position, left: u16) -> Answer {
        self.solver.max_nodes = self.limits.max_nodes.unwrap_or(u64::MAX);
        let all = Numbers { phi: INFINITE, delta: INFINITE };
        let entry = self.solver.table.probe(position.board().hash());
        let known = entry.map(|entry| entry.known).unwrap_or_default();
        let settled = known.wins_within(left) || known.fails_within >= left;
        let child = if settled { known } else { known.with(self.visit(position, true, left, all)) };
        match child.best() {
            Some(first) if child.wins_within(left) => Answer::Win { first, moves: child.wins_in },
            _ if child.fails_within >= left => Answer::None,
            _ => Answer::Unknown,
        }
    }

    fn must_stop(&mut self) -> bool {
        let solver = &mut *self.solver;
        if solver.nodes >= solver.max_nodes {
            solver.stopped = true;
        } else if solver.nodes >= solver.next_look {
            solver.next_look = solver.nodes + NODES_PER_LOOK;
            let told = self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            solver.stopped |= told || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        solver.stopped
    }

    /// Searches until the numbers reach `limits`, or the node is settled; returns what is known of it.
    fn visit(&mut self, position: &mut Position, attacks: bool, left: u16, limits: Numbers) -> Known {
        if self.must_stop() {
            return Known::default();
        }
        let nodes_before = self.solver.nodes;
        self.solver.nodes += 1;
        let hash = position.board().hash();
        let entry = self.solver.table.probe(hash);
        let first = self.solver.children.len();
        let seen = entry.is_some_and(|entry| !attacks || entry.left == left);
        let expanded = if attacks {
            self.expand_attack(position, left, seen)
        } else {
            self.expand_defense(position, left, seen)
        };
        let (known, numbers) = match expanded {
            Expanded::Settled(known) => (known, Numbers { phi: 1, delta: 1 }),
            Expanded::Open(moves) => {
                let result = self.iterate(position, first, attacks, (left, moves), limits);
                self.solver.children.truncate(first);
                result
            }
        };
        let entry = Entry { known, numbers, left };
        self.solver.table.store(hash, entry, self.solver.nodes - nodes_before);
        known
    }

    /// Tries the children from `first` on, the most promising one at a time.
    fn iterate(
        &mut self,
        position: &mut Position,
        first: usize,
        attacks: bool,
        (left, base): (u16, u16),
        limits: Numbers,
    ) -> (Known, Numbers) {
        let below = if attacks { one_less(left) } else { left };
        loop {
            let summary = self.summarize(first, attacks, below, base);
            let Numbers { phi, delta } = summary.numbers;
            let settled = summary.known.wins_within(left) || summary.known.fails_within >= left;
            if settled || phi >= limits.phi || delta >= limits.delta || self.solver.stopped {
                return (summary.known, summary.numbers);
            }
            let child = self.solver.children[summary.best];
            let limits = Numbers {
                phi: limits.delta - summary.open_others,
                delta: limits.phi.min(summary.second_delta + summary.second_delta / 4 + 1),
            };
            position.play(child.point);
            let known = self.visit(position, !attacks, below, limits);
            let entry = self.solver.table.probe(position.board().hash());
            position.undo();
            let child = &mut self.solver.children[summary.best];
            child.known = child.known.with(known);
            if let Some(entry) = entry {
                child.numbers = entry.numbers;
            }
        }
    }

    /// What the children say of their parent.
    fn summarize(&self, first: usize, attacks: bool, below: u16, base: u16) -> Summary {
        let mut summary = Summary {
            known: Known::default(),
            numbers: Numbers { phi: INFINITE, delta: 0 },
            best: first,
            second_delta: INFINITE,
            open_others: 0,
        };
        let (mut fails_within, mut wins_in) = (base, base);
        let mut open = 0;
        for (place, child) in self.solver.children.iter().enumerate().skip(first) {
            if child.known.wins_within(below) {
                if attacks {
                    summary.known = Known::win(child.known.wins_in + 1, child.point);
                    summary.numbers = Numbers { phi: 0, delta: INFINITE };
                    return summary;
                }
                wins_in = wins_in.max(child.known.wins_in);
                continue;
            }
            if child.known.fails_within >= below {
                if !attacks {
                    summary.known = Known::failure(child.known.fails_within);
                    summary.numbers = Numbers { phi: 0, delta: INFINITE };
                    return summary;
                }
                fails_within = fails_within.min(child.known.fails_within.saturating_add(1));
                continue;
            }
            open += 1;
            summary.numbers.delta = summary.numbers.delta.max(child.numbers.phi);
            if child.numbers.delta < summary.numbers.phi {
                summary.second_delta = summary.numbers.phi;
                summary.numbers.phi = child.numbers.delta;
                summary.best = place;
            } else {
                summary.second_delta = summary.second_delta.min(child.numbers.delta);
            }
        }
        if open == 0 {
            summary.known = if attacks {
                Known::failure(fails_within)
            } else {
                Known::win(wins_in, Point::from_index(0))
            };
            summary.numbers = Numbers { phi: INFINITE, delta: 0 };
        } else {
            // The largest instead of the sum: transpositions would be counted again and again (Ueda et al., 2008).
            summary.open_others = open - 1;
            summary.numbers.delta = (summary.numbers.delta + open - 1).min(INFINITE);
        }
        summary
    }

    /// The attacker's node: a win at hand, or its attacks.
    fn expand_attack(&mut self, position: &mut Position, left: u16, seen: bool) -> Expanded {
        let us = position.board().side_to_move();
        if left == 0 {
            return Expanded::Settled(Known::failure(0));
        }
        if let Some(five) = five_of(position, us) {
            return Expanded::Settled(Known::win(1, five));
        }
        if left == 1 {
            return Expanded::Settled(Known::failure(1));
        }
        if !seen {
            let answer = self.solver.fours.solve_within(position, left, ATTACKER_FOURS);
            self.solver.nodes += self.solver.fours.nodes();
            if let Answer::Win { first, moves } = answer {
                return Expanded::Settled(Known::win(moves, first));
            }
        }
        let threatened = position.strongest()[!us] == PointClass::Five;
        let moves = attacks(position, threatened);
        Expanded::Open(self.push_attacks(position, moves, one_less(left)))
    }

    /// The defender's node: nothing to fear, nothing to do, or its answers.
    fn expand_defense(&mut self, position: &mut Position, left: u16, seen: bool) -> Expanded {
        let us = position.board().side_to_move();
        let fours = &mut self.solver.fours;
        if position.strongest()[us] == PointClass::Five {
            return Expanded::Settled(Known::failure(ENDLESS));
        }
        let reply = answers(position, fours, left, ATTACKER_FOURS);
        let (replies, moves) = match reply {
            Reply::Free(within) => return Expanded::Settled(Known::failure(within)),
            Reply::Forced { replies, moves } => (replies, moves),
        };
        if moves > left {
            return Expanded::Settled(Known::failure(moves - 1));
        }
        if !seen && moves > 1 && !replies.is_empty() {
            let answer = fours.solve(position, DEFENDER_FOURS);
            self.solver.nodes += fours.nodes();
            if let Answer::Win { .. } = answer {
                return Expanded::Settled(Known::failure(ENDLESS));
            }
        }
        Expanded::Open(self.push_replies(position, replies, moves, left))
    }

    /// Puts the attacks that are not known to fail on the stack; returns within how many moves of the attacker the
    /// others are known to fail.
    fn push_attacks(&mut self, position: &Position, moves: Bitboard, below: u16) -> u16 {
        let us = position.board().side_to_move();
        let mut fails_within = ENDLESS;
        for point in moves {
            let delta = match position.class(us, point) {
                class if class >= PointClass::Four => 1,
                class if class >= PointClass::OpenThree => 2,
                _ => QUIET_DELTA,
            };
            let child = self.child(position, point, below, Numbers { phi: 1, delta });
            if child.known.fails_within >= below && !child.known.wins_within(below) {
                fails_within = fails_within.min(child.known.fails_within.saturating_add(1));
            } else {
                self.solver.children.push(child);
            }
        }
        fails_within
    }

    /// Puts the replies that are not known to lose on the stack; returns how long the others last, and those that
    /// do not count, which last `moves`.
    fn push_replies(&mut self, position: &Position, replies: Bitboard, mut moves: u16, left: u16) -> u16 {
        let us = position.board().side_to_move();
        let stops = moves == 1;
        for point in replies {
            let is_four = !stops && position.class(us, point) >= PointClass::Four;
            let fresh = if is_four { FOUR_REPLY } else { Numbers { phi: 1, delta: 1 } };
            let child = self.child(position, point, left, fresh);
            if child.known.wins_within(left) {
                moves = moves.max(child.known.wins_in);
            } else {
                self.solver.children.push(child);
            }
        }
        moves
    }

    /// What the table knows of the position behind `point`.
    fn child(&self, position: &Position, point: Point, left: u16, fresh: Numbers) -> Child {
        let entry = self.solver.table.probe(position.board().hash_after(point));
        let numbers = match entry {
            Some(entry) if entry.left == left => entry.numbers,
            _ => fresh,
        };
        Child { point, numbers, known: entry.map(|entry| entry.known).unwrap_or_default() }
    }
}

/// The attacker's moves that are left after one.
fn one_less(left: u16) -> u16 {
    if left == ENDLESS { ENDLESS } else { left - 1 }
}

/// What the children say of their parent.
struct Summary {
    known: Known,
    numbers: Numbers,
    /// Place of the child to go on with.
    best: usize,
    /// `delta` of the next best child.
    second_delta: u32,
    /// Children that are not settled, but for one.
    open_others: u32,
}
