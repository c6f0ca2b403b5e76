//! Levels of play, from beginner to full strength.
//!
//! A level below the highest has a node limit for each move, sometimes plays a random one of the best four
//! moves instead of the best, and uses the solvers of forced wins only from level 4 on. Its moves depend only
//! on the rule, the position, the level and the seed. They are therefore the same on every machine and with
//! any options, and stay the same if a position is reached again after moves were taken back. Only a clock that
//! runs out, or too little memory for the table of a level, can change a move.
//!
//! The aim is that each level scores 65 % or more against the level below it, under the free rule and the
//! advanced rule; a long test measures this. In matches of 600 games between levels with other settings,
//! doubling the nodes was worth about 65 Elo, and lowering the share of random moves by one percentage point
//! about 5 Elo. The settings are spaced evenly by these figures. The node limit cannot be lowered further
//! than at the lowest levels: a search that stops before it has four moves chooses among fewer, and plays
//! better. The last level before full strength has about a ninth of the nodes that two seconds allow.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use crate::board::Board;
use crate::board::zobrist::mix;
use crate::engine::Engine;
use crate::game::{Game, Move, Refusal};
use crate::rules::RuleKind;
use crate::search::{KnownPositions, RootOptions};
use crate::think::score::{DRAW, MATE_THRESHOLD, mated_in};
use crate::think::{
    GameEngine, Iteration, Limits, Reporter, RootEvent, SearchReport, SearchResult, Shortage,
};

/// A level of play, from 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The handicap of a level below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Maximum number of nodes per move.
    pub nodes: u64,
    /// Percentage of moves that are chosen at random from the best four.
    pub random_percent: u8,
    /// Whether the solvers of forced wins are used.
    pub solvers: bool,
}

/// The handicaps of the levels below the highest, from level 1.
const HANDICAPS: [Handicap; 9] = [
    Handicap { nodes: 128, random_percent: 100, solvers: false },
    Handicap { nodes: 128, random_percent: 68, solvers: false },
    Handicap { nodes: 128, random_percent: 28, solvers: false },
    Handicap { nodes: 400, random_percent: 14, solvers: true },
    Handicap { nodes: 1_500, random_percent: 8, solvers: true },
    Handicap { nodes: 5_000, random_percent: 5, solvers: true },
    Handicap { nodes: 18_000, random_percent: 2, solvers: true },
    Handicap { nodes: 64_000, random_percent: 1, solvers: true },
    Handicap { nodes: 230_000, random_percent: 0, solvers: true },
];

/// Number of best moves among which a random one is chosen.
const BEST: usize = 4;
/// Bytes of the transposition table per node of a level's move, which is ample.
const BYTES_PER_NODE: u64 = 64;

impl Level {
    /// The lowest level.
    pub const FIRST: Level = Level(1);
    /// Full strength.
    pub const FULL: Level = Level(HANDICAPS.len() as u8 + 1);

    /// The level with this number; `None` if it does not exist.
    pub fn new(number: u8) -> Option<Level> {
        (Level::FIRST.0..=Level::FULL.0).contains(&number).then_some(Level(number))
    }

    /// All levels, lowest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Level::FIRST.0..=Level::FULL.0).map(Level)
    }

    /// The level for a GUI's `INFO strength`: 10 is level 1, 20 is level 2, and so on to 100, which is full
    /// strength. Values in between are rounded down, and values below 10 count as 10. `None` above 100.
    ///
    /// ```
    /// use kakugo::engine::levels::Level;
    /// let levels = [0, 10, 19, 20, 99, 100].map(|strength| Level::of_strength(strength).map(Level::number));
    /// assert_eq!(levels, [1, 1, 1, 2, 9, 10].map(Some));
    /// assert_eq!(Level::of_strength(101), None);
    /// ```
    pub fn of_strength(strength: u8) -> Option<Level> {
        Level::new((strength / 10).max(1)).filter(|_| strength <= 100)
    }

    /// The level's number, from 1.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The next higher level; `None` after the highest.
    pub fn next(self) -> Option<Level> {
        Level::new(self.0 + 1)
    }

    /// The handicap of the level; `None` at full strength.
    pub fn handicap(self) -> Option<Handicap> {
        HANDICAPS.get(usize::from(self.0) - 1).copied()
    }

    /// The rule of the challenge at this level: free up to level 5, advanced from level 6.
    pub fn challenge_rule(self) -> RuleKind {
        if self.0 <= 5 { RuleKind::Freestyle } else { RuleKind::Renju }
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads the number of a level, such as `3`, but not the text that a level is displayed as, `level 3`.
    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        text.parse().ok().and_then(Level::new).ok_or(UnknownLevel)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "level {}", self.0)
    }
}

/// The text is not the number of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("levels range from {} to {}", Level::FIRST.0, Level::FULL.0)]
pub struct UnknownLevel;

/// A player: a level, and the seed of its random moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelPlayer {
    /// The level of play.
    pub level: Level,
    /// Seed of the random moves; has no effect at levels without random moves.
    pub seed: u64,
}

impl LevelPlayer {
    /// Chooses a move like [`Engine::think`], at this level and within `limits`. Below full strength the
    /// engine starts without results of earlier searches and uses one thread.
    pub fn think(
        self,
        engine: &mut Engine,
        limits: &Limits,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        self.think_with(engine, limits, &RootOptions::default(), stop, reporter)
    }

    /// Like [`LevelPlayer::think`], with search options.
    pub fn think_with(
        self,
        engine: &mut Engine,
        limits: &Limits,
        options: &RootOptions,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        let Some(handicap) = self.level.handicap() else {
            return engine.think_with(limits, options, stop, reporter);
        };
        let hash_bytes = handicap.nodes * BYTES_PER_NODE;
        let Some(pick) = self.pick(engine.position().board().hash()) else {
            let limits = self.limited(limits);
            return engine.shelter(hash_bytes, |engine| engine.think_with(&limits, options, stop, reporter));
        };
        // Each of the four gets the nodes of a search for one move.
        let nodes = handicap.nodes * BEST as u64;
        let max_nodes = least(limits.max_nodes, nodes);
        let limits = Limits { multi_pv: BEST, max_nodes, ..self.limited(limits) };
        let report = engine
            .shelter(hash_bytes, |engine| engine.think_with(&limits, options, stop, &OneLine(reporter)));
        let mut lines = report.into_lines();
        // If the side to move has a five, the search also lists moves that do not stop the opponent's five.
        if lines.iter().any(|line| line.value > mated_in(2)) {
            lines.retain(|line| line.value > mated_in(2));
        }
        drop_known_losses(&mut lines, engine.position().board(), &options.known);
        let last = lines.swap_remove(pick % lines.len());
        reporter.iteration(&last);
        SearchReport { best_move: last.pv.first().copied(), last, others: Vec::new() }
    }

    /// Runs `work`, which consists of many searches, such as the decisions of an opening. Below full strength
    /// it gives the same result on every machine: as in [`LevelPlayer::think`], earlier search results are
    /// discarded and one thread is used.
    pub fn shelter<R>(self, engine: &mut Engine, work: impl FnOnce(&mut Engine) -> R) -> R {
        match self.level.handicap() {
            Some(handicap) => engine.shelter(handicap.nodes * BYTES_PER_NODE, work),
            None => work(engine),
        }
    }

    /// `limits` with at most the nodes that the level has for a move, and with the solvers only if the level
    /// uses them.
    pub fn limited(self, limits: &Limits) -> Limits {
        let Some(handicap) = self.level.handicap() else { return *limits };
        let solvers = limits.solvers && handicap.solvers;
        Limits { max_nodes: least(limits.max_nodes, handicap.nodes), solvers, ..*limits }
    }

    /// If a random move is due in the position with this hash, the index of the move. It is independent of
    /// other positions and of earlier searches.
    fn pick(self, hash: u64) -> Option<usize> {
        let percent = u64::from(self.level.handicap()?.random_percent);
        let dice = mix(hash ^ mix(self.seed));
        (dice % 100 < percent).then_some((dice / 100 % 0x1_0000) as usize)
    }
}

/// An engine that plays at a level.
pub struct LevelEngine {
    engine: Engine,
    player: LevelPlayer,
}

impl LevelEngine {
    /// `engine`, with its game, playing as `player`.
    pub fn new(engine: Engine, player: LevelPlayer) -> LevelEngine {
        LevelEngine { engine, player }
    }
}

impl GameEngine for LevelEngine {
    fn game(&self) -> &dyn Game {
        self.engine.game()
    }

    fn play(&mut self, mv: Move) {
        GameEngine::play(&mut self.engine, mv);
    }

    fn pass(&mut self) -> Result<(), Refusal> {
        self.engine.pass()
    }

    fn undo(&mut self) {
        self.engine.undo();
    }

    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        self.player.think(&mut self.engine, limits, stop, reporter).into()
    }

    fn advise(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        self.engine.think(limits, stop, reporter).into()
    }

    fn take_shortages(&mut self) -> Vec<Shortage> {
        self.engine.take_shortages()
    }
}

impl fmt::Display for LevelPlayer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.level.fmt(f)?;
        match self.level.handicap() {
            Some(handicap) if handicap.random_percent > 0 => write!(f, ", seed {}", self.seed),
            _ => Ok(()),
        }
    }
}

fn least(limit: Option<u64>, nodes: u64) -> Option<u64> {
    Some(limit.map_or(nodes, |limit| limit.min(nodes)))
}

/// Drops the lines of moves that are known to lose, unless no other line holds.
fn drop_known_losses(lines: &mut Vec<Iteration>, board: &Board, known: &KnownPositions) {
    let is_lost = |line: &Iteration| {
        let result = line.pv.first().and_then(|&first| known.result_of_move(board.hash_after(first)));
        result.is_some_and(|value| value < DRAW)
    };
    if lines.iter().any(|line| line.value >= -MATE_THRESHOLD && !is_lost(line)) {
        lines.retain(|line| !is_lost(line));
    }
}

/// Reports a search for several moves as if it were a search for the best one.
struct OneLine<'a>(&'a dyn Reporter);

impl Reporter for OneLine<'_> {
    fn iteration(&self, iteration: &Iteration) {
        self.0.iteration(iteration);
    }

    fn interrupted_iteration(&self, iteration: &Iteration) {
        self.0.interrupted_iteration(iteration);
    }

    fn root_event(&self, event: RootEvent) {
        self.0.root_event(event);
    }

    fn fallback(&self, point: crate::board::Point) {
        self.0.fallback(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_shrink_with_the_level() {
        let handicaps: Vec<Handicap> = Level::all().filter_map(Level::handicap).collect();
        assert_eq!(handicaps.len(), 9);
        assert!(Level::FULL.handicap().is_none() && Level::FULL.next().is_none());
        for pair in handicaps.windows(2) {
            let [below, above] = pair else { continue };
            assert!(above.nodes >= below.nodes && above.random_percent <= below.random_percent, "{pair:?}");
            assert!(above.solvers >= below.solvers && above != below, "{pair:?}");
        }
        let first = handicaps.iter().position(|handicap| handicap.solvers);
        assert_eq!(first, Some(3), "level 4 is the first to ask the solvers");
    }

    #[test]
    fn random_moves_have_the_right_frequency() {
        const POSITIONS: u64 = 40_000;
        for level in Level::all() {
            let player = LevelPlayer { level, seed: 5 };
            let mut which = [0_u64; BEST];
            for position in 0..POSITIONS {
                if let Some(pick) = player.pick(mix(position)) {
                    which[pick % BEST] += 1;
                }
            }
            let percent = level.handicap().map_or(0.0, |handicap| f64::from(handicap.random_percent));
            let seen = |count: u64| count as f64 * 100.0 / POSITIONS as f64;
            assert!((seen(which.iter().sum()) - percent).abs() < 1.0, "{level}: {which:?}");
            assert!(
                which.iter().all(|&count| (seen(count) - percent / 4.0).abs() < 0.6),
                "{level}: {which:?}"
            );
        }
    }

    #[test]
    fn the_limits_of_a_level_exclude_solvers_that_it_does_not_use() {
        for level in Level::all() {
            let player = LevelPlayer { level, seed: 0 };
            let uses_solvers = |solvers| player.limited(&Limits { solvers, ..Limits::infinite() }).solvers;
            assert_eq!(uses_solvers(true), level.number() >= 4, "{level}");
            assert!(!uses_solvers(false), "{level}");
        }
    }

    #[test]
    fn a_strength_is_a_level() {
        for strength in 0..=100 {
            let level = Level::of_strength(strength).expect("it is in the range");
            assert_eq!(level.number(), (strength / 10).max(1));
        }
        assert!((101..=255).all(|strength| Level::of_strength(strength).is_none()));
    }

    #[test]
    fn levels_are_read_by_number() {
        assert_eq!("3".parse::<Level>().unwrap().to_string(), "level 3");
        for text in ["0", "11", "-1", "", "three", "256"] {
            assert_eq!(text.parse::<Level>(), Err(UnknownLevel), "{text}");
        }
        let player = |number| LevelPlayer { level: Level(number), seed: 8 }.to_string();
        assert_eq!((player(1), player(10)), ("level 1, seed 8".to_owned(), "level 10".to_owned()));
    }
}
