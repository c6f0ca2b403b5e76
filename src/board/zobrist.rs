//! Zobrist keys: a random number for each colour and point, each blocked point, each board size and the side
//! to move.
//!
//! The keys come from a fixed seed, so a position has the same hash on every machine and in every run.

use super::color::Color;
use super::point::{POINTS, Point, Size};

/// Toggled whenever the side to move changes.
pub const SIDE_TO_MOVE: u64 = mix(0x6b61_6b75_676f);

static STONES: [[u64; POINTS]; 2] = keys();

/// The key of a stone.
#[inline]
pub fn stone(color: Color, point: Point) -> u64 {
    STONES[color as usize][point.index()]
}

/// The hash of an empty board of `size`. It differs by size, so that positions on different boards do not
/// share a hash.
pub fn empty(size: Size) -> u64 {
    mix(u64::from(size.width()) << 8 | u64::from(size.height()))
}

/// The key of a blocked point.
pub fn blocked(point: Point) -> u64 {
    mix(0x10_0000 + point.index() as u64)
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that scatters neighbouring inputs.
pub const fn mix(input: u64) -> u64 {
    let mut z = input.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[u64; POINTS]; 2] {
    let mut keys = [[0; POINTS]; 2];
    let mut state: u64 = 0x4b41_4b55_474f;
    let mut color = 0;
    while color < 2 {
        let mut point = 0;
        while point < POINTS {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            keys[color][point] = mix(state);
            point += 1;
        }
        color += 1;
    }
    keys
}
