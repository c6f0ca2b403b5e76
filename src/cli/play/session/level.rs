//! The engine's level, which can change during a game.

use super::Session;
use crate::cli::play::terms::Played;
use crate::engine::levels::Level;

impl Session {
    /// Why the level of a game that is not over cannot change.
    pub(super) fn refusal_of_level(&self) -> Option<String> {
        if self.challenge.is_some() {
            return Some("level is not available in the challenge".to_owned());
        }
        match &self.terms.played {
            Played::Family(_) => None,
            Played::Variant(name) => Some(format!("{name} is not played at levels")),
        }
    }

    /// Changes the level of the engine, which must not be thinking.
    pub(super) fn change_level(&mut self, level: Level) {
        self.terms.set_level(level);
        if let Some(mind) = &mut self.mind {
            mind.set_player(self.terms.player);
        }
        let has_begun = self.contest.turn_count() > 0 || !self.answers.is_empty();
        self.is_saved &= !has_begun;
        let (dot, pace) = (self.look.dot(), self.terms.pace());
        self.say(format!("The engine plays at {level} from its next move {dot} {pace}"));
    }
}
