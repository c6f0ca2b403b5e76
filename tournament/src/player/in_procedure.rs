//! Requests for decisions in an opening procedure.

use std::time::Duration;

use super::lines::{is_complaint, is_word, names};
use super::{Failure, Player, Reply};
use crate::model::search_info::SearchInfo;

impl Player<'_> {
    /// Sends `command` on the engine's clock and waits for the line that `read` accepts as the answer. This
    /// does not count as a move: the first request of the game sends the whole position.
    ///
    /// A complaint that `read` accepts is the answer only if it names the request, or if no other answer comes:
    /// it may refer to an INFO line.
    ///
    /// # Errors
    /// Returns an error if no answer comes in time.
    pub fn ask_to_decide<T>(
        &mut self,
        command: &str,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration, SearchInfo), Failure> {
        let answered = self.ask_for(command, |line| {
            let answer = read(line)?;
            let is_doubtful = is_complaint(line) && !names_request(line, command);
            Some(if is_doubtful { Reply::Complaint(answer) } else { Reply::Answer(answer) })
        });
        self.moves = 0;
        answered
    }
}

/// Whether a complaint names the request in `command`, whose first lines may be INFO lines.
fn names_request(complaint: &str, command: &str) -> bool {
    let request = command.lines().find(|line| !is_word(line, "INFO"));
    let Some(name) = request.and_then(|line| line.split_whitespace().next()) else { return false };
    names(complaint, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_may_name_the_request() {
        for command in ["INFO seed 3\nSWAP2BOARD\nDONE", "SWAP2BOARD\n7,7\n8,8\n9,9\nDONE"] {
            assert!(names_request("UNKNOWN command 'swap2board'", command));
            assert!(!names_request("UNKNOWN", command));
            assert!(!names_request("UNKNOWN command seed", command));
        }
        assert!(names_request("ERROR no such procedure", "PROCEDURE rif\nDONE"));
    }
}
