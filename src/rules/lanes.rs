//! Scans the entries of a whole board at once, with SSE2 (part of every x86-64) or with plain loops
//! elsewhere.

use crate::board::STRIDE;

/// Columns of a row that are scanned together.
const COLUMNS: usize = 16;

/// Number of scans for a row of a board with this width, because the entries beyond the width are 0.
#[inline]
fn scans(width: u8) -> usize {
    usize::from(width).div_ceil(COLUMNS)
}

/// The largest lower half and the largest upper half of the numbers in these rows. All halves are below
/// 1 << 15, and the entries beyond the width are 0.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn largest_halves(rows: &[u32], width: u8) -> [u16; 2] {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_max_epi16, _mm_setzero_si128, _mm_storeu_si128};
    let mut halves = [0_u16; 8];
    // SAFETY: SSE2 is part of x86-64; each load reads four of the chunk's sixteen numbers, and the store fills the
    // eight halves.
    unsafe {
        // Four independent maxima at a time, so that no instruction waits for the previous one.
        let mut best = [_mm_setzero_si128(); 4];
        for chunk in rows.chunks_exact(COLUMNS).step_by(STRIDE / COLUMNS / scans(width)) {
            for (i, best) in best.iter_mut().enumerate() {
                let four = _mm_loadu_si128(chunk[4 * i..4 * i + 4].as_ptr().cast::<__m128i>());
                *best = _mm_max_epi16(*best, four);
            }
        }
        let pairs = [_mm_max_epi16(best[0], best[1]), _mm_max_epi16(best[2], best[3])];
        _mm_storeu_si128(halves.as_mut_ptr().cast(), _mm_max_epi16(pairs[0], pairs[1]));
    }
    let [a, b, c, d, e, f, g, h] = halves;
    [a.max(c).max(e.max(g)), b.max(d).max(f.max(h))]
}

/// The largest lower half and the largest upper half of the numbers in these rows.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(super) fn largest_halves_plain(rows: &[u32], _width: u8) -> [u16; 2] {
    rows.iter().fold([0, 0], |[low, high], &n| [low.max(n as u16), high.max((n >> 16) as u16)])
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use largest_halves_plain as largest_halves;

/// One bit per number: set if the number, shifted left by `shift`, is at least `least` in a signed
/// comparison. `least` is positive, and the entries beyond the width are 0.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn mask_at_least(row: &[u32; STRIDE], width: u8, shift: u32, least: i32) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpgt_epi32, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_sll_epi32,
    };
    let mut bits = 0;
    for (half, numbers) in row.chunks_exact(COLUMNS).take(scans(width)).enumerate() {
        // SAFETY: SSE2 is part of x86-64, and each load reads four of the chunk's sixteen numbers.
        let found = unsafe {
            let (shift, below) = (_mm_cvtsi32_si128(shift as i32), _mm_set1_epi32(least - 1));
            let compare = |i: usize| -> __m128i {
                let four = _mm_loadu_si128(numbers[4 * i..4 * i + 4].as_ptr().cast());
                _mm_cmpgt_epi32(_mm_sll_epi32(four, shift), below)
            };
            let low = _mm_packs_epi32(compare(0), compare(1));
            let high = _mm_packs_epi32(compare(2), compare(3));
            _mm_movemask_epi8(_mm_packs_epi16(low, high))
        };
        bits |= (found as u32) << (COLUMNS * half);
    }
    bits
}

/// One bit per number: set if the number, shifted left by `shift`, is at least `least` in a signed
/// comparison.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(super) fn mask_at_least_plain(row: &[u32; STRIDE], _width: u8, shift: u32, least: i32) -> u32 {
    row.iter().rev().fold(0, |bits, &number| bits << 1 | u32::from((number << shift) as i32 >= least))
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use mask_at_least_plain as mask_at_least;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_vector_paths_equal_the_plain_ones() {
        let mut state = 1;
        for _ in 0..10_000 {
            state = crate::board::zobrist::mix(state);
            let width = 1 + (state % STRIDE as u64) as u8;
            let row: [u32; STRIDE] = std::array::from_fn(|x| {
                state = crate::board::zobrist::mix(state);
                if x < usize::from(width) { state as u32 & 0x7fff_7fff } else { 0 }
            });
            let rows = [row, row.map(|entry| entry >> 1 & 0x7fff_7fff)].concat();
            assert_eq!(largest_halves(&rows, width), largest_halves_plain(&rows, width));
            for class in 1..8 {
                for shift in [0, 16] {
                    let least = class << 28;
                    let plain = mask_at_least_plain(&row, width, shift, least);
                    assert_eq!(mask_at_least(&row, width, shift, least), plain);
                }
            }
        }
    }
}
