//! A layer of neurons in integer arithmetic, implemented for any processor, for processors with AVX2 and for
//! WebAssembly with vectors. All implementations compute the same sums.

use crate::system::processor::Avx2;

/// The weights and biases of `OUT` neurons with `2 * PAIRS` inputs.
///
/// The weights of two consecutive inputs are stored next to each other, because one instruction multiplies
/// and adds both.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Layer<const PAIRS: usize, const OUT: usize> {
    weights: [[[i16; 2]; OUT]; PAIRS],
    bias: [i32; OUT],
}

impl<const PAIRS: usize, const OUT: usize> Layer<PAIRS, OUT> {
    /// A layer whose weights are `weight(neuron, input)`.
    pub fn new(bias: [i32; OUT], weight: impl Fn(usize, usize) -> i16) -> Layer<PAIRS, OUT> {
        let pair = |pair: usize, neuron: usize| [weight(neuron, 2 * pair), weight(neuron, 2 * pair + 1)];
        Layer { weights: std::array::from_fn(|p| std::array::from_fn(|o| pair(p, o))), bias }
    }

    /// The weights: all weights of the first neuron, then all weights of the next.
    pub fn weights(&self) -> Vec<i16> {
        (0..OUT).flat_map(|neuron| self.weights.iter().flat_map(move |pair| pair[neuron])).collect()
    }

    /// The biases.
    pub fn bias(&self) -> &[i32; OUT] {
        &self.bias
    }

    /// The sums of the neurons, computed with AVX2 if the caller passes its token (and is compiled for it).
    #[inline(always)]
    pub(super) fn sums_with(&self, avx2: Option<Avx2>, inputs: &[[i16; 2]; PAIRS]) -> [i32; OUT] {
        #[cfg(target_arch = "x86_64")]
        if avx2.is_some() {
            // SAFETY: an `Avx2` value exists only if the processor has AVX2.
            return unsafe { self.sums_avx2(inputs) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = avx2;
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return self.sums_simd128(inputs);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        self.sums(inputs)
    }

    /// The sums of the neurons. Trained weights cannot overflow; with other weights the sums may wrap around.
    #[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
    #[inline(always)]
    fn sums(&self, inputs: &[[i16; 2]; PAIRS]) -> [i32; OUT] {
        let mut sums = self.bias;
        for (weights, &[one, other]) in self.weights.iter().zip(inputs) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let product =
                    i32::from(one) * i32::from(weights[0]) + i32::from(other) * i32::from(weights[1]);
                *sum = sum.wrapping_add(product);
            }
        }
        sums
    }

    /// [`Layer::sums`] for WebAssembly with 128-bit vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline]
    fn sums_simd128(&self, inputs: &[[i16; 2]; PAIRS]) -> [i32; OUT] {
        use std::arch::wasm32::{i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128, v128_load, v128_store};
        const { assert!(OUT.is_multiple_of(4)) };
        let mut sums = self.bias;
        // Eight registers hold the sums throughout the loop.
        for block in (0..OUT).step_by(32) {
            let count = (OUT - block).min(32) / 4;
            let at = |i: usize| sums[block + 4 * i..].as_ptr().cast::<v128>();
            // SAFETY: `block + 4 * i + 4 <= OUT` for every `i` below `count`.
            let mut total: [v128; 8] = std::array::from_fn(|i| unsafe { v128_load(at(i.min(count - 1))) });
            for (weights, &[one, other]) in self.weights.iter().zip(inputs) {
                let both = i32x4_splat(i32::from(one as u16) | i32::from(other) << 16);
                for (i, total) in total.iter_mut().enumerate().take(count) {
                    // SAFETY: as above; four pairs are 16 bytes.
                    let weights = unsafe { v128_load(weights[block + 4 * i..].as_ptr().cast()) };
                    *total = i32x4_add(*total, i32x4_dot_i16x8(both, weights));
                }
            }
            for (i, total) in total.into_iter().enumerate().take(count) {
                // SAFETY: as above.
                unsafe { v128_store(sums[block + 4 * i..].as_mut_ptr().cast(), total) };
            }
        }
        sums
    }

    /// [`Layer::sums`] for processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[inline]
    fn sums_avx2(&self, inputs: &[[i16; 2]; PAIRS]) -> [i32; OUT] {
        use std::arch::x86_64::{
            __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
            _mm256_storeu_si256,
        };
        const { assert!(OUT.is_multiple_of(8)) };
        let mut sums = self.bias;
        // Four registers hold the sums throughout the loop.
        for block in (0..OUT).step_by(32) {
            let count = (OUT - block).min(32) / 8;
            let at = |i: usize| sums[block + 8 * i..].as_ptr().cast::<__m256i>();
            // SAFETY: `block + 8 * i + 8 <= OUT` for every `i` below `count`.
            let mut total: [__m256i; 4] =
                std::array::from_fn(|i| unsafe { _mm256_loadu_si256(at(i.min(count - 1))) });
            for (weights, &[one, other]) in self.weights.iter().zip(inputs) {
                let both = _mm256_set1_epi32(i32::from(one as u16) | i32::from(other) << 16);
                for (i, total) in total.iter_mut().enumerate().take(count) {
                    // SAFETY: as above; eight pairs are 32 bytes.
                    let weights = unsafe { _mm256_loadu_si256(weights[block + 8 * i..].as_ptr().cast()) };
                    *total = _mm256_add_epi32(*total, _mm256_madd_epi16(both, weights));
                }
            }
            for (i, total) in total.into_iter().enumerate().take(count) {
                // SAFETY: as above.
                unsafe { _mm256_storeu_si256(sums[block + 8 * i..].as_mut_ptr().cast(), total) };
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::mix;

    fn layer<const PAIRS: usize, const OUT: usize>(seed: u64) -> Layer<PAIRS, OUT> {
        let random = |number: usize| mix(seed + number as u64) as i16 / 16;
        let bias = std::array::from_fn(|neuron| i32::from(random(1 << 20 | neuron)) << 10);
        Layer::new(bias, |neuron, input| random(neuron << 8 | input))
    }

    /// Compares the sums of a random layer with the definition.
    fn check<const PAIRS: usize, const OUT: usize>(seed: u64) {
        let layer = layer::<PAIRS, OUT>(seed);
        let weights = layer.weights();
        let inputs: [[i16; 2]; PAIRS] =
            std::array::from_fn(|pair| [0, 1].map(|i| mix(seed ^ (2 * pair + i) as u64) as i16 & 0x7ff));
        let expected: [i32; OUT] = std::array::from_fn(|neuron| {
            let weights = &weights[neuron * 2 * PAIRS..][..2 * PAIRS];
            let products = inputs.iter().flatten().zip(weights);
            layer.bias()[neuron] + products.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>()
        });
        assert_eq!(layer.sums(&inputs), expected);
        assert_eq!(layer.sums_with(Avx2::detect(), &inputs), expected);
    }

    #[test]
    fn every_processor_has_the_same_sums() {
        for seed in 0..50 {
            check::<32, 32>(seed);
            check::<16, 64>(seed);
            check::<1, 8>(seed);
            check::<3, 40>(seed);
        }
    }
}
