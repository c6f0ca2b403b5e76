//! The conversation about an opening procedure.

use std::time::Duration;

use super::{Failure, Player, Spoken};
use crate::player::search_info::SearchInfo;

impl Player<'_> {
    /// Asks for a decision by `command`, on the engine's clock, and waits for the line that `read` takes for the
    /// answer. It counts as no move: the game's first request shows the engine the whole position.
    ///
    /// # Errors
    /// When no answer comes, or not in time.
    pub fn ask_to_decide<T>(
        &mut self,
        command: &str,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration, SearchInfo), Failure> {
        let answered = self.ask_for(command, |line| read(line).map(Spoken::Answer));
        self.moves = 0;
        answered
    }
}
