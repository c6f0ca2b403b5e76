//! Games at a level: practice, and the challenge, where a win unlocks the next level.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::progress::{ChallengeProgress, data_folder};
use crate::board::Size;
use crate::levels::{Level, LevelPlayer};
use crate::output::tell;
use crate::rules::RuleKind;

/// Arguments of `play` about levels.
#[derive(Debug, Args)]
pub struct LevelArgs {
    /// A game under the rule free or advanced on 15x15, at level 1 unless --level says otherwise
    #[arg(long, conflicts_with_all = ["game", "size"])]
    practice: bool,
    /// The challenge: levels 1 to 5 play free, 6 to 10 advanced, and a win unlocks the next. Without hint and undo
    #[arg(long, conflicts_with_all = ["practice", "rule", "game", "size", "load", "moves", "time", "depth", "nodes"])]
    challenge: bool,
    /// Level of the engine, from 1 to 10 (full strength) [default: 10; 1 in practice; the highest unlocked in the
    /// challenge]
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// Chooses the random moves of a level: the same seed and the same moves of yours give the same game [default: any]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder that remembers the unlocked levels [default: kakugo in the user's data folder]
    #[arg(long, value_name = "DIR", env = "KAKUGO_DATA")]
    data_dir: Option<PathBuf>,
}

/// Opponent that the arguments ask for, with the terms of the challenge.
pub struct Opposition {
    /// Who plays against the person.
    pub player: LevelPlayer,
    /// The rule that the challenge has at this level.
    pub rule: Option<RuleKind>,
    /// The challenge, if the game is part of it.
    pub challenge: Option<Challenge>,
}

/// A seed when none is given: another one each time, short enough to type it again.
const SEEDS: u64 = 100_000;

impl LevelArgs {
    /// Who plays; in the challenge also what was unlocked so far.
    ///
    /// # Errors
    /// When the level is locked, or the folder can't be used.
    pub fn opposition(&self) -> Result<Opposition> {
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(()) % SEEDS);
        let player = |level| LevelPlayer { level, seed };
        if !self.challenge {
            let default = if self.practice { Level::FIRST } else { Level::FULL };
            let player = player(self.level.unwrap_or(default));
            return Ok(Opposition { player, rule: None, challenge: None });
        }
        let given = self.data_dir.clone().filter(|folder| !folder.as_os_str().is_empty());
        let (progress, told) = ChallengeProgress::open(given.map_or_else(data_folder, Ok)?)?;
        if let Some(told) = told {
            tell(format_args!("warning: {told}"));
        }
        let unlocked = progress.unlocked();
        let level = self.level.unwrap_or(unlocked);
        ensure!(level <= unlocked, "{level} is locked: a win at {unlocked} unlocks the next");
        let rule = Some(level.challenge_rule());
        Ok(Opposition { player: player(level), rule, challenge: Some(Challenge { level, progress }) })
    }

    /// Whether the game is practice or of the challenge.
    pub fn is_by_level(&self) -> bool {
        self.practice || self.challenge
    }

    /// Whether a game under `rule`, if it has one of the Gomocup family, on `size` is what was asked for.
    ///
    /// # Errors
    /// When it is no practice and should be.
    pub fn check(&self, rule: Option<RuleKind>, size: Size) -> Result<()> {
        let fits = rule.and_then(RuleKind::other_name).is_some() && size == Size::default();
        ensure!(fits || !self.practice, "practice is played under free or advanced on {}", Size::default());
        Ok(())
    }
}

/// A game of the challenge.
pub struct Challenge {
    level: Level,
    progress: ChallengeProgress,
}

impl Challenge {
    /// The game was won: unlocks the next level, and says so in a line.
    pub fn win(&mut self) -> String {
        let (is_news, told) = match self.progress.win(self.level) {
            Ok(kept) => kept,
            Err(error) => return format!("Your win can't be kept: {error:#}"),
        };
        if let Some(told) = told {
            tell(format_args!("warning: {told}"));
        }
        match self.level.next() {
            None => "That was the last level: you have won the challenge.".to_owned(),
            Some(next) if is_news => format!("You have unlocked {next}: play --challenge goes on with it."),
            Some(_) => format!("You have won {} again.", self.level),
        }
    }
}
