//! The unsaved game, stored for a signal that ends the program: the signal may arrive while the terminal
//! blocks the loop that owns the session.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

use anyhow::{Result, anyhow, bail};
use parking_lot::Mutex;

use super::progress::data_folder;
use super::record::{self, IfExists, Unsaved, Written};
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

/// Saves a game to its file. If it has no file or this fails, saves it to a new file in the first writable folder of
/// these: the current folder, Kakugo's data folder, the folder for temporary files.
fn save(game: &Unsaved) -> Result<PathBuf> {
    let folders = [Some(PathBuf::new()), data_folder().ok(), Some(env::temp_dir())];
    save_in(game, folders.into_iter().flatten())
}

/// Like [`save`], but with these folders. If saving fails everywhere, returns the first error.
fn save_in(game: &Unsaved, folders: impl Iterator<Item = PathBuf>) -> Result<PathBuf> {
    let own = game.path.iter().map(|path| -> Result<PathBuf> {
        record::write(game.text.clone(), path, IfExists::Replace)?;
        Ok(path.clone())
    });
    let mut failure = None;
    for saved in own.chain(folders.map(|folder| save_as_new(&game.text, &folder))) {
        match saved {
            Ok(path) => return Ok(path),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Err(failure.unwrap_or_else(|| anyhow!("there is no folder for it")))
}

/// Saves a game to a new file in `folder`.
fn save_as_new(text: &str, folder: &Path) -> Result<PathBuf> {
    // The folder for data may not exist yet. If it cannot be made, the file cannot be written.
    let _ = fs::create_dir_all(folder);
    for number in 1..=MOST_NAMES {
        let name = match number {
            1 => "kakugo-unsaved.sgf".to_owned(),
            _ => format!("kakugo-unsaved-{number}.sgf"),
        };
        let path = folder.join(name);
        if record::write(text.to_owned(), &path, IfExists::Refuse)? == Written::Done {
            return Ok(path);
        }
    }
    bail!("kakugo-unsaved.sgf and {} other names are taken", MOST_NAMES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_saved_where_this_is_possible() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "mine").unwrap();
        // A folder that was removed meanwhile, and files where folders should be.
        let game = |path: &str| Unsaved { path: Some(at(path)), text: "(;GM[4])".to_owned() };
        for (path, name) in [
            ("game.sgf", "game.sgf"),
            ("gone/game.sgf", "new/kakugo-unsaved.sgf"),
            ("file/game.sgf", "new/kakugo-unsaved-2.sgf"),
        ] {
            let saved = save_in(&game(path), [at("file"), at("new")].into_iter()).unwrap();
            assert_eq!((&saved, fs::read_to_string(&saved).unwrap()), (&at(name), "(;GM[4])".to_owned()));
        }
        let error = save_in(&game("gone/game.sgf"), [at("file")].into_iter()).unwrap_err();
        assert!(format!("{error:#}").contains("game.sgf"), "{error:#}");
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "mine");
    }
}
