//! Games at a level: practice, and the challenge, in which a win unlocks the next level.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::progress::{ChallengeProgress, data_folder};
use crate::board::Size;
use crate::engine::levels::{Level, LevelPlayer};
use crate::rules::RuleKind;
use crate::terminal::output::status_line;

/// Arguments of `play` for levels.
#[derive(Debug, Args)]
pub struct LevelArgs {
    /// Plays with the rule free or advanced on 15x15, at level 1 unless --level is given
    #[arg(long, conflicts_with_all = ["game", "size"])]
    practice: bool,
    /// Plays the challenge: levels 1 to 5 are played with the rule free, 6 to 10 with advanced, and a win unlocks the
    /// next level; hint, undo and the command that makes the engine move at once are not available
    #[arg(long, conflicts_with_all = ["practice", "rule", "game", "size", "load", "moves", "time", "depth", "nodes"])]
    challenge: bool,
    /// Level of the engine, from 1 to 10 (full strength) [default: 10; 1 in practice; the highest unlocked
    /// level in the challenge]
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// Selects the random moves of a level: with the same seed, the engine answers the same moves in the same way
    /// [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder that stores the unlocked levels [default: kakugo in the user's data folder]
    #[arg(long, value_name = "DIR", env = "KAKUGO_DATA")]
    data_dir: Option<PathBuf>,
}

/// The opponent set by the arguments, with the conditions of the challenge.
pub struct Opposition {
    /// The engine's level and seed.
    pub player: LevelPlayer,
    /// The rule of the challenge at this level.
    pub rule: Option<RuleKind>,
    /// The challenge, if the game is part of it.
    pub challenge: Option<Challenge>,
}

/// Range of the seeds chosen at random: short enough to type again.
const SEEDS: u64 = 100_000;

impl LevelArgs {
    /// The opponent: outside practice, by default the opponent of the game that is `continued`. In the challenge also
    /// the unlocked levels.
    ///
    /// # Errors
    /// Returns an error if the level is locked, or the folder cannot be used.
    pub fn opposition(&self, continued: Option<LevelPlayer>) -> Result<Opposition> {
        let seed = self.seed.or(continued.map(|player| player.seed));
        let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()) % SEEDS);
        let player = |level| LevelPlayer { level, seed };
        if !self.challenge {
            let default = match continued {
                _ if self.practice => Level::FIRST,
                Some(player) => player.level,
                None => Level::FULL,
            };
            let level = self.level.unwrap_or(default);
            let player = player(level);
            return Ok(Opposition { player, rule: None, challenge: None });
        }
        let given = self.data_dir.clone().filter(|folder| !folder.as_os_str().is_empty());
        let (progress, warning) = ChallengeProgress::open(given.map_or_else(data_folder, Ok)?)?;
        if let Some(warning) = warning {
            status_line(format_args!("warning: {warning}"));
        }
        let unlocked = progress.unlocked();
        let level = self.level.unwrap_or(unlocked);
        ensure!(level <= unlocked, "{level} is locked: a win at {unlocked} unlocks the next");
        let rule = Some(level.challenge_rule());
        Ok(Opposition { player: player(level), rule, challenge: Some(Challenge { level, progress }) })
    }

    /// Whether the game is a practice or challenge game.
    pub fn is_by_level(&self) -> bool {
        self.practice || self.challenge
    }

    /// Checks that the rule, if it is of the Gomocup family, and the size are allowed.
    ///
    /// # Errors
    /// Returns an error if the game was requested as practice or challenge, but does not fit its rules.
    pub fn check(&self, rule: Option<RuleKind>, size: Size) -> Result<()> {
        let fits = rule.and_then(RuleKind::other_name).is_some() && size == Size::default();
        ensure!(
            fits || !self.practice,
            "practice is played with the rule free or advanced on {}",
            Size::default()
        );
        Ok(())
    }
}

/// A game of the challenge.
pub struct Challenge {
    level: Level,
    progress: ChallengeProgress,
}

impl Challenge {
    /// Records a win: unlocks the next level, and returns a line about it.
    pub fn win(&mut self) -> String {
        let (is_news, warning) = match self.progress.win(self.level) {
            Ok(kept) => kept,
            Err(error) => return format!("Your win cannot be saved: {error:#}"),
        };
        if let Some(warning) = warning {
            status_line(format_args!("warning: {warning}"));
        }
        match self.level.next() {
            None => "That was the last level: you have won the challenge.".to_owned(),
            Some(next) if is_news => format!("You have unlocked {next}: play it with play --challenge."),
            Some(_) => format!("You have won {} again.", self.level),
        }
    }
}
