//! `play`: a game against the engine in the terminal.
//!
//! [`session`] has the logic, without a terminal: requests go in, notes and pictures come out. [`screen`] is
//! its front end for the whole screen of a terminal, [`line_mode`] its front end for lines, with the streams
//! of [`dialogue`].
//!
//! Below the session, [`prompt`] parses the requests of a person, [`contest`] is the game with endings by the
//! players, [`mind`] the engine on a separate thread, [`terms`] the settings that a new game keeps, [`record`]
//! and [`saved`] write and read games in files, [`clock`] measures time, and [`words`] formats sentences and
//! values as text. [`rescue`] saves the game when a signal ends the program. [`setup`] begins a session from
//! the arguments and a saved game, [`position`] from a FEN. [`challenge`] has the games at a level,
//! [`progress`] stores the unlocked levels. After invalid input, one line and the prompt are shown.

mod challenge;
mod clock;
mod contest;
mod dialogue;
mod limits;
mod line_mode;
mod mind;
mod position;
mod progress;
mod prompt;
mod record;
mod rescue;
mod saved;
mod screen;
mod session;
mod setup;
mod terms;
mod words;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use super::game_file::GameFileArgs;
use super::rule_name;
use super::weights::WeightsArgs;
use crate::board::{Color, Size};
use crate::drawing::Look;
use crate::rules::procedure::Procedure;
use crate::rules::{Rule, RuleKind};
use challenge::LevelArgs;
use clock::TimeControl;
pub use saved::SavedGame;
use session::Session;

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// freestyle (or free), standard, renju (or advanced), caro or caro-exact [default: freestyle, renju with a
    /// procedure of renju, or the rule of the loaded game]
    #[arg(long, value_parser = parse_rule)]
    rule: Option<RuleKind>,
    /// Any game listed by `games`, optionally with options: pente:goal_pairs=7
    #[arg(long, value_name = "NAME", conflicts_with = "rule")]
    game: Option<String>,
    /// Begins with an opening procedure: rif, renju-swap, yamaguchi, soosorv-8, taraguchi-10 (renju), swap,
    /// swap2, pro, long-pro (gomoku); --side is then your initial colour
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "load", "moves", "practice", "challenge"])]
    procedure: Option<Procedure>,
    #[command(flatten)]
    levels: LevelArgs,
    /// Points on each side: N, or WxH [default: 15, the game's own size, or the size of the loaded game]
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    /// Your colour [default: black, or as in the saved game]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Seconds per move for the engine [default: 2; unlimited with --depth, --nodes or --level below 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<f64>,
    /// Clocks for you and the engine: SECONDS or MIN:SEC for a game, with +SECONDS per move, such as 5:00+10
    #[arg(long, value_name = "TIME", conflicts_with_all = ["time", "challenge"])]
    clock: Option<TimeControl>,
    /// Deepest iteration of the engine, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Nodes per move for the engine
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads of the engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Continues a game: an SGF file saved by `play` with its level, sides, clocks and limits, or a game in SGF,
    /// PGN, PSQ, RIF, POS or results of `tournament`
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    load: Option<PathBuf>,
    #[command(flatten)]
    file: GameFileArgs,
    /// Begins with these moves, such as h8i9j10, or with a position as FEN, with either side to move
    #[arg(long, visible_alias = "position", value_name = "MOVES|FEN")]
    moves: Option<String>,
    /// Plays line by line even if the whole screen of the terminal could be used
    #[arg(long)]
    line: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Black,
    White,
}

/// Seconds per move without another limit: long enough to play well, short enough to hold a person's
/// interest.
const DEFAULT_SECONDS: f64 = 2.0;
/// Maximum seconds per move: a day.
const MOST_SECONDS: f64 = 86_400.0;

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

/// Plays until standard input ends or the person quits.
///
/// # Errors
/// Returns an error if the game cannot be set up, or a stream fails.
pub fn run(args: &PlayArgs) -> Result<()> {
    let look = Look::of_stdout(args.ascii);
    let session = Session::new(setup::setup(args, look)?, Instant::now());
    if screen::is_possible() && !args.line {
        screen::run(session, look)
    } else {
        line_mode::run(session, look)
    }
}

fn parse_rule(text: &str) -> Result<RuleKind> {
    finite_kind(rule_name::parse(text).map_err(anyhow::Error::msg)?)
}

/// The kind of a rule whose games end with a row.
fn finite_kind(rule: Rule) -> Result<RuleKind> {
    ensure!(!rule.continuous, "a continuous game has no end");
    Ok(rule.kind)
}

fn parse_seconds(text: &str) -> Result<f64> {
    let seconds: f64 = text.parse().context("not a number of seconds")?;
    ensure!((0.0..=MOST_SECONDS).contains(&seconds), "must be from 0 to {MOST_SECONDS} seconds");
    Ok(seconds)
}
