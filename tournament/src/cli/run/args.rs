//! The options of `tournament run`, and the configuration that they define.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::engines::{self, EngineFlags, PlaceFlags};
use crate::cli::is_stream;
use crate::config::values::{BoardSize, Bytes, GameRule, OpeningSource, Pin};
use crate::config::{Config, LimitsConfig, SprtConfig, leagues};
use crate::files::journal;
use crate::model::game_kind::VariantName;
use crate::model::procedure::ProcedureName;
use crate::model::settings::StoneLimit;
use crate::schedule::{Shard, TournamentFormat};
use crate::stats::Model;

/// Number of openings of the match that is played without any option.
const SHOW_ROUNDS: usize = 3;
/// Time limit per move in that match, with a margin wide enough that games are decided on the board even on a
/// busy machine.
const SHOW_TURN_MS: u64 = 100;
const SHOW_MARGIN_MS: u64 = 2000;

/// Defines the batch, and how it is played.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct RunArgs {
    /// A config in TOML; options override it, including its engine settings (`tournament init` writes an example).
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Command of the first engine [default: the pbrain-kakugo in the folder of this program].
    #[arg(long, value_name = "CMD")]
    engine1: Option<String>,
    /// Command of the second engine [default: the pbrain-kakugo in the folder of this program].
    #[arg(long, value_name = "CMD")]
    engine2: Option<String>,
    /// Name of the first engine in the results [default: the name of its program].
    #[arg(long, value_name = "NAME")]
    name1: Option<String>,
    /// Name of the second engine in the results [default: the name of its program].
    #[arg(long, value_name = "NAME")]
    name2: Option<String>,
    /// Command of an additional engine; may be repeated.
    #[arg(long, value_name = "CMD")]
    engine: Vec<String>,
    /// Which engines play each other [default: round-robin].
    #[arg(long, value_enum)]
    format: Option<TournamentFormat>,
    /// freestyle, standard, renju, caro, caro-exact, or a Gomocup code [default: freestyle].
    #[arg(long, value_name = "NAME|CODE")]
    rule: Option<GameRule>,
    /// Another game instead of a rule, with its options: pente, keryo, ninuki, gomoku42, gomoku42-web,
    /// gomoku33, roku, roku-ninuki, roku-handicap, roku-dynamic, roku-thrilling, pente:goal_pairs=7
    /// (`pbrain-kakugo games` describes them).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rule", "stone_limit"])]
    game: Option<VariantName>,
    /// The engines negotiate each opening: rif, renju-swap, yamaguchi, soosorv-8, taraguchi-10 (renju), swap,
    /// swap2, pro, long-pro (gomoku). The game's first engine begins.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "openings", "shuffle"])]
    procedure: Option<ProcedureName>,
    /// Board size [default: 15, or the game's own size].
    #[arg(long, value_name = "N|WxH")]
    size: Option<BoardSize>,
    /// Time limit per move, 0 = move at once (answers are accepted for one second) [default: 1000, or the
    /// match time].
    #[arg(long, value_name = "MS")]
    time_turn_ms: Option<u64>,
    /// Time per game, 0 = no limit [default: 0].
    #[arg(long, value_name = "MS")]
    time_match_ms: Option<u64>,
    /// Time added to the match time after each move; needs --time-match-ms [default: 0].
    #[arg(long, value_name = "MS")]
    increment_ms: Option<u64>,
    /// An answer that is late by more than this loses the game; late answers are counted in any case
    /// [default: 0].
    #[arg(long, value_name = "MS")]
    margin_ms: Option<u64>,
    /// Time for an engine to start [default: 10000].
    #[arg(long, value_name = "MS")]
    start_ms: Option<u64>,
    /// Pause between an answer of an engine and the next line sent to it, charged to neither clock [default:
    /// 10].
    #[arg(long, value_name = "MS")]
    pause_ms: Option<u64>,
    /// Memory limit sent to the engines, such as 350M; 0 = no limit [default: 350M].
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<Bytes>,
    /// Memory that an engine with all its processes may use beyond the limit before it is killed [default:
    /// 64M].
    #[arg(long, value_name = "BYTES")]
    memory_tolerance: Option<Bytes>,
    /// INFO thread_num for all engines, and the number of processors per engine with --pin.
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// INFO max_node for the first engine.
    #[arg(long, value_name = "N")]
    max_nodes1: Option<u64>,
    /// INFO max_node for the second engine.
    #[arg(long, value_name = "N")]
    max_nodes2: Option<u64>,
    /// INFO max_depth for all engines.
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Another INFO line for the first engine; may be repeated.
    #[arg(long, value_name = "KEY VALUE")]
    info1: Vec<String>,
    /// Another INFO line for the second engine; may be repeated.
    #[arg(long, value_name = "KEY VALUE")]
    info2: Vec<String>,
    /// Keep each engine's process for several games (RESTART).
    #[arg(long)]
    reuse: bool,
    /// Total number of games [default: one round].
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    games: Option<usize>,
    /// Number of openings per pair of engines, each played with both colours [default: 1].
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Source of openings: book (built-in), random:K (K random stones), or a file in which each line is a
    /// list of offsets from the centre (dx,dy, dx,dy, ...), moves (h8i9j10) or a FEN; with --game only moves
    /// [default: the book if there is one for rule and size, otherwise random:4]. When the openings run out,
    /// they are repeated in a new order, with a warning; book+random:K and FILE+random:K continue with random
    /// stones.
    #[arg(long, value_name = "book|random:K|FILE")]
    openings: Option<OpeningSource>,
    /// Shuffle the openings of the book or file.
    #[arg(long)]
    shuffle: bool,
    /// Seed for all random choices [default: 1].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The game is a draw at this number of stones, with --game of moves; 0 = no limit [default: 0].
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Where a game is drawn at width x height - 25 stones, as in Gomocup [default: renju].
    #[arg(long, value_enum)]
    stone_limit: Option<StoneLimit>,
    /// End a game as won if one engine reports a forced win and the other a forced loss.
    #[arg(long)]
    adjudicate_mate: bool,
    /// End a game as lost for a side if it reports -VALUE or less and the other side VALUE or more for MOVES
    /// moves each.
    #[arg(long, value_name = "VALUE:MOVES", value_parser = parse_resign)]
    adjudicate_resign: Option<(u32, usize)>,
    /// End a game as drawn if both engines report values within VALUE for MOVES moves each, after AFTER
    /// stones.
    #[arg(long, value_name = "VALUE:MOVES:AFTER", value_parser = parse_draw)]
    adjudicate_draw: Option<(u32, usize, usize)>,
    /// Stop when the test has decided whether the first engine is better by ELO1 or only by ELO0.
    #[arg(long, value_name = "ELO0:ELO1", allow_hyphen_values = true, value_parser = parse_elos)]
    sprt: Option<(f64, f64)>,
    /// Probability of each wrong decision [default: 0.05].
    #[arg(long, value_name = "P", requires = "sprt")]
    sprt_error: Option<f64>,
    /// Scale of the two Elo differences [default: logistic].
    #[arg(long, value_enum, requires = "sprt")]
    sprt_model: Option<Model>,
    /// Number of games played at the same time [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Assign processors to each game: auto, or a list such as 0-3,6.
    #[arg(long, value_name = "CPUS")]
    pin: Option<Pin>,
    /// The results file: one line of JSON per game [default: a new file, results.jsonl or the next free name
    /// results-2.jsonl, ...; none with --json].
    #[arg(long, visible_alias = "results", value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write no results file.
    #[arg(long, conflicts_with_all = ["log", "resume"])]
    pub(super) no_log: bool,
    /// Continue the batch of the results file; its config need not be given again.
    #[arg(long)]
    pub(super) resume: bool,
    /// Play only share I of N; `tournament merge` joins the results.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Print only the final table.
    #[arg(long)]
    pub(super) quiet: bool,
    /// Print the running score with Elo after every N games instead of a line per game.
    #[arg(long, value_name = "N", conflicts_with_all = ["quiet", "json"], value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: Option<u32>,
    /// Print the record of each game and a final summary, each as one line of JSON.
    #[arg(long, conflicts_with = "quiet")]
    pub(in crate::cli) json: bool,
    /// Drop an engine from the rest of the batch after N consecutive games lost by a failure (no start,
    /// crash, time, illegal move, ...); 0 = never [default: 0].
    #[arg(long, value_name = "N")]
    drop_dead: Option<u32>,
    /// Exit with status 1 if any game ended by an engine failure or a foul.
    #[arg(long)]
    pub(super) fail_on_trouble: bool,
}

impl RunArgs {
    /// The configuration from the file, or from the results to resume, with the changes by options.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the options contradict it or each other.
    pub fn config(&self) -> Result<Config> {
        let (mut config, is_resumed) = match &self.config {
            Some(path) => {
                let mut config = Config::read(path)?;
                let begun = self.resumed(self.log.as_ref().or(config.run.results.as_ref()))?;
                if let Some(begun) = &begun {
                    config.keep_openings(begun);
                }
                (config, begun.is_some())
            }
            None => {
                let begun = self.resumed(self.log.as_ref())?;
                let is_resumed = begun.is_some();
                (begun.unwrap_or_default(), is_resumed)
            }
        };
        if *self == RunArgs::default() {
            config.rounds = Some(SHOW_ROUNDS);
            (config.limits.turn_ms, config.limits.margin_ms) = (Some(SHOW_TURN_MS), Some(SHOW_MARGIN_MS));
        }
        self.change_games(&mut config);
        if self.rule.is_some() {
            leagues::refuse_rule(&config)?;
        }
        let given = self.limits();
        config.limits = given.or(&config.limits);
        engines::limit(&mut config.engine, &given);
        if self.config.is_some() && !config.engine.is_empty() {
            self.engines().change(&mut config.engine)?;
        } else if let Some(engines) = self.engines().listed()? {
            config.engine = engines;
        }
        config.engine.iter_mut().for_each(|engine| engine.is_resumed = is_resumed);
        let run = &mut config.run;
        run.concurrency = self.concurrency.or(run.concurrency);
        run.pin = self.pin.clone().or(run.pin.take());
        run.results = self.log.clone().or(run.results.take()).filter(|_| !self.no_log);
        ensure!(!self.resume || run.results.is_some(), "--resume needs the results file: --log FILE");
        ensure!(
            !run.results.as_deref().is_some_and(is_stream),
            "the results file cannot be standard output (-): ./- is a file of this name; --json prints the records"
        );
        Ok(config)
    }

    /// Checks that a batch that only its results file can define has one. Otherwise a mistyped name would start
    /// another match.
    ///
    /// # Errors
    /// Returns an error if the file to resume does not exist or has no header, and no option or config defines a
    /// batch.
    pub(in crate::cli) fn check_resumed(&self) -> Result<()> {
        let how_it_is_played = RunArgs {
            concurrency: self.concurrency,
            pin: self.pin.clone(),
            log: self.log.clone(),
            no_log: self.no_log,
            resume: self.resume,
            shard: self.shard,
            quiet: self.quiet,
            every: self.every,
            json: self.json,
            drop_dead: self.drop_dead,
            fail_on_trouble: self.fail_on_trouble,
            ..RunArgs::default()
        };
        let Some(path) = self.log.as_ref().filter(|_| self.resume && *self == how_it_is_played) else {
            return Ok(());
        };
        let name = path.display();
        ensure!(
            path.exists(),
            "--resume: there is no results file {name}, and no option or config defines a batch"
        );
        ensure!(
            journal::has_header(path)?,
            "--resume: the file {name} has no complete header, and no option or config defines a batch"
        );
        Ok(())
    }

    /// The configuration in the results file to resume, if it exists.
    fn resumed(&self, results: Option<&PathBuf>) -> Result<Option<Config>> {
        let Some(path) = results.filter(|path| self.resume && path.exists()) else {
            return Ok(None);
        };
        let Some(contents) = journal::read(path)? else { return Ok(None) };
        let mut config: Config = serde_json::from_value(contents.header.config)?;
        // Options may change the openings, so the hash no longer applies.
        config.openings_hash = None;
        config.league.iter_mut().for_each(|league| league.openings_hash = None);
        Ok(Some(config))
    }

    fn change_games(&self, config: &mut Config) {
        fn change<T: Clone>(value: &mut T, flag: &Option<T>) {
            if let Some(flag) = flag {
                value.clone_from(flag);
            }
        }
        change(&mut config.rule, &self.rule);
        config.procedure = self.procedure.or(config.procedure);
        config.game = self.game.clone().or(config.game.take());
        // A resumed batch has the board of its game, which another game may not support.
        config.size = self.size.or(if self.game.is_some() { None } else { config.size.take() });
        change(&mut config.format, &self.format);
        change(&mut config.stone_limit, &self.stone_limit);
        if self.openings.is_some() {
            config.openings.clone_from(&self.openings);
            config.league.iter_mut().for_each(|league| league.openings = None);
        }
        config.shuffle |= self.shuffle;
        config.seed = self.seed.or(config.seed);
        config.max_moves = self.max_moves.or(config.max_moves);
        if self.games.is_some() || self.rounds.is_some() {
            (config.games, config.rounds) = (self.games, self.rounds);
        }
        config.drop_dead = self.drop_dead.or(config.drop_dead);
        config.adjudication.mate |= self.adjudicate_mate;
        if let Some((value, moves)) = self.adjudicate_resign {
            let adjudication = &mut config.adjudication;
            (adjudication.resign_value, adjudication.resign_moves) = (Some(value), Some(moves));
        }
        if let Some((value, moves, after)) = self.adjudicate_draw {
            let adjudication = &mut config.adjudication;
            adjudication.draw_value = Some(value);
            (adjudication.draw_moves, adjudication.draw_after) = (Some(moves), Some(after));
        }
        if let Some((elo0, elo1)) = self.sprt {
            let error = self.sprt_error.unwrap_or(0.05);
            let model = self.sprt_model.unwrap_or_default();
            config.sprt = Some(SprtConfig { elo0, elo1, alpha: error, beta: error, model });
        }
    }

    fn engines(&self) -> EngineFlags<'_> {
        let first = PlaceFlags {
            command: &self.engine1,
            name: &self.name1,
            nodes: self.max_nodes1,
            info: &self.info1,
        };
        let second = PlaceFlags {
            command: &self.engine2,
            name: &self.name2,
            nodes: self.max_nodes2,
            info: &self.info2,
        };
        EngineFlags { places: [first, second], others: &self.engine, reuse: self.reuse }
    }

    fn limits(&self) -> LimitsConfig {
        LimitsConfig {
            turn_ms: self.time_turn_ms,
            match_ms: self.time_match_ms,
            increment_ms: self.increment_ms,
            margin_ms: self.margin_ms,
            start_ms: self.start_ms,
            pause_ms: self.pause_ms,
            memory: self.max_memory,
            memory_tolerance: self.memory_tolerance,
            nodes: None,
            depth: self.max_depth,
            threads: self.threads,
        }
    }
}

fn parse_elos(text: &str) -> Result<(f64, f64), &'static str> {
    let elos = text.split_once(':').and_then(|(elo0, elo1)| elo0.parse().ok().zip(elo1.parse().ok()));
    elos.ok_or("expected two Elo differences, such as 0:10")
}

fn parse_resign(text: &str) -> Result<(u32, usize), &'static str> {
    let terms = text.split_once(':').and_then(|(value, moves)| value.parse().ok().zip(moves.parse().ok()));
    terms.ok_or("expected a value and a number of moves, such as 500:4")
}

fn parse_draw(text: &str) -> Result<(u32, usize, usize), &'static str> {
    let terms = || {
        let (value, others) = text.split_once(':')?;
        let (moves, after) = others.split_once(':')?;
        Some((value.parse().ok()?, moves.parse().ok()?, after.parse().ok()?))
    };
    terms().ok_or("expected a value, a number of moves and a number of stones, such as 10:8:120")
}

mod config_errors;
mod one_engine;
#[cfg(test)]
mod tests;
