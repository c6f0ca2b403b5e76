//! Proof numbers, and the table entry of a position.

use bytemuck::Zeroable;

use crate::threat::table::Fact;
use crate::threat::win_facts::WinFacts;

/// Larger than any meaningful sum of proof numbers.
pub(super) const INFINITE: u32 = 1 << 30;

/// Proof and disproof numbers from the side to move's point of view (Nagai, 2002).
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct Numbers {
    /// The smallest number of leaves to settle for the side to move to reach its goal.
    pub phi: u32,
    /// The smallest number of leaves to settle for the other side to reach its goal.
    pub delta: u32,
}

impl Numbers {
    /// The side to move reaches its goal. For the other side, these are the numbers of a failure, and vice versa.
    pub const REACHED: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// The side to move fails to reach its goal.
    pub const FAILED: Numbers = Numbers { phi: INFINITE, delta: 0 };
}

impl Default for Numbers {
    /// The numbers of a position that has not been visited.
    fn default() -> Numbers {
        Numbers { phi: 1, delta: 1 }
    }
}

/// The table entry of a position.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct VctEntry {
    /// The attacker's wins and failures, regardless of the side to move.
    pub known: WinFacts,
    /// The numbers of a search in which the attacker had `left` moves.
    pub numbers: Numbers,
    pub left: u16,
}

impl Fact for VctEntry {
    fn with(self, newer: VctEntry) -> VctEntry {
        VctEntry { known: self.known.with(newer.known), ..newer }
    }
}
