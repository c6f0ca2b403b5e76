//! Terms of a match between a person and the engine: everything that a new game of the match keeps.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::DEFAULT_SECONDS;
use super::clock::TimeControl;
use super::limits::PlayLimits;
use crate::board::{Color, Size};
use crate::engine::levels::{Level, LevelPlayer};
use crate::game::Game;
use crate::rules::procedure::Procedure;
use crate::rules::{GomokuGame, Rule, RuleKind};
use crate::variants;

/// The game that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    /// A rule of the Gomocup family.
    Family(RuleKind),
    /// A game outside the family, by its name with its options.
    Variant(String),
}

/// The colours of the next game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The colours of this game.
    Kept,
    /// The other colours.
    Swapped,
}

/// Terms of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The game.
    pub played: Played,
    /// The board.
    pub size: Size,
    /// The person's colour, before an opening procedure.
    pub side: Color,
    /// The engine's level and the seed of its random moves.
    pub player: LevelPlayer,
    /// Limits of the engine's searches.
    pub limits: PlayLimits,
    /// The clocks, if the game has them.
    pub control: Option<TimeControl>,
    /// The procedure that opens the game.
    pub procedure: Option<Procedure>,
    /// Whether the rule is named as at levels: free, advanced.
    pub is_by_level: bool,
}

impl Terms {
    /// A new game, at its beginning.
    ///
    /// # Errors
    /// Returns an error if the game has no such options, or is not played at levels.
    pub fn new_game(&self) -> Result<Box<dyn Game>> {
        match &self.played {
            Played::Family(kind) => Ok(Box::new(GomokuGame::new(self.size, Rule::from(*kind)))),
            Played::Variant(name) => {
                ensure!(self.player.level == Level::FULL, "{name} is not played at levels");
                Ok(variants::open(name)?)
            }
        }
    }

    /// The rule, if it belongs to the Gomocup family.
    pub fn rule(&self) -> Option<RuleKind> {
        match self.played {
            Played::Family(kind) => Some(kind),
            Played::Variant(_) => None,
        }
    }

    /// Rules, board and, below full strength, the level: `renju 15x15, level 3`.
    pub fn title(&self) -> String {
        let name = match &self.played {
            Played::Family(kind) => {
                kind.other_name().filter(|_| self.is_by_level).unwrap_or(kind.name()).to_owned()
            }
            Played::Variant(name) => name.clone(),
        };
        let title = format!("{name} {}", self.size);
        if self.player.level == Level::FULL { title } else { format!("{title}, {}", self.player) }
    }

    /// Time control and search limits in words.
    pub fn pace(&self) -> String {
        let Some(control) = self.control else { return self.limits.describe() };
        // The clock replaces the seconds per move.
        match (PlayLimits { seconds: None, ..self.limits }).in_words() {
            Some(limits) => format!("{control} a game, {limits}"),
            None => format!("{control} a game"),
        }
    }

    /// Changes the engine's level. As in a new game, only full strength without another limit has the default time.
    pub fn set_level(&mut self, level: Level) {
        let usual = |level: Level| PlayLimits {
            seconds: (level == Level::FULL).then_some(DEFAULT_SECONDS),
            ..PlayLimits::default()
        };
        if self.control.is_none() && self.limits == usual(self.player.level) {
            self.limits = usual(level);
        }
        self.player.level = level;
    }

    /// Terms of the next game: other random moves, and the person's next colour after `human`.
    pub fn next(&self, human: Color, sides: Sides) -> Terms {
        let side = match sides {
            Sides::Kept => human,
            Sides::Swapped => !human,
        };
        let seed = self.player.seed.wrapping_add(1);
        Terms { side, player: LevelPlayer { seed, ..self.player }, ..self.clone() }
    }
}

/// Remaining time of the person and of the engine.
pub type TimeLeft = (Duration, Duration);
