//! `picture POSITION FILE`: a position as a picture.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::SystemError;
use super::question::PositionArgs;
use crate::drawing::svg;
use crate::files::replace_with;

/// Arguments of `picture`.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// The picture, an SVG file
    #[arg(value_name = "FILE.svg")]
    out: PathBuf,
    /// Leaves out the numbers of the stones
    #[arg(long)]
    plain: bool,
}

/// Writes the picture.
///
/// # Errors
/// When the position is not valid, or the file can't be written.
pub fn run(args: &PictureArgs) -> Result<()> {
    let is_svg = args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    ensure!(is_svg, "{}: pictures are SVG, so the name has to end in .svg", args.out.display());
    let (board, _) = args.at.read_any()?;
    let turns = if args.plain { Vec::new() } else { args.at.turns()? };
    let moves: Vec<_> = turns.into_iter().map(|turn| turn.map(|mv| mv.point)).collect();
    replace_with(&args.out, svg(&board, &moves))
        .map_err(SystemError)
        .with_context(|| format!("cannot write {}", args.out.display()))
}
