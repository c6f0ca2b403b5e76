//! Settings of a batch, resolved and checked: rule, board, and each engine with its limits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use kakugo::board::Point;
use kakugo::rules::RuleKind;
use serde::{Deserialize, Serialize};

use crate::model::clock::Clock;
use crate::model::game_kind::GameKind;
use crate::model::procedure::ProcedureName;

/// Under Gomocup's draw rule, a game ends this many stones before the board is full.
const STONES_SHORT_OF_FULL: usize = 25;
/// Default pause after an engine's answer, in milliseconds: the interval at which Gomocup's manager polls.
pub const DEFAULT_PAUSE_MS: u64 = 10;

/// An engine of the batch, by its index in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(pub usize);

/// Command, settings and limits of an engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Unique name of the engine in the batch.
    pub name: String,
    /// Program and arguments. A relative path starts at this program's working directory.
    pub command: Vec<String>,
    /// Working directory; this program's if `None`.
    pub directory: Option<PathBuf>,
    /// Environment variables, in addition to this program's.
    pub env: BTreeMap<String, String>,
    /// `KEY VALUE` of additional INFO lines, sent last.
    pub info: Vec<String>,
    /// Time limits.
    pub clock: Clock,
    /// Time limit for the answer to START or RESTART.
    pub start_limit: Duration,
    /// Minimum pause between an answer of the engine and the next line sent to it, charged to neither clock.
    /// Some engines reject lines that arrive sooner than from a manager that polls.
    pub pause: Duration,
    /// Memory limits.
    pub memory: MemoryLimit,
    /// `INFO max_node`.
    pub nodes: Option<u64>,
    /// `INFO max_depth`.
    pub depth: Option<u32>,
    /// `INFO thread_num`, and the number of processors per engine when engines are pinned.
    pub threads: Option<u32>,
    /// Whether one process plays several games (with `RESTART` between them).
    pub reuse: bool,
}

impl EngineSettings {
    /// Limits of nodes and depth, including those among the additional INFO lines.
    pub fn search_limits(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, depth: self.depth }.with_info(&self.info)
    }

    /// Number of threads, also if an additional INFO line sets it.
    pub fn thread_count(&self) -> Option<u32> {
        let mut infos = self.info.iter().rev().filter_map(|line| info_of(line));
        let threads = infos.find_map(|(key, value)| {
            let threads = u32::try_from(value).ok().filter(|&threads| threads > 0);
            threads.filter(|_| key == "thread_num")
        });
        threads.or(self.threads)
    }

    /// All limits of a move: nodes and depth, then the clock.
    pub fn limits_text(&self) -> String {
        self.search_limits().with_clock(&self.clock.to_string())
    }
}

/// `KEY VALUE` of an INFO line that may be written with the word `INFO`.
pub fn without_info(line: &str) -> &str {
    let line = line.trim();
    match line.split_once(char::is_whitespace) {
        Some((word, rest)) if word.eq_ignore_ascii_case("info") => rest.trim_start(),
        _ => line,
    }
}

/// The key, in lower case, and the value of an INFO line (`KEY VALUE`) with an integer.
fn info_of(line: &str) -> Option<(String, i64)> {
    let (key, value) = without_info(line).split_once(char::is_whitespace)?;
    Some((key.to_ascii_lowercase(), value.trim().parse().ok()?))
}

/// The word before a clock that only bounds a search by nodes or depth.
pub const AT_MOST: &str = "at most ";

/// Limits of the search of each move, which do not depend on the machine's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// `INFO max_node`.
    pub nodes: Option<u64>,
    /// `INFO max_depth`.
    pub depth: Option<u32>,
}

impl SearchLimits {
    /// Whether there is a limit.
    pub fn is_any(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }

    /// These limits, overridden by the additional INFO lines (`KEY VALUE`), which an engine receives last; in both, 0
    /// means no limit.
    pub fn with_info(mut self, info: &[String]) -> SearchLimits {
        self.nodes = self.nodes.filter(|&nodes| nodes > 0);
        self.depth = self.depth.filter(|&depth| depth > 0);
        for line in info {
            let Some((key, value)) = info_of(line) else { continue };
            match key.as_str() {
                "max_node" => self.nodes = u64::try_from(value).ok().filter(|&nodes| nodes > 0),
                "max_depth" => self.depth = u32::try_from(value).ok().filter(|&depth| depth > 0),
                _ => {}
            }
        }
        self
    }

    /// A side's limits as records and headings show them: `25000 nodes/move, at most 1 s/move`, or only the
    /// clock.
    pub fn with_clock(&self, clock: &str) -> String {
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes/move, "));
        let depth = self.depth.map(|depth| format!("depth {depth}, "));
        let at_most = if self.is_any() && clock.contains('/') { AT_MOST } else { "" };
        format!("{}{}{at_most}{clock}", nodes.unwrap_or_default(), depth.unwrap_or_default())
    }

    /// Whether a text from [`SearchLimits::with_clock`] contains limits of nodes or depth.
    pub fn are_in(text: &str) -> bool {
        text.contains(" nodes/move") || text.starts_with("depth ")
    }

    /// The limits of black and white in one text: once if they are equal.
    pub fn of_both([black, white]: [String; 2]) -> String {
        if black == white { black } else { format!("{black} : {white}") }
    }
}

/// Memory limits, in bytes, for an engine together with all processes that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Limit sent to the engine (`INFO max_memory`); 0 means no limit.
    pub limit: u64,
    /// Bytes above the limit at which the engine is killed and loses.
    pub tolerance: u64,
}

impl MemoryLimit {
    /// Number of bytes above which the engine is killed, if there is a limit.
    pub fn kill_threshold(&self) -> Option<u64> {
        (self.limit > 0).then(|| self.limit.saturating_add(self.tolerance))
    }
}

/// Where a game is drawn at width x height - 25 stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum StoneLimit {
    /// In renju, as in Gomocup.
    #[default]
    Renju,
    /// Under every rule, like Piskvork.
    Always,
    /// Never: only a full board is a draw.
    Never,
}

/// Agreement of both engines that ends a game early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Whether a game is won if the winner reports a forced win and the loser a forced loss in consecutive
    /// moves.
    pub mate: bool,
    /// When the losing side resigns, if at all.
    pub resign: Option<ResignTerms>,
    /// When a game is drawn by agreement, if at all.
    pub draw: Option<DrawTerms>,
}

/// Conditions for a resignation, which both engines must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignTerms {
    /// Least value that decides the game; a forced win always does.
    pub value: u32,
    /// Number of consecutive moves with such values that each side must report.
    pub moves: usize,
}

/// Conditions for a draw by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawTerms {
    /// Greatest value, for either side, that counts as even.
    pub value: u32,
    /// Number of consecutive even moves that each side must report.
    pub moves: usize,
    /// Moves up to this number of stones do not count.
    pub after: usize,
}

/// Settings of all games of a league, or of the whole batch if it has only one.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the league, if the batch has several.
    pub league: Option<String>,
    /// The game and its board.
    pub game: GameKind,
    /// The procedure by which the engines negotiate each opening, if any.
    pub procedure: Option<ProcedureName>,
    /// Number of moves at which the game is drawn.
    pub max_moves: Option<usize>,
    /// Whether Gomocup's draw rule applies.
    pub stone_limit: StoneLimit,
    /// Agreement of both engines that ends a game early.
    pub adjudication: Adjudication,
    /// The seed of the batch.
    pub seed: u64,
}

impl Settings {
    /// Number of stones at which Gomocup's rule makes this game a draw, if it applies.
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

    /// The command that sets up the board.
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
            format!("INFO max_memory {}", engine.memory.limit),
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
        lines.extend(engine.info.iter().map(|info| format!("INFO {}", without_info(info))));
        lines
    }
}

/// One kind of games in a batch.
#[derive(Clone, Debug)]
pub struct League {
    /// Settings of its games.
    pub settings: Settings,
    /// The openings, in playing order.
    pub openings: Vec<Vec<Point>>,
    /// Number of openings before random ones begin to repeat; the number of all openings if none repeats.
    pub distinct: usize,
    /// A warning before the first game if there are too few openings.
    pub shortage: Option<String>,
    /// A warning to show when the openings begin to repeat, for a batch that may end before that.
    pub run_out: Option<String>,
    /// Weight of this league when pairs are distributed over the leagues.
    pub weight: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::clock::tests::clock;

    #[test]
    fn limits_among_the_info_lines_count() {
        let limits = |info: &[&str]| {
            let info: Vec<String> = info.iter().map(|&line| line.to_owned()).collect();
            let limits = SearchLimits { nodes: Some(9), depth: None }.with_info(&info);
            (limits.nodes, limits.depth)
        };
        assert_eq!(limits(&["strength 50", "max_node"]), (Some(9), None));
        assert_eq!(limits(&["MAX_NODE 25000", "max_depth  7"]), (Some(25_000), Some(7)));
        assert_eq!(limits(&["max_node 7", "max_node -1", "max_depth x"]), (None, None));
    }

    #[test]
    fn the_word_info_is_not_part_of_a_setting() {
        assert_eq!(without_info("INFO max_node 5"), "max_node 5");
        assert_eq!(without_info(" info  max_node 5 "), "max_node 5");
        assert_eq!(without_info("information 5"), "information 5");
        let info = ["Info max_node 7".to_owned()];
        assert_eq!(SearchLimits::default().with_info(&info).nodes, Some(7));
    }

    #[test]
    fn a_limit_of_0_is_none() {
        let limits = SearchLimits { nodes: Some(0), depth: Some(0) }.with_info(&[]);
        assert!(!limits.is_any());
        assert_eq!(limits.with_clock("1 s/move"), "1 s/move");
    }

    #[test]
    fn limits_of_nodes_and_depth_come_before_the_clock() {
        let text = |nodes, depth, clock: Clock| SearchLimits { nodes, depth }.with_clock(&clock.to_string());
        assert_eq!(text(Some(25_000), None, clock(1_000, 0, 0)), "25000 nodes/move, at most 1 s/move");
        assert_eq!(text(None, Some(9), clock(5_000, 5_000, 10)), "depth 9, at most 5 s/game + 10 ms");
        assert_eq!(text(Some(7), Some(9), clock(0, 0, 0)), "7 nodes/move, depth 9, at once");
        assert_eq!(text(None, None, clock(100, 0, 0)), "100 ms/move");
    }
}
