//! The numbers of the variants' search and evaluations, as named constants and formulas.

use std::ops::Range;

use crate::think::score::Value;

/// Number of points of a winning window.
pub const FIVE: usize = 5;
/// The deepest ply from the root.
pub const MAX_PLY: usize = 128;
/// Number of nodes between checks of the clock: a fraction of a millisecond.
pub const CLOCK_NODES: u64 = 64;
/// Default size of the table in bytes.
pub const USUAL_TABLE_BYTES: u64 = 64 << 20;
/// The largest absolute history value.
pub const HISTORY_LIMIT: i32 = 4_000;

/// Maximum depth for pruning by the static evaluation and for skipping late moves.
pub const SHALLOW: i32 = 3;
/// Maximum number of plies of fours in the quiescence search.
pub const QUIESCENCE_PLIES: i32 = 10;

/// Margin of the static evaluation above beta that ends a shallow node (reverse futility pruning): the
/// largest change that is expected from the search.
pub fn reverse_futility_margin(depth: i32) -> Value {
    90 * depth
}

/// Number of quiet moves tried at a shallow node (move-count pruning).
pub fn late_move_count(depth: i32) -> usize {
    (6 + 6 * depth) as usize
}

/// Initial reduction in plies of a quiet move, the `index`th of its node counted from 0.
pub fn late_move_reduction(index: usize, depth: i32) -> i32 {
    match (index, depth) {
        (3.., 3..) => 1 + i32::from(index >= 10) + i32::from(depth >= 6 && index >= 6),
        _ => 0,
    }
}

/// The plies at which a forced answer costs no depth.
pub fn extension_plies(depth: i32) -> Range<usize> {
    1..3 * depth.max(1) as usize + 24
}

/// Worth of a window in the evaluation, by the number of its stones, all of one side.
pub const WINDOW_WORTH: [i32; FIVE + 1] = [0, 1, 5, 25, 120, 0];
/// Gain of the next stone in such a window, for move ordering. The gain of a four, and likewise of a five,
/// exceeds the sum of all lower gains through a point, so a sum shows whether it includes one.
pub const WINDOW_GAIN: [i32; FIVE] = [1, 5, 30, MAKES_FOUR, MAKES_FIVE];
/// A gain of at least this makes a row of four out of three.
pub const MAKES_FOUR: i32 = 1_000;
/// A gain of at least this fills a window.
pub const MAKES_FIVE: i32 = 100_000;

/// Worth of having the move if the windows of the side to move are worth `windows`.
pub fn turn_worth(windows: i32) -> Value {
    12 + windows / 8
}

/// Move-ordering score of a move: from its gains for both sides, the stones that it captures and saves,
/// whether it is a killer, and its history value.
pub fn move_order(gains: [i32; 2], captures: [i32; 2], is_killer: bool, history: i32) -> i32 {
    let killer = if is_killer { 300 } else { 0 };
    2 * gains[0] + gains[1] * 3 / 2 + 400 * captures[0] + 250 * captures[1] + killer + history / 8
}

/// Worth of a five that can still be broken, in a capture game.
pub const PENDING_FIVE: Value = 300;

/// Worth of `stones` captured stones if `goal` stones win: each stone is worth more as the goal gets closer.
pub fn captured_worth(stones: i32, goal: i32) -> Value {
    25 * stones + 800 * stones * stones / (goal * goal)
}

/// Worth of a stone that can be captured in a capture game, on one's own turn and on the other side's.
pub const CAPTURABLE_STONE: [Value; 2] = [30, 12];
/// Worth of a stone that can be captured in Gomoku Roku, on one's own turn and on the other side's.
pub const CAPTURABLE_ROKU_STONE: [Value; 2] = [15, 6];

/// Worth of the progress on the track: a side's circles left, the other side's, and its lead. Being behind
/// gives a side time to move, but a side that is behind without a stone loses. The distance already covered
/// and the distance that the remaining stones can pay for, at two circles per stone, therefore count more
/// towards the end.
pub fn track_worth(left: i32, theirs_left: i32, lead: i32) -> Value {
    let end = left.min(theirs_left) + 4;
    let endurance = 1_600 * (lead + 4 * left) / (2 * end * end);
    endurance - 10 * lead
}

/// Worth of `pairs` captured pairs in Gomoku Roku.
pub fn pairs_worth(pairs: i32) -> Value {
    60 * pairs * pairs
}
