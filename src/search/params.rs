//! Every number of the search, as named formulas.

use std::time::Duration;

use super::score::Value;

/// Deepest ply that a search reaches, extensions included.
pub const MAX_PLY: usize = 192;

/// Deepest nominal iteration.
pub const MAX_DEPTH: i32 = 100;

/// Positions between two looks at the clock: about a quarter of a millisecond.
pub const NODES_PER_CLOCK_CHECK: u64 = 256;

/// Four-moves that quiescence tries in a row before it trusts the static evaluation.
pub const QUIESCENCE_PLIES: i32 = 12;

/// Nodes after which one quiescence search tries no more fours: with a dozen of them at hand their orders are without
/// number.
pub const QUIESCENCE_NODES: u64 = 100;

/// Positions that the search for a win by fours at the root remembers, 16 bytes each.
pub const ROOT_VCF_ENTRIES: usize = 1 << 12;

/// Fours that the search for a win by fours tries at the root: a small share of the nodes and the time of a move.
pub fn root_vcf_nodes(max_nodes: u64, maximum: Option<Duration>) -> u64 {
    const MOST: u64 = 20_000;
    /// Fours in a millisecond on a slow machine, divided by ten.
    const PER_MS: u64 = 30;
    let in_time = maximum.map_or(MOST, |maximum| maximum.as_millis() as u64 * PER_MS);
    MOST.min(max_nodes / 10).min(in_time)
}

/// Half the first aspiration window.
pub const ASPIRATION_DELTA: Value = 30;

/// The depth from which an aspiration window is worth having.
pub const ASPIRATION_DEPTH: i32 = 4;

/// How the window grows after it was missed.
pub const fn widened(delta: Value) -> Value {
    delta + delta
}

/// Static evaluation this far above beta ends a node of `depth` (reverse futility).
pub const fn reverse_futility_margin(depth: i32) -> Value {
    40 + 45 * depth
}

/// The deepest node that reverse futility ends.
pub const REVERSE_FUTILITY_DEPTH: i32 = 5;

/// A quiet move is not tried at `depth` when the static evaluation is this far below alpha.
pub const fn futility_margin(depth: i32) -> Value {
    80 + 60 * depth
}

/// The deepest node with futility pruning of moves.
pub const FUTILITY_DEPTH: i32 = 4;

/// Quiet moves tried at `depth` before the rest is left out.
pub const fn move_count_limit(depth: i32) -> usize {
    (5 + 3 * depth + depth * depth / 3) as usize
}

/// The deepest node with move-count pruning.
pub const MOVE_COUNT_DEPTH: i32 = 8;

/// Moves tried at any node, the root aside.
pub const MAX_MOVES: usize = 60;

/// The first depth at which late moves are reduced.
pub const REDUCTION_DEPTH: i32 = 3;

/// The moves of a node that are searched before those that only make a three or stop one are reduced.
pub const THREES_UNREDUCED: usize = 6;

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

/// Plies that a late move loses at first; 0 for one that is not late.
pub fn late_move_reduction(late: &LateMove) -> i32 {
    let is_late = late.is_quiet && late.count > 2 || late.is_three && late.count > THREES_UNREDUCED;
    if !is_late || late.depth < REDUCTION_DEPTH {
        return 0;
    }
    let product = f64::from(late.depth).ln() * (late.count as f64).ln();
    let mut reduction = 0.9 + product / 1.8 - f64::from(late.history) / 2000.0;
    reduction -= if late.is_pv { 0.8 } else { 0.0 };
    reduction += if late.is_cut { 1.0 } else { 0.0 };
    reduction -= if late.is_three { 0.5 } else { 0.0 };
    (reduction as i32).clamp(0, late.depth - 1)
}

/// What a cutoff adds to the history of its move.
pub const fn history_bonus(depth: i32) -> i32 {
    let bonus = depth * depth * 4;
    if bonus > 400 { 400 } else { bonus }
}

/// The largest history value of either sign.
pub const HISTORY_LIMIT: i32 = 4096;

/// The share of a history value that counts in move ordering.
pub const HISTORY_SHARE: i32 = 48;

/// Added to the order of a killer or counter move.
pub const KILLER_BONUS: i32 = 60;

/// Depth at which a node without a table move is searched a ply less deep (internal iterative reduction).
pub const IIR_DEPTH: i32 = 5;
