//! `training quiet`: makes a suite of quiet positions from games.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::ProgressBar;
use kakugo::files::{is_same, replace_with};
use parking_lot::Mutex;

use super::place::{check_file, make_folder_of};
use super::progress::bar;
use crate::quiet::{self, QuietSettings, SieveStep};

/// Make a suite of quiet positions for `pbrain-kakugo suite` from files of games: balanced positions that are
/// hard with few nodes and whose best move two long searches agree on.
///
/// The suite depends only on the games, the options and the engine, not on the number of threads.
#[derive(Debug, Args)]
pub struct QuietArgs {
    /// Files of games; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Maximum number of positions from each file.
    #[arg(long, value_name = "N", default_value = "30")]
    count: usize,
    /// Number of positions examined per game.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u16).range(1..=484))]
    per_game: u16,
    /// Nodes of the two short searches, which must disagree.
    #[arg(long, value_name = "N,N", default_value = "10000,100000", value_parser = parse_pair)]
    short: [u64; 2],
    /// Nodes of the two long searches, which must agree: one with the engine's default parameters, one that
    /// reduces and prunes less.
    #[arg(long, value_name = "N,N", default_value = "3000000,2000000", value_parser = parse_pair)]
    long: [u64; 2],
    /// Seed for the choice of positions.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of short searches at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// File of the suite.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &QuietArgs) -> Result<()> {
    let QuietArgs { per_game, short, long, seed, .. } = *args;
    let settings =
        QuietSettings { per_game: per_game.into(), short, long, seed, threads: args.threads.into() };
    let is_read = args.files.iter().any(|path| is_same(path, &args.out));
    ensure!(!is_read, "{} is an input file: name another file with --out", args.out.display());
    check_file(&args.out)?;
    let mut text = String::new();
    let mut number = 0;
    for path in &args.files {
        let contents = super::on_all_cores(|| super::read_games(path))??;
        let bars = Bars::new(path.display().to_string());
        let (problems, sieve) = quiet::find(&contents, args.count, &settings, &|step| bars.follow(step))?;
        bars.0.lock().finish_and_clear();
        super::status_line(format_args!("{}: {sieve}", path.display()));
        for problem in &problems {
            number += 1;
            text += &format!("{}\n", quiet::line(problem, &format!("quiet-{number:03}")));
        }
        // Written after each file, so that nothing is lost if the next one takes too long.
        make_folder_of(&args.out)?;
        replace_with(&args.out, &text).with_context(|| args.out.display().to_string())?;
    }
    super::print(&format!("{}: {number} positions\n", args.out.display()))
}

/// The progress bar of the running searches: the short ones, then the long ones.
struct Bars(Mutex<ProgressBar>);

impl Bars {
    fn new(name: String) -> Bars {
        Bars(Mutex::new(ProgressBar::hidden().with_prefix(name)))
    }

    fn follow(&self, step: SieveStep) {
        let mut present = self.0.lock();
        let (length, unit) = match step {
            SieveStep::Searched(nodes) => return present.inc(nodes),
            SieveStep::Next => return present.inc(1),
            SieveStep::Short(nodes) => (nodes, "nodes of short searches"),
            SieveStep::Long(positions) => (positions as u64, "positions with long searches, at most"),
        };
        present.finish_and_clear();
        *present = bar(present.prefix(), length, unit);
    }
}

/// Parses `10000,100000`.
fn parse_pair(text: &str) -> Result<[u64; 2], String> {
    let pair = text.split_once(',').and_then(|(one, two)| Some([one.parse().ok()?, two.parse().ok()?]));
    pair.filter(|pair| pair.iter().all(|&nodes| nodes > 0))
        .ok_or_else(|| "expected two numbers of nodes: N,N".to_owned())
}
