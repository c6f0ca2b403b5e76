//! What a match is played with: rule, board, clock, limits, and the two engines.

use std::time::Duration;

use kakugo::board::Size;
use kakugo::rules::{Rule, RuleKind};

/// Stones by which boards stop short of full when Gomocup's draw rule applies.
const STONES_SHORT_OF_FULL: usize = 25;
/// What an engine may take when it is told to play at once (`INFO timeout_turn 0`).
const AT_ONCE: Duration = Duration::from_millis(1000);
/// `INFO time_left` of a game without a match clock.
const UNLIMITED_TIME_LEFT: i64 = i32::MAX as i64;

/// The first or the second engine of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineId {
    /// `--engine1`.
    First,
    /// `--engine2`.
    Second,
}

impl EngineId {
    /// Both.
    pub const ALL: [EngineId; 2] = [EngineId::First, EngineId::Second];

    /// The other one.
    pub fn other(self) -> EngineId {
        match self {
            EngineId::First => EngineId::Second,
            EngineId::Second => EngineId::First,
        }
    }
}

/// How to start an engine and what to tell it.
#[derive(Clone, Debug)]
pub struct Engine {
    /// Name in reports.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// `KEY VALUE` of further INFO lines, sent last.
    pub info: Vec<String>,
}

/// The time limits of each side.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Clock {
    /// Limit for a move in milliseconds; 0 asks for moves at once.
    pub turn_ms: u64,
    /// Time for the whole game in milliseconds; 0 is no limit.
    pub match_ms: u64,
    /// Added to the match time after each move, in milliseconds.
    pub increment_ms: u64,
    /// How late an answer may be, in milliseconds, before the game is lost.
    pub margin_ms: u64,
}

impl Clock {
    /// What remains of the match time in milliseconds, as `INFO time_left` wants it: it may be negative.
    pub fn time_left_ms(&self, spent: Duration, moves: usize) -> i64 {
        if self.match_ms == 0 {
            return UNLIMITED_TIME_LEFT;
        }
        let given = self.match_ms + self.increment_ms * moves as u64;
        given as i64 - spent.as_millis() as i64
    }

    /// How long the next move may take, the margin not counted.
    pub fn limit(&self, spent: Duration, moves: usize) -> Duration {
        let turn = if self.turn_ms == 0 { AT_ONCE } else { Duration::from_millis(self.turn_ms) };
        if self.match_ms == 0 {
            return turn;
        }
        let given = Duration::from_millis(self.match_ms + self.increment_ms * moves as u64);
        turn.min(given.saturating_sub(spent))
    }
}

/// When a game is called a draw at size*size-25 stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StoneLimit {
    /// In renju, as the Gomocup judge does.
    Renju,
    /// Under every rule, as Piskvork does.
    Always,
    /// Only a full board is a draw.
    Never,
}

/// What all games of a batch share.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The time limits.
    pub clock: Clock,
    /// `INFO max_memory` in bytes; 0 is no limit.
    pub max_memory: u64,
    /// Stones on the board at which the game is a draw.
    pub max_moves: Option<usize>,
    /// Whether Gomocup's draw rule applies.
    pub stone_limit: StoneLimit,
}

impl Settings {
    /// The number of stones that makes a draw by Gomocup's rule, if it applies here.
    pub fn stone_limit(&self) -> Option<usize> {
        let applies = match self.stone_limit {
            StoneLimit::Renju => self.rule.kind == RuleKind::Renju,
            StoneLimit::Always => true,
            StoneLimit::Never => false,
        };
        let stones = self.size.area().saturating_sub(STONES_SHORT_OF_FULL);
        (applies && stones > 0).then_some(stones)
    }

    /// The command that sets the board up.
    pub fn start_command(&self) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") }
    }

    /// The INFO lines that follow START.
    pub fn info_lines(&self, engine: &Engine) -> Vec<String> {
        let mut lines = vec![
            format!("INFO timeout_turn {}", self.clock.turn_ms),
            format!("INFO timeout_match {}", self.clock.match_ms),
            format!("INFO max_memory {}", self.max_memory),
            // Both sides are engines.
            "INFO game_type 1".to_owned(),
            format!("INFO rule {}", self.rule.code()),
        ];
        if self.clock.increment_ms > 0 {
            lines.push(format!("INFO time_increment {}", self.clock.increment_ms));
        }
        lines.extend(engine.info.iter().map(|info| format!("INFO {info}")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn_ms: u64, match_ms: u64, increment_ms: u64) -> Clock {
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
}
