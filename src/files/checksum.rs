//! A checksum against damage, not against malice.

/// A checksum of 64 bits over a sequence of words; it depends on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0x6b61_6b75_676f)
    }
}

impl Checksum {
    /// Adds a word. Each step is a bijection, so a single wrong word is always detected.
    #[inline]
    pub fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    /// Adds bytes, as little-endian words; the last word is padded with zeros.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.add(u64::from_le_bytes(word));
        }
    }

    /// The sum so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(words: &[u64]) -> u64 {
        let mut sum = Checksum::default();
        words.iter().for_each(|&word| sum.add(word));
        sum.value()
    }

    #[test]
    fn every_bit_and_the_order_count() {
        let words = [1, 2, 3];
        for (index, bit) in (0..3).flat_map(|index| (0..64).map(move |bit| (index, bit))) {
            let mut wrong = words;
            wrong[index] ^= 1 << bit;
            assert_ne!(sum(&wrong), sum(&words), "bit {bit} of word {index}");
        }
        assert_ne!(sum(&[2, 1, 3]), sum(&words));
        assert_ne!(sum(&[1, 2]), sum(&words));
        let mut bytes = Checksum::default();
        bytes.add_bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(bytes.value(), sum(&[1, 2]));
    }
}
