//! Every number of the search, as named formulas over a table of [`tunables`].

mod tunables;

use std::sync::LazyLock;
use std::time::Duration;

use super::score::Value;
pub use tunables::{Params, TUNABLES, Tunable, TuneError, Tuned};

/// Deepest ply that a search reaches, extensions included.
pub const MAX_PLY: usize = 192;

/// Deepest nominal iteration.
pub const MAX_DEPTH: i32 = 100;

/// Positions between two looks at the clock: about a quarter of a millisecond.
pub const NODES_PER_CLOCK_CHECK: u64 = 256;

/// Positions that the search for the end of a line remembers, 16 bytes each.
pub const ROOT_VCF_ENTRIES: usize = 1 << 12;

/// Positions that the search for fours in quiescence remembers, 16 bytes each.
pub const QUIESCENCE_ENTRIES: usize = 1 << 17;

/// What the search for a win by threats at the root remembers, in bytes.
pub const ROOT_VCT_BYTES: usize = 4 << 20;

/// Fours between two looks at the stop flag: a millisecond or two.
pub const VCF_SLICE: u64 = 1_000;

/// What a position of the search for a win by threats costs, in nodes of the search itself.
pub const VCT_NODE_COST: u64 = 3;

/// Fours that the search for a win by fours tries at the root: a small share of the nodes and the time of a move.
pub fn root_vcf_nodes(max_nodes: u64, maximum: Option<Duration>) -> u64 {
    const MOST: u64 = 20_000;
    /// Fours in a millisecond on a slow machine, divided by ten.
    const PER_MS: u64 = 30;
    let in_time = maximum.map_or(MOST, |maximum| maximum.as_millis() as u64 * PER_MS);
    MOST.min(max_nodes / 10).min(in_time)
}

/// Fours that may be tried to show a line of a game to its end: about a millisecond.
pub const LINE_FOURS: u64 = 1_000;

/// Fours that may be tried to show a line of an analysis to its end.
pub const ANALYSIS_FOURS: u64 = 20_000;

/// The largest history value of either sign.
pub const HISTORY_LIMIT: i32 = 4096;

/// Numbers of moves and depths with a logarithm of their own; more count as the last of these.
const LOGARITHMS: usize = 512;

/// Natural logarithms of whole numbers.
static LN: LazyLock<[f64; LOGARITHMS]> =
    LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));

/// A move as the reduction of late moves sees it.
pub struct LateMove {
    /// Plies to search at its node.
    pub depth: i32,
    /// Its number among the moves of its node, from 1.
    pub count: usize,
    /// Whether its node is on the principal variation.
    pub is_pv: bool,
    /// Whether its node is expected to fail high.
    pub is_cut: bool,
    /// Whether it makes no threat and stops none.
    pub is_quiet: bool,
    /// Whether it makes a three or stops one.
    pub is_three: bool,
    /// Its history value.
    pub history: i32,
}

impl Params {
    /// Positions that the search for a win by threats at the root looks at.
    pub fn root_vct_nodes(&self, max_nodes: u64) -> u64 {
        const MOST: u64 = 50_000;
        let share = u128::from(max_nodes) * self.root_vct_share as u128 / 1000;
        MOST.min((share / u128::from(VCT_NODE_COST)) as u64)
    }

    /// The time that it may take of the time for a move.
    pub fn root_vct_time(&self, optimum: Duration) -> Duration {
        optimum * self.root_vct_share as u32 / 1000
    }

    /// How the aspiration window grows after it was missed.
    pub fn widened(&self, delta: Value) -> Value {
        delta * self.aspiration_growth / 100
    }

    /// Static evaluation this far above beta ends a node of `depth` (reverse futility).
    #[inline]
    pub fn reverse_futility_margin(&self, depth: i32) -> Value {
        self.reverse_futility_base + self.reverse_futility_slope * depth
    }

    /// Whether a quiet move with the number `count`, from 0, is not tried at `depth`, because the static evaluation
    /// is too far below alpha.
    #[inline]
    pub fn is_futile(&self, depth: i32, count: usize, eval: Value, alpha: Value) -> bool {
        let margin = self.futility_base + self.futility_slope * depth;
        depth <= self.futility_depth && count as i32 > self.futility_moves && eval + margin <= alpha
    }

    /// Whether a quiet move with the number `count`, from 0, comes too late to be tried at `depth`.
    #[inline]
    pub fn is_too_late(&self, depth: i32, count: usize) -> bool {
        let hundredths =
            self.move_count_base + self.move_count_slope * depth + self.move_count_square * depth * depth;
        depth <= self.move_count_depth && count as i32 >= hundredths / 100
    }

    /// Plies that a late move loses at first; 0 for one that is not late.
    pub fn late_move_reduction(&self, late: &LateMove) -> i32 {
        let count = late.count as i32;
        let is_late = late.is_quiet && count > self.lmr_quiets || late.is_three && count > self.lmr_threes;
        if !is_late || late.depth < self.lmr_depth {
            return 0;
        }
        let ln = |number: usize| LN[number.min(LOGARITHMS - 1)];
        let product = ln(late.depth as usize) * ln(late.count);
        let mut thousandths = self.lmr_base;
        thousandths -= if late.is_pv { self.lmr_pv } else { 0 };
        thousandths += if late.is_cut { self.lmr_cut } else { 0 };
        thousandths -= if late.is_three { self.lmr_three } else { 0 };
        let history = f64::from(late.history * self.lmr_history) / f64::from(HISTORY_LIMIT);
        let reduction = f64::from(thousandths) + product * 1e6 / f64::from(self.lmr_divisor) - history;
        (reduction as i32 / 1000).clamp(0, late.depth - 1)
    }

    /// What a cutoff at `depth` adds to the history of its move.
    #[inline]
    pub fn history_bonus(&self, depth: i32) -> i32 {
        (depth * depth * self.history_bonus).min(self.history_bonus_max)
    }
}

/// What a history value is worth in move ordering when the best is worth `share` hundredths of a point.
#[inline]
pub fn order_of_history(share: i32, history: i32) -> i32 {
    history * share / (HISTORY_LIMIT * 100)
}
