//! The command line. Without a subcommand the process runs the protocol, which is how managers start it.

mod analyse;
mod balance;
mod bench;
mod book;
mod db;
mod evaluate;
mod failure;
mod forbidden;
mod foul;
mod game_file;
mod games;
mod hexagon;
mod interrupt;
mod live;
mod picture;
mod play;
mod position_args;
mod procedures;
mod review;
mod rule_name;
mod seconds;
mod shell;
mod solve;
mod suite;
mod tunables;
mod weights;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{CommandFactory, Parser, Subcommand};

use crate::protocol::{self, log::Log};
use crate::terminal::arguments;
use crate::terminal::output::{self, OutputError, status_line};
use failure::{SystemError, USAGE_ERROR, file_error};
use weights::WeightsArgs;

/// Exit statuses of an answer with `--status`: yes, no, not known.
const YES: u8 = 0;
const NO: u8 = 3;
const UNKNOWN: u8 = 4;

/// Kakugo, a Gomoku and Renju engine. Without a command it speaks the Gomocup (Piskvork) protocol on standard input
/// and output.
#[derive(Debug, Parser)]
#[command(name = "pbrain-kakugo", version)]
struct Arguments {
    /// Appends every line received or sent to FILE, with the time; cannot be used with a command
    #[arg(long, value_name = "FILE", env = "KAKUGO_LOG")]
    log: Option<OsString>,
    #[command(flatten)]
    weights: WeightsArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The subcommands; each has its own module.
#[derive(Debug, Subcommand)]
enum Command {
    /// Finds the best lines of a position, with their win rates
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Proposes one or two moves that balance a position
    Balance(balance::BalanceArgs),
    /// Searches fixed positions and measures speeds; the last line is the signature of this version
    Bench(bench::BenchArgs),
    /// Grows opening books in position databases and shows their contents
    Book(book::BookArgs),
    /// Prints a completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Manages position databases: query, import, export, merge, check
    Db(db::DbArgs),
    /// Draws the network's evaluation of a position: value, chances and policy
    Evaluate(evaluate::EvaluateArgs),
    /// Shows every point where black would commit a foul in renju, and why
    Forbidden(forbidden::ForbiddenArgs),
    /// Lists the games that can be played, with a summary of each
    Games,
    /// Writes manual pages
    Man(shell::ManArgs),
    /// Draws a position as a picture, SVG or PNG
    Picture(picture::PictureArgs),
    /// Plays a game against you in this terminal
    Play(play::PlayArgs),
    /// Judges every move of a game: where a win was missed, and where the game was lost
    Review(review::ReviewArgs),
    /// Prints the rules of a game
    Rules(games::RulesArgs),
    /// Finds a forced win by fours or threats and proves it, or lists the defences that hold
    Solve(solve::SolveArgs),
    /// Counts the positions of a suite that the search solves
    Suite(suite::SuiteArgs),
    /// Lists the search parameters that matches can tune (in builds with the feature `tune`)
    Tunables(tunables::TunablesArgs),
}

impl Command {
    /// The networks of the command, if it uses any.
    fn weights_mut(&mut self) -> Option<&mut WeightsArgs> {
        match self {
            Command::Analyse(args) => Some(&mut args.weights),
            Command::Balance(args) => Some(&mut args.weights),
            Command::Bench(args) => Some(&mut args.weights),
            Command::Book(args) => args.weights_mut(),
            Command::Evaluate(args) => Some(&mut args.weights),
            Command::Play(args) => Some(&mut args.weights),
            Command::Review(args) => Some(&mut args.weights),
            Command::Suite(args) => Some(&mut args.weights),
            _ => None,
        }
    }
}

/// Runs the command line.
pub fn run() -> ExitCode {
    output::start_log();
    let (arguments, ignored): (Arguments, _) = arguments::parse_tolerantly();
    for option in ignored {
        // Boards start engines with their own options.
        log::warn!("unknown option {option}");
        if io::stdin().is_terminal() {
            status_line(format_args!("the option {option} is unknown and has no effect"));
        }
    }
    let Arguments { log, weights, mut command } = arguments;
    if command.is_some() && is_log_typed() {
        status_line("error: --log cannot be used with a command");
        return ExitCode::from(USAGE_ERROR);
    }
    if !weights.weights.is_empty()
        && let Some(command) = &mut command
    {
        let Some(own) = command.weights_mut() else {
            status_line("error: --weights cannot be used with this command");
            return ExitCode::from(USAGE_ERROR);
        };
        // A file of the same rule after the command takes precedence.
        own.weights.splice(..0, weights.weights.iter().cloned());
    }
    match &command {
        // An empty KAKUGO_LOG means no log.
        None => {
            let log = log.as_deref().filter(|path| !path.is_empty()).map(Path::new);
            speak(log, &weights.weights)
        }
        Some(Command::Analyse(args)) => conclude(analyse::run(args)),
        Some(Command::Balance(args)) => conclude(balance::run(args)),
        Some(Command::Bench(args)) => conclude(bench::run(args)),
        Some(Command::Book(args)) => conclude(book::run(args)),
        Some(Command::Completions(args)) => conclude(shell::completions(args, Arguments::command())),
        Some(Command::Db(args)) => answer(db::run(args)),
        Some(Command::Evaluate(args)) => conclude(evaluate::run(args)),
        Some(Command::Forbidden(args)) => conclude(forbidden::run(args)),
        Some(Command::Games) => conclude(games::list()),
        Some(Command::Man(args)) => conclude(shell::man(args, Arguments::command())),
        Some(Command::Picture(args)) => conclude(picture::run(args)),
        Some(Command::Play(args)) => conclude(play::run(args)),
        Some(Command::Review(args)) => conclude(review::run(args)),
        Some(Command::Rules(args)) => conclude(games::run(args)),
        Some(Command::Solve(args)) => answer(solve::run(args)),
        Some(Command::Suite(args)) => conclude(suite::run(args)),
        Some(Command::Tunables(args)) => conclude(tunables::run(args)),
    }
}

/// Whether the command line has `--log`. The variable may be set for every run, also of commands.
fn is_log_typed() -> bool {
    let matches = Arguments::command().try_get_matches();
    matches.is_ok_and(|matches| matches.value_source("log") == Some(ValueSource::CommandLine))
}

/// The exit status of a subcommand; prints an error on standard error in one line.
fn conclude(result: anyhow::Result<()>) -> ExitCode {
    answer(result.map(|()| YES))
}

/// Like [`conclude`], but for a subcommand that returns an exit status with its answer.
fn answer(result: anyhow::Result<u8>) -> ExitCode {
    // Otherwise a failure to write the rest of the buffer would go unnoticed.
    let flush = |status| io::stdout().flush().map(|()| status).map_err(|error| OutputError(error).into());
    result.and_then(flush).map_or_else(|error| failure::report(&error), ExitCode::from)
}

fn speak(log_path: Option<&Path>, weights: &[PathBuf]) -> ExitCode {
    let log = match log_path.map(Log::open).transpose() {
        Ok(log) => log.unwrap_or_else(Log::none),
        Err(error) => {
            let path = log_path.unwrap_or(Path::new("")).display();
            status_line(format_args!("error: cannot write the log file {path}: {error}"));
            return ExitCode::from(USAGE_ERROR);
        }
    };
    if io::stdin().is_terminal() {
        status_line(
            "Kakugo is waiting for protocol commands. Try: START 15, BEGIN, TURN 8,8, END; --help shows the options.",
        );
    }
    protocol::run(log, weights, None)
}
