//! The command line, one file per subcommand. The default command is `run`.

mod convert;
mod doublings;
mod init;
mod merge;
mod openings;
mod progress;
mod rate;
mod report;
mod run;
mod show;
mod tune;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use kakugo::files::{self, CodePage};
use kakugo::game_files::ReadOptions;
use kakugo::output;
use kakugo::rules::Rule;

use crate::files::RecordFormat;
use crate::files::results::{self, Results};

/// Plays engines that speak the Gomocup protocol against each other and referees them.
///
/// The default command is `run`; without arguments, Kakugo plays itself. Exit status: 0 on success; 1 after
/// Ctrl-C in `run`, `doublings` and `tune`, or if an engine failed or committed a foul and --fail-on-trouble is
/// given; 2 on an error.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a batch of games.
    Run(Box<run::RunArgs>),
    /// Write a commented example of a config.
    Init(init::InitArgs),
    /// Join the results of a batch's shares.
    Merge(merge::MergeArgs),
    Rate(rate::RateArgs),
    Show(show::ShowArgs),
    Report(report::ReportArgs),
    Convert(convert::ConvertArgs),
    Openings(openings::OpeningsArgs),
    Tune(tune::TuneArgs),
    Doublings(Box<doublings::DoublingsArgs>),
}

impl Cli {
    /// Executes the command.
    ///
    /// # Errors
    /// Returns the error of the command.
    pub fn run(self) -> Result<ExitCode> {
        match self.command {
            None => run::run(&self.run),
            Some(Command::Run(args)) => run::run(&args),
            Some(Command::Init(args)) => init::run(&args),
            Some(Command::Merge(args)) => merge::run(&args),
            Some(Command::Rate(args)) => rate::run(&args),
            Some(Command::Show(args)) => show::run(&args),
            Some(Command::Report(args)) => report::run(&args),
            Some(Command::Convert(args)) => convert::run(&args),
            Some(Command::Openings(args)) => openings::run(&args),
            Some(Command::Tune(args)) => tune::run(&args),
            Some(Command::Doublings(args)) => doublings::run(&args),
        }
    }
}

/// Options for reading files of games.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
struct ReadArgs {
    /// Rule of all games of the Gomocup family [default: the rule of each game, or freestyle].
    #[arg(long, value_name = "NAME")]
    rule: Option<Rule>,
    /// Code page of the games, such as gbk [default: declared by each game, or detected].
    #[arg(long, value_name = "NAME")]
    encoding: Option<CodePage>,
    /// Kinds of SGF games to read.
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    game_kind: GameKindArg,
}

/// Kinds of SGF games to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum GameKindArg {
    /// Gomoku and renju.
    #[default]
    Gomoku,
    /// All kinds, read as gomoku, including GM[1], which programs for Go write.
    Any,
}

impl ReadArgs {
    /// Reads a file of games, or standard input if it is `-`, and warns the user about games that were skipped.
    fn read(&self, path: &Path) -> Result<Results> {
        self.read_lines(path, false)
    }

    /// Like [`ReadArgs::read`], but also reads the variations of SGF files.
    fn read_trees(&self, path: &Path) -> Result<Results> {
        self.read_lines(path, true)
    }

    fn read_lines(&self, path: &Path, variations: bool) -> Result<Results> {
        let any_kind = self.game_kind == GameKindArg::Any;
        let options = ReadOptions {
            rule: self.rule,
            encoding: self.encoding,
            any_kind,
            variations,
            ..ReadOptions::default()
        };
        let results = if is_stream(path) {
            results::read_input(io::stdin().lock(), &options)?
        } else {
            results::read(path, &options)?
        };
        for notice in results.torn.iter().chain(&results.notices) {
            warn(&format!("{}: {notice}", path.display()));
        }
        Ok(results)
    }
}

/// The files of games that `names` refer to, each of them once, with a warning for each repeat.
fn inputs(names: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let files = files::inputs(names, RecordFormat::EXTENSIONS)?;
    Ok(files::without_repeats(files, |file| {
        warn(&format!("tournament: warning: {} is named twice and used once", file.display()));
    }))
}

/// Whether a path stands for standard input or output. `./-` is a file of this name.
fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prints a one-line warning for the user.
fn warn(text: &str) {
    output::status_line(text);
}

/// Prints `text`, with characters escaped that could control a terminal.
fn print(text: &str) -> Result<()> {
    output::print(text).context("writing to standard output")
}

/// Prints the text of a file. Only on a terminal are characters escaped that could control it.
fn print_file(text: &str) -> Result<()> {
    output::print_file(text).context("writing to standard output")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_batch_is_played_with_and_without_the_command() {
        let cli = |line: &str| Cli::parse_from(line.split(' '));
        assert!(cli("tournament --games 2").command.is_none());
        assert!(matches!(cli("tournament run --games 2").command, Some(Command::Run(_))));
        assert!(Cli::try_parse_from(["tournament", "--games", "2", "init"]).is_err());
    }
}
