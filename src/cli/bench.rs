//! `bench`: the node signature, and the speed of the basic operations.

use clap::Args;

use super::weights::WeightsArgs;
use crate::bench;
use crate::terminal::output;

/// Options of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Prints one line of JSON
    #[arg(long)]
    json: bool,
    /// Runs only the searches for the signature, without the speed measurements
    #[arg(long)]
    signature: bool,
    /// Runs only the searches, with N threads; with more than one thread their nodes are not a signature
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    pub weights: WeightsArgs,
}

/// Runs the benchmark and prints the results.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let networks = args.weights.networks()?;
    let report = match args.threads {
        Some(threads) => bench::run_searches(threads.into(), &networks),
        None if args.signature => bench::run_searches(1, &networks),
        None => bench::run(&networks),
    };
    Ok(if args.json {
        output::print_json(serde_json::to_string(&report)? + "\n")
    } else {
        output::print(&format!("{report}\n"))
    }?)
}
