//! `tournament merge`: the results of shares become one file.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::merge::merge;

/// What is joined.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The file to write.
    output: PathBuf,
    /// Results of one batch that have no game in common.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub fn run(args: &MergeArgs) -> Result<ExitCode> {
    let merged = merge(&args.output, &args.inputs, args.force)?;
    let missing = match merged.of - merged.games {
        0 => String::new(),
        _ => "; `tournament run --resume --log FILE` plays the others".to_owned(),
    };
    writeln!(io::stdout(), "{}: {} of {} games{missing}", args.output.display(), merged.games, merged.of)
        .context("writing to standard output")?;
    Ok(ExitCode::SUCCESS)
}
