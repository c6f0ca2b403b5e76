//! `tournament merge`: joins the results of shares in one file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;

use crate::files::merge::merge;
use crate::text::counted;

/// Join the results of a batch's shares.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The file to write.
    output: PathBuf,
    /// Results files of one batch that have no game in common.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    force: bool,
}

pub fn run(args: &MergeArgs) -> Result<ExitCode> {
    ensure!(
        !super::is_stream(&args.output),
        "the output can't be standard output (-): ./- is a file of this name"
    );
    let merged = merge(&args.output, &args.inputs, args.force)?;
    merged.torn.iter().for_each(|notice| super::warn(notice));
    let name = args.output.display();
    let missing = match merged.of - merged.games {
        0 => String::new(),
        _ => format!("; `tournament run --resume --log {name}` plays the missing games"),
    };
    super::print(&format!("{name}: {} of {}{missing}\n", merged.games, counted(merged.of, "game")))?;
    Ok(ExitCode::SUCCESS)
}
