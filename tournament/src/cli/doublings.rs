//! `tournament doublings`: measures the Elo gain from doubling an engine's nodes.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::json;

use super::run::{self, RunArgs, remove_info};
use crate::batch::doublings::{Doubling, format_nodes, sort_by_nodes, table};
use crate::config::batch::{default_engine, program_name};
use crate::config::{Config, EngineConfig, LimitsConfig};
use crate::schedule::TournamentFormat;
use crate::text;

/// Default nodes per move: each step is two doublings.
const NODES: [u64; 4] = [16_000, 64_000, 256_000, 1_000_000];
/// A time limit per move that the nodes never reach, in milliseconds.
const TURN_MS: u64 = 600_000;

/// Measure the Elo gain from doubling the nodes: an engine plays itself, each node limit against the next
/// one.
///
/// Rule, board, openings, games and files are as for `run`. --resume continues the batch. `tournament
/// doublings RESULTS...` prints the table of Elo per doubling again.
#[derive(Debug, Args)]
pub struct DoublingsArgs {
    /// Results of such batches: print their table and play nothing.
    #[arg(value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Nodes per move, in rising order [default: 16000,64000,256000,1000000].
    #[arg(long, value_name = "N,...", value_delimiter = ',', conflicts_with = "results",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the games or reads their results, and prints the table.
///
/// # Errors
/// Returns an error if the batch is invalid or cannot be played, or if results cannot be read.
pub fn run(args: &DoublingsArgs) -> Result<ExitCode> {
    if !args.results.is_empty() {
        ensure!(
            args.run == RunArgs::default(),
            "results are given, so nothing is played and no other option is possible"
        );
        let mut steps = Vec::new();
        for path in &args.results {
            let results = super::ReadArgs::default().read(path)?;
            let config = results.header.map(|header| serde_json::from_value::<Config>(header.config));
            let config = config.transpose().with_context(|| path.display().to_string())?.unwrap_or_default();
            check(&config).with_context(|| path.display().to_string())?;
            let found = Doubling::all(&config, &results.games);
            ensure!(
                !found.is_empty(),
                "{}: contains no results of one engine with different node limits",
                path.display()
            );
            steps.extend(found);
        }
        super::print(&table(&steps))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut how = args.run.clone();
    let command = how.take_engine()?;
    let reuse = how.take_reuse();
    if args.nodes.is_empty() && command.is_none() {
        how.check_resumed()?;
    }
    // Without any option, `run` would play its short default match.
    let mut config = if how == RunArgs::default() { Config::default() } else { how.config()? };
    check(&config)?;
    // A config may have engines with their own limits, and a resumed batch always has.
    if config.engine.is_empty() || !args.nodes.is_empty() || command.is_some() {
        let nodes = if args.nodes.is_empty() { &NODES[..] } else { &args.nodes };
        config.engine = engines(only_engine(command, &config, how.has_config())?, nodes)?;
    }
    config.engine.iter_mut().for_each(|engine| engine.reuse |= reuse);
    sort_by_nodes(&mut config)?;
    config.format = TournamentFormat::Neighbours;
    config.limits.turn_ms.get_or_insert(TURN_MS);
    let mut records = Vec::new();
    let (batch, status) = run::play(&how, config, &mut |record| records.push(record.clone()))?;
    let steps = Doubling::all(&batch.config, &records);
    super::print(&if how.json {
        text::json(json!({ "doublings": steps }).to_string()) + "\n"
    } else {
        format!("\n{}", table(&steps))
    })?;
    Ok(status)
}

/// Rejects a batch whose steps do not belong to one rule and board.
fn check(config: &Config) -> Result<()> {
    ensure!(config.game.is_none(), "doublings can be measured only under a rule, not in another game");
    ensure!(
        config.league.is_empty(),
        "doublings can be measured only under one rule, not in leagues: use a batch for each of them"
    );
    Ok(())
}

/// The engine that plays itself: `command`, or the only engine of a config, or the default. Without a config, the
/// engines of `config` come from the batch that is resumed, where each node limit has one.
fn only_engine(command: Option<String>, config: &Config, has_config: bool) -> Result<EngineConfig> {
    let command = match (command, &config.engine[..]) {
        (Some(command), _) => command,
        (None, [engine]) if has_config => return Ok(engine.clone()),
        (None, [_, _, ..]) if has_config => {
            bail!("--nodes needs a config with one engine, and this one has several")
        }
        (None, _) => default_engine()?,
    };
    Ok(EngineConfig { command, ..EngineConfig::default() })
}

/// The engine once for each node limit, with the limit in its name.
fn engines(mut engine: EngineConfig, nodes: &[u64]) -> Result<Vec<EngineConfig>> {
    ensure!(nodes.len() > 1, "--nodes needs at least two numbers");
    ensure!(nodes.is_sorted_by(|few, many| few < many), "--nodes needs numbers in rising order");
    remove_info(&mut engine, "max_node");
    let name = engine.name.clone().map_or_else(|| program_name(&engine.command), Ok)?;
    let limited = |&nodes: &u64| EngineConfig {
        name: Some(format!("{name}-{}", format_nodes(nodes))),
        limits: LimitsConfig { nodes: Some(nodes), ..engine.limits.clone() },
        ..engine.clone()
    };
    Ok(nodes.iter().map(limited).collect())
}
