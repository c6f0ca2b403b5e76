//! `training all`: from a seed to the data files of every rule.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use kakugo::board::Size;
use kakugo::rules::RuleKind;

use super::fit::{FitOptions, fit_all};
use super::selfplay::{SelfplayOptions, play};
use crate::games;
use crate::selfplay::Goal;

/// What is played, with its share of the positions in percent. Renju has twice the tables.
const PARTS: [(RuleKind, u8, u64); 5] = [
    (RuleKind::Freestyle, 15, 18),
    (RuleKind::Freestyle, 20, 18),
    (RuleKind::Standard, 15, 20),
    (RuleKind::Renju, 15, 24),
    (RuleKind::Caro, 15, 20),
];

/// Makes games of all rules and fits the evaluation to them: from a seed to the data files.
///
/// Games that the folder has already are kept, so that it can be ended and started again at any time.
#[derive(Debug, Args)]
pub struct AllArgs {
    /// The folder of the games, RULE and side of the board with .bin behind.
    #[arg(long, value_name = "DIR")]
    games: PathBuf,
    /// How many searched positions all rules are to have together.
    #[arg(long, value_name = "N", default_value = "3000000")]
    positions: u64,
    #[command(flatten)]
    play: SelfplayOptions,
    #[command(flatten)]
    fit: FitOptions,
}

pub fn run(args: &AllArgs) -> Result<()> {
    std::fs::create_dir_all(&args.games).with_context(|| args.games.display().to_string())?;
    let mut files = Vec::new();
    for (i, (rule, side, share)) in PARTS.into_iter().enumerate() {
        let size = Size::square(side).expect("the boards are of legal size");
        let path = args.games.join(format!("{}{side}.bin", rule.name()));
        // Each part has openings of its own.
        let how = SelfplayOptions { seed: args.play.seed.wrapping_add(i as u64), ..args.play.clone() };
        play(rule, size, &how, Goal::Positions(args.positions * share / 100), &path)?;
        files.push(path);
    }
    fit_all(files.iter().map(|path| games::read(path)).collect::<Result<_>>()?, &args.fit)
}
