//! Values of positions, from the side to move's point of view.

/// A value: points (about 100 for an open three), or a mate distance near [`MATE`].
pub type Value = i32;

/// The value of a game already won. A win in `n` plies is `MATE - n`.
pub const MATE: Value = 30_000;
/// Values with a larger absolute value are mates.
pub const MATE_THRESHOLD: Value = MATE - 1_000;
/// Larger than every value.
pub const INFINITE: Value = MATE + 1;
/// The largest absolute value of a network's evaluation, and of a draw, in points.
pub const MOST_VALUE: Value = 10_000;
/// The value of a draw.
pub const DRAW: Value = 0;

/// The value of winning `ply` plies after the root.
pub const fn mate_in(ply: i32) -> Value {
    MATE - ply
}

/// The value of losing `ply` plies after the root.
pub const fn mated_in(ply: i32) -> Value {
    -MATE + ply
}

/// The value, before its first move, of winning with the `moves`-th move of the side to move.
pub const fn mate_in_moves(moves: u16) -> Value {
    mate_in(2 * moves as i32 - 1)
}

/// The number of plies until the win or the loss that `value` stands for; `None` if it is neither.
pub const fn mate_plies(value: Value) -> Option<i32> {
    if is_mate(value) { Some(MATE - value.abs()) } else { None }
}

/// Whether `value` is a win or a loss with a known distance.
///
/// # Panics
/// In debug builds, for `Value::MIN`, which is not a value.
pub const fn is_mate(value: Value) -> bool {
    value.abs() > MATE_THRESHOLD
}

/// Converts the value of a position `ply` plies from the root: mates counted from the position become mates
/// counted from the root.
#[inline(always)]
pub const fn to_root(value: Value, ply: i32) -> Value {
    value - ply * mate_sign(value)
}

/// The reverse of [`to_root`].
#[inline(always)]
pub const fn from_root(value: Value, ply: i32) -> Value {
    value + ply * mate_sign(value)
}

/// 1 for a win, -1 for a loss, 0 if neither is proven.
const fn mate_sign(value: Value) -> i32 {
    if is_mate(value) { value.signum() } else { 0 }
}

/// The probability with these log odds (natural logarithm).
pub fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The expected score of a side whose value is `value` points, if `points_per_unit` points make one unit of log
/// odds.
pub fn expected_score(value: Value, points_per_unit: i32) -> f32 {
    logistic(value as f32 / points_per_unit as f32)
}

/// The winning chance that a value corresponds to, from 0 to 1, if `points_per_unit` points make one unit of
/// log odds ([`Network::points_per_unit`](crate::eval::Network::points_per_unit)). A mate is certain.
pub fn win_rate(value: Value, points_per_unit: i32) -> f32 {
    match value {
        _ if !is_mate(value) => expected_score(value, points_per_unit),
        _ if value > 0 => 1.0,
        _ => 0.0,
    }
}

/// A value in readable form: `123`, `+M5` (the side to move wins in 5 plies), `-M4`.
pub fn format(value: Value) -> String {
    let Some(plies) = mate_plies(value) else { return value.to_string() };
    format!("{}M{plies}", if value > 0 { '+' } else { '-' })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_has_a_number_of_plies() {
        assert_eq!([mate_in(5), mated_in(4), mate_in_moves(3)].map(mate_plies), [Some(5), Some(4), Some(5)]);
        assert_eq!([DRAW, -MATE_THRESHOLD, MATE_THRESHOLD].map(mate_plies), [None; 3]);
    }

    #[test]
    fn a_win_rate_grows_with_the_value_up_to_a_mate() {
        let values = [mated_in(2), -10_000, -200, 0, 1, 200, 10_000, mate_in(99), mate_in(1)];
        let rates = values.map(|value| win_rate(value, 200));
        assert!(rates.is_sorted(), "{rates:?}");
        assert_eq!((rates[0], rates[3], rates[7], rates[8]), (0.0, 0.5, 1.0, 1.0));
        // One unit of log odds.
        assert!((rates[5] - 0.731_06).abs() < 1e-4 && (rates[2] + rates[5] - 1.0).abs() < 1e-6, "{rates:?}");
    }
}
