//! Proof numbers, and the table entry of a position.

use bytemuck::Zeroable;

use crate::threat::known::Known;
use crate::threat::table::Fact;

/// Larger than any sum of proof numbers that means something.
pub(super) const INFINITE: u32 = 1 << 30;

/// Proof and disproof number as the side to move sees them (Nagai, 2002).
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct Numbers {
    /// The least number of leaves to settle for the side to move to get what it wants.
    pub phi: u32,
    /// The least number of leaves to settle for the other side to get what it wants.
    pub delta: u32,
}

impl Default for Numbers {
    /// Those of a position that was never looked at.
    fn default() -> Numbers {
        Numbers { phi: 1, delta: 1 }
    }
}

/// Table entry of a position.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct VctEntry {
    /// The attacker's wins and failures, whoever is to move.
    pub known: Known,
    /// Numbers of a search in which the attacker had `left` moves.
    pub numbers: Numbers,
    pub left: u16,
}

impl Fact for VctEntry {
    fn with(self, newer: VctEntry) -> VctEntry {
        VctEntry { known: self.known.with(newer.known), ..newer }
    }
}
