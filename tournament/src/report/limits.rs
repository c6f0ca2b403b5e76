//! Time limits, parsed from the text that
//! [`EngineSettings::limits_text`](crate::model::settings::EngineSettings::limits_text) writes:
//! `100 ms/move`, `5 s/game + 10 ms`, `1 s/move, 120 s/game`, `at once`,
//! `25000 nodes/move, at most 1 s/move`.
//!
//! Records do not store a limit per move, but it can be computed from the limits and the times of the
//! previous moves. A text in any other form sets no limit.

use crate::model::clock::AT_ONCE;
use crate::model::settings::AT_MOST;

/// Limits of one side, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SideLimits {
    turn: Option<f64>,
    game: Option<f64>,
    increment: f64,
}

impl SideLimits {
    /// Limits of black or white; if they differ, the text is `black's : white's`.
    pub fn of(limits: &str, is_black: bool) -> SideLimits {
        let (black, white) = limits.split_once(" : ").unwrap_or((limits, limits));
        let mut limits = SideLimits::default();
        let own = if is_black { black } else { white };
        let (base, increment) = own.split_once('+').unwrap_or((own, ""));
        for part in base.split(',').map(str::trim) {
            let part = part.strip_prefix(AT_MOST).unwrap_or(part);
            if part == "at once" {
                limits.turn = Some(AT_ONCE.as_secs_f64() * 1000.0);
            }
            match part.split_once('/') {
                Some((nodes, "move")) if nodes.ends_with(" nodes") => {}
                Some((time, "move")) => limits.turn = span(time),
                Some((time, "game")) => limits.game = span(time),
                _ => {}
            }
        }
        limits.increment = span(increment).unwrap_or_default();
        limits
    }

    /// Limit for the next move after `moves` moves that took `spent` in total, in milliseconds; `None`
    /// without a limit.
    pub fn next(&self, moves: usize, spent: f64) -> Option<f64> {
        let left = self.game.map(|game| (game + self.increment * moves as f64 - spent).max(0.0));
        match (self.turn, left) {
            (Some(turn), Some(left)) => Some(turn.min(left)),
            (turn, left) => turn.or(left),
        }
    }
}

/// Parses `100 ms` or `0.4s` to milliseconds.
fn span(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    number.trim().parse::<f64>().ok().map(|number| number * unit).filter(|ms| (0.0..1e15).contains(ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::clock::Clock;
    use crate::model::settings::SearchLimits;
    use std::time::Duration;

    #[test]
    fn the_tighter_limit_counts() {
        let limits = SideLimits::of("1 s/move, 5 s/game + 10 ms", true);
        assert_eq!(limits.next(0, 0.0), Some(1000.0));
        assert_eq!(limits.next(9, 4700.0), Some(390.0));
        assert_eq!(limits.next(9, 9000.0), Some(0.0));
    }

    #[test]
    fn what_the_referee_writes_is_what_he_allows() {
        for (turn_ms, match_ms, increment_ms) in
            [(100, 0, 0), (0, 0, 0), (0, 9000, 0), (5000, 5000, 10), (700, 9000, 0)]
        {
            let clock = Clock { turn_ms, match_ms, increment_ms, margin_ms: 0 };
            let spent = Duration::from_millis(8500);
            let expected = clock.limit(spent, 3).as_secs_f64() * 1000.0;
            assert_eq!(SideLimits::of(&clock.to_string(), true).next(3, 8500.0), Some(expected), "{clock}");
        }
    }

    #[test]
    fn increments_may_exceed_the_limit_of_a_move() {
        let clock = Clock { turn_ms: 6000, match_ms: 5000, increment_ms: 100, margin_ms: 0 };
        assert_eq!(clock.limit(Duration::ZERO, 30), Duration::from_millis(6000));
        assert_eq!(SideLimits::of(&clock.to_string(), true).next(30, 0.0), Some(6000.0), "{clock}");
    }

    #[test]
    fn limits_of_nodes_leave_the_clock() {
        for clock in ["1 s/move, 5 s/game + 10 ms", "300 ms/move", "at once", "7 s/game"] {
            let limited = SearchLimits { nodes: Some(9), depth: Some(3) }.with_clock(clock)
                + " : 25 nodes/move, at once";
            assert_eq!(SideLimits::of(&limited, true), SideLimits::of(clock, true), "{limited}");
            assert_eq!(SideLimits::of(&limited, false), SideLimits::of("at once", true), "{limited}");
        }
    }

    #[test]
    fn each_side_has_its_own() {
        let limits = "0.4s/move : 100 ms/move";
        assert_eq!(SideLimits::of(limits, true).next(3, 0.0), Some(400.0));
        assert_eq!(SideLimits::of(limits, false).next(3, 0.0), Some(100.0));
    }

    #[test]
    fn other_texts_limit_nothing() {
        for text in ["", "5+0.1", "NaN", "x/move", "-infs/move", "NaNms/game", "1e999 s/move"] {
            assert_eq!(SideLimits::of(text, true).next(3, 9.0), None, "{text}");
        }
    }
}
