//! `balance POSITION`: one or two moves that make a position balanced.

use anyhow::{Context, Result};
use clap::{Arg, Args};

use super::interrupt::stop_on_interrupt;
use super::position_args::{POSITION, PositionArgs};
use super::seconds::parse_seconds;
use super::weights::{WeightsArgs, warn_unused};
use crate::board::notation::{format_moves, format_point};
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::engine::{Engine, Options};
use crate::opening::{self, Brief};
use crate::terminal::output;
use crate::think::score::{self, Value};
use crate::think::{Clock, Limits};

/// The argument of a position that is the empty board if omitted.
fn optional(position: Arg) -> Arg {
    let help = format!("{POSITION}; empty board if omitted");
    position.required(false).default_value("").hide_default_value(true).help(help)
}

/// Arguments of `balance`.
#[derive(Debug, Args)]
#[command(mut_arg("position", optional))]
pub struct BalanceArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// Number of moves to propose: 1, or 2 (one of each side)
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    moves: u8,
    /// Desired value after the moves, for the side that is now to move
    #[arg(long, value_name = "VALUE", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(i64::from(-score::MATE)..=i64::from(score::MATE)))]
    bias: Value,
    /// Nodes per move; a proposal takes about 60 times this number, but at least 200 nodes for each position that it
    /// compares, up to 80,000 in all [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds to think [default: 5; unlimited with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<std::time::Duration>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Prints one line of JSON
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Searches and prints the proposal.
///
/// # Errors
/// Returns an error if the position is invalid or the game is over, there is no room, or the output cannot be
/// written.
pub fn run(args: &BalanceArgs) -> Result<()> {
    let (board, rule) = args.at.read()?;
    let stop = stop_on_interrupt()?;
    let mut engine = Engine::new(Options::for_threads(args.threads.into()));
    let networks = args.weights.networks()?;
    warn_unused(&networks, &[rule.kind]);
    engine.set_networks(networks);
    engine.set_rule(rule);
    let turn_ms = args.time.map(|time| time.as_millis() as u64);
    let is_free = args.time.is_none() && args.nodes.is_some();
    let clock = (!is_free).then(|| Clock { turn_ms, ..Clock::default() });
    let limits = Limits { clock, max_nodes: args.nodes, ..Limits::infinite() };
    let brief = Brief::new(&limits, &stop, 0);
    let count = usize::from(args.moves);
    let level = opening::balance(&mut engine, &board, count, args.bias, &brief)
        .context("no move is possible that neither wins nor is a foul")?;
    let size = board.size();
    let text = if args.json {
        let moves = format_moves(&level.points, size);
        format!("{}\n", serde_json::json!({ "moves": moves, "value": level.value }))
    } else {
        let mark = |(glyph, &point)| Mark { point, glyph, tone: Tone::Good };
        let marks: Vec<Mark> = ('1'..).zip(&level.points).map(mark).collect();
        let names: Vec<String> = level.points.iter().map(|&point| format_point(point, size)).collect();
        format!(
            "{}\n{}: value {} for {}\n",
            Drawing::new(&board, Look::of_stdout(args.ascii)).with_marks(&marks),
            names.join(" "),
            score::format(level.value),
            board.side_to_move(),
        )
    };
    Ok(output::print_styled(&text)?)
}
