//! `tournament doublings`: what twice the nodes are worth to an engine.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::json;

use super::run::{self, RunArgs};
use crate::batch::doublings::{Doubling, format_nodes, table};
use crate::batch::schedule::TournamentFormat;
use crate::config::batch::{default_engine, program_name};
use crate::config::{Config, EngineConfig, LimitsConfig};
use crate::text;

/// Nodes a move where nobody says: two doublings from one to the next.
const NODES: [u64; 4] = [16_000, 64_000, 256_000, 1_000_000];
/// A limit for a move that the nodes end long before, in milliseconds.
const TURN_MS: u64 = 600_000;

/// Measures what twice the nodes are worth: an engine plays itself, each number of nodes against the next one.
///
/// Rule, board, openings, games and files are as for `run`. The batch goes on with --resume, and its table of Elo per
/// doubling is shown again with `tournament doublings RESULTS...`.
#[derive(Debug, Args)]
pub struct DoublingsArgs {
    /// Results of such batches: their table is shown, and nothing is played.
    #[arg(value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Nodes a move, rising [default: 16000,64000,256000,1000000].
    #[arg(long, value_name = "N,...", value_delimiter = ',', conflicts_with = "results",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays, or reads what has been played, and shows the table.
///
/// # Errors
/// When the batch makes no sense or cannot be played, or results cannot be read.
pub fn run(args: &DoublingsArgs) -> Result<ExitCode> {
    if !args.results.is_empty() {
        ensure!(args.run == RunArgs::default(), "results are given, so nothing is played: no other flags");
        let mut steps = Vec::new();
        for path in &args.results {
            let results = super::ReadArgs::default().read(path)?;
            let header = results.header.map(|header| serde_json::from_value::<Config>(header.config));
            let found = header.transpose()?.map(|config| Doubling::all(&config, &results.games));
            let found = found.filter(|found| !found.is_empty());
            ensure!(found.is_some(), "{}: no results of one engine with different nodes", path.display());
            steps.extend(found.unwrap_or_default());
        }
        super::print(&table(&steps))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut how = args.run.clone();
    let command = how.take_engine()?;
    // Nothing but defaults would be the short match that `run` shows.
    let mut config = if how == RunArgs::default() { Config::default() } else { how.config()? };
    ensure!(config.game.is_none(), "doublings are measured under a rule, not in another game");
    // A config may have engines with limits of their own, and so has a batch that is resumed.
    if config.engine.is_empty() || !args.nodes.is_empty() || command.is_some() {
        let nodes = if args.nodes.is_empty() { &NODES[..] } else { &args.nodes };
        config.engine = engines(&command.map_or_else(default_engine, Ok)?, nodes)?;
    }
    config.format = TournamentFormat::Neighbours;
    config.limits.turn_ms.get_or_insert(TURN_MS);
    let mut records = Vec::new();
    let status = run::play(&how, config.clone(), &mut |record| records.push(record.clone()))?;
    let steps = Doubling::all(&config, &records);
    super::print(&if how.json {
        text::json(json!({ "doublings": steps }).to_string()) + "\n"
    } else {
        format!("\n{}", table(&steps))
    })?;
    Ok(status)
}

/// The engine with each of the numbers of nodes, which is in its name.
fn engines(command: &str, nodes: &[u64]) -> Result<Vec<EngineConfig>> {
    ensure!(nodes.len() > 1, "two numbers of nodes at least can be compared");
    ensure!(nodes.is_sorted_by(|few, many| few < many), "the numbers of nodes have to rise");
    let program = program_name(command)?;
    let engine = |&nodes: &u64| EngineConfig {
        name: Some(format!("{program}-{}", format_nodes(nodes))),
        command: command.to_owned(),
        limits: LimitsConfig { nodes: Some(nodes), ..LimitsConfig::default() },
        ..EngineConfig::default()
    };
    Ok(nodes.iter().map(engine).collect())
}
