//! Plays many games at the same time, and writes them in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::{Context, Result};

use kakugo::eval::Networks;

use super::SelfPlayer;
use crate::games::{GameFile, GamesRecipe, TrainingGame};

/// When there are enough games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfplayGoal {
    /// This number of games.
    Games(u32),
    /// As many games as are needed for this number of searched positions.
    Positions(u64),
}

impl SelfplayGoal {
    fn is_met(self, file: &GameFile) -> bool {
        match self {
            SelfplayGoal::Games(games) => file.games() >= games,
            SelfplayGoal::Positions(positions) => file.positions() >= positions,
        }
    }
}

/// Progress of the games of a file.
#[derive(Clone, Copy, Debug)]
pub enum SelfplayProgress<'a> {
    /// The file has one more game.
    Played(&'a GameFile),
    /// A game has searched this number of openings, and none is balanced.
    Searched {
        /// Number of the game.
        game: u32,
        /// Number of its openings.
        openings: u32,
    },
}

/// A message of a thread that plays games.
enum Message {
    /// The result of the game with this number.
    Played(u32, Result<TrainingGame>),
    /// The game with this number has searched this number of openings.
    Searched(u32, u32),
}

/// Hands out the numbers of the games that are still to be played, each once.
struct GameNumbers {
    next: AtomicU32,
    /// The smallest number that no game of a file with this goal has.
    end: u32,
}

impl GameNumbers {
    fn new(first: u32, goal: SelfplayGoal) -> GameNumbers {
        // The number of games that have enough positions is known only when they have been played.
        let end = if let SelfplayGoal::Games(games) = goal { games } else { u32::MAX };
        GameNumbers { next: AtomicU32::new(first), end }
    }

    fn take(&self) -> Option<u32> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < self.end)
    }
}

/// Plays the missing games of `file` with these networks on `threads` threads; `report` is called after each
/// one, and if a game finds no balanced opening for long.
///
/// # Errors
/// Returns an error if the file cannot be written, no opening is found, or the system provides no thread.
/// With fewer threads than requested, the games are the same.
pub fn run(
    recipe: &GamesRecipe,
    networks: &Networks,
    file: &mut GameFile,
    goal: SelfplayGoal,
    threads: usize,
    mut report: impl FnMut(SelfplayProgress<'_>),
) -> Result<()> {
    if goal.is_met(file) {
        return Ok(());
    }
    let numbers = GameNumbers::new(file.games(), goal);
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, messages) = channel();
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (numbers, enough) = (&numbers, &enough);
            let work = move || {
                let mut player = SelfPlayer::new(recipe, networks);
                while !enough.load(Ordering::Relaxed) {
                    let Some(index) = numbers.take() else { break };
                    // If nobody receives it any more, the next message ends the thread.
                    let searched = |openings| drop(sender.send(Message::Searched(index, openings)));
                    let game = player.play_reporting(index, searched);
                    if sender.send(Message::Played(index, game)).is_err() {
                        break;
                    }
                }
            };
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error).context("cannot start a thread"),
                Err(error) => {
                    log::warn!("only {number} of {threads} threads: {error}");
                    break;
                }
            }
        }
        drop(sender);
        // Games that were finished before one with a smaller number.
        let mut early = BTreeMap::new();
        let written = messages.iter().try_for_each(|message| {
            let (index, game) = match message {
                Message::Played(index, game) => (index, game),
                Message::Searched(game, openings) => {
                    report(SelfplayProgress::Searched { game, openings });
                    return Ok(());
                }
            };
            early.insert(index, game);
            while let Some(game) = early.remove(&file.games()) {
                if enough.load(Ordering::Relaxed) {
                    break;
                }
                file.append(&game?)?;
                report(SelfplayProgress::Played(file));
                enough.fetch_or(goal.is_met(file), Ordering::Relaxed);
            }
            Ok(())
        });
        // After an error, the other threads stop.
        enough.store(true, Ordering::Relaxed);
        written
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_beyond_the_goal_is_begun() {
        let numbers = GameNumbers::new(3, SelfplayGoal::Games(5));
        assert_eq!([(); 4].map(|()| numbers.take()), [Some(3), Some(4), None, None]);
        let numbers = GameNumbers::new(3, SelfplayGoal::Positions(5));
        assert_eq!([(); 4].map(|()| numbers.take()), [3, 4, 5, 6].map(Some));
    }
}
