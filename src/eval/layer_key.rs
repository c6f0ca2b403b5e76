//! The layer key of a position, which selects the layers that follow the pools.

use super::threats::DOUBLE_THREATS;
use crate::board::Color;

/// Number of kinds of positions; each has layers of its own.
pub const KINDS: usize = 8;

/// Number of stones from which a position belongs to the later kinds.
const LATE_STONES: usize = 24;

/// The side to move, the threats of both sides, and the stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerKey {
    /// The side to move.
    pub us: Color,
    /// The threat sets of the side to move and of the other side.
    pub threats: [usize; 2],
    /// Whether the board has at least [`LATE_STONES`] stones.
    is_late: bool,
}

impl LayerKey {
    /// The key with `us` to move, these threat sets and this number of stones on the board.
    #[inline]
    pub fn new(us: Color, threats: [usize; 2], stones: usize) -> LayerKey {
        LayerKey { us, threats, is_late: stones >= LATE_STONES }
    }

    /// The kind, below [`KINDS`]: whether the side to move has a point that makes two threats at once, whether
    /// the other side has one, and the stage.
    #[inline(always)]
    pub fn kind(&self) -> usize {
        let is_double = |set: usize| usize::from(set & DOUBLE_THREATS != 0);
        is_double(self.threats[0]) | is_double(self.threats[1]) << 1 | usize::from(self.is_late) << 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::threats::THREAT_SETS;
    use super::*;

    #[test]
    fn kinds_depend_on_double_threats_and_stage() {
        let mut seen = [0; KINDS];
        for (ours, theirs, stones) in (0..THREAT_SETS).flat_map(|ours| {
            (0..THREAT_SETS).flat_map(move |theirs| [0, 23, 24, 400].map(|stones| (ours, theirs, stones)))
        }) {
            let kind = LayerKey::new(Color::White, [ours, theirs], stones).kind();
            // A double three, a four-three or an open four.
            let is_double = |set: usize| set & 2 != 0 || set & 8 != 0 || set & 16 != 0;
            assert_eq!([kind & 1, kind >> 1 & 1], [ours, theirs].map(|set| usize::from(is_double(set))));
            assert_eq!(kind >> 2, usize::from(stones >= 24));
            seen[kind] += 1;
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }
}
