//! Bounds: what a value says about the true value.

use bytemuck::Zeroable;

use super::score::Value;

/// Bound type of a stored value: its relation to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable)]
#[repr(u8)]
pub enum Bound {
    /// Nothing.
    None,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the true value.
    Exact,
}

impl Bound {
    /// Whether a value of this bound settles a search with this window.
    pub fn cuts(self, value: Value, alpha: Value, beta: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
            Bound::None => false,
        }
    }

    /// Whether a value of this bound rules out that `guess` is the true value.
    pub fn excludes(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => guess != value,
            Bound::Lower => guess < value,
            Bound::Upper => guess > value,
            Bound::None => false,
        }
    }
}
