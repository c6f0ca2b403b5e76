//! Values of positions, from the side to move's point of view.

/// A value: pattern points (about 100 for an open three's worth), or a mate distance near [`MATE`].
pub type Value = i32;

/// The value of having won now. A win `n` plies ahead is `MATE - n`.
pub const MATE: Value = 30_000;
/// Values beyond this (either sign) are mates.
pub const MATE_THRESHOLD: Value = MATE - 1_000;
/// Beyond every value.
pub const INFINITE: Value = MATE + 1;
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

/// Whether `value` is a win or a loss with a known distance.
pub const fn is_mate(value: Value) -> bool {
    value.abs() > MATE_THRESHOLD
}

/// A value as people read it: `123`, `+M5` (the side to move wins in 5 plies), `-M4`.
pub fn format(value: Value) -> String {
    if !is_mate(value) {
        return value.to_string();
    }
    let plies = MATE - value.abs();
    format!("{}M{plies}", if value > 0 { '+' } else { '-' })
}
