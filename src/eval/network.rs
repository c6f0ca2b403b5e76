//! The network: computes a value and the scores of moves from the codes of the empty points, in integer
//! arithmetic, so that the results are the same on every machine.
//!
//! Each code of a colour has a row of feature weights for black's view and for white's view. The features of
//! an empty point are the sums of its two rows, clipped to 0..=[`FEATURE_ONE`]. The features of all empty
//! points are added up and kept up to date by make and undo: these sums are the pools, the accumulator of
//! this network. When a value is requested, the pools of the points and of the [`regions`](super::regions)
//! pass through two hidden layers. A skip connection also leads from the pools directly to the output.
//!
//! The first hidden layer also gives the policy vector. The score of a move is its product with the features
//! of the point, the regions around it and the points on its [`rays`](super::rays).

#[cfg(target_arch = "x86_64")]
use super::lanes::sum_of_lanes;
use super::layer::Layer;
use super::layer_key::{KINDS, LayerKey};
use super::rays::{RAY_GROUPS, RayVector};
use super::region_sums::{REGION_CLIPS, RegionRow, RegionSums, RegionVector};
use super::regions::{REGION_POOLS, RegionPools, TileScores, Tiles, region_vector};
use super::scales::{
    FACTOR_BITS, FEATURE_ONE, FIRST_BITS, NEURON_ONE, ODDS_ONE, POLICY_SHIFT, POOL_SHIFT, REGION_BITS,
    SCORE_BITS, SECOND_BITS, VECTOR_ONE,
};
use super::threats::THREAT_SETS;
use crate::board::{ByColor, Color};
use crate::rules::POINT_CODES;
use crate::system::processor::Avx2;
use crate::think::score::{MOST_VALUE, Value};

/// Features of a point from one colour's view.
pub const VIEW: usize = 32;
/// Features of a point: black's view, then white's.
pub const FEATURES: usize = 2 * VIEW;
/// Inputs of the first layer: the pools of the points' features, then the pools of the regions.
pub const INPUTS: usize = FEATURES + REGION_POOLS;
/// Numbers of the policy vector: one for each feature, one for each clipped value of a region, and one for
/// each group of points on the rays.
pub const POLICY_INPUTS: usize = FEATURES + REGION_POOLS + RAY_GROUPS;
/// Neurons of a hidden layer.
pub const HIDDEN: usize = 32;
/// Pairs of neurons of a hidden layer.
const HALF_HIDDEN: usize = HIDDEN / 2;
/// Slots of a table indexed by point codes: a power of two above their number, so that a code read from an entry
/// needs no bounds check.
pub const CODE_SLOTS: usize = 1 << 12;
const _: () = assert!(POINT_CODES <= CODE_SLOTS);

/// Feature weights of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i8; FEATURES]);

impl Row {
    /// The row of a code that contributes nothing.
    pub const ZERO: Row = Row([0; FEATURES]);

    /// Converts a row with the view of `color` first into a row with black's view first, and vice versa.
    pub fn seen_by(mut self, color: Color) -> Row {
        self.0.rotate_left(color as usize * VIEW);
        self
    }
}

/// The weights of one code of a colour. They are needed together, so they share two cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct CodeWeights {
    /// Weights for the features of the point.
    pub features: Row,
    /// Weights for the regions around the point.
    pub regions: RegionRow,
    /// Added to the score of a move to the point: by this colour, by the other colour.
    pub scores: [i16; 2],
    /// Added to the point's number for moves on its rays: by this colour, by the other colour.
    pub rays: [i16; 2],
}

impl CodeWeights {
    /// The weights of a code that contributes nothing.
    pub const ZERO: CodeWeights =
        CodeWeights { features: Row::ZERO, regions: RegionRow::ZERO, scores: [0; 2], rays: [0; 2] };

    /// Converts weights with the view of `color` first into weights with black's view first, and vice versa.
    pub fn seen_by(self, color: Color) -> CodeWeights {
        let CodeWeights { features, regions, .. } = self;
        CodeWeights { features: features.seen_by(color), regions: regions.seen_by(color), ..self }
    }

    /// A table in which no code contributes anything.
    pub fn table() -> Box<[CodeWeights; CODE_SLOTS]> {
        vec![CodeWeights::ZERO; CODE_SLOTS].try_into().expect("the table has CODE_SLOTS rows")
    }
}

/// Sums of features over the empty points, and over the regions. They are below 2^16 on every board and wrap
/// around without loss, so that subtracting a point restores the sums exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Pools {
    points: [i16; FEATURES],
    /// Pools of the regions.
    pub regions: RegionPools,
}

/// Activations of the first hidden layer.
pub type Hidden = [i16; HIDDEN];

/// Weights for the score of a move.
#[derive(Clone, Copy, Debug)]
pub struct PolicyVector {
    /// For each feature of its point, black's view first.
    features: [i8; FEATURES],
    /// For the regions around its tile, with [`REGION_BITS`] additional bits.
    pub regions: RegionVector,
    /// For the groups of points on its rays, also with [`REGION_BITS`] additional bits.
    pub rays: RayVector,
}

/// The layers that follow the pools, for one side to move, whose view comes first, and one kind of positions.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From the pools to the first hidden layer.
    pub first: Layer<{ INPUTS / 2 }, HIDDEN>,
    /// From the first hidden layer to the second.
    pub second: Layer<HALF_HIDDEN, HIDDEN>,
    /// From the second hidden layer to the log odds.
    pub output: [i16; HIDDEN],
    /// From the pools to the log odds.
    pub skip: [i16; INPUTS],
    /// The bias of the log odds.
    pub output_bias: i32,
    /// Points added for the threats of the side to move and of the other side.
    pub threat_points: Box<[[i16; THREAT_SETS]; THREAT_SETS]>,
    /// From the first hidden layer to the policy vector.
    pub policy: Layer<HALF_HIDDEN, POLICY_INPUTS>,
    /// From the second hidden layer to the log odds of a draw.
    pub draw: [i16; HIDDEN],
    /// The bias of the log odds of a draw.
    pub draw_bias: i32,
}

/// The weights for a rule.
#[derive(Clone, Debug)]
pub struct Network {
    /// The weights of each colour's codes.
    pub codes: ByColor<Box<[CodeWeights; CODE_SLOTS]>>,
    /// The values that a stone of each colour adds to its regions.
    pub stones: ByColor<RegionRow>,
    /// The biases of a region's values, for each clipping.
    pub region_bias: [RegionSums; REGION_CLIPS],
    /// The layers with each colour to move, for each kind of positions.
    pub layers: ByColor<Box<[Layers; KINDS]>>,
    /// Points per unit of log odds.
    pub points_per_unit: i32,
    /// Points for a feature of 1 times a policy vector of 1, with [`FACTOR_BITS`] fractional bits.
    pub score_factor: i32,
}

#[inline(always)]
fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    let mut sum = 0i32;
    for i in 0..N {
        sum = sum.wrapping_add(i32::from(a[i]) * i32::from(b[i]));
    }
    sum
}

/// The features of a point that contributes nothing.
pub const NOTHING: [i8; FEATURES] = [0; FEATURES];

/// The features of a point with these rows.
#[inline(always)]
fn features(black: &Row, white: &Row) -> [i8; FEATURES] {
    let mut features = [0; FEATURES];
    for (i, feature) in features.iter_mut().enumerate() {
        *feature = black.0[i].saturating_add(white.0[i]).max(0);
    }
    features
}

impl Pools {
    /// The pools without any point.
    pub const EMPTY: Pools = Pools { points: [0; FEATURES], regions: RegionPools::EMPTY };

    /// Adds the features of one point and subtracts the features of another.
    #[inline(always)]
    pub fn change(&mut self, came: &[i8; FEATURES], went: &[i8; FEATURES]) {
        for i in 0..FEATURES {
            // Features are not negative, so the difference fits; overflow checks prevent vectorization.
            self.points[i] = self.points[i].wrapping_add(i16::from(came[i].wrapping_sub(went[i])));
        }
    }
}

/// The numbers in pairs.
#[inline(always)]
fn pairs<const N: usize, const PAIRS: usize>(numbers: &[i16; N]) -> &[[i16; 2]; PAIRS] {
    numbers.as_chunks().0.try_into().expect("N is twice PAIRS")
}

/// The activations of a hidden layer with these sums. Avoids `map`, which is compiled for the baseline processor.
#[inline(always)]
fn activated<const BITS: u32>(sums: &[i32; HIDDEN]) -> Hidden {
    let mut hidden = [0; HIDDEN];
    for (neuron, &sum) in hidden.iter_mut().zip(sums) {
        *neuron = (sum >> BITS).clamp(0, NEURON_ONE) as i16;
    }
    hidden
}

/// Inputs and activations of the layers behind the pools.
struct Activations {
    inputs: [i16; INPUTS],
    first: Hidden,
    second: Hidden,
}

impl Network {
    /// The pools of empty points with these codes, black's first, and of regions.
    pub fn pools(&self, codes: impl IntoIterator<Item = [usize; 2]>, tiles: &Tiles) -> Pools {
        let mut pools = Pools { regions: tiles.pools(&self.region_bias), ..Pools::EMPTY };
        codes.into_iter().for_each(|codes| pools.change(&self.features(codes), &NOTHING));
        pools
    }

    /// The weights of these codes, black's first.
    #[inline(always)]
    fn weights(&self, [black, white]: [usize; 2]) -> [&CodeWeights; 2] {
        [&self.codes[Color::Black][black], &self.codes[Color::White][white]]
    }

    /// The features of an empty point with these codes, black's first.
    #[inline(always)]
    pub fn features(&self, codes: [usize; 2]) -> [i8; FEATURES] {
        let [black, white] = self.weights(codes);
        features(&black.features, &white.features)
    }

    /// The sums that an empty point with these codes, black's first, adds to its regions.
    #[inline(always)]
    pub fn region_sums(&self, codes: [usize; 2]) -> RegionSums {
        let [black, white] = self.weights(codes);
        black.regions.sums().plus(white.regions.sums())
    }

    /// The layers that a key selects.
    #[inline(always)]
    fn layers(&self, key: LayerKey) -> &Layers {
        &self.layers[key.us][key.kind()]
    }

    /// Passes pools through the hidden layers that a key selects. Here and below, `avx2` is meant for callers
    /// that are compiled for AVX2; from other callers the result is the same, but slow.
    #[inline(always)]
    fn activations(&self, avx2: Option<Avx2>, pools: &Pools, key: LayerKey) -> Activations {
        let (us, layers) = (key.us, self.layers(key));
        let mut inputs = [0; INPUTS];
        let at = us as usize * VIEW;
        inputs[..VIEW].copy_from_slice(&pools.points[at..at + VIEW]);
        inputs[VIEW..FEATURES].copy_from_slice(&pools.points[VIEW - at..FEATURES - at]);
        inputs[FEATURES..].copy_from_slice(&pools.regions.seen_by(us));
        for pool in &mut inputs {
            *pool = (*pool as u16 >> POOL_SHIFT) as i16;
        }
        let first = activated::<FIRST_BITS>(&layers.first.sums_with(avx2, pairs(&inputs)));
        let second = activated::<SECOND_BITS>(&layers.second.sums_with(avx2, pairs(&first)));
        Activations { inputs, first, second }
    }

    /// The neurons of the first layer.
    #[inline(always)]
    pub fn first_layer(&self, avx2: Option<Avx2>, pools: &Pools, key: LayerKey) -> Hidden {
        self.activations(avx2, pools, key).first
    }

    /// The value for the side to move, in points, and the first layer.
    #[inline(always)]
    pub fn value(&self, avx2: Option<Avx2>, pools: &Pools, key: LayerKey) -> (Value, Hidden) {
        let layers = self.layers(key);
        let Activations { inputs, first, second } = self.activations(avx2, pools, key);
        let past = i64::from(dot(&layers.skip, &inputs));
        let total = past + i64::from(layers.output_bias) + i64::from(dot(&layers.output, &second));
        let points = total * i64::from(self.points_per_unit) / i64::from(ODDS_ONE);
        let [ours, theirs] = key.threats;
        let value = points.saturating_add(layers.threat_points[ours][theirs].into());
        (value.clamp((-MOST_VALUE).into(), MOST_VALUE.into()) as Value, first)
    }

    /// The log odds of a draw.
    pub fn draw_odds(&self, pools: &Pools, key: LayerKey) -> f32 {
        let layers = self.layers(key);
        let second = self.activations(None, pools, key).second;
        layers.draw_bias.saturating_add(dot(&layers.draw, &second)) as f32 / ODDS_ONE as f32
    }

    /// Points per unit of the policy's logits.
    pub fn score_points(&self) -> f32 {
        self.score_factor as f32 * FEATURE_ONE as f32 * VECTOR_ONE / (1 << FACTOR_BITS) as f32
    }

    /// The policy vector for the activations `hidden` of the first layer.
    #[inline(always)]
    pub fn policy_vector(&self, avx2: Option<Avx2>, hidden: &Hidden, key: LayerKey) -> PolicyVector {
        let us = key.us;
        let sums = self.layers(key).policy.sums_with(avx2, pairs(hidden));
        let (of_features, rest) = sums.split_at(FEATURES);
        let (of_regions, of_rays) = rest.split_at(REGION_POOLS);
        let mut features = [0; FEATURES];
        for (weight, &sum) in features.iter_mut().zip(of_features) {
            *weight = (sum >> POLICY_SHIFT).clamp(-127, 127) as i8;
        }
        let mut regions = [0; REGION_POOLS];
        const MOST: i32 = 127 << REGION_BITS;
        for (weight, &sum) in regions.iter_mut().zip(of_regions) {
            *weight = (sum >> (POLICY_SHIFT - REGION_BITS)).clamp(-MOST, MOST) as i16;
        }
        let mut rays = [0; RAY_GROUPS];
        for (weight, &sum) in rays.iter_mut().zip(of_rays) {
            *weight = (sum >> (POLICY_SHIFT - REGION_BITS)).clamp(-MOST, MOST) as i16;
        }
        PolicyVector { features: Row(features).seen_by(us).0, regions: region_vector(&regions, us), rays }
    }

    /// The scores of the tiles, which [`Network::score_without_rays`] needs for the regions around a point.
    #[inline(always)]
    pub fn tile_scores(&self, avx2: Option<Avx2>, tiles: &Tiles, vector: &PolicyVector) -> TileScores {
        tiles.scores(avx2, &self.region_bias, &vector.regions)
    }

    /// The numbers of an empty point with these codes, black's first, for moves on its rays, by colour to move.
    #[inline(always)]
    pub fn ray_numbers(&self, codes: [usize; 2]) -> ByColor<i16> {
        let [black, white] = self.weights(codes);
        let ([black, after_black], [white, after_white]) = (black.rays, white.rays);
        ByColor([black.wrapping_add(after_white), white.wrapping_add(after_black)])
    }

    /// The score of a move of `us` to a point with these codes and this score of its tile, without its rays,
    /// with [`FACTOR_BITS`] fractional bits.
    #[inline(always)]
    pub fn score_without_rays(
        &self,
        avx2: Option<Avx2>,
        vector: &PolicyVector,
        of_tile: i32,
        us: Color,
        codes: [usize; 2],
    ) -> i32 {
        let weights = ByColor(self.weights(codes));
        let [black, white] = weights.0;
        let sum = product_with(avx2, &black.features, &white.features, &vector.features)
            .wrapping_add(of_tile >> REGION_BITS);
        let tables = i32::from(weights[us].scores[0]) + i32::from(weights[!us].scores[1]);
        sum.wrapping_mul(self.score_factor).wrapping_add(tables << (FACTOR_BITS - SCORE_BITS))
    }
}

/// The product of a point's features and a policy vector.
#[inline(always)]
fn product_with(avx2: Option<Avx2>, black: &Row, white: &Row, vector: &[i8; FEATURES]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if avx2.is_some() {
        // SAFETY: an `Avx2` value exists only if the processor has AVX2.
        return unsafe { product_avx2(black, white, vector) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = avx2;
    product(black, white, vector)
}

/// [`product_with`] for any processor.
#[inline(always)]
fn product(black: &Row, white: &Row, vector: &[i8; FEATURES]) -> i32 {
    let features = features(black, white);
    let mut sum = 0;
    for i in 0..FEATURES {
        sum += i32::from(features[i]) * i32::from(vector[i]);
    }
    sum
}

/// [`product_with`] for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn product_avx2(black: &Row, white: &Row, vector: &[i8; FEATURES]) -> i32 {
    use std::arch::x86_64::*;
    let load = |bytes: &[i8; FEATURES], half: usize| {
        // SAFETY: both halves of 32 bytes are within the array.
        unsafe { _mm256_loadu_si256(bytes[half * 32..].as_ptr().cast()) }
    };
    let mut pairs = [_mm256_setzero_si256(); 2];
    for (half, pair) in pairs.iter_mut().enumerate() {
        let features = _mm256_adds_epi8(load(&black.0, half), load(&white.0, half));
        let features = _mm256_max_epi8(features, _mm256_setzero_si256());
        // 127 * 127 * 2 fits into 16 bits.
        *pair = _mm256_madd_epi16(_mm256_maddubs_epi16(features, load(vector, half)), _mm256_set1_epi16(1));
    }
    sum_of_lanes(_mm256_add_epi32(pairs[0], pairs[1]))
}
