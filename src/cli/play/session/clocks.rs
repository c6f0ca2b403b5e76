//! Clocks and limits of a session.

use std::time::{Duration, Instant};

use super::Session;
use crate::cli::play::clock::{ClockOwner, Clocks};
use crate::cli::play::contest::Settled;
use crate::think::Limits;

impl Session {
    /// The clock of `side` as text, if the game has clocks.
    pub fn clock(&self, side: ClockOwner, now: Instant) -> Option<String> {
        Some(self.clocks?.shown(side, self.used(side, now)))
    }

    /// The clocks at `now`: the clock of the side to move has run since its turn began.
    pub(super) fn clocks_at(&self, now: Instant) -> Option<Clocks> {
        let used = |owner| self.used(owner, now);
        self.clocks.map(|clocks| clocks.after(used(ClockOwner::Human), used(ClockOwner::Engine)))
    }

    /// Subtracts the time of a turn that ends without a move, and thus without the increment.
    pub(super) fn stop_clocks(&mut self, now: Instant) {
        self.clocks = self.clocks_at(now);
    }

    /// Time that `side` has used so far for the move or decision in progress; none if the other side is to move.
    pub(super) fn used(&self, side: ClockOwner, now: Instant) -> Duration {
        let is_engines_turn = self.is_engines_turn();
        let began = match (side, &self.task) {
            (ClockOwner::Human, _) if !is_engines_turn && !self.is_over() => self.turn_began,
            (ClockOwner::Engine, Some(task)) if is_engines_turn => task.began,
            _ => return Duration::ZERO,
        };
        now.saturating_duration_since(began)
    }

    /// Limits of the engine's next search.
    pub(super) fn limits(&self) -> Limits {
        let own = self.terms.limits.limits();
        Limits { clock: self.clocks.map(|clocks| clocks.of_engine()).or(own.clock), ..own }
    }

    /// Ends the game if a side is out of time, with `used` as the person's time for the move; returns whether
    /// it ended.
    pub(super) fn judge_time(&mut self, used: Duration) -> bool {
        let Some(clocks) = self.clocks.filter(|_| self.contest.result().is_none()) else { return false };
        let loser =
            match [clocks.is_out(ClockOwner::Human, used), clocks.is_out(ClockOwner::Engine, Duration::ZERO)]
            {
                [false, false] => return false,
                [true, true] => None,
                [true, false] => Some(self.human),
                [false, true] => Some(!self.human),
            };
        if loser != Some(!self.human) {
            self.spend(ClockOwner::Human, used);
        }
        self.abandon_opening();
        self.settle(Settled::OutOfTime(loser));
        true
    }

    /// Subtracts the time used for a move from the clock of its side.
    pub(super) fn spend(&mut self, owner: ClockOwner, used: Duration) {
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(owner, used);
        }
    }
}
