//! The time control of a side, and its text.

use std::fmt;
use std::time::Duration;

use kakugo::board::MAX_SIDE;

/// Time limit of an engine that is asked to move at once (`INFO timeout_turn 0`).
pub const AT_ONCE: Duration = Duration::from_millis(1000);
/// `INFO time_left` of a game without a match clock.
const UNLIMITED_TIME_LEFT: i64 = i32::MAX as i64;
/// Longest time limit, in milliseconds.
pub const MAX_MS: u64 = UNLIMITED_TIME_LEFT as u64;
/// Maximum number of moves of one side; limits the total match time with increments.
const MAX_OWN_MOVES: u64 = (MAX_SIDE as u64 * MAX_SIDE as u64).div_ceil(2);

/// Time control of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Limit per move in milliseconds; 0 asks for immediate moves.
    pub turn_ms: u64,
    /// Time for the whole game in milliseconds; 0 means no limit.
    pub match_ms: u64,
    /// Added to the match time after each move, in milliseconds.
    pub increment_ms: u64,
    /// An answer that is late by more than this, in milliseconds, loses the game.
    pub margin_ms: u64,
}

impl Clock {
    /// The limit per move, in milliseconds, with which only the time of the game limits the moves. Time gained by
    /// increments may also be spent on a single move.
    pub fn ample_turn_ms(match_ms: u64, increment_ms: u64) -> u64 {
        match_ms.saturating_add(increment_ms.saturating_mul(MAX_OWN_MOVES)).min(MAX_MS.max(match_ms))
    }

    /// Remaining match time in milliseconds for `INFO time_left`; may be negative.
    pub fn time_left_ms(&self, spent: Duration, moves: usize) -> i64 {
        if self.match_ms == 0 {
            return UNLIMITED_TIME_LEFT;
        }
        let given = self.match_ms + self.increment_ms * moves as u64;
        given as i64 - spent.as_millis() as i64
    }

    /// Time limit for the next move after `moves` moves that took `spent`, without the margin.
    pub fn limit(&self, spent: Duration, moves: usize) -> Duration {
        let turn = if self.turn_ms == 0 { AT_ONCE } else { Duration::from_millis(self.turn_ms) };
        if self.match_ms == 0 {
            return turn;
        }
        let given = Duration::from_millis(self.match_ms + self.increment_ms * moves as u64);
        turn.min(given.saturating_sub(spent))
    }
}

impl fmt::Display for Clock {
    /// Human-readable form: `100 ms/move`, `5 s/game + 10 ms`, `1 s/move, 120 s/game`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ample = Clock::ample_turn_ms(self.match_ms, self.increment_ms);
        let turn_limits = self.match_ms == 0 || self.turn_ms < ample && self.turn_ms != self.match_ms;
        match self.turn_ms {
            0 => f.write_str("at once")?,
            turn_ms if turn_limits => write!(f, "{}/move", Span(turn_ms))?,
            _ => {}
        }
        if self.match_ms > 0 {
            let comma = if turn_limits { ", " } else { "" };
            write!(f, "{comma}{}/game", Span(self.match_ms))?;
        }
        if self.increment_ms > 0 {
            write!(f, " + {}", Span(self.increment_ms))?;
        }
        Ok(())
    }
}

/// Milliseconds, written in seconds if that is shorter.
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 >= 1000 { write!(f, "{} s", self.0 as f64 / 1000.0) } else { write!(f, "{} ms", self.0) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn clock(turn_ms: u64, match_ms: u64, increment_ms: u64) -> Clock {
        Clock { turn_ms, match_ms, increment_ms, margin_ms: 0 }
    }

    #[test]
    fn the_tighter_limit_counts() {
        let spent = Duration::from_millis(4_700);
        assert_eq!(clock(500, 0, 0).limit(spent, 9), Duration::from_millis(500));
        assert_eq!(clock(500, 5_000, 0).limit(spent, 9), Duration::from_millis(300));
        assert_eq!(clock(500, 5_000, 10).limit(spent, 9), Duration::from_millis(390));
        assert_eq!(clock(500, 4_000, 0).limit(spent, 9), Duration::ZERO);
        assert_eq!(clock(0, 0, 0).limit(spent, 9), AT_ONCE);
    }

    #[test]
    fn time_left_may_be_negative() {
        let spent = Duration::from_millis(4_700);
        assert_eq!(clock(500, 5_000, 10).time_left_ms(spent, 2), 320);
        assert_eq!(clock(500, 4_000, 0).time_left_ms(spent, 2), -700);
        assert_eq!(clock(500, 0, 0).time_left_ms(spent, 2), 2_147_483_647);
    }

    #[test]
    fn clocks_read_as_people_write_them() {
        assert_eq!(clock(100, 0, 0).to_string(), "100 ms/move");
        assert_eq!(clock(5_000, 5_000, 10).to_string(), "5 s/game + 10 ms");
        assert_eq!(clock(1_500, 120_000, 0).to_string(), "1.5 s/move, 120 s/game");
        assert_eq!(clock(9_000, 5_000, 0).to_string(), "5 s/game");
        assert_eq!(clock(9_000, 5_000, 700).to_string(), "9 s/move, 5 s/game + 700 ms");
        let default = clock(Clock::ample_turn_ms(5_000, 700), 5_000, 700);
        assert_eq!(default.to_string(), "5 s/game + 700 ms");
        assert_eq!(clock(0, 0, 0).to_string(), "at once");
    }
}
