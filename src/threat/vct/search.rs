//! The search: a node is visited until its numbers show that other nodes are more promising.

use super::numbers::{INFINITE, Numbers, VctEntry};
use super::{SolverLimits, VctSolver};
use crate::board::Bitboard;
use crate::rules::Position;
use crate::threat::spoilers::breaking;
use crate::threat::table::Fact;
use crate::threat::vcf::SolverResult;
use crate::threat::win_facts::{ENDLESS, WinFacts};

/// Number of nodes between two checks of the clock and the stop flag.
const NODES_PER_LOOK: u64 = 64;

/// Number of fours to try after the doubtful replies of a node.
const BREAKING_FOURS: u64 = 100_000;

/// The search of one call.
pub(super) struct Search<'a, 'b> {
    limits: &'a SolverLimits<'b>,
    pub(super) solver: &'a mut VctSolver,
    /// Length of the position's history at the root of the search.
    pub(super) root: usize,
    next_look: u64,
    stopped: bool,
}

/// A node under search.
pub(super) struct VctNode {
    /// Whether the attacker is to move.
    pub attacks: bool,
    /// Number of moves that the attacker has left.
    pub left: u16,
    /// Index of its first child on the stack.
    first: usize,
    /// All moves that are not on the stack fail within this number of moves, or lose within it.
    base: u16,
    /// Replies that count only if they turn out to break the threat, which wins in `threat` moves.
    doubtful: Bitboard,
    threat: u16,
}

/// The expansion of a node: its result, or its children.
pub(super) enum Expanded {
    Settled(WinFacts),
    /// The moves to try are on the stack; the other values are fields of the search's [`VctNode`].
    Open {
        base: u16,
        doubtful: Bitboard,
        threat: u16,
    },
}

/// A summary of a node's children.
struct NodeSummary {
    known: WinFacts,
    numbers: Numbers,
    /// Index of the child to continue with.
    best: usize,
    /// `delta` of the second-best child.
    second_delta: u32,
    /// Number of children that are not settled, minus one.
    open_others: u32,
}

impl<'a, 'b> Search<'a, 'b> {
    pub fn new(
        solver: &'a mut VctSolver,
        position: &Position,
        limits: &'a SolverLimits<'b>,
    ) -> Search<'a, 'b> {
        Search { limits, solver, root: position.board().history().len(), next_look: 0, stopped: false }
    }

    /// Searches the position for a win within `left` moves.
    pub fn run(mut self, position: &mut Position, left: u16) -> SolverResult {
        let all = Numbers { phi: INFINITE, delta: INFINITE };
        let entry = self.solver.table.probe(position.board().hash());
        let known = entry.map(|entry| entry.known).unwrap_or_default();
        let known =
            if known.settles(left) { known } else { known.with(self.visit(position, true, left, all)) };
        match known.best() {
            Some(first) if known.wins_within(left) => SolverResult::Win { first, moves: known.wins_in },
            _ if known.fails_within >= left => SolverResult::None,
            _ => SolverResult::Unknown,
        }
    }

    pub(super) fn must_stop(&mut self) -> bool {
        let nodes = self.solver.nodes;
        if self.limits.max_nodes.is_some_and(|most| nodes >= most) {
            self.stopped = true;
        } else if nodes >= self.next_look {
            self.next_look = nodes + NODES_PER_LOOK;
            self.stopped |= self.limits.is_over();
        }
        self.stopped
    }

    /// Searches until the numbers reach `thresholds` or the node is settled; returns the facts about it.
    fn visit(&mut self, position: &mut Position, attacks: bool, left: u16, thresholds: Numbers) -> WinFacts {
        if self.must_stop() {
            return WinFacts::default();
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
            Expanded::Settled(known) => (known, Numbers::default()),
            Expanded::Open { base, doubtful, threat } => {
                let node = VctNode { attacks, left, first, base, doubtful, threat };
                let result = self.iterate(position, node, thresholds);
                self.solver.children.truncate(first);
                result
            }
        };
        let entry = VctEntry { known, numbers, left };
        self.solver.table.store(hash, entry, self.solver.nodes - nodes_before);
        known
    }

    /// Searches the node's children, always the most promising one next.
    fn iterate(
        &mut self,
        position: &mut Position,
        mut node: VctNode,
        thresholds: Numbers,
    ) -> (WinFacts, Numbers) {
        loop {
            let summary = self.summarize(&node);
            let Numbers { phi, delta } = summary.numbers;
            if summary.known.settles(node.left) {
                if !node.doubtful.is_empty() && summary.known.wins_within(node.left) {
                    self.push_breaking(position, &mut node);
                    continue;
                }
                return (summary.known, summary.numbers);
            }
            if phi >= thresholds.phi || delta >= thresholds.delta || self.stopped {
                return (summary.known, summary.numbers);
            }
            let child = self.solver.children[summary.best];
            let of_child = Numbers {
                phi: thresholds.delta - summary.open_others,
                delta: thresholds.phi.min(summary.second_delta + summary.second_delta / 4 + 1) - child.cost,
            };
            position.play(child.point);
            let known = self.visit(position, !node.attacks, node.below(), of_child);
            let entry = self.solver.table.probe(position.board().hash());
            position.undo();
            let child = &mut self.solver.children[summary.best];
            child.known = child.known.with(known);
            if let Some(entry) = entry {
                child.numbers = entry.numbers;
            }
            if !node.attacks && child.known.wins_within(node.left) {
                let lost = child.point;
                self.transfer(position, node.first, lost, node.left);
            }
        }
    }

    /// Checks which doubtful replies count. This is worth its cost only now that all other replies have lost.
    fn push_breaking(&mut self, position: &mut Position, node: &mut VctNode) {
        let doubtful = std::mem::replace(&mut node.doubtful, Bitboard::EMPTY);
        let breaking = self.breaking(position, doubtful, node.threat);
        node.base = self.push_replies(position, breaking, node.base, node.left);
    }

    /// The `doubtful` replies that break the threat, which wins in `threat` moves, and those that were not judged
    /// before the search was over.
    pub(super) fn breaking(&mut self, position: &mut Position, doubtful: Bitboard, threat: u16) -> Bitboard {
        self.solver.nodes += doubtful.len() as u64;
        let limits = self.limits;
        breaking(&mut self.solver.fours, position, doubtful, threat, BREAKING_FOURS, || limits.is_over()).0
    }

    /// Summarizes the children of `node`: their facts and numbers, and the child to continue with.
    fn summarize(&self, node: &VctNode) -> NodeSummary {
        let mut summary = NodeSummary {
            known: WinFacts::default(),
            // A node without a child fails; every open child changes the numbers.
            numbers: Numbers::FAILED,
            best: node.first,
            second_delta: INFINITE,
            open_others: 0,
        };
        let (mut fails_within, mut wins_in) = (node.base, node.base);
        let mut open = 0;
        for (place, child) in self.solver.children.iter().enumerate().skip(node.first) {
            if child.known.wins_within(node.below()) {
                if node.attacks {
                    summary.known = WinFacts::win(child.known.wins_in + 1, child.point);
                    summary.numbers = Numbers::REACHED;
                    return summary;
                }
                wins_in = wins_in.max(child.known.wins_in);
                continue;
            }
            if child.known.fails_within >= node.below() {
                if !node.attacks {
                    summary.known = WinFacts::failure(child.known.fails_within);
                    summary.numbers = Numbers::REACHED;
                    return summary;
                }
                fails_within = fails_within.min(child.known.fails_within.saturating_add(1));
                continue;
            }
            open += 1;
            summary.numbers.delta = summary.numbers.delta.max(child.numbers.phi);
            let delta = (child.numbers.delta + child.cost).min(INFINITE);
            if delta < summary.numbers.phi {
                summary.second_delta = summary.numbers.phi;
                summary.numbers.phi = delta;
                summary.best = place;
            } else {
                summary.second_delta = summary.second_delta.min(delta);
            }
        }
        if open == 0 {
            summary.known = if node.attacks {
                WinFacts::failure(fails_within)
            } else {
                WinFacts::win_after_reply(wins_in)
            };
            summary.numbers = Numbers::FAILED;
        } else {
            // The maximum instead of the sum, which would count transpositions repeatedly (Ueda et al.,
            // 2008).
            summary.open_others = open - 1;
            summary.numbers.delta = (summary.numbers.delta + open - 1).min(INFINITE);
        }
        summary
    }
}

impl VctNode {
    /// Number of moves that the attacker has left in the children.
    fn below(&self) -> u16 {
        if self.attacks { one_less(self.left) } else { self.left }
    }
}

/// The number of the attacker's moves that remain after one move.
pub(super) fn one_less(left: u16) -> u16 {
    if left == ENDLESS { left } else { left - 1 }
}
