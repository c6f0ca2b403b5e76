//! Bounds: the relation of a value to the true value.

use std::fmt;

use bytemuck::Zeroable;

use super::score::Value;

/// Bound type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Zeroable)]
#[repr(u8)]
pub enum Bound {
    /// No value.
    #[default]
    None,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// The true value is this.
    Exact,
}

impl Bound {
    /// All bounds, in the order of their codes in files.
    pub const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    /// The bound for the other side, whose value has the opposite sign.
    pub const fn reversed(self) -> Bound {
        match self {
            Bound::Upper => Bound::Lower,
            Bound::Lower => Bound::Upper,
            other => other,
        }
    }

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

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Bound::None => "none",
            Bound::Upper => "upper",
            Bound::Lower => "lower",
            Bound::Exact => "exact",
        })
    }
}
