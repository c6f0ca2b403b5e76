//! The evaluation: what a position is worth, and which moves look good, without looking ahead.
//!
//! [`Evaluator`] is the one interface to a [`Network`] over the codes of the empty points: `make` after each stone,
//! `undo` after each one taken back, `value` and `move_scores` whenever asked. [`Networks`] are those of all rules. The
//! module knows nothing of the search.

mod chances;
mod evaluator;
mod layer;
mod network;
mod networks;
mod regions;
mod threats;
mod weights;

pub use chances::{Chances, expected_score, logistic};
pub use evaluator::Evaluator;
pub use layer::Layer;
pub use network::{
    CODES, FACTOR_BITS, FEATURE_ONE, FEATURES, FIRST_BITS, HIDDEN, INPUTS, Layers, NEURON_ONE, Network,
    POLICY_ONE, PolicyVector, Row, SCORE_BITS, SECOND_BITS, VECTOR_ONE, VIEW,
};
pub use networks::Networks;
pub use regions::{
    REGION_CLIPS, REGION_NUMBERS, REGION_POOLS, REGION_VIEW, RegionRow, RegionSums, TILES_ACROSS, Tiles,
};
pub use threats::THREAT_SETS;
pub use weights::{WeightsError, WeightsFile};
