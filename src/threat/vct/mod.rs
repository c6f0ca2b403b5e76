//! Victory by continuous threats (VCT): every move of the attacker is a four or a threat of a winning four.
//!
//! A depth-first proof-number search (df-pn; Nagai, 2002) over attacks and all their answers, with short searches
//! for fours of either side at every node. Stones only come, so no position repeats, and what is found of a position
//! holds however it was reached: the table may mix all orders of moves, and keeps its facts from call to call.
//!
//! Three things keep the tree small where many moves threaten something:
//! - first numbers that tell promising attacks from others (`guess`),
//! - a cost for attacks that do not go on with the one before (`expand`),
//! - a win against one reply is tried on the others (`transfer`).
//!
//! The recursion has one frame per stone that is put down, hence at most one per point of the board; the candidates
//! lie on a stack of the solver's own.

mod expand;
mod guess;
mod line;
mod numbers;
mod search;
mod transfer;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use self::expand::Child;
use self::numbers::VctEntry;
use self::search::Search;
use super::fours::{fours, stops};
use super::known::ENDLESS;
use super::table::FactTable;
use super::threats::attacks;
use super::vcf::{SolverResult, VcfSolver};
use crate::board::{Bitboard, Color};
use crate::rules::{PointClass, Position, RuleKind};

/// When a search gives up.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverLimits<'a> {
    /// Positions to look at.
    pub max_nodes: Option<u64>,
    /// The time to stop at.
    pub deadline: Option<Instant>,
    /// Looked at now and then; `true` stops the search.
    pub stop: Option<&'a AtomicBool>,
    /// The most moves that a win may take, the five included.
    pub max_moves: Option<u16>,
}

/// Entries of the table of fours.
const FOUR_ENTRIES: usize = 1 << 16;

/// Rule and attacker of empty tables: a solver that forgot everything is as a new one.
const NOTHING: (RuleKind, Color) = (RuleKind::Freestyle, Color::Black);

/// Finds wins by threats. Keeps its tables from call to call while rule and attacker are the same: what was found stays
/// true.
pub struct VctSolver {
    table: FactTable<VctEntry>,
    fours: VcfSolver,
    /// Rule and attacker that the tables are about.
    about: (RuleKind, Color),
    children: Vec<Child>,
    nodes: u64,
}

impl VctSolver {
    /// A solver with a table of at most `bytes`.
    pub fn new(bytes: usize) -> VctSolver {
        VctSolver {
            table: FactTable::new(bytes),
            fours: VcfSolver::new(FOUR_ENTRIES),
            about: NOTHING,
            children: Vec::with_capacity(4096),
            nodes: 0,
        }
    }

    /// Forgets what the tables hold, at no cost.
    pub fn clear(&mut self) {
        self.table.clear();
        self.fours.clear();
        self.about = NOTHING;
    }

    /// Positions that the last call has looked at, fours included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The solver of fours that this one uses.
    pub fn fours(&mut self) -> &mut VcfSolver {
        &mut self.fours
    }

    /// The first moves of the side to move that count as threats or may be: what an [`SolverResult::None`] has refuted.
    pub fn tried(&self, position: &mut Position) -> Bitboard {
        let threatened = position.strongest()[!position.board().side_to_move()] == PointClass::Five;
        attacks(position, threatened)
    }

    /// The fours of the side to move, those alone that stop a five of the opponent's if it has one: what an
    /// [`SolverResult::None`] of the solver of fours has refuted.
    pub fn tried_fours(&self, position: &mut Position) -> Bitboard {
        let us = position.board().side_to_move();
        let fours = fours(position, us);
        if position.strongest()[!us] == PointClass::Five { fours & stops(position, !us) } else { fours }
    }

    /// The shortest win of the side to move. When the limits come before a shorter one is excluded, the shortest
    /// that was found; `true` says that none of this kind is shorter.
    pub fn solve_shortest(&mut self, position: &mut Position, limits: &SolverLimits) -> (SolverResult, bool) {
        let mut best = self.solve(position, limits);
        let mut nodes = self.nodes;
        let mut within = 1;
        while let SolverResult::Win { moves, .. } = best {
            if within + 1 >= moves {
                break;
            }
            within += 1;
            let max_nodes = limits.max_nodes.map(|max_nodes| max_nodes.saturating_sub(nodes));
            let shorter =
                self.solve(position, &SolverLimits { max_nodes, max_moves: Some(within), ..*limits });
            nodes += self.nodes;
            match shorter {
                SolverResult::Win { .. } => best = shorter,
                SolverResult::None => {}
                SolverResult::Unknown => {
                    self.nodes = nodes;
                    return (best, false);
                }
            }
        }
        self.nodes = nodes;
        (best, best != SolverResult::Unknown)
    }

    /// Whether the side to move wins by threats. [`SolverResult::None`] is exact about fours and open threes; of
    /// quieter threats, those are seen that a short search for fours sees.
    pub fn solve(&mut self, position: &mut Position, limits: &SolverLimits) -> SolverResult {
        let about = (position.rule().kind, position.board().side_to_move());
        if about != self.about {
            self.clear();
            self.about = about;
        }
        self.nodes = 0;
        self.children.clear();
        Search::new(self, position, limits).run(position, limits.max_moves.unwrap_or(ENDLESS))
    }
}
