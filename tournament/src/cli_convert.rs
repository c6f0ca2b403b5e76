//! `tournament convert`: writes games in another format.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::files::{self, Format};
use crate::record::{Header, Record};
use crate::results;

/// Writes games in another format.
///
/// Formats are told by the names of the files: .jsonl (our results), .pgn, .psq, .sgf, .csv. Where OUT is a directory,
/// each game becomes a file of its own in the format of --to.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// What to read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// What to write: a file, which is replaced, or a directory.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Only the game with this number.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// The format, where the name of OUT does not tell it.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
}

/// Converts.
///
/// # Errors
/// When a file cannot be read or written, or the format of OUT is not known.
pub fn run(args: &ConvertArgs) -> Result<ExitCode> {
    let mut results = results::read(&args.input)?;
    if let Some(torn) = &results.torn {
        eprintln!("{}: {torn}", args.input.display());
    }
    if let Some(number) = args.game {
        results.games.retain(|game| game.game == number);
        ensure!(!results.games.is_empty(), "{}: no game {number}", args.input.display());
    }
    let games = &results.games;
    ensure!(!games.is_empty(), "{}: no game in the file", args.input.display());
    let is_directory = args.output.is_dir() || args.output.as_os_str().to_string_lossy().ends_with('/');
    let format = args.to.or(if is_directory { None } else { Format::of_path(&args.output) });
    let format = format.with_context(|| {
        format!("{}: its name tells no format; say --to jsonl, pgn, psq, sgf or csv", args.output.display())
    })?;
    if is_directory {
        std::fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
        for (index, game) in games.iter().enumerate() {
            let name = format!("game-{:04}.{}", index + 1, format.extension());
            write_file(&args.output.join(name), format, None, std::slice::from_ref(game))?;
        }
    } else {
        ensure!(
            format != Format::Psq || games.len() == 1,
            "a .psq file holds one game, and there are {}: say --game N, or a directory for OUT and --to psq",
            games.len()
        );
        write_file(&args.output, format, results.header.as_ref(), games)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a whole file or none.
fn write_file(path: &Path, format: Format, header: Option<&Header>, games: &[Record]) -> Result<()> {
    let mut text = files::write(format, games)?;
    if let (Format::Jsonl, Some(header)) = (format, header) {
        text.insert_str(0, &(serde_json::to_string(header)? + "\n"));
    }
    let context = || path.display().to_string();
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // It may not even have been begun.
        let _ = std::fs::remove_file(&part);
    }
    written.with_context(context)
}
