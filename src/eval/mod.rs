//! The evaluation: the value of a position and the scores of moves, without searching.
//!
//! [`Evaluator`] is the only interface to a [`Network`] over the codes of the empty points: call `make` after
//! each stone, `undo` after each stone taken back, and `value` and `move_scores` at any time. [`Networks`]
//! holds the networks of all rules. The module does not depend on the search.

mod chances;
mod evaluator;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod layer;
mod layer_key;
mod network;
mod networks;
mod rays;
mod region_sums;
mod regions;
mod scales;
mod threats;
mod weights;

pub use chances::Chances;
pub use evaluator::{Evaluator, ScoreVisitor};
#[doc(hidden)]
pub use layer::Layer;
pub use network::Network;
// The shape of the network, for the trainer.
#[doc(hidden)]
pub use layer_key::{KINDS, LayerKey};
#[doc(hidden)]
pub use network::{
    CODE_SLOTS, CodeWeights, FEATURES, HIDDEN, INPUTS, Layers, POLICY_INPUTS, PolicyVector, Row, VIEW,
};
pub use networks::{NETWORK_BYTES, Networks};
// The files that a page without a server downloads.
#[doc(hidden)]
pub use networks::built_in_file;
#[doc(hidden)]
pub use rays::{RAY_GROUPS, Rays, ray_group};
#[doc(hidden)]
pub use region_sums::{REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, RegionRow, RegionSums};
#[doc(hidden)]
pub use regions::{REGION_POOLS, TILES_ACROSS, TileScores, Tiles};
#[doc(hidden)]
pub use scales::{
    FACTOR_BITS, FEATURE_ONE, FIRST_BITS, NEURON_ONE, POLICY_ONE, RAY_ONE, SCORE_BITS, SECOND_BITS,
    VECTOR_ONE,
};
#[doc(hidden)]
pub use threats::THREAT_SETS;
pub use weights::{WeightsError, WeightsFile};

pub use crate::think::score::logistic;
