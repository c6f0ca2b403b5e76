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

    /// The part that is reachable at `ply` if the game is not over: the earliest possible win or loss is by the
    /// next stone. Once such a win is found, nothing better can be found.
    pub fn possible(self, ply: usize) -> Window {
        let next = ply as i32 + 1;
        Window { alpha: self.alpha.max(mated_in(next)), beta: self.beta.min(mate_in(next)) }
    }
}
