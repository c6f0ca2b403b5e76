//! The clocks of a game between a person and the engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::think::Clock;

/// Maximum seconds of a clock: a day.
const MOST_SECONDS: u64 = 86_400;
const EXPECTED: &str =
    "a clock is SECONDS or MIN:SEC, such as 5:00, or 5:00+10 with seconds added per move, up to a day";

/// Time of each side for a game, and the increment per move: `5:00+10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for all moves.
    pub game: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    /// Parses `300`, `5:00`, or either followed by `+10`; everything except the minutes is in seconds.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (game, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (minutes, seconds) = game.split_once(':').unwrap_or(("0", game));
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number <= MOST_SECONDS);
        let parts = number(minutes).zip(number(seconds)).zip(number(increment));
        let control = parts.map(|((minutes, seconds), increment)| TimeControl {
            game: Duration::from_secs(minutes * 60 + seconds),
            increment: Duration::from_secs(increment),
        });
        let fits = |control: &TimeControl| (1..=MOST_SECONDS).contains(&control.game.as_secs());
        control.filter(fits).ok_or_else(|| EXPECTED.to_owned())
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&in_minutes(self.game))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, " + {} s", self.increment.as_secs()) }
    }
}

/// Owner of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockOwner {
    /// The person.
    Human,
    /// The engine.
    Engine,
}

/// The remaining time of both sides. A side that has run out of time stays at zero.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    control: TimeControl,
    human: Duration,
    engine: Duration,
}

impl Clocks {
    /// The clocks before the first move.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, human: control.game, engine: control.game }
    }

    /// The clocks with the time that is left to the person and to the engine.
    pub fn resume(control: TimeControl, (human, engine): (Duration, Duration)) -> Clocks {
        Clocks { control, human, engine }
    }

    /// Time left to the person and to the engine.
    pub fn left(&self) -> (Duration, Duration) {
        (self.human, self.engine)
    }

    /// The clocks after the person and the engine have used this time of a turn that is not over.
    pub fn after(self, human: Duration, engine: Duration) -> Clocks {
        Clocks { human: self.human.saturating_sub(human), engine: self.engine.saturating_sub(engine), ..self }
    }

    /// The time left to `side` after using `used` for its move, as text.
    pub fn shown(&self, side: ClockOwner, used: Duration) -> String {
        let left = if side == ClockOwner::Human { self.human } else { self.engine };
        in_minutes(left.saturating_sub(used))
    }

    fn left_mut(&mut self, side: ClockOwner) -> &mut Duration {
        match side {
            ClockOwner::Human => &mut self.human,
            ClockOwner::Engine => &mut self.engine,
        }
    }

    /// Whether `side` is out of time after using `used` for its move.
    pub fn is_out(&self, side: ClockOwner, used: Duration) -> bool {
        used >= match side {
            ClockOwner::Human => self.human,
            ClockOwner::Engine => self.engine,
        }
    }

    /// Subtracts the time that `side` has used for a move or a decision, and adds the increment if the move
    /// was in time.
    pub fn spend(&mut self, side: ClockOwner, used: Duration) {
        let is_out = self.is_out(side, used);
        let increment = self.control.increment;
        let left = self.left_mut(side);
        *left = if is_out { Duration::ZERO } else { *left - used + increment };
    }

    /// The clock for the engine's next search.
    pub fn of_engine(&self) -> Clock {
        let milliseconds = |duration: Duration| duration.as_millis() as u64;
        Clock {
            turn_ms: Some(milliseconds(self.engine)),
            match_ms: milliseconds(self.control.game),
            left_ms: Some(milliseconds(self.engine) as i64),
            increment_ms: milliseconds(self.control.increment),
        }
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "you {}, engine {}", in_minutes(self.human), in_minutes(self.engine))
    }
}

/// `4:07`; rounded up to whole seconds.
fn in_minutes(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_parsed_and_displayed() {
        let read = |text: &str| text.parse::<TimeControl>().map(|control| control.to_string());
        assert_eq!(read("300"), Ok("5:00".to_owned()));
        assert_eq!(read("5:07+10"), Ok("5:07 + 10 s".to_owned()));
        assert_eq!(read("90+0"), Ok("1:30".to_owned()));
        for text in ["", "0", "x", "5:x", "-5", "5+", "1441:00", "99999999999999999999"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_uses_time_and_adds_the_increment() {
        let control = TimeControl { game: Duration::from_secs(60), increment: Duration::from_secs(5) };
        let mut clocks = Clocks::new(control);
        clocks.spend(ClockOwner::Human, Duration::from_millis(20_500));
        assert_eq!(clocks.to_string(), "you 0:45, engine 1:00");
        assert!(!clocks.is_out(ClockOwner::Human, Duration::from_secs(44)));
        assert!(clocks.is_out(ClockOwner::Human, Duration::from_secs(45)));
        clocks.spend(ClockOwner::Human, Duration::from_secs(45));
        assert_eq!(clocks.to_string(), "you 0:00, engine 1:00", "who is out of time gets no increment");
        assert!(clocks.is_out(ClockOwner::Human, Duration::ZERO));
        clocks.spend(ClockOwner::Engine, Duration::from_secs(10));
        let clock = clocks.of_engine();
        assert_eq!((clock.left_ms, clock.match_ms, clock.increment_ms), (Some(55_000), 60_000, 5_000));
    }
}
