//! The threats of each side, kept through make and undo: the number of its points of each class.

use crate::board::{ByColor, Color};
use crate::rules::{PatternChange, PointClass, Position};

/// The classes that are counted. An immediate win needs no evaluation, and a foul is not a threat.
const COUNTED: [PointClass; 5] = [
    PointClass::OpenThree,
    PointClass::DoubleThree,
    PointClass::Four,
    PointClass::FourThree,
    PointClass::OpenFour,
];

/// Number of threat sets.
pub const THREAT_SETS: usize = 1 << COUNTED.len();

/// The part of a threat set with the classes that make two threats at once.
pub const DOUBLE_THREATS: usize = 0b11010;
const _: () = {
    let mut i = 0;
    while i < COUNTED.len() {
        let is_single = matches!(COUNTED[i], PointClass::OpenThree | PointClass::Four);
        assert!(is_single == (DOUBLE_THREATS >> i & 1 == 0));
        i += 1;
    }
};

/// Bits per count: enough for the number of points on any board, with one bit to spare.
const BITS: u32 = 12;

/// A packed word that counts one point, for each class.
const ONE: [u64; PointClass::COUNT] = {
    let mut one = [0; PointClass::COUNT];
    let mut i = 0;
    while i < COUNTED.len() {
        one[COUNTED[i] as usize] = 1 << (BITS * i as u32);
        i += 1;
    }
    one
};

/// The number of points of each counted class, for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats(ByColor<u64>);

impl Threats {
    /// The threats of `position`, counted from scratch.
    pub fn new(position: &Position) -> Threats {
        let mut counts = ByColor::default();
        for point in position.board().empty().iter() {
            for color in Color::ALL {
                counts[color] += ONE[position.class(color, point) as usize];
            }
        }
        Threats(counts)
    }

    /// Updates the counts for one of the changes of a move.
    #[inline]
    pub fn change(&mut self, position: &Position, change: &PatternChange) {
        for color in Color::ALL {
            let (new, old) = (position.class(color, change.point()), change.old_class(color));
            self.0[color] = (self.0[color] + ONE[new as usize]).wrapping_sub(ONE[old as usize]);
        }
    }

    /// The counted classes of which `color` has points: one bit each, the weakest class lowest; below
    /// [`THREAT_SETS`].
    #[inline]
    pub fn set(&self, color: Color) -> usize {
        const TOPS: u64 = spread(1 << (BITS - 1));
        const FULL: u64 = spread((1 << (BITS - 1)) - 1);
        // Gathers the top bits of the nonzero counts: bit 12 i moves to 48 + i, and no two overlap.
        let tops = ((self.0[color] + FULL) & TOPS) >> (BITS - 1);
        const GATHER: u64 = 1 << 48 | 1 << 37 | 1 << 26 | 1 << 15 | 1 << 4;
        (tops.wrapping_mul(GATHER) >> 48) as usize & (THREAT_SETS - 1)
    }
}

/// A packed word with `number` in every count.
const fn spread(number: u64) -> u64 {
    let mut all = 0;
    let mut i = 0;
    while i < COUNTED.len() {
        all |= number << (BITS * i as u32);
        i += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_a_bit_for_each_class_with_points() {
        for set in 0..THREAT_SETS {
            for count in [1, 2, 7, 484] {
                let bits = |i: &usize| set >> i & 1 == 1;
                let counts = (0..COUNTED.len()).filter(bits).map(|i| count * ONE[COUNTED[i] as usize]).sum();
                let threats = Threats(ByColor([counts, 0]));
                assert_eq!(Color::ALL.map(|color| threats.set(color)), [set, 0], "{count} of each");
            }
        }
    }
}
