//! The scales of the network's whole numbers.

/// Scale of rows and features: 1 in whole numbers, and the largest feature.
pub const FEATURE_ONE: i32 = 127;
/// Bits that pools lose before the first layer.
pub const POOL_SHIFT: u32 = 2;
/// Scale of the hidden layers: 1 in whole numbers, and the largest neuron. A pool of 32 features is 1 too.
pub const NEURON_ONE: i32 = (32 * FEATURE_ONE) >> POOL_SHIFT;
/// Bits behind the point of the weights of the first layer, of the output and of what goes past the layers.
pub const FIRST_BITS: u32 = 11;
/// Bits behind the point of the second layer's weights.
pub const SECOND_BITS: u32 = 8;
/// One unit of log odds, past the layers and behind them.
pub const ODDS_ONE: i32 = NEURON_ONE << FIRST_BITS;
/// Scale of the weights of the policy.
pub const POLICY_ONE: i32 = 128;
/// Bits that a policy vector loses, so that it fits into bytes.
pub const POLICY_SHIFT: u32 = 13;
/// Bits that the part of a policy vector for the regions has more than the part for the features.
pub const REGION_BITS: u32 = 4;
/// Scale of policy vectors.
pub const VECTOR_ONE: f32 = (NEURON_ONE * POLICY_ONE) as f32 / (1 << POLICY_SHIFT) as f32;
/// Bits behind the point of the scores that codes have, and of the factor of the policy's vector.
pub const SCORE_BITS: u32 = 4;
/// See [`SCORE_BITS`].
pub const FACTOR_BITS: u32 = 12;
/// One point of score in the numbers of rays. Rays and regions share one scale of factors.
pub const RAY_ONE: f32 = (1 << FACTOR_BITS) as f32 / (VECTOR_ONE * (1 << REGION_BITS) as f32);
