//! Facts about a position: wins and failures of its attacker.

use bytemuck::Zeroable;

use super::table::Fact;
use crate::board::Point;

/// Any number of moves.
pub(super) const ENDLESS: u16 = u16::MAX;

/// Wins and failures of the attacker in a position, whoever is to move. Attacker's moves are counted, the five
/// included.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct Known {
    /// There is no win within so many moves; 0: nothing is known, [`ENDLESS`]: there is none at all.
    pub fails_within: u16,
    /// There is a win in so many moves; 0: none was found.
    pub wins_in: u16,
    /// Index of the move that begins this win; means nothing where the defender is to move.
    best: u16,
}

impl Known {
    pub fn win(moves: u16, best: Point) -> Known {
        Known { wins_in: moves, best: best.index() as u16, fails_within: 0 }
    }

    pub fn failure(within: u16) -> Known {
        Known { fails_within: within, ..Known::default() }
    }

    /// Whether there is a win within `moves`.
    pub fn wins_within(&self, moves: u16) -> bool {
        0 < self.wins_in && self.wins_in <= moves
    }

    /// Whether it is known if there is a win within `moves`.
    pub fn settles(&self, moves: u16) -> bool {
        self.wins_within(moves) || self.fails_within >= moves
    }

    /// The move that begins the win.
    pub fn best(&self) -> Option<Point> {
        (self.wins_in > 0).then(|| Point::from_index(usize::from(self.best)))
    }
}

impl Fact for Known {
    /// Both: of two wins the shorter one, of two failures the longer one.
    fn with(mut self, other: Known) -> Known {
        if other.wins_in > 0 && (self.wins_in == 0 || other.wins_in < self.wins_in) {
            (self.wins_in, self.best) = (other.wins_in, other.best);
        }
        self.fails_within = self.fails_within.max(other.fails_within);
        self
    }
}
