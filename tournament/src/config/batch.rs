//! From the configuration to a batch that can be played: fills in defaults, rejects contradictions, reads
//! openings.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::values::check_name;
use super::{Config, EngineConfig, LimitsConfig, SprtConfig, leagues};
use crate::model::clock::{Clock, MAX_MS};
use crate::model::dropouts::Dropouts;
use crate::model::settings::{DEFAULT_PAUSE_MS, EngineSettings, League, MemoryLimit, without_info};
use crate::schedule::deal::Deal;
use crate::schedule::{Schedule, TournamentFormat};
use crate::stats::Sprt;

/// Time limit per move if no limit is given, in milliseconds.
const DEFAULT_TURN_MS: u64 = 1000;
/// Default time limit for START, in milliseconds.
const DEFAULT_START_MS: u64 = 10_000;
/// Default memory limit sent to engines, in bytes: Gomocup's.
const DEFAULT_MEMORY: u64 = 350 << 20;
/// Default memory beyond the limit, in bytes, for stacks, libraries and code, which some engines do not
/// count.
const DEFAULT_MEMORY_TOLERANCE: u64 = 64 << 20;
/// Maximum number of games of a test whose config gives no number of games.
const MAX_SPRT_GAMES: usize = 10_000;
/// Maximum number of engines in a batch, because they may all play each other; and of games, because the
/// opening of each is kept in memory.
const MAX_ENGINES: usize = 1000;
const MAX_GAMES: usize = 10_000_000;
/// Default seed of a batch.
const DEFAULT_SEED: u64 = 1;

/// A batch that can be played.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The complete configuration: it alone defines the batch.
    pub config: Config,
    /// Identifies the batch.
    pub hash: String,
    /// The engines.
    pub engines: Vec<EngineSettings>,
    /// The leagues, at least one.
    pub leagues: Vec<League>,
    /// Number of games.
    pub games: usize,
    /// The test that may end the batch early.
    pub sprt: Option<Sprt>,
}

impl Batch {
    /// Creates the batch that a configuration defines.
    ///
    /// # Errors
    /// Returns an error if the configuration contradicts itself or its openings cannot be read.
    pub fn new(mut config: Config) -> Result<Batch> {
        if config.engine.is_empty() {
            let kakugo = EngineConfig { command: default_engine()?, ..EngineConfig::default() };
            config.engine = vec![kakugo.clone(), kakugo];
        }
        let count = config.engine.len();
        ensure!(count <= MAX_ENGINES, "a batch has at most {MAX_ENGINES} engines; this one has {count}");
        name_engines(&mut config.engine)?;
        let engines = config
            .engine
            .iter()
            .map(|engine| resolve(engine, &config.limits).with_context(|| format!("engine {}", name(engine))))
            .collect::<Result<Vec<_>>>()?;
        ensure!(engines.len() > 1, "a batch needs at least two engines");
        let sprt = config.sprt.map(|sprt| test(sprt, engines.len()).context("sprt")).transpose()?;
        let round = config.format.games_per_round(engines.len());
        let games = match (config.games, config.rounds) {
            (Some(_), Some(_)) => anyhow::bail!("games and rounds are both given; choose one"),
            (Some(games), None) => games,
            (None, None) if sprt.is_some() => MAX_SPRT_GAMES,
            (None, rounds) => rounds.unwrap_or(1).checked_mul(round).context("too many rounds")?,
        };
        ensure!(games > 0, "the batch has no games: games or rounds is 0");
        ensure!(games <= MAX_GAMES, "a batch has at most {MAX_GAMES} games; this one has {games}");
        (config.games, config.rounds) = (Some(games), None);
        config.seed.get_or_insert(DEFAULT_SEED);
        let leagues = leagues::resolve(&mut config, games.div_ceil(round))?;
        let hash = config.hash();
        Ok(Batch { config, hash, engines, leagues, games, sprt })
    }

    /// All games.
    pub fn schedule(&self) -> Schedule {
        self.schedule_with(self.leagues.iter().map(|league| league.openings.len()).collect())
    }

    /// All games, if each league had this number of `openings`.
    pub fn schedule_with(&self, openings: Vec<usize>) -> Schedule {
        let format: TournamentFormat = self.config.format;
        let weights: Vec<u32> = self.leagues.iter().map(|league| league.weight).collect();
        Schedule::new(format, self.engines.len(), self.games, Deal::new(&weights), openings)
    }

    /// The engines without failures.
    pub fn dropouts(&self) -> Dropouts {
        Dropouts::new(self.engines.iter().map(|engine| engine.name.as_str()), self.config.drop_dead)
    }

    /// Maximum number of threads of any engine.
    pub fn threads(&self) -> usize {
        self.engines.iter().filter_map(EngineSettings::thread_count).max().unwrap_or(1).max(1) as usize
    }
}

/// Command of the engine that is built together with this program, quoted.
///
/// # Errors
/// Returns an error if it does not exist.
pub fn default_engine() -> Result<String> {
    let program = std::env::current_exe().context("finding the path of this program")?;
    let engine = program.with_file_name(format!("pbrain-kakugo{}", std::env::consts::EXE_SUFFIX));
    ensure!(
        engine.exists(),
        "no engine is given, and the default {} does not exist: build it, or name an engine",
        engine.display()
    );
    Ok(shell_words::quote(&engine.to_string_lossy()).into_owned())
}

fn name(engine: &EngineConfig) -> &str {
    engine.name.as_deref().unwrap_or(&engine.command)
}

/// Names engines without a name after their program, with numbers if several have the same program.
fn name_engines(engines: &mut [EngineConfig]) -> Result<()> {
    let mut names = Vec::new();
    for engine in &*engines {
        names.push(match &engine.name {
            Some(name) => name.clone(),
            None => program_name(&engine.command)?,
        });
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut seen = HashSet::new();
    for (engine, name) in engines.iter_mut().zip(&names) {
        let number = numbers.entry(name).or_default();
        *number += 1;
        let name = match engine.name {
            None if counts[name.as_str()] > 1 => format!("{name}-{number}"),
            _ => name.clone(),
        };
        check_name(&name, "an engine")?;
        ensure!(seen.insert(name.clone()), "two engines have the name '{name}'");
        engine.name = Some(name);
    }
    Ok(())
}

fn split(command: &str) -> Result<Vec<String>> {
    let words = shell_words::split(command).with_context(|| format!("command '{command}'"))?;
    ensure!(words.first().is_some_and(|program| !program.is_empty()), "the command is empty");
    Ok(words)
}

/// Default name of an engine: its program, without folder and extension.
///
/// # Errors
/// Returns an error if the command cannot be parsed.
pub fn program_name(command: &str) -> Result<String> {
    let words = split(command)?;
    let program = Path::new(&words[0]);
    Ok(program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned())
}

/// Settings of an engine; `common` provides the limits that it does not set itself.
///
/// # Errors
/// Returns an error if a setting is invalid.
pub fn resolve(engine: &EngineConfig, common: &LimitsConfig) -> Result<EngineSettings> {
    let limits = engine.limits.or(common);
    let match_ms = limits.match_ms.unwrap_or(0);
    let increment_ms = limits.increment_ms.unwrap_or(0);
    let turn_ms = match match_ms {
        0 => DEFAULT_TURN_MS,
        _ => Clock::ample_turn_ms(match_ms, increment_ms),
    };
    let clock = Clock {
        turn_ms: limits.turn_ms.unwrap_or(turn_ms),
        match_ms,
        increment_ms,
        margin_ms: limits.margin_ms.unwrap_or(0),
    };
    let start_ms = limits.start_ms.unwrap_or(DEFAULT_START_MS);
    let pause_ms = limits.pause_ms.unwrap_or(DEFAULT_PAUSE_MS);
    let times = [
        ("turn_ms", clock.turn_ms),
        ("match_ms", match_ms),
        ("increment_ms", clock.increment_ms),
        ("margin_ms", clock.margin_ms),
        ("start_ms", start_ms),
        ("pause_ms", pause_ms),
    ];
    for (key, ms) in times {
        ensure!(ms <= MAX_MS, "{key} is more than {MAX_MS}");
    }
    ensure!(
        increment_ms == 0 || match_ms > 0,
        "increment_ms needs match_ms: an increment is added to the time per game"
    );
    for line in &engine.info {
        let shown = line.escape_debug();
        ensure!(!line.contains(['\n', '\r']), "info '{shown}' contains a line break");
        let is_whole = without_info(line).split_whitespace().nth(1).is_some();
        // Earlier versions accepted every line.
        ensure!(
            is_whole || engine.is_resumed,
            "info '{shown}' needs a key and a value, such as 'max_node 5000'"
        );
    }
    for (key, value) in &engine.env {
        let is_sound = !key.is_empty() && !key.contains(['=', '\0']) && !value.contains('\0');
        ensure!(is_sound, "'{}' is not a valid name of an environment variable", key.escape_debug());
    }
    Ok(EngineSettings {
        name: name(engine).to_owned(),
        command: split(&engine.command)?,
        directory: engine.directory.clone(),
        env: engine.env.clone(),
        info: engine.info.clone(),
        clock,
        start_limit: Duration::from_millis(start_ms),
        pause: Duration::from_millis(pause_ms),
        memory: MemoryLimit {
            limit: limits.memory.map_or(DEFAULT_MEMORY, |bytes| bytes.0),
            tolerance: limits.memory_tolerance.map_or(DEFAULT_MEMORY_TOLERANCE, |bytes| bytes.0),
        },
        nodes: limits.nodes,
        depth: limits.depth,
        threads: limits.threads,
        reuse: engine.reuse,
    })
}

fn test(sprt: SprtConfig, engines: usize) -> Result<Sprt> {
    ensure!(engines == 2, "a test compares two engines; this batch has {engines}");
    Sprt::new(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_have_a_key_and_a_value() {
        let resolved = |info: &str| {
            let command = "a".to_owned();
            let engine = EngineConfig { command, info: vec![info.to_owned()], ..EngineConfig::default() };
            resolve(&engine, &LimitsConfig::default())
        };
        for info in ["", " ", "max_node", "INFO", "info max_node", "a 1\nb 2"] {
            let error = resolved(info).unwrap_err().to_string();
            assert!(error.starts_with(&format!("info '{}' ", info.escape_debug())), "{error}");
        }
        for info in ["max_node 5", "INFO max_node 5", "some key of several words"] {
            assert!(resolved(info).is_ok(), "{info}");
        }
    }

    #[test]
    fn threads_of_info_lines_need_processors_too() {
        let threads = |info: &str| {
            let engines =
                "[[engine]]\ncommand = \"a\"\nlimits = { threads = 2 }\n[[engine]]\ncommand = \"b\"\n";
            Batch::new(Config::parse(&format!("{engines}info = [{info}]\n")).unwrap()).unwrap().threads()
        };
        assert_eq!(threads(""), 2);
        assert_eq!(threads("'thread_num 4', 'strength 50'"), 4);
        assert_eq!(threads("'thread_num 9', 'Thread_Num  8', 'thread_num 0', 'thread_num x'"), 8);
        assert_eq!(threads("'thread_num 1'"), 2);
    }
}
