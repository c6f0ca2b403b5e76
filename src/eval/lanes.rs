//! Sums over the lanes of a vector register, for processors with AVX2.

use std::arch::x86_64::*;

/// The sum of the eight numbers, which may wrap around.
#[target_feature(enable = "avx2")]
#[inline]
pub fn sum_of_lanes(numbers: __m256i) -> i32 {
    let sum = _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b_01_00_11_10>(sum));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b_10_11_00_01>(sum));
    _mm_cvtsi128_si32(sum)
}
