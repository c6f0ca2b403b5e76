//! Settings of `INFO`: the clock, the limits, the output; and errors that wait to be reported.
//!
//! Settings live as long as the process; only the time left belongs to a game. Rule, memory and threads are
//! stored in the engine.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::command::{Detail, Info};
use super::parser::InfoError;
use super::response::Response;
use super::steering::Steering;
use crate::engine::levels::LevelPlayer;
use crate::engine::{Engine, Options};
use crate::eval::WeightsFile;
use crate::think::{Clock, Limits};

/// Number of errors kept for one report; more would not help the reader.
const MOST_COMPLAINTS: usize = 6;

/// Settings of `INFO`, with errors that have not been reported yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    clock: Clock,
    max_depth: Option<i32>,
    max_nodes: Option<u64>,
    player: LevelPlayer,
    folder: Option<PathBuf>,
    detail: Detail,
    pondering: bool,
    steering: Steering,
    rows_first: Option<bool>,
    /// Whether a move of the running game was searched: its time left does not apply to the next game.
    clock_used: bool,
    complaints: Vec<String>,
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

    /// Options of the searches.
    pub fn steering(&mut self) -> &mut Steering {
        &mut self.steering
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

    /// The folder for persistent files, if the manager has set it.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The limits of a search for a command that was read at `started`.
    pub fn limits(&self, started: Instant) -> Limits {
        Limits {
            started,
            clock: Some(self.clock),
            max_depth: self.max_depth,
            max_nodes: self.max_nodes,
            ..Limits::infinite()
        }
    }

    /// Applies one `INFO` line; if it cannot be applied, the error is kept.
    pub fn take(&mut self, info: Info, engine: &mut Engine) {
        let options = engine.options();
        match info {
            Info::TimeoutTurn(ms) => self.clock.turn_ms = Some(ms),
            Info::TimeoutMatch(ms) => self.clock.match_ms = ms,
            Info::TimeLeft(ms) => self.clock.left_ms = ms,
            Info::TimeIncrement(ms) => self.clock.increment_ms = ms,
            Info::MaxDepth(plies) => self.max_depth = plies,
            Info::MaxNode(nodes) => self.max_nodes = nodes,
            Info::MaxMemory(bytes) => self.set_options(engine, Options { max_memory: bytes, ..options }),
            Info::HashSize(bytes) => self.set_options(engine, Options { hash_bytes: bytes, ..options }),
            Info::ThreadNum(threads) => self.set_options(engine, Options { threads, ..options }),
            Info::Rule(rule) if rule == engine.position().rule() => {}
            Info::Rule(rule) => engine.set_rule(rule),
            Info::Folder(path) => self.folder = Some(path).filter(|path| !path.as_os_str().is_empty()),
            Info::ShowDetail(detail) => self.detail = detail,
            Info::Pondering(on) => self.pondering = on,
            Info::RowsFirst(on) => self.rows_first = Some(on),
            Info::Strength(level) => self.player.level = level,
            Info::Seed(seed) => self.player.seed = seed,
            Info::Tune(tuned) => engine.tune(tuned),
            Info::Weights(path) => self.load_weights(engine, &path),
            // The session decides which game is played.
            Info::UseDatabase(_) | Info::DatabaseReadOnly(_) => {}
            Info::Game(_) | Info::GameType(_) | Info::Evaluate(_) | Info::NoEffect | Info::Unknown => {}
            Info::StartDepth(_) | Info::MaxMoves(_) | Info::DrawResult(_) | Info::DistinctMoves(_) => {
                self.steering.take(&info);
            }
        }
    }

    /// Does not set options that are already set, because setting them could empty the table.
    fn set_options(&mut self, engine: &mut Engine, options: Options) {
        if options != engine.options()
            && let Err(error) = engine.set_options(options)
        {
            self.complain(error.to_string());
        }
    }

    /// Loads a network from a file; if it is invalid, the current one stays.
    fn load_weights(&mut self, engine: &mut Engine, path: &Path) {
        match WeightsFile::read(path) {
            Ok(file) => {
                let mut networks = engine.networks().clone();
                networks.load(file);
                engine.set_networks(networks);
            }
            Err(error) => self.complain(format!("weights {}: {error}", path.display())),
        }
    }

    /// Keeps the error of an `INFO` line for [`Settings::complaint`].
    pub fn refuse(&mut self, error: &InfoError) {
        self.complain(error.to_string());
    }

    /// Keeps an error message for [`Settings::complaint`].
    pub fn complain(&mut self, text: String) {
        if self.complaints.len() < MOST_COMPLAINTS && !self.complaints.contains(&text) {
            self.complaints.push(text);
        }
    }

    /// One line with all errors since the last call. Managers do not read answers to `INFO`, so it is sent
    /// with the next command.
    pub fn complaint(&mut self) -> Option<Response> {
        let complaints = std::mem::take(&mut self.complaints);
        (!complaints.is_empty()).then(|| Response::Error(format!("INFO: {}", complaints.join("; "))))
    }

    /// Subtracts `elapsed` from the time left, which the engine counts itself until the manager sends it.
    pub fn spend(&mut self, elapsed: Duration) {
        self.clock_used = true;
        if self.clock.match_ms > 0 {
            let left = self.clock.left_ms.unwrap_or(self.clock.match_ms.try_into().unwrap_or(i64::MAX));
            let spent = elapsed.as_millis().try_into().unwrap_or(i64::MAX);
            self.clock.left_ms =
                Some(left.saturating_sub(spent).saturating_add_unsigned(self.clock.increment_ms));
        }
    }

    /// Begins a new game: the time left of the last game is cleared, unless it was sent for the new one.
    pub fn new_game(&mut self) {
        if std::mem::take(&mut self.clock_used) {
            self.clock.left_ms = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rule, RuleKind};

    fn left_ms(settings: &Settings) -> Option<i64> {
        settings.limits(Instant::now()).clock.and_then(|clock| clock.left_ms)
    }

    #[test]
    fn the_engine_counts_the_time_left_itself() {
        let mut engine = Engine::new(Options::default());
        let mut settings = Settings::default();
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), None, "there is no match limit yet");
        for info in [Info::TimeoutMatch(5000), Info::TimeIncrement(20)] {
            settings.take(info, &mut engine);
        }
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), Some(4950));
        settings.take(Info::TimeLeft(Some(3000)), &mut engine);
        settings.spend(Duration::from_millis(70));
        assert_eq!(left_ms(&settings), Some(2950));
        settings.new_game();
        assert_eq!(left_ms(&settings), None);
        settings.take(Info::TimeLeft(Some(3000)), &mut engine);
        settings.new_game();
        assert_eq!(left_ms(&settings), Some(3000), "sent before START, for the game to come");
    }

    #[test]
    fn complaints_come_once_and_together() {
        let mut settings = Settings::default();
        assert_eq!(settings.complaint(), None);
        for code in [5, 5, 7] {
            settings.refuse(&InfoError::UnknownRule(code));
        }
        let line = settings.complaint().unwrap().to_string();
        assert!(line.starts_with("ERROR INFO: rule 5") && line.matches("rule 5").count() == 1, "{line}");
        assert!(line.contains("rule 7"), "{line}");
        assert_eq!(settings.complaint(), None);
    }

    #[test]
    fn rule_and_options_reach_the_engine() {
        let mut engine = Engine::new(Options::default());
        let mut settings = Settings::default();
        let renju = Rule::from(RuleKind::Renju);
        for info in [Info::Rule(renju), Info::ThreadNum(3), Info::HashSize(Some(1 << 20))] {
            settings.take(info, &mut engine);
        }
        assert_eq!(engine.position().rule(), renju);
        assert_eq!(engine.options(), Options { hash_bytes: Some(1 << 20), threads: 3, ..Options::default() });
    }
}
