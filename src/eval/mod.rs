//! The evaluation: what a position is worth, and which moves look good, without looking ahead.
//!
//! [`Evaluator`] is the one interface to a classical evaluation, tables over the codes of points, and to a small
//! network over the same codes for what their sums do not tell: `make` after each stone, `undo` after each one taken
//! back, `value` and `move_score` whenever asked. It knows nothing of the search.

mod classical;
mod network;
mod threats;
mod weights;

pub use classical::Evaluator;
pub use network::{CHANNELS, HIDDEN, ONE};
pub use threats::THREAT_SETS;
pub use weights::{PARTS, WeightsError, check_weights};
