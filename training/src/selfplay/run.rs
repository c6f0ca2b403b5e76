//! Plays many games at the same time, and writes them in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::{Context, Result};

use kakugo::eval::Networks;

use super::SelfPlayer;
use crate::games::{GameFile, Recipe};

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

/// Plays the missing games of `file` with these networks on `threads` threads; `report` is called after each
/// one.
///
/// # Errors
/// Returns an error if the file cannot be written, no opening is found, or the system provides no thread.
/// With fewer threads than requested, the games are the same.
pub fn run(
    recipe: &Recipe,
    networks: &Networks,
    file: &mut GameFile,
    goal: SelfplayGoal,
    threads: usize,
    mut report: impl FnMut(&GameFile),
) -> Result<()> {
    if goal.is_met(file) {
        return Ok(());
    }
    let next = AtomicU32::new(file.games());
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, games) = channel();
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, enough) = (&next, &enough);
            let work = move || {
                let mut player = SelfPlayer::new(recipe, networks);
                while !enough.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if sender.send((index, player.play(index))).is_err() {
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
        let written = games.iter().try_for_each(|(index, game)| {
            early.insert(index, game);
            while let Some(game) = early.remove(&file.games()) {
                if enough.load(Ordering::Relaxed) {
                    break;
                }
                file.append(&game?)?;
                report(file);
                enough.fetch_or(goal.is_met(file), Ordering::Relaxed);
            }
            Ok(())
        });
        // After an error, the other threads stop.
        enough.store(true, Ordering::Relaxed);
        written
    })
}
