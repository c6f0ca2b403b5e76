//! `review GAME...`: every move of a game judged: where a win was missed, and where the game was lost.

mod graph;
mod report;
mod source;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use self::report::GameReport;
use self::source::{ReviewedGame, SourceTerms};
use super::game_file::GameFileArgs;
use super::question::{parse_seconds, stop_on_interrupt};
use super::weights::WeightsArgs;
use crate::board::Size;
use crate::drawing::Look;
use crate::files;
use crate::output::{self, tell};
use crate::review::{Effort, review};
use crate::rules::Rule;
use crate::text::visible;

/// Arguments of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Game files (SGF, PGN, PSQ, results of `tournament`), or a game as moves such as h8i9j10
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    /// Rule of all games: freestyle, standard, renju, caro, caro-exact, or a Gomocup code [default: the rule of each game,
    /// freestyle where it gives none]
    #[arg(long)]
    rule: Option<Rule>,
    /// The board of games that give none [default: 15]
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    #[command(flatten)]
    file: GameFileArgs,
    /// Positions to search for each move: the review is the same every time
    #[arg(long, value_name = "COUNT", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with = "time")]
    nodes: u64,
    /// Seconds to search for each move, in place of a number of positions
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions searched at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Lists every move, not only those that lost something
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Writes the games with marks, win rates and better lines as comments to this SGF file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Prints one line of JSON for each game
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Reviews the games and prints what was found.
///
/// # Errors
/// When a game can't be read, no game can be reviewed, a file of weights can't be loaded, or the output can't be written.
pub fn run(args: &ReviewArgs) -> Result<()> {
    let networks = args.weights.networks()?;
    let effort = args.time.map_or(Effort::Nodes(args.nodes), Effort::Time);
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(processors, usize::from);
    let look = Look::of_stdout(args.ascii);
    let terms = SourceTerms { rule: args.rule, size: args.size.unwrap_or_default(), file: &args.file };
    let stop = stop_on_interrupt()?;
    let (mut reviewed, mut left_out) = (0, 0_u64);
    let mut sgf = String::new();
    for name in &args.games {
        for game in source::games(name, &terms)? {
            let game = match game? {
                ReviewedGame::Game(game) => *game,
                ReviewedGame::LeftOut(why) => {
                    tell(why);
                    left_out += 1;
                    continue;
                }
            };
            let bar = Progress::new(&game.title, game.moves.positions());
            let found = review(&game.moves, effort, &networks, threads, &stop, &|| bar.step());
            drop(bar);
            let Some(found) = found else { break };
            let report = GameReport { game: &game, review: &found, look };
            if args.json {
                output::print_json(report.json())?;
            } else {
                output::print_styled(&report.text(args.all))?;
            }
            if args.sgf.is_some() {
                sgf += &report.sgf();
            }
            reviewed += 1;
        }
        if !output::is_read() && args.sgf.is_none() {
            break;
        }
        if stop.load(Ordering::Relaxed) {
            tell("stopped: the games above are complete");
            break;
        }
    }
    ensure!(reviewed > 0 || stop.load(Ordering::Relaxed), "no game can be reviewed ({left_out} left out)");
    if let Some(path) = &args.sgf {
        files::replace_with(path, sgf).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A bar on standard error, where that is a terminal; gone when this is dropped.
struct Progress(Option<ProgressBar>);

impl Progress {
    fn new(title: &str, positions: usize) -> Progress {
        let bar = || {
            let style =
                ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} positions {eta_precise}");
            let style = style.expect("the template is right");
            ProgressBar::new(positions as u64).with_style(style).with_message(visible(title).into_owned())
        };
        Progress(io::stderr().is_terminal().then(bar))
    }

    fn step(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
