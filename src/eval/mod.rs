//! The evaluation: what a position is worth, and which moves look good, without looking ahead.
//!
//! [`Evaluator`] is the one interface, made for a classical evaluation now and a network later: `make` after each
//! stone, `undo` after each one taken back, `value` and `move_score` whenever asked. It knows nothing of the search.

mod classical;
mod threats;
mod weights;

pub use classical::Evaluator;
pub use threats::THREAT_SETS;
pub use weights::PARTS;
