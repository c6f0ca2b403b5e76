//! The network's values of the positions that one thread evaluated last.
//!
//! A sixth of the positions that a search evaluates come up again: nodes that are pruned by their static evaluation
//! leave no entry in the transposition table.

use crate::think::score::Value;

const ENTRIES: usize = 1 << 13;
/// The bits of an entry that hold the value; the other bits are bits of the hash.
const VALUE: u64 = 0xffff;

/// The cache. Each position has one entry, which it shares with others.
pub(super) struct EvalCache(Box<[u64]>);

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache(vec![0; ENTRIES].into_boxed_slice())
    }
}

impl EvalCache {
    /// The value of the position with this hash; `value` computes it if it is not there.
    #[inline]
    pub fn get_or(&mut self, hash: u64, value: impl FnOnce() -> Value) -> Value {
        let entry = &mut self.0[hash as usize % ENTRIES];
        // The value replaces the lowest 16 bits of the hash; 13 of them are the index.
        if *entry ^ hash <= VALUE {
            return Value::from(*entry as i16);
        }
        let value = value();
        debug_assert_eq!(Value::from(value as i16), value);
        *entry = hash & !VALUE | u64::from(value as u16);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_and_replaced_by_another_position() {
        let mut cache = EvalCache::default();
        let (first, second) = (0x0123_4567_89ab_cdef_u64, 0x8123_4567_89ab_cdef_u64);
        assert_eq!(cache.get_or(first, || -321), -321);
        assert_eq!(cache.get_or(first, || unreachable!("it is known")), -321);
        assert_eq!(cache.get_or(second, || 30_000), 30_000);
        assert_eq!(cache.get_or(first, || 5), 5, "its entry was replaced");
    }
}
