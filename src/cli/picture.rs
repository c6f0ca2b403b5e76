//! `picture POSITION FILE`: a position as a picture.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::SystemError;
use super::position_args::PositionArgs;
use crate::drawing::{Picture, png, svg};
use crate::files::replace_with;

/// Arguments of `picture`.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// The picture; its extension, .svg or .png, determines the format
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Leaves out the numbers of the stones
    #[arg(long)]
    plain: bool,
}

/// Writes the picture.
///
/// # Errors
/// Returns an error if the position is not valid, or the file can't be written.
pub fn run(args: &PictureArgs) -> Result<()> {
    let draw = drawer(&args.out)?;
    let (board, _) = args.at.read_any()?;
    let moves: Vec<_> = args.at.turns()?.into_iter().map(|turn| turn.map(|mv| mv.point)).collect();
    let picture = Picture::new(&board, &moves);
    let picture = if args.plain { picture.without_numbers() } else { picture };
    replace_with(&args.out, draw(&picture))
        .map_err(SystemError)
        .with_context(|| format!("cannot write {}", args.out.display()))
}

/// The function that makes a file of the format given by the extension of a name.
fn drawer(path: &Path) -> Result<fn(&Picture) -> Vec<u8>> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "svg" => Ok(|picture| svg(picture).into_bytes()),
        "png" => Ok(png),
        _ => bail!("{}: pictures are SVG or PNG, so the name has to end in .svg or .png", path.display()),
    }
}
