//! The unsaved game, stored for a signal that ends the program: the signal may arrive while the terminal
//! blocks the loop that owns the session.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use parking_lot::Mutex;

use super::record::{self, Unsaved, Written};
use crate::terminal::output::status_line;

/// Time between a signal to terminate and the forced end of the process.
const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum number of names that are tried for a game without a file.
const MOST_NAMES: usize = 1_000;

/// The game that would be lost if the program ended now.
#[derive(Default)]
pub struct Rescue {
    game: Mutex<Option<Unsaved>>,
    must_end: AtomicBool,
}

impl Rescue {
    /// Replaces the game.
    pub fn keep(&self, game: Option<Unsaved>) {
        *self.game.lock() = game;
    }

    /// Whether a signal to terminate has arrived.
    pub fn must_end(&self) -> bool {
        self.must_end.load(Ordering::Relaxed)
    }

    /// Follows a signal to terminate, on a thread for signals. The loop that owns the session has a moment to
    /// end the program; otherwise the terminal blocks it, and the program ends here, after `restore`.
    pub fn end(&self, restore: impl FnOnce()) {
        self.must_end.store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        self.save();
        restore();
        process::exit(1);
    }

    /// Saves the game, only once, and reports the file.
    pub fn save(&self) {
        // The lock is kept, so that the process cannot end while the other thread writes.
        let saved = self.game.lock().take().map(|game| save(&game));
        match saved {
            Some(Ok(path)) => status_line(format_args!("saved the game to {}", path.display())),
            Some(Err(error)) => status_line(format_args!("error: the game is not saved: {error:#}")),
            None => {}
        }
    }
}

/// Saves a game to its file, or to a new one in the current folder.
fn save(game: &Unsaved) -> Result<PathBuf> {
    if let Some(path) = &game.path {
        record::write(game.text.clone(), path, true)?;
        return Ok(path.clone());
    }
    for number in 1..=MOST_NAMES {
        let path = match number {
            1 => "kakugo-unsaved.sgf".to_owned(),
            _ => format!("kakugo-unsaved-{number}.sgf"),
        };
        if record::write(game.text.clone(), Path::new(&path), false)? == Written::Done {
            return Ok(path.into());
        }
    }
    bail!("kakugo-unsaved.sgf and {} other names are taken", MOST_NAMES - 1)
}
