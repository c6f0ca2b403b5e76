//! Parameters of the tree search: its fixed limits, the limits of the solvers, and named formulas over a
//! table of [`tunables`]. The constants of the clock, the vote and the replacement of table entries are
//! defined where they are used.

mod tunables;

use crate::think::score::{Value, is_mate};
use crate::think::{Bound, Budget};
use std::time::Duration;

pub use tunables::{Params, TUNABLES, Tunable, TuneError, Tuned};

/// Deepest ply that a search reaches, extensions included.
pub const MAX_PLY: usize = 192;

/// Parts of a ply in which depths are counted.
pub const ONE_PLY: i32 = 16;

/// Deepest nominal iteration.
pub const MAX_DEPTH: i32 = 100;

/// Number of nodes between two checks of the clock: about a quarter of a millisecond.
pub const NODES_PER_CLOCK_CHECK: u64 = 256;

/// Table size of the solver that completes lines, in positions of 16 bytes.
pub const LINE_ENTRIES: usize = 1 << 12;

/// Table size of the solver of fours in quiescence, in positions of 16 bytes.
pub const QUIESCENCE_ENTRIES: usize = 1 << 17;

/// Table size of the solver of threats at the root, in bytes.
pub const ROOT_VCT_BYTES: usize = 4 << 20;

/// Number of fours between two checks of the stop flag: a millisecond or two.
pub const VCF_SLICE: u64 = 1_000;

/// Maximum number of positions that the solver of threats visits at the root.
pub const ROOT_VCT_NODES: u64 = 50_000;

/// Cost of a position that the solver of threats visits, in nodes of the search.
pub const VCT_NODE_COST: u64 = 3;

/// Number of fours that the solver of fours tries at the root: a small share of a move's nodes, or of its time if
/// the nodes are not limited. With a node limit, the result must not depend on the clock as well.
pub fn root_vcf_nodes(max_nodes: Option<u64>, budget: Option<Budget>) -> u64 {
    const MOST: u64 = 20_000;
    /// Fours in a millisecond on a slow machine, divided by ten.
    const PER_MS: u64 = 30;
    if let Some(max_nodes) = max_nodes {
        return MOST.min(max_nodes / 10);
    }
    budget.map_or(MOST, |budget| MOST.min(budget.maximum.as_millis() as u64 * PER_MS))
}

/// Number of fours that may be tried to extend a line to its end during a game: about a millisecond.
pub const LINE_FOURS: u64 = 1_000;

/// Number of fours that may be tried to extend a line of an analysis to its end.
pub const ANALYSIS_FOURS: u64 = 20_000;

/// Number of fours that may be tried to find the moves that break the opponent's win by fours.
pub const DEFENSE_FOURS: u64 = 200;

/// Distance in king's moves from the opponent's last move above which a move is far from it.
pub const FAR: u8 = 5;

/// Maximum number of a node's moves whose history falls when a later move causes a cutoff.
pub const TRIED_MOVES: usize = 64;

/// The largest absolute history value.
pub const HISTORY_LIMIT: i32 = 4096;

/// Distance of the static evaluation below alpha up to which the number of tried moves falls, in points.
const FAR_BELOW: Value = 60;

/// Number of logarithms in `LN`; larger move numbers and depths use the last one.
const LOGARITHMS: usize = 512;

/// Largest reduction given back for a policy score better than the first move's, in thousandths of a ply.
const POLICY_LEAST: i32 = 2000;
/// Largest reduction added for a policy score worse than the first move's, in thousandths of a ply.
const POLICY_MOST: i32 = 5000;

/// Natural logarithms of whole numbers; the entry for 0 equals the entry for 1. `f64::ln` may differ between
/// platforms, which would change the search.
static LN: [f64; LOGARITHMS] = logarithms();

/// Adds up ln(n) - ln(n - 1) = 2 artanh(1 / (2n - 1)).
const fn logarithms() -> [f64; LOGARITHMS] {
    let mut ln = [0.0; LOGARITHMS];
    let mut number = 2;
    while number < LOGARITHMS {
        let x = 1.0 / (2 * number - 1) as f64;
        let (mut power, mut sum, mut odd) = (x, 0.0, 1);
        while odd < 40 {
            sum += power / odd as f64;
            power *= x * x;
            odd += 2;
        }
        ln[number] = ln[number - 1] + 2.0 * sum;
        number += 1;
    }
    ln
}

/// The properties of a move on which late move reductions and move-count pruning depend.
#[derive(Clone, Copy, Debug, Default)]
pub struct LateMove {
    /// Remaining depth of its node, in plies.
    pub plies: i32,
    /// Its number among the moves of its node, from 1.
    pub count: usize,
    /// Whether its node is on the principal variation.
    pub is_pv: bool,
    /// Whether its node is expected to fail high.
    pub is_cut: bool,
    /// Whether its node must answer a four or an open three of the opponent.
    pub is_forced: bool,
    /// Whether its side is better off than at its last turn.
    pub improving: bool,
    /// Alpha minus the static evaluation of its node, in points.
    pub below: i32,
    /// Whether it makes one open three, on a point where the opponent could make nothing stronger.
    pub is_three: bool,
    /// Whether it makes less than an open three, on a point where the opponent could make no four.
    pub is_quiet: bool,
    /// Whether it is far from the opponent's last move.
    pub is_far: bool,
    /// Policy score of the node's first move minus its own, in points.
    pub behind: i32,
    /// Its history value.
    pub history: i32,
    /// Its pattern history, from -100 to 100.
    pub pattern: i32,
}

impl Params {
    /// Number of positions that the solver of threats may visit at the root, at most [`ROOT_VCT_NODES`].
    pub fn root_vct_nodes(&self, max_nodes: u64) -> u64 {
        let share = u128::from(max_nodes) * self.root_vct_share as u128 / 1000;
        ROOT_VCT_NODES.min((share / u128::from(VCT_NODE_COST)) as u64)
    }

    /// Time that the solver of threats may take at the root, as a share of the time for a move.
    pub fn root_vct_time(&self, optimum: Duration) -> Duration {
        optimum * self.root_vct_share as u32 / 1000
    }

    /// Margin of the aspiration window after a fail low or a fail high; `delta` is the margin before.
    pub fn widened(&self, delta: Value) -> Value {
        delta * self.aspiration_growth / 100
    }

    /// Margin of the static evaluation above beta that ends a node of `depth` parts of a ply (reverse futility).
    #[inline]
    pub fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Value {
        let depth = depth - if improving { self.reverse_futility_improving * ONE_PLY / 100 } else { 0 };
        self.reverse_futility_base + self.reverse_futility_slope * depth / ONE_PLY
    }

    /// Margin of the static evaluation below alpha at which only fours are tried at a node of `depth` parts of a ply
    /// (razoring).
    #[inline]
    pub fn razor_margin(&self, depth: i32) -> Value {
        self.razor_base + self.razor_slope * depth / ONE_PLY
    }

    /// Whether a move comes too late at its node to be tried (move-count pruning).
    #[inline]
    pub fn is_too_late(&self, late: &LateMove) -> bool {
        let &LateMove { plies, .. } = late;
        let hundredths =
            self.move_count_base + self.move_count_slope * plies + self.move_count_square * plies * plies;
        let of_node = match late {
            LateMove { is_pv: true, .. } => self.move_count_pv,
            LateMove { is_cut: true, .. } => self.move_count_cut,
            _ => 100,
        };
        let of_situation = if late.is_forced { self.move_count_forced } else { 100 };
        let of_trend = if late.improving { 100 } else { self.move_count_worsening };
        let of_pattern = 100 + late.pattern * self.move_count_pattern / 100;
        let of_value = 100 - late.below.clamp(0, FAR_BELOW) * (100 - self.move_count_below) / FAR_BELOW;
        let shares = [of_node, of_situation, of_trend, of_pattern, of_value];
        // Hundredths of a move, times five percentages.
        let most: i64 = i64::from(hundredths) * shares.into_iter().map(i64::from).product::<i64>();
        (late.count as i64 - 1) * 1_000_000_000_000 >= most
    }

    /// Whether a quiet move cannot raise the value of a node `plies` deep with this static evaluation above
    /// alpha (futility pruning).
    #[inline]
    pub fn is_futile(&self, plies: i32, eval: Value, alpha: Value) -> bool {
        plies <= self.futility_depth && eval + self.futility_base + self.futility_slope * plies <= alpha
    }

    /// Reduction of the table's move on the principal variation if the table's search was shallower by
    /// `missing`, both in parts of a ply.
    #[inline]
    pub fn stale_pv_reduction(&self, missing: i32) -> i32 {
        (missing.max(0) * self.stale_pv / 100).min(self.stale_pv_max * ONE_PLY / 1000)
    }

    /// The value of a node, moved back towards beta if it failed high.
    #[inline]
    pub fn blended(&self, value: Value, bound: Bound, beta: Value) -> Value {
        if bound != Bound::Lower || is_mate(value) || is_mate(beta) {
            return value;
        }
        value - (value - beta) * self.fail_high_blend / 100
    }

    /// Reduction of the first search of a late move, in parts of a ply (`ONE_PLY`); 0 for a move that is not
    /// late.
    pub fn late_move_reduction(&self, late: &LateMove) -> i32 {
        if late.count < 2 || late.plies < self.lmr_depth {
            return 0;
        }
        let ln = |number: usize| LN[number.min(LOGARITHMS - 1)];
        let product = ln(late.plies as usize) * ln(late.count);
        let mut thousandths = self.lmr_base;
        thousandths -= if late.is_pv { self.lmr_pv } else { 0 };
        thousandths += if late.is_cut { self.lmr_cut } else { 0 };
        thousandths -= if late.is_three { self.lmr_three } else { 0 };
        thousandths += if late.is_far { self.lmr_far } else { 0 };
        thousandths -= if late.improving { self.lmr_improving } else { 0 };
        thousandths -= late.pattern * self.lmr_pattern / 100;
        thousandths += (late.behind * self.lmr_policy / 10).clamp(-POLICY_LEAST, POLICY_MOST);
        let history = f64::from(late.history * self.lmr_history) / f64::from(HISTORY_LIMIT);
        let reduction = f64::from(thousandths) + product * 1e6 / f64::from(self.lmr_divisor) - history;
        (reduction as i32 * ONE_PLY / 1000).max(0)
    }

    /// Amount by which the pattern history of a node's moves falls if the node, `plies` deep, fails low.
    #[inline]
    pub fn malus_of_fail_low(&self, plies: i32) -> i32 {
        self.bonus_of_cutoff(plies) * self.pattern_malus / 100
    }

    /// History bonus of the move that caused a cutoff at a node `plies` deep.
    #[inline]
    pub fn bonus_of_cutoff(&self, plies: i32) -> i32 {
        (plies * plies * self.history_bonus).min(self.history_bonus_max)
    }
}

/// Moves a history value towards the limit that has the bonus's sign, more slowly as it comes nearer.
#[inline]
pub fn adjust_history(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Order bonus of a history value, in points, when [`HISTORY_LIMIT`] gives `share` hundredths of a point.
#[inline]
pub fn order_of_history(share: i32, history: i32) -> i32 {
    history * share / (HISTORY_LIMIT * 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleKind;

    /// The number of moves of a node that are tried.
    fn tried(params: &Params, node: LateMove) -> usize {
        (1..).take_while(|&count| !params.is_too_late(&LateMove { count, ..node })).count()
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        for (number, ln) in LN.iter().enumerate().skip(1) {
            assert!((ln - (number as f64).ln()).abs() < 1e-13, "{number}: {ln}");
        }
    }

    #[test]
    fn the_fours_at_the_root_depend_on_the_nodes_or_on_the_time() {
        let maximum = Duration::from_millis(60);
        let time = Some(Budget { optimum: maximum, maximum, is_saved: false });
        assert_eq!(root_vcf_nodes(Some(25_000), time), 2_500);
        assert_eq!(root_vcf_nodes(Some(25_000), None), 2_500);
        assert_eq!(root_vcf_nodes(None, time), 1_800);
        assert_eq!(root_vcf_nodes(None, None), 20_000);
        assert_eq!(root_vcf_nodes(Some(u64::MAX - 1), time), 20_000);
    }

    #[test]
    fn a_node_tries_its_share_of_moves() {
        let params = Params {
            move_count_base: 500,
            move_count_slope: 100,
            move_count_square: 10,
            move_count_worsening: 50,
            move_count_pv: 150,
            move_count_cut: 80,
            move_count_forced: 60,
            move_count_below: 70,
            move_count_pattern: 30,
            ..Params::of(RuleKind::Freestyle)
        };
        let node = LateMove { plies: 10, improving: true, ..LateMove::default() };
        assert_eq!(tried(&params, node), 25);
        assert_eq!(tried(&params, LateMove { improving: false, ..node }), 13);
        assert_eq!(tried(&params, LateMove { is_pv: true, ..node }), 38);
        assert_eq!(tried(&params, LateMove { is_cut: true, ..node }), 20);
        assert_eq!(tried(&params, LateMove { is_forced: true, ..node }), 15);
        for (below, moves) in [(-90, 25), (30, 22), (60, 18), (900, 18)] {
            assert_eq!(tried(&params, LateMove { below, ..node }), moves, "{below} points below alpha");
        }
        for (pattern, moves) in [(100, 33), (-50, 22), (-100, 18)] {
            assert_eq!(tried(&params, LateMove { pattern, ..node }), moves, "pattern history {pattern}");
        }
        assert_eq!(tried(&params, LateMove { is_cut: true, is_forced: true, improving: false, ..node }), 6);
        assert_eq!(tried(&params, LateMove { plies: 0, ..node }), 5);
    }
}
