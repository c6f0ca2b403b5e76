//! Requests for decisions in an opening procedure.

use std::time::Duration;

use super::{Failure, Player, Reply};
use crate::model::search_info::SearchInfo;

impl Player<'_> {
    /// Sends `command` on the engine's clock and waits for the line that `read` accepts as the answer. This
    /// does not count as a move: the first request of the game sends the whole position.
    ///
    /// # Errors
    /// Returns an error if no answer comes in time.
    pub fn ask_to_decide<T>(
        &mut self,
        command: &str,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration, SearchInfo), Failure> {
        let answered = self.ask_for(command, |line| read(line).map(Reply::Answer));
        self.moves = 0;
        answered
    }
}
