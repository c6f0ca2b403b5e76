//! Settings of `INFO`: the clock, the limits, the level, the output.
//!
//! Settings live as long as the process; only the time left belongs to a game. Rule, memory and threads are
//! stored in the engine.

use std::time::Duration;

use super::command::{Detail, Info};
use crate::engine::levels::LevelPlayer;
use crate::system::host::Instant;
use crate::think::{Clock, Limits};

/// Node limits from this one on mean no limit: Yixin-Board sends it with every search whose user has set none.
const ENDLESS_NODES: u64 = 1_000_000_000;

/// Settings of `INFO`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    clock: Clock,
    max_depth: Option<i32>,
    max_nodes: Option<u64>,
    player: LevelPlayer,
    detail: Detail,
    pondering: bool,
    rows_first: Option<bool>,
    /// Milliseconds spent in the running game under a limit of the match, less the increments.
    spent_ms: i64,
    /// Whether a move was searched after the last `time_left`; if so, that time does not apply to the next game.
    clock_used: bool,
}

impl Settings {
    /// The lines to send while thinking.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// Whether to think on the opponent's time.
    pub fn pondering(&self) -> bool {
        self.pondering
    }

    /// Whether points are given as row and column, if the manager has set it.
    pub fn rows_first(&self) -> Option<bool> {
        self.rows_first
    }

    /// The level at which moves are played, and the seed for its random moves.
    pub fn player(&self) -> LevelPlayer {
        self.player
    }

    /// Seed that varies the openings the engine offers.
    pub fn seed(&self) -> u64 {
        self.player.seed
    }

    /// The limits of a search for a command that was read at `started`.
    pub fn limits(&self, started: Instant) -> Limits {
        Limits {
            started,
            clock: Some(self.clock()),
            max_depth: self.max_depth,
            max_nodes: self.max_nodes.filter(|&nodes| nodes < ENDLESS_NODES),
            ..Limits::infinite()
        }
    }

    /// The clock of the next move. The engine counts the time left of the match itself until the manager sends it.
    fn clock(&self) -> Clock {
        let Clock { match_ms, left_ms, .. } = self.clock;
        let is_counted = match_ms > 0 && self.spent_ms != 0;
        let counted =
            || is_counted.then(|| match_ms.try_into().unwrap_or(i64::MAX).saturating_sub(self.spent_ms));
        Clock { left_ms: left_ms.or_else(counted), ..self.clock }
    }

    /// Applies an `INFO` line, if it is about the search or its output.
    pub fn take(&mut self, info: &Info) {
        match *info {
            Info::TimeoutTurn(ms) => self.clock.turn_ms = Some(ms),
            Info::TimeoutMatch(ms) => self.clock.match_ms = ms,
            Info::TimeLeft(ms) => (self.clock.left_ms, self.clock_used) = (ms, false),
            Info::TimeIncrement(ms) => self.clock.increment_ms = ms,
            Info::MaxDepth(plies) => self.max_depth = plies,
            Info::MaxNode(nodes) => self.max_nodes = nodes,
            Info::ShowDetail(detail) => self.detail = detail,
            Info::Pondering(on) => self.pondering = on,
            Info::RowsFirst(on) => self.rows_first = Some(on),
            Info::Strength(level) => self.player.level = level,
            Info::Seed(seed) => self.player.seed = seed,
            _ => {}
        }
    }

    /// Counts `elapsed` for a move, and its increment.
    pub fn spend(&mut self, elapsed: Duration) {
        self.clock_used = true;
        let elapsed: i64 = elapsed.as_millis().try_into().unwrap_or(i64::MAX);
        let spent = elapsed.saturating_sub_unsigned(self.clock.increment_ms);
        if self.clock.match_ms > 0 {
            self.spent_ms = self.spent_ms.saturating_add(spent);
        }
        self.clock.left_ms = self.clock.left_ms.map(|left| left.saturating_sub(spent));
    }

    /// Begins a new game: the time left of the last game is cleared, unless it was sent for the new one.
    pub fn new_game(&mut self) {
        self.spent_ms = 0;
        if std::mem::take(&mut self.clock_used) {
            self.clock.left_ms = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_ms(settings: &Settings) -> Option<i64> {
        settings.limits(Instant::now()).clock.and_then(|clock| clock.left_ms)
    }

    #[test]
    fn a_node_limit_that_no_search_reaches_is_none() {
        let mut settings = Settings::default();
        for (sent, limit) in [(999_999_999, Some(999_999_999)), (ENDLESS_NODES, None), (u64::MAX, None)] {
            settings.take(&Info::MaxNode(Some(sent)));
            assert_eq!(settings.limits(Instant::now()).max_nodes, limit, "{sent}");
        }
    }

    #[test]
    fn the_engine_counts_the_time_left_itself() {
        let mut settings = Settings::default();
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), None, "there is no match limit yet");
        for info in [Info::TimeoutMatch(5000), Info::TimeIncrement(20)] {
            settings.take(&info);
        }
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), Some(4950));
        settings.take(&Info::TimeLeft(Some(3000)));
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), Some(2950));
        settings.new_game();
        assert_eq!(left_ms(&settings), None);
        settings.take(&Info::TimeLeft(Some(3000)));
        settings.new_game();
        assert_eq!(left_ms(&settings), Some(3000), "sent before START, for the game to come");
        settings.spend(Duration::from_millis(70));
        settings.take(&Info::TimeLeft(Some(2000)));
        settings.new_game();
        assert_eq!(left_ms(&settings), Some(2000), "sent after the last move of a game, for the next one");
    }

    #[test]
    fn time_left_sent_once_runs_down_without_a_limit_of_the_match() {
        let mut settings = Settings::default();
        settings.take(&Info::TimeLeft(Some(1000)));
        for left in [930, 860] {
            settings.spend(Duration::from_millis(70));
            assert_eq!(left_ms(&settings), Some(left));
        }
    }

    #[test]
    fn a_new_limit_of_the_match_counts_from_its_beginning() {
        let mut settings = Settings::default();
        for (match_ms, left) in [(700, None), (600_000, Some(599_930)), (0, None), (500, Some(360))] {
            settings.take(&Info::TimeoutMatch(match_ms));
            assert_eq!(left_ms(&settings), left);
            settings.spend(Duration::from_millis(70));
        }
        settings.take(&Info::TimeLeft(Some(90)));
        settings.take(&Info::TimeLeft(None));
        assert_eq!(left_ms(&settings), Some(290), "only the limit of the match");
    }
}
