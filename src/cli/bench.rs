//! `bench`: the node signature and the speeds of the foundations.

use std::io::{self, Write};

use clap::Args;

use crate::bench;

/// Options of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Prints one line of JSON
    #[arg(long)]
    json: bool,
    /// Leaves the speeds out: only the searches that make the signature
    #[arg(long)]
    signature: bool,
}

/// Runs the benchmark and prints what it found.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let report = if args.signature { bench::run_searches() } else { bench::run() };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(out, "{report}")?;
    }
    Ok(())
}
