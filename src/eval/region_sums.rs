//! The numbers of a region: weights, sums, clipped sums, and their product with a vector.

#[cfg(target_arch = "x86_64")]
use super::lanes::sum_of_lanes;
use super::scales::FEATURE_ONE;
use crate::board::Color;
use crate::system::processor::Avx2;

/// Number of values of a region from one colour's view.
pub const REGION_VIEW: usize = 8;
/// Number of values of a region: black's view, then white's.
pub const REGION_NUMBERS: usize = 2 * REGION_VIEW;
/// Number of times that each value of a region is clipped.
pub const REGION_CLIPS: usize = 2;

/// The weights of a code or a stone for the values of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct RegionRow(pub [i8; REGION_NUMBERS]);

impl RegionRow {
    /// The row of a code that contributes nothing.
    pub const ZERO: RegionRow = RegionRow([0; REGION_NUMBERS]);

    /// Converts a row with the view of `color` first into a row with black's view first, and vice versa.
    pub fn seen_by(mut self, color: Color) -> RegionRow {
        self.0.rotate_left(color as usize * REGION_VIEW);
        self
    }

    /// The weights, widened to sums.
    #[inline(always)]
    pub fn sums(&self) -> RegionSums {
        let mut sums = RegionSums::ZERO;
        for i in 0..REGION_NUMBERS {
            sums.0[i] = i16::from(self.0[i]);
        }
        sums
    }
}

/// Sums for the values of a region, black's view first. Trained weights cannot overflow; with other weights
/// the sums may wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct RegionSums(pub [i16; REGION_NUMBERS]);

// Loops use indices, because `map`, `from_fn` and `zip` become calls when the crate is compiled as several
// units.
impl RegionSums {
    /// All sums zero.
    pub const ZERO: RegionSums = RegionSums([0; REGION_NUMBERS]);

    /// The element-wise sum of both.
    #[inline(always)]
    pub fn plus(mut self, other: RegionSums) -> RegionSums {
        for i in 0..REGION_NUMBERS {
            self.0[i] = self.0[i].wrapping_add(other.0[i]);
        }
        self
    }

    /// The element-wise difference of both.
    #[inline(always)]
    pub fn minus(mut self, other: RegionSums) -> RegionSums {
        for i in 0..REGION_NUMBERS {
            self.0[i] = self.0[i].wrapping_sub(other.0[i]);
        }
        self
    }

    /// The sums, each within its bounds.
    #[inline(always)]
    pub fn clipped(mut self, clip: &Clip) -> RegionSums {
        for i in 0..REGION_NUMBERS {
            self.0[i] = self.0[i].max(clip.least.0[i]).min(clip.most.0[i]);
        }
        self
    }
}

/// Bounds for the sums of a region before its bias is added.
#[derive(Clone, Copy)]
pub struct Clip {
    least: RegionSums,
    most: RegionSums,
}

impl Clip {
    /// The bounds of sums to which this bias is added later.
    #[inline(always)]
    pub fn of(bias: RegionSums) -> Clip {
        let least = RegionSums::ZERO.minus(bias);
        Clip { least, most: RegionSums([FEATURE_ONE as i16; REGION_NUMBERS]).plus(least) }
    }
}

/// A scale for the clipped values of a region, one for each clipping.
pub type RegionVector = [RegionSums; REGION_CLIPS];

/// The sum of the products of clipped values and a vector.
#[inline(always)]
pub fn product_with(avx2: Option<Avx2>, clipped: &RegionVector, vector: &RegionVector) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if avx2.is_some() {
        // SAFETY: an `Avx2` value exists only if the processor has AVX2.
        return unsafe { product_avx2(clipped, vector) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = avx2;
    product(clipped, vector)
}

/// [`product_with`] for any processor.
#[inline(always)]
fn product(clipped: &RegionVector, vector: &RegionVector) -> i32 {
    let mut sum = 0i32;
    for (clipped, vector) in clipped.iter().zip(vector) {
        for i in 0..REGION_NUMBERS {
            sum = sum.wrapping_add(i32::from(clipped.0[i]) * i32::from(vector.0[i]));
        }
    }
    sum
}

/// [`product_with`] for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn product_avx2(clipped: &RegionVector, vector: &RegionVector) -> i32 {
    use std::arch::x86_64::*;
    const { assert!(REGION_NUMBERS == 16 && REGION_CLIPS == 2) };
    // SAFETY: a `RegionSums` is 32 bytes, aligned to 32.
    let load = |sums: &RegionSums| unsafe { _mm256_load_si256(sums.0.as_ptr().cast()) };
    let products = |clip: usize| _mm256_madd_epi16(load(&clipped[clip]), load(&vector[clip]));
    sum_of_lanes(_mm256_add_epi32(products(0), products(1)))
}
