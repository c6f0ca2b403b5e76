//! Victory by continuous threats (VCT): every move of the attacker is a four or a threat of a winning four.
//!
//! A depth-first proof-number search (df-pn; Nagai, 2002) over attacks and all their answers, with short
//! searches for fours of either side at every node. Stones are never removed, so no position repeats, and a
//! fact about a position holds regardless of how it was reached. The table may therefore mix all move orders
//! and keep its facts between calls.
//!
//! Three techniques keep the tree small when many moves threaten something:
//! - initial numbers that favour promising attacks (`guess`),
//! - a cost for attacks that do not continue the previous one (`expand`),
//! - trying a win against one reply on the other replies (`transfer`).
//!
//! The recursion uses one frame per stone played, hence at most one per point of the board. The candidates
//! lie on a stack that belongs to the solver.

mod expand;
mod guess;
mod line;
mod numbers;
mod search;
mod transfer;

use std::sync::atomic::{AtomicBool, Ordering};

use self::expand::Child;
use self::numbers::VctEntry;
use self::search::Search;
use super::fours::{fours, stops};
use super::table::FactTable;
use super::threats::attacks;
use super::vcf::{SolverResult, VcfSolver};
use super::win_facts::ENDLESS;
use crate::board::{Bitboard, Color};
use crate::rules::{PointClass, Position, RuleKind};
use crate::system::host::{Instant, is_past, look};

/// The limits of a solver; `None` means no limit, and the default has none at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverLimits<'a> {
    /// Maximum number of positions to visit.
    pub max_nodes: Option<u64>,
    /// Time at which the search stops.
    pub deadline: Option<Instant>,
    /// Checked regularly; `true` stops the search.
    pub stop: Option<&'a AtomicBool>,
    /// Maximum number of moves of a win, including the five.
    pub max_moves: Option<u16>,
}

impl SolverLimits<'_> {
    /// Whether the stop flag or the deadline ends the search now. Ignores the number of nodes.
    pub fn is_over(&self) -> bool {
        self.stop.into_iter().for_each(look);
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || is_past(self.deadline)
    }
}

/// Number of entries in the table of fours.
const FOUR_ENTRIES: usize = 1 << 16;

/// Rule and attacker of empty tables, so that a cleared solver equals a new one.
const NOTHING: (RuleKind, Color) = (RuleKind::Freestyle, Color::Black);

/// Finds wins by threats. It keeps its tables between calls as long as rule and attacker are the same,
/// because the facts in them stay true.
///
/// ```
/// use kakugo::board::notation::parse_fen;
/// use kakugo::rules::{Position, Rule};
/// use kakugo::threat::{SolverLimits, SolverResult, VctSolver};
///
/// // Black, X, is to move and makes a straight four of the three.
/// let board = parse_fen("9/9/1O7/3XXX3/2O6/9/9/6O2/9 b")?;
/// let mut position = Position::new(board, Rule::default());
/// let mut solver = VctSolver::new(16 << 20);
/// let limits = SolverLimits { max_nodes: Some(100_000), ..SolverLimits::default() };
/// match solver.solve(&mut position, &limits) {
///     SolverResult::Win { moves, .. } => assert_eq!(moves, 2),
///     SolverResult::None | SolverResult::Unknown => unreachable!("an open three with the move wins"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VctSolver {
    table: FactTable<VctEntry>,
    fours: VcfSolver,
    /// Rule and attacker that the tables apply to.
    about: (RuleKind, Color),
    children: Vec<Child>,
    nodes: u64,
}

impl VctSolver {
    /// A solver with a table of at most `bytes`, which is allocated at once, so keep a solver for many positions.
    pub fn new(bytes: usize) -> VctSolver {
        VctSolver {
            table: FactTable::new(bytes),
            fours: VcfSolver::new(FOUR_ENTRIES),
            about: NOTHING,
            children: Vec::with_capacity(4096),
            nodes: 0,
        }
    }

    /// Clears the tables in constant time.
    pub fn clear(&mut self) {
        self.table.clear();
        self.fours.clear();
        self.about = NOTHING;
    }

    /// Number of positions visited by the last call, including the fours that an attacker or a defender tries
    /// first.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The solver of fours used by this solver.
    pub fn vcf(&mut self) -> &mut VcfSolver {
        &mut self.fours
    }

    /// The first moves of the side to move that are or may be threats: the moves that [`SolverResult::None`]
    /// refutes.
    pub fn tried(&self, position: &mut Position) -> Bitboard {
        attacks(position)
    }

    /// The fours of the side to move, or only those that stop the opponent's five if it has one: the moves
    /// that a [`SolverResult::None`] from the solver of fours refutes.
    pub fn tried_fours(&self, position: &mut Position) -> Bitboard {
        let us = position.board().side_to_move();
        let fours = fours(position, us);
        if position.strongest()[!us] == PointClass::Five { fours & stops(position, !us) } else { fours }
    }

    /// The shortest win of the side to move. If the limits are reached before a shorter win is excluded,
    /// returns the shortest win found so far. The flag is `true` if no win of this kind is shorter.
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

    /// Whether the side to move wins by threats, in any position that is not over. [`SolverResult::None`] is
    /// exact about fours and open threes; of the quieter threats, only those found by a short search for
    /// fours are considered. The position is unchanged afterwards. To solve the position of an engine or a
    /// game, pass a clone.
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
