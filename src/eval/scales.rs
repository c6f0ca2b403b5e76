//! The scales of the network's whole numbers.

/// Scale of rows and features: 1 in whole numbers, and the largest feature.
pub const FEATURE_ONE: i32 = 127;
/// Bits that pools lose before the first layer.
pub const POOL_SHIFT: u32 = 2;
/// Scale of the hidden layers: 1 in whole numbers, and the largest neuron. A pool of 32 features of 1 is 1,
/// too.
pub const NEURON_ONE: i32 = (32 * FEATURE_ONE) >> POOL_SHIFT;
/// Fractional bits of the weights of the first layer, of the output and of the skip connection.
pub const FIRST_BITS: u32 = 11;
/// Fractional bits of the second layer's weights.
pub const SECOND_BITS: u32 = 8;
/// One unit of log odds, both in the output of the layers and in the skip connection.
pub const ODDS_ONE: i32 = NEURON_ONE << FIRST_BITS;
/// Scale of the weights of the policy.
pub const POLICY_ONE: i32 = 128;
/// Bits that a policy vector loses, so that it fits into bytes.
pub const POLICY_SHIFT: u32 = 13;
/// Additional bits of a policy vector's part for the regions, compared with its part for the features.
pub const REGION_BITS: u32 = 4;
/// Scale of policy vectors.
pub const VECTOR_ONE: f32 = (NEURON_ONE * POLICY_ONE) as f32 / (1 << POLICY_SHIFT) as f32;
/// Fractional bits of the scores in the weights of codes.
pub const SCORE_BITS: u32 = 4;
/// Fractional bits of the score factor of the policy vector.
pub const FACTOR_BITS: u32 = 12;
/// One point of score in the numbers of rays. Rays and regions share one scale of factors.
pub const RAY_ONE: f32 = (1 << FACTOR_BITS) as f32 / (VECTOR_ONE * (1 << REGION_BITS) as f32);
