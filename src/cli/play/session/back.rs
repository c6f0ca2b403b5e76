//! Going back: the last own move or decision, or the position before any move.

use std::time::Instant;

use anyhow::Result;

use super::Session;

impl Session {
    /// Takes back the person's last move or decision and everything after it, or only the ending.
    pub(super) fn undo(&mut self, now: Instant) -> Result<()> {
        if self.opening.is_some() {
            return self.undo_in_opening(now);
        }
        self.replies.clear();
        if self.contest.settled().is_some() && self.reopen()? {
            self.is_saved = false;
            return self.advance(now);
        }
        if self.contest.undo(self.human) {
            self.is_saved = false;
            return self.advance(now);
        }
        self.say("there is no move of yours to take back");
        // The engine's move may have been interrupted.
        if self.contest.result().is_none() && self.contest.turn() != self.human {
            self.advance(now)
        } else {
            Ok(())
        }
    }

    /// Why the session cannot go back to the position before this move, counted from 1.
    pub(super) fn refusal_of_back(&self, number: usize) -> Option<String> {
        if self.challenge.is_some() {
            return Some("back is not available in the challenge".to_owned());
        }
        if self.clocks.is_some() {
            return Some("back is not available in a game with clocks".to_owned());
        }
        if self.opening.is_some() {
            return Some("the opening is not over".to_owned());
        }
        let moves = self.contest.removable();
        let reason = match (moves.start + 1, moves.end) {
            _ if moves.is_empty() => "there is no move to take back".to_owned(),
            (first, last) if first == last => format!("only move {first} can be taken back"),
            (first, last) => format!("only moves {first} to {last} can be taken back"),
        };
        let is_removable = number.checked_sub(1).is_some_and(|index| moves.contains(&index));
        (!is_removable).then_some(reason)
    }

    /// Goes to the position before this move, which can be taken back. The engine moves there if it is its turn.
    pub(super) fn back(&mut self, number: usize, now: Instant) -> Result<()> {
        self.replies.clear();
        self.contest.keep(number - 1);
        self.is_saved = false;
        self.advance(now)
    }
}
