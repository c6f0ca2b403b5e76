//! The command line, one file per subcommand.

mod depths;
mod eval;
mod fit;
mod inspect;
mod make;
mod place;
mod progress;
mod quiet;
mod selfplay;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use kakugo::eval::WeightsFile;
use kakugo::output;
pub use kakugo::output::status_line;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use self::progress::bar;
use crate::games::{self, GamesFile};

/// Plays games of the engine against itself, trains its network on them, and makes suites of their positions.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Selfplay(selfplay::SelfplayArgs),
    Inspect(inspect::InspectArgs),
    Fit(fit::FitArgs),
    Make(make::MakeArgs),
    Eval(eval::EvalArgs),
    Quiet(quiet::QuietArgs),
    Depths(depths::DepthsArgs),
}

impl Cli {
    /// Executes the command.
    ///
    /// # Errors
    /// Returns the error of the command.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Selfplay(args) => selfplay::run(&args),
            Command::Inspect(args) => inspect::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::Make(args) => make::run(&args),
            Command::Eval(args) => eval::run(&args),
            Command::Quiet(args) => quiet::run(&args),
            Command::Depths(args) => depths::run(&args),
        }
    }
}

/// Reads a file of games, replays every game, and reports an unfinished last game.
fn read_games(path: &Path) -> Result<GamesFile> {
    let contents = replay_games(path)?;
    if contents.torn > 0 {
        let (path, torn) = (path.display(), contents.torn);
        status_line(format_args!("{path}: {torn} bytes of an unfinished game were skipped"));
    }
    Ok(contents)
}

/// Reads a file of games and replays every game.
fn replay_games(path: &Path) -> Result<GamesFile> {
    let contents = games::read(path)?;
    let bar = bar(path.display().to_string(), contents.games.len() as u64, "games replayed");
    let check = |game: &games::TrainingGame| {
        games::check(game, &contents.recipe).with_context(|| format!("game {}", game.index))?;
        bar.inc(1);
        Ok(())
    };
    let checked: Result<()> = contents.games.par_iter().try_for_each(check);
    bar.finish_and_clear();
    checked.with_context(|| path.display().to_string())?;
    Ok(contents)
}

/// Reads files of games and replays every game.
///
/// # Errors
/// Returns an error if a file cannot be read, or if two files have the same recipe, and so the same games.
fn read_all_games(paths: &[PathBuf]) -> Result<Vec<GamesFile>> {
    let mut files: Vec<GamesFile> = Vec::new();
    for path in paths {
        let file = read_games(path)?;
        if let Some(other) = files.iter().position(|other| other.recipe == file.recipe) {
            bail!(same_games(&paths[other], path));
        }
        files.push(file);
    }
    Ok(files)
}

/// The error that two files of games have the same recipe.
fn same_games(one: &Path, other: &Path) -> String {
    let (one, other) = (one.display(), other.display());
    format!("{one} and {other} have the same recipe, seed included: their games would count twice")
}

/// Reads a weight file.
fn read_weights(path: &Path) -> Result<WeightsFile> {
    WeightsFile::read(path).with_context(|| format!("cannot load {}", path.display()))
}

/// Runs `work` on as many threads as there are cores, or on this thread alone if the system provides no
/// others.
fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = ThreadPoolBuilder::new().build().or_else(|error| {
        log::warn!("one thread only: {error}");
        ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()
    });
    Ok(pool.context("cannot start threads")?.install(work))
}

/// Prints `text` unchanged.
fn print(text: &str) -> Result<()> {
    output::print(text).context("writing to standard output")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
