//! `training depths`: measures what more nodes per label would gain.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kakugo::suite::Attempt;

use super::progress::bar;
use crate::depths::{Foresight, measure};

/// Measure how well the evaluation and short searches predict the values of longer searches on inner
/// positions of games, which shows what more nodes per label would gain.
///
/// The table depends only on the games, the options and the engine, not on the number of threads.
#[derive(Debug, Args)]
pub struct DepthsArgs {
    /// Files of games; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Maximum number of positions per file.
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Nodes of the searches; the last number is taken as the truth.
    #[arg(long, value_name = "N,N,...", default_value = "400,1500,6000,25000,100000,400000", value_delimiter = ',',
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Seed for the choice of positions.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of searches at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub fn run(args: &DepthsArgs) -> Result<()> {
    for path in &args.files {
        let contents = super::on_all_cores(|| super::read_games(path))??;
        let inner: usize = contents.games.iter().map(|game| game.inner.len()).sum();
        let searched = inner.min(args.count as usize) as u64;
        let nodes =
            searched.saturating_mul(args.nodes.iter().fold(0, |sum, &nodes| sum.saturating_add(nodes)));
        let bar = bar(path.display().to_string(), nodes, "nodes");
        let (count, threads) = (args.count as usize, args.threads.into());
        let show_progress = |attempt: &Attempt| bar.inc(attempt.limit);
        let found = measure(&contents, count, &args.nodes, args.seed, threads, &show_progress)?;
        bar.finish_and_clear();
        let mut text = format!("{}\n     nodes   loss  proven  points\n", path.display());
        for Foresight { nodes, proven, points_per_unit, loss } in found {
            writeln!(text, "{nodes:10} {loss:6.4} {proven:7} {points_per_unit:7.0}")?;
        }
        super::print(&text)?;
    }
    Ok(())
}
