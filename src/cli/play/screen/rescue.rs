//! The unsaved game, stored for a signal that ends the program: the signal may arrive while the terminal
//! blocks the loop that owns the session.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use parking_lot::Mutex;

use crate::cli::play::record::{self, Unsaved, Written};
use crate::terminal::output::status_line;

/// Maximum number of names that are tried for a game without a file.
const MOST_NAMES: usize = 1_000;

/// The game that would be lost if the program ended now.
#[derive(Default)]
pub struct Rescue(Mutex<Option<Unsaved>>);

impl Rescue {
    /// Replaces the game.
    pub fn keep(&self, game: Option<Unsaved>) {
        *self.0.lock() = game;
    }

    /// Saves the game, only once, and reports the file.
    pub fn save(&self) {
        let Some(game) = self.0.lock().take() else { return };
        match save(&game) {
            Ok(path) => status_line(format_args!("saved the game to {}", path.display())),
            Err(error) => status_line(format_args!("error: the game is not saved: {error:#}")),
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
