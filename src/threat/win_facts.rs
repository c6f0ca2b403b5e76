//! Known facts about wins in a position: the attacker's wins and failures.

use bytemuck::Zeroable;

use super::table::Fact;
use crate::board::Point;

/// An unlimited number of moves.
pub const ENDLESS: u16 = u16::MAX;

/// The attacker's wins and failures in a position, regardless of the side to move. Only the attacker's moves
/// are counted, including the five.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct WinFacts {
    /// There is no win within this number of moves. 0: nothing is known; [`ENDLESS`]: there is no win at all.
    pub fails_within: u16,
    /// There is a win in this number of moves; 0: none was found.
    pub wins_in: u16,
    /// Index of the first move of this win; has no meaning if the defender is to move.
    best: u16,
}

impl WinFacts {
    pub fn win(moves: u16, best: Point) -> WinFacts {
        WinFacts { wins_in: moves, best: best.index() as u16, fails_within: 0 }
    }

    /// The attacker's win in `moves` of its moves after any reply of the defender, who is to move.
    pub fn win_after_reply(moves: u16) -> WinFacts {
        WinFacts { wins_in: moves, ..WinFacts::default() }
    }

    pub fn failure(within: u16) -> WinFacts {
        WinFacts { fails_within: within, ..WinFacts::default() }
    }

    /// Whether a win within `moves` is known.
    pub fn wins_within(&self, moves: u16) -> bool {
        0 < self.wins_in && self.wins_in <= moves
    }

    /// Whether the facts decide if there is a win within `moves`.
    pub fn settles(&self, moves: u16) -> bool {
        self.wins_within(moves) || self.fails_within >= moves
    }

    /// The first move of the win.
    pub fn best(&self) -> Option<Point> {
        (self.wins_in > 0).then(|| Point::from_index(usize::from(self.best)))
    }
}

impl Fact for WinFacts {
    /// Combines two sets of facts: the shorter of two wins, the longer of two failures.
    fn with(mut self, other: WinFacts) -> WinFacts {
        if other.wins_in > 0 && (self.wins_in == 0 || other.wins_in < self.wins_in) {
            (self.wins_in, self.best) = (other.wins_in, other.best);
        }
        self.fails_within = self.fails_within.max(other.fails_within);
        self
    }
}
