//! Settings of a batch, resolved and checked: rule, board, and each engine with its own limits.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use kakugo::board::Point;
use kakugo::rules::RuleKind;
use serde::{Deserialize, Serialize};

use crate::game::adjudication::Adjudication;
use crate::game::kind::GameKind;
use crate::game::procedure::ProcedureName;

/// Stones by which boards stop short of full when Gomocup's draw rule applies.
const STONES_SHORT_OF_FULL: usize = 25;
/// Time limit of an engine that is told to play at once (`INFO timeout_turn 0`).
pub const AT_ONCE: Duration = Duration::from_millis(1000);
/// `INFO time_left` of a game without a match clock.
const UNLIMITED_TIME_LEFT: i64 = i32::MAX as i64;

/// The pause after an engine's answer where nobody says, in milliseconds: Gomocup's judge looks that often.
pub const DEFAULT_PAUSE_MS: u64 = 10;

/// An engine of the batch: its place in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(pub usize);

/// Command, settings and limits of an engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Name in the results, unlike that of any other engine of the batch.
    pub name: String,
    /// Program and arguments. A relative path counts from where this program was started.
    pub command: Vec<String>,
    /// Working directory; that of this program if `None`.
    pub directory: Option<PathBuf>,
    /// Environment variables besides those of this program.
    pub env: BTreeMap<String, String>,
    /// `KEY VALUE` of further INFO lines, sent last.
    pub info: Vec<String>,
    /// Its time.
    pub clock: Clock,
    /// Time limit for the answer to START or RESTART.
    pub start_limit: Duration,
    /// Least time from an answer of the engine to the next line to it, on nobody's clock: there are engines that reject
    /// a line that comes sooner than a judge who polls would send it.
    pub pause: Duration,
    /// Its memory.
    pub memory: MemoryLimit,
    /// `INFO max_node`.
    pub nodes: Option<u64>,
    /// `INFO max_depth`.
    pub depth: Option<u32>,
    /// `INFO thread_num`, and the processors it is given when engines are pinned.
    pub threads: Option<u32>,
    /// Whether one process plays one game after the other (`RESTART` between them).
    pub reuse: bool,
}

/// The time of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Limit for a move in milliseconds; 0 asks for moves at once.
    pub turn_ms: u64,
    /// Time for the whole game in milliseconds; 0 is no limit.
    pub match_ms: u64,
    /// Added to the match time after each move, in milliseconds.
    pub increment_ms: u64,
    /// Margin in milliseconds by which an answer may be late before the game is lost.
    pub margin_ms: u64,
}

impl Clock {
    /// Remaining match time in milliseconds, as `INFO time_left` wants it: it may be negative.
    pub fn time_left_ms(&self, spent: Duration, moves: usize) -> i64 {
        if self.match_ms == 0 {
            return UNLIMITED_TIME_LEFT;
        }
        let given = self.match_ms + self.increment_ms * moves as u64;
        given as i64 - spent.as_millis() as i64
    }

    /// Time limit for the next move after `moves` moves that took `spent`, the margin not counted.
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
    /// As people write it: `100 ms/move`, `5 s/game + 10 ms`, `1 s/move, 120 s/game`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let turn_limits = self.match_ms == 0 || self.turn_ms < self.match_ms;
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

/// Milliseconds, written in seconds where that is shorter.
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 >= 1000 { write!(f, "{} s", self.0 as f64 / 1000.0) } else { write!(f, "{} ms", self.0) }
    }
}

/// The memory of an engine and of every process that it starts, together, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Limit that the engine is told (`INFO max_memory`); 0 is no limit.
    pub told: u64,
    /// By how much it may hold more before it is killed and loses.
    pub tolerance: u64,
}

impl MemoryLimit {
    /// The bytes above which the engine is killed, if there is a limit.
    pub fn deadly(&self) -> Option<u64> {
        (self.told > 0).then(|| self.told.saturating_add(self.tolerance))
    }
}

/// When a game is called a draw at size*size-25 stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum StoneLimit {
    /// In renju, as the Gomocup judge does.
    #[default]
    Renju,
    /// Under every rule, as Piskvork does.
    Always,
    /// Only a full board is a draw.
    Never,
}

/// Settings of all games of a league: of the whole batch where it has one only.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the league, in a batch of several.
    pub league: Option<String>,
    /// The game, and its board.
    pub game: GameKind,
    /// The procedure by which the engines negotiate each opening, if they do.
    pub procedure: Option<ProcedureName>,
    /// Number of moves at which the game is a draw.
    pub max_moves: Option<usize>,
    /// Whether Gomocup's draw rule applies.
    pub stone_limit: StoneLimit,
    /// What the engines may agree on.
    pub adjudication: Adjudication,
    /// The seed of the batch.
    pub seed: u64,
}

impl Settings {
    /// The number of stones that makes a draw by Gomocup's rule, if it applies here.
    pub fn stone_limit(&self) -> Option<usize> {
        let rule = self.game.rule()?;
        let applies = match self.stone_limit {
            StoneLimit::Renju => rule.kind == RuleKind::Renju,
            StoneLimit::Always => true,
            StoneLimit::Never => false,
        };
        let stones = self.game.size().area().saturating_sub(STONES_SHORT_OF_FULL);
        (applies && stones > 0).then_some(stones)
    }

    /// The command that sets the board up.
    pub fn start_command(&self) -> String {
        let size = self.game.size();
        let (width, height) = (size.width(), size.height());
        if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") }
    }

    /// The INFO lines that follow START.
    pub fn info_lines(&self, engine: &EngineSettings) -> Vec<String> {
        let clock = engine.clock;
        let mut lines = vec![
            format!("INFO timeout_turn {}", clock.turn_ms),
            format!("INFO timeout_match {}", clock.match_ms),
            format!("INFO max_memory {}", engine.memory.told),
            // Both sides are engines.
            "INFO game_type 1".to_owned(),
            self.game.info(),
        ];
        let mut add = |key: &str, value: Option<u64>| {
            lines.extend(value.map(|value| format!("INFO {key} {value}")));
        };
        add("time_increment", (clock.increment_ms > 0).then_some(clock.increment_ms));
        add("thread_num", engine.threads.map(u64::from));
        add("max_node", engine.nodes);
        add("max_depth", engine.depth.map(u64::from));
        lines.extend(engine.info.iter().map(|info| format!("INFO {info}")));
        lines
    }
}

/// Games of one kind in a batch.
#[derive(Clone, Debug)]
pub struct League {
    /// Settings of its games.
    pub settings: Settings,
    /// Its openings in the order in which they are played.
    pub openings: Vec<Vec<Point>>,
    /// The warning that these are too few, if they are.
    pub shortage: Option<String>,
    /// Its share of the pairs, compared with the other leagues'.
    pub weight: u32,
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

    #[test]
    fn clocks_read_as_people_write_them() {
        assert_eq!(clock(100, 0, 0).to_string(), "100 ms/move");
        assert_eq!(clock(5_000, 5_000, 10).to_string(), "5 s/game + 10 ms");
        assert_eq!(clock(1_500, 120_000, 0).to_string(), "1.5 s/move, 120 s/game");
        assert_eq!(clock(0, 0, 0).to_string(), "at once");
    }
}
