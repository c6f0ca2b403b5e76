//! The board: geometry, stones, line codes, hash and notations.
//!
//! Invariant: play followed by undo restores everything bit for bit. This module does not know the rules:
//! which rows win, and which moves are forbidden.

mod bitboard;
mod color;
#[doc(hidden)]
pub mod line_code;
mod lines;
pub mod notation;
#[doc(hidden)]
pub mod offsets;
mod point;
mod state;
mod symmetry;
#[doc(hidden)]
pub mod zobrist;

pub use bitboard::{Bitboard, Points};
pub use color::{ByColor, Cell, Color};
#[doc(hidden)]
pub use lines::Lines;
pub(crate) use lines::{LINE_CELLS, window_start, window_starts};
pub use point::{Direction, MAX_SIDE, MIN_SIDE, POINTS, Point, STRIDE, Size, SizeError};
pub use state::Board;
pub use symmetry::Symmetry;
