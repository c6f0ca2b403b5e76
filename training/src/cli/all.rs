//! `training all`: from a seed to the weights of every rule.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use kakugo::board::Size;
use kakugo::rules::RuleKind;

use super::fit::{FitOptions, fit_all};
use super::selfplay::{SelfplayOptions, play};
use crate::selfplay::Goal;

/// What is played, with its share of the positions in percent. Renju has twice the tables.
const PARTS: [(RuleKind, u8, u64); 5] = [
    (RuleKind::Freestyle, 15, 18),
    (RuleKind::Freestyle, 20, 18),
    (RuleKind::Standard, 15, 20),
    (RuleKind::Renju, 15, 24),
    (RuleKind::Caro, 15, 20),
];

/// One of so many positions is of a game that begins far from level.
const FAR_SHARE: u64 = 3;

/// How games begin far from level, else as `how`: what a search evaluates is less level than what is played, and what
/// is learnt has to hold there too.
fn far_from_level(how: &SelfplayOptions) -> SelfplayOptions {
    // No seed of a part meets one of another.
    SelfplayOptions { stones: 6..=20, bound: 400, seed: how.seed.wrapping_add(100), ..how.clone() }
}

/// Makes games of all rules and trains their networks: from a seed to the files of weights.
///
/// Games that the folder has already are kept, so that it can be ended and started again at any time.
#[derive(Debug, Args)]
pub struct AllArgs {
    /// The folder of the games: RULE and side of the board with .bin behind, and with -far.bin those of openings that
    /// are far from level, a third of the positions.
    #[arg(long, value_name = "DIR")]
    games: PathBuf,
    /// How many searched positions all rules are to have together, inner ones among them.
    #[arg(long, value_name = "N", default_value = "8000000")]
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
        // Each part has openings of its own.
        let level = SelfplayOptions { seed: args.play.seed.wrapping_add(i as u64), ..args.play.clone() };
        let positions = args.positions * share / 100;
        let far = far_from_level(&level);
        let of_far = positions / FAR_SHARE;
        for (mark, how, positions) in [("", &level, positions - of_far), ("-far", &far, of_far)] {
            let path = args.games.join(format!("{}{side}{mark}.bin", rule.name()));
            play(rule, size, how, Goal::Positions(positions), &path)?;
            files.push(path);
        }
    }
    fit_all(&files, &args.fit)
}
