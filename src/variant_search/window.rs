//! The window of values that a search resolves.

use crate::think::score::{INFINITE, Value, mate_in, mated_in};

/// Values are exact between `alpha` and `beta`, and bounds outside.
#[derive(Clone, Copy)]
pub struct Window {
    /// The value that the side to move already has.
    pub alpha: Value,
    /// The value at which the opponent avoids the position.
    pub beta: Value,
}

impl Window {
    /// Every value is exact.
    pub const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// The null window above `alpha`.
    pub fn null(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }

    /// The window from the view of the other side.
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The part that is reachable at `ply` if the game is not over. The next stone is the earliest that can win or
    /// lose the game: a side can also lose by its own stone (if it does not break a pending five, or with its last
    /// stone in Roku). Once the earliest win is found, nothing better can be found.
    pub fn possible(self, ply: usize) -> Window {
        let next = ply as i32 + 1;
        let (worst, best) = (mated_in(next), mate_in(next));
        // If the opponent avoids even the worst value, nothing has to be searched. Otherwise a move of that value
        // exceeds `alpha`, so that a line is found even if every move loses at once.
        let alpha = if self.beta <= worst { worst } else { self.alpha.max(worst - 1) };
        Window { alpha, beta: self.beta.min(best) }
    }
}
