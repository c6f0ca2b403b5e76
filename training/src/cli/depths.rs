//! `training depths`: what more nodes for each label would gain.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kakugo::suite::Attempt;

use super::progress::bar;
use crate::depths::{Foresight, measure};

/// Tells how well the evaluation and searches with some nodes foretell the values of searches with more, over inner
/// positions of games: what more nodes for each label would gain.
///
/// The table depends on the games, the options and the engine alone, not on the number of threads.
#[derive(Debug, Args)]
pub struct DepthsArgs {
    /// Files of games; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Positions of each file at most.
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Nodes of the searches; the last ones are taken for the truth.
    #[arg(long, value_name = "N,N,...", default_value = "400,1500,6000,25000,100000,400000", value_delimiter = ',',
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Seed of which positions are looked at.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Searches at once.
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
        let told = |attempt: &Attempt| bar.inc(attempt.limit);
        let found = measure(&contents, count, &args.nodes, args.seed, threads, &told)?;
        bar.finish_and_clear();
        let mut text = format!("{}\n     nodes   loss  proven  points\n", path.display());
        for Foresight { nodes, proven, points, loss } in found {
            writeln!(text, "{nodes:10} {loss:6.4} {proven:7} {points:7.0}")?;
        }
        super::print(&text)?;
    }
    Ok(())
}
