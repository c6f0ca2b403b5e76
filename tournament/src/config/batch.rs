//! From what people wrote to what is played: defaults filled in, contradictions refused, openings read.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use kakugo::board::MAX_SIDE;

use super::{Config, EngineConfig, LimitsConfig, SprtConfig, leagues};
use crate::batch::deal::Deal;
use crate::batch::schedule::{Schedule, TournamentFormat};
use crate::batch::settings::{Clock, DEFAULT_PAUSE_MS, EngineSettings, League, MemoryLimit};
use crate::stats::Sprt;

/// Limit for a move when neither limit is given, in milliseconds.
const DEFAULT_TURN_MS: u64 = 1000;
/// Time limit for START when none is given, in milliseconds.
const DEFAULT_START_MS: u64 = 10_000;
/// Memory limit that engines are told when none is given, in bytes: Gomocup's.
const DEFAULT_MEMORY: u64 = 350 << 20;
/// Memory that they may hold beyond it, in bytes: stacks, libraries and code, which not every engine counts.
const DEFAULT_MEMORY_TOLERANCE: u64 = 64 << 20;
/// The longest time that a limit may be, in milliseconds: what `INFO time_left` means no limit by.
const MAX_MS: u64 = i32::MAX as u64;
/// Most games of a test whose config gives no number of games.
const MAX_SPRT_GAMES: usize = 10_000;
/// Most engines of a batch, for everybody meets everybody; and most games, for each has an opening in memory.
const MAX_ENGINES: usize = 1000;
const MAX_GAMES: usize = 10_000_000;
/// The longest name of an engine, in characters.
const MAX_NAME: usize = 200;
/// The most moves of one side: what a match time with an increment may come to.
const MAX_OWN_MOVES: u64 = (MAX_SIDE as u64 * MAX_SIDE as u64).div_ceil(2);
/// The seed of batches that give none.
const DEFAULT_SEED: u64 = 1;

/// A batch that can be played.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The configuration, complete: it alone leads to the same batch.
    pub config: Config,
    /// Identifies the batch.
    pub hash: String,
    /// The engines.
    pub engines: Vec<EngineSettings>,
    /// The leagues, at least one.
    pub leagues: Vec<League>,
    /// Number of games.
    pub games: usize,
    /// The test that may end it sooner.
    pub sprt: Option<Sprt>,
}

impl Batch {
    /// Makes a batch of a configuration.
    ///
    /// # Errors
    /// When it contradicts itself, or its openings cannot be read.
    pub fn new(mut config: Config) -> Result<Batch> {
        if config.engine.is_empty() {
            let kakugo = EngineConfig { command: default_engine()?, ..EngineConfig::default() };
            config.engine = vec![kakugo.clone(), kakugo];
        }
        let count = config.engine.len();
        ensure!(count <= MAX_ENGINES, "a batch has {MAX_ENGINES} engines at most, here are {count}");
        name_engines(&mut config.engine)?;
        let engines = config
            .engine
            .iter()
            .map(|engine| resolve(engine, &config.limits).with_context(|| format!("engine {}", name(engine))))
            .collect::<Result<Vec<_>>>()?;
        ensure!(engines.len() > 1, "one engine cannot play: a batch takes two at least");
        let sprt = config.sprt.map(|sprt| test(sprt, engines.len()).context("sprt")).transpose()?;
        let round = config.format.games_per_round(engines.len());
        let games = match (config.games, config.rounds) {
            (Some(_), Some(_)) => anyhow::bail!("games and rounds are given, one of them is enough"),
            (Some(games), None) => games,
            (None, None) if sprt.is_some() => MAX_SPRT_GAMES,
            (None, rounds) => rounds.unwrap_or(1).checked_mul(round).context("too many rounds")?,
        };
        ensure!(games > 0, "a batch of no games");
        ensure!(games <= MAX_GAMES, "a batch has {MAX_GAMES} games at most, here are {games}");
        (config.games, config.rounds) = (Some(games), None);
        config.seed.get_or_insert(DEFAULT_SEED);
        let leagues = leagues::resolve(&mut config, games.div_ceil(round))?;
        let hash = config.hash();
        Ok(Batch { config, hash, engines, leagues, games, sprt })
    }

    /// All games.
    pub fn schedule(&self) -> Schedule {
        let format: TournamentFormat = self.config.format;
        let weights: Vec<u32> = self.leagues.iter().map(|league| league.weight).collect();
        let openings = self.leagues.iter().map(|league| league.openings.len()).collect();
        Schedule::new(format, self.engines.len(), self.games, Deal::new(&weights), openings)
    }

    /// The most threads that an engine uses.
    pub fn threads(&self) -> usize {
        self.engines.iter().filter_map(|engine| engine.threads).max().unwrap_or(1).max(1) as usize
    }
}

/// The engine that is built together with this program, quoted.
///
/// # Errors
/// When it is not there.
pub fn default_engine() -> Result<String> {
    let program = std::env::current_exe().context("where this program is")?;
    let engine = program.with_file_name(format!("pbrain-kakugo{}", std::env::consts::EXE_SUFFIX));
    ensure!(engine.exists(), "no engine is given, and there is no {} to play instead", engine.display());
    Ok(shell_words::quote(&engine.to_string_lossy()).into_owned())
}

fn name(engine: &EngineConfig) -> &str {
    engine.name.as_deref().unwrap_or(&engine.command)
}

/// Gives engines without a name that of their program, numbered where several would have the same.
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
        ensure!(seen.insert(name.clone()), "two engines are called '{name}'");
        engine.name = Some(name);
    }
    Ok(())
}

/// Names of engines and leagues are shown in tables and on pages, and are part of every record.
pub(super) fn check_name(name: &str, what: &str) -> Result<()> {
    ensure!(!name.trim().is_empty(), "{what} has an empty name");
    let length = name.chars().count();
    ensure!(length <= MAX_NAME, "the name of {what} has {MAX_NAME} characters at most, here are {length}");
    ensure!(
        !name.contains(char::is_control),
        "'{}' cannot name {what}: it has control characters",
        name.escape_debug()
    );
    Ok(())
}

fn split(command: &str) -> Result<Vec<String>> {
    let words = shell_words::split(command).with_context(|| format!("command '{command}'"))?;
    ensure!(words.first().is_some_and(|program| !program.is_empty()), "the command is empty");
    Ok(words)
}

/// Name of an engine that is given none: its program, without folder and ending.
///
/// # Errors
/// When the command is no command.
pub fn program_name(command: &str) -> Result<String> {
    let words = split(command)?;
    let program = Path::new(&words[0]);
    Ok(program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned())
}

/// An engine as it is used; where it has no limits of its own, those of `common`.
///
/// # Errors
/// When what is said of it cannot be.
pub fn resolve(engine: &EngineConfig, common: &LimitsConfig) -> Result<EngineSettings> {
    let limits = engine.limits.or(common);
    let match_ms = limits.match_ms.unwrap_or(0);
    let increment_ms = limits.increment_ms.unwrap_or(0);
    let turn_ms = match match_ms {
        0 => DEFAULT_TURN_MS,
        // Time that increments have added may be spent on a single move too.
        _ => match_ms.saturating_add(increment_ms.saturating_mul(MAX_OWN_MOVES)).min(MAX_MS.max(match_ms)),
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
    for line in &engine.info {
        ensure!(!line.contains(['\n', '\r']), "info '{}' has more than one line", line.escape_debug());
    }
    for (key, value) in &engine.env {
        let is_sound = !key.is_empty() && !key.contains(['=', '\0']) && !value.contains('\0');
        ensure!(is_sound, "'{}' cannot be an environment variable", key.escape_debug());
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
            told: limits.memory.map_or(DEFAULT_MEMORY, |bytes| bytes.0),
            tolerance: limits.memory_tolerance.map_or(DEFAULT_MEMORY_TOLERANCE, |bytes| bytes.0),
        },
        nodes: limits.nodes,
        depth: limits.depth,
        threads: limits.threads,
        reuse: engine.reuse,
    })
}

fn test(sprt: SprtConfig, engines: usize) -> Result<Sprt> {
    ensure!(engines == 2, "it compares two engines, here are {engines}");
    Sprt::new(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model)
}
