//! A file of games: its contents, and the cost of the missing games.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use kakugo::board::Size;
use kakugo::eval::Networks;
use kakugo::rules::RuleKind;

use super::super::selfplay::{
    SelfplayOptions, mark_of_engine, play, recipe_of_engine, recipe_of_games, report_openings,
};
use crate::games;
use crate::games::TrainingGame;
use crate::selfplay::{SelfPlayer, SelfplayGoal};

/// Nodes of a search in a trial; longer searches take longer in proportion.
const TRIAL_NODES: u32 = 500;
/// Minimum length of a trial.
const TRIAL: Duration = Duration::from_millis(300);

/// A file of games.
pub struct Part {
    /// Name of the play.
    pub play_name: String,
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// Options of the games.
    pub options: SelfplayOptions,
    /// When the file has enough games.
    pub goal: SelfplayGoal,
    /// The file.
    pub path: PathBuf,
}

/// Measured costs of a game, and what it yields.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time of a game on one thread, in seconds.
    pub seconds: f64,
    /// Number of positions of a game.
    pub positions: f64,
}

/// The games of a file.
#[derive(Clone, Copy, Debug)]
pub struct GameCounts {
    /// Number of games that it has.
    pub present: usize,
    /// Number of games that are missing; approximate if the goal is a number of positions.
    pub missing: f64,
}

impl Part {
    /// Plays the missing games and shows the progress.
    pub fn play(&self) -> Result<()> {
        let recipe = recipe_of_games(self.rule, self.size, &self.options)?;
        play(&recipe, &self.options, self.goal, &self.path)
    }

    /// Whether another file has the same games, or begins with them.
    pub fn has_games_of(&self, other: &Part) -> bool {
        let recipe = |part: &Part| recipe_of_engine(part.rule, part.size, &part.options, 0);
        recipe(self) == recipe(other) && self.options.network == other.options.network
    }

    /// The fingerprint of the engine that will play the games; `None` while its network does not exist, or if
    /// the network's folder is not final.
    pub fn engine_mark(&self, is_final: impl Fn(&Path) -> bool) -> Result<Option<u32>> {
        let is_known = |path: &PathBuf| path.exists() && path.parent().is_some_and(&is_final);
        if !self.options.network.iter().all(is_known) {
            return Ok(None);
        }
        mark_of_engine(self.rule, self.size, &self.options).map(Some)
    }

    /// Checks that the existing file has games of these options, and of the engine with this fingerprint if it is
    /// known.
    pub fn check(&self, engine_mark: Option<u32>) -> Result<()> {
        let Some(found) = games::read_recipe(&self.path)? else { return Ok(()) };
        let engine = engine_mark.unwrap_or(found.engine);
        let recipe = recipe_of_engine(self.rule, self.size, &self.options, engine);
        games::check_recipe(&self.path, &found, &recipe)
    }

    /// The numbers of games if each missing one has `positions` positions.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has more games than its goal requires.
    pub fn counts(&self, positions: f64) -> Result<GameCounts> {
        let begun = if self.path.exists() { games::read_begun(&self.path)? } else { None };
        let games = begun.map_or(Vec::new(), |file| file.games);
        self.check_surplus(&games)?;
        let missing = match self.goal {
            SelfplayGoal::Games(goal) => f64::from(goal.saturating_sub(games.len() as u32)),
            SelfplayGoal::Positions(goal) => {
                let there: u64 = games.iter().map(TrainingGame::positions).sum();
                goal.saturating_sub(there) as f64 / positions
            }
        };
        Ok(GameCounts { present: games.len(), missing })
    }

    /// Whether the file has all its games.
    ///
    /// # Errors
    /// Returns the same errors as [`Part::counts`].
    pub fn is_complete(&self) -> Result<bool> {
        Ok(self.path.exists() && self.counts(1.0)?.missing <= 0.0)
    }

    /// Checks that the file has no games beyond its goal, because a fit would train on them too.
    fn check_surplus(&self, games: &[TrainingGame]) -> Result<()> {
        let (path, count) = (self.path.display(), games.len());
        match self.goal {
            SelfplayGoal::Games(goal) => {
                ensure!(
                    count <= goal as usize,
                    "{path} has {count} games, the recipe has {goal}: use another folder"
                );
            }
            SelfplayGoal::Positions(goal) => {
                let before_last: u64 = games.iter().rev().skip(1).map(TrainingGame::positions).sum();
                ensure!(
                    games.is_empty() || before_last < goal,
                    "{path} has {count} games, more than the recipe needs for {goal} positions: use another folder"
                );
            }
        }
        Ok(())
    }

    /// The number of positions of the complete file if each game has `positions` positions.
    pub fn positions(&self, positions: f64) -> f64 {
        match self.goal {
            SelfplayGoal::Games(games) => f64::from(games) * positions,
            SelfplayGoal::Positions(goal) => goal as f64,
        }
    }

    /// The cost of a game, measured by a short trial with shorter searches.
    pub fn cost(&self) -> Result<Cost> {
        let short = SelfplayOptions {
            nodes: self.options.nodes.min(TRIAL_NODES),
            inner_nodes: self.options.inner_nodes.min(TRIAL_NODES),
            harvest: 0,
            // The network of an earlier step need not exist yet; the built-in one has the same speed.
            network: None,
            ..self.options.clone()
        };
        let mut player =
            SelfPlayer::new(&recipe_of_games(self.rule, self.size, &short)?, &Networks::default());
        let (started, mut positions, mut games) = (Instant::now(), 0, 0);
        while started.elapsed() < TRIAL {
            let report = |openings| report_openings(games, openings, short.bound);
            positions += player.play_reporting(games, report)?.positions();
            games += 1;
        }
        let longer = nodes_per_move(&self.options) / nodes_per_move(&short);
        let seconds = started.elapsed().as_secs_f64() / f64::from(games) * longer;
        Ok(Cost { seconds, positions: positions as f64 / f64::from(games) })
    }
}

fn nodes_per_move(options: &SelfplayOptions) -> f64 {
    f64::from(options.nodes) + f64::from(options.inner) * f64::from(options.inner_nodes)
}
