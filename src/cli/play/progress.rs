//! Progress in the challenge, stored in a file in the user's data folder.
//!
//! The file is one line of JSON, `{"won":3}`: the highest level that was won. It is replaced as a whole, by
//! one process at a time, and an invalid file is renamed, never overwritten.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::cli::SystemError;
use crate::engine::levels::Level;
use crate::files::{self, Lock};

const FILE: &str = "challenge.json";
/// Maximum length of the file.
const MOST_BYTES: u64 = 4096;
/// How long to wait for other processes that save their wins.
const PATIENCE: Duration = Duration::from_secs(10);

/// Progress as stored in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Won {
    /// The highest level that was won; 0 for none.
    won: u8,
}

/// The levels that were won, and the folder that stores them.
#[derive(Debug)]
pub struct ChallengeProgress {
    folder: PathBuf,
    won: Won,
}

impl ChallengeProgress {
    /// Opens the progress in `folder`. Creates the folder and the file if they do not exist, so that a later
    /// win can be saved. An invalid file is renamed and the challenge starts over; the returned text reports
    /// this.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn open(folder: PathBuf) -> Result<(ChallengeProgress, Option<String>)> {
        let shown = folder.display().to_string();
        fs::create_dir_all(&folder)
            .map_err(SystemError)
            .with_context(|| format!("cannot make the folder {shown}"))?;
        let path = folder.join(FILE);
        let _lock = lock(&path)?;
        let (known, warning) = known(&path)?;
        let progress = ChallengeProgress { folder, won: known.unwrap_or_default() };
        match known {
            // An existing file is not rewritten: another game may be about to update it.
            Some(_) => files::try_replace(&path)
                .map_err(SystemError)
                .with_context(|| format!("cannot write {}", path.display()))?,
            None => progress.save()?,
        }
        let warning = warning.map(|warning| format!("{warning}, and the challenge starts over"));
        Ok((progress, warning))
    }

    /// The highest level that may be played.
    pub fn unlocked(&self) -> Level {
        Level::new(self.won.won + 1).unwrap_or(Level::FULL)
    }

    /// Records that `level` was won, which unlocks the next level. Returns whether the level is a new win,
    /// and a text about a file that was damaged meanwhile and renamed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written; then its content is unchanged.
    pub fn win(&mut self, level: Level) -> Result<(bool, Option<String>)> {
        // Another game may have been won meanwhile, or may be about to save its win.
        let path = self.folder.join(FILE);
        let _lock = lock(&path)?;
        let (known, warning) = known(&path)?;
        let known = known.unwrap_or_default().won.max(self.won.won);
        let before = std::mem::replace(&mut self.won, Won { won: known.max(level.number()) });
        if let Err(error) = self.save() {
            self.won = before;
            return Err(error);
        }
        Ok((level.number() > known, warning))
    }

    fn save(&self) -> Result<()> {
        let path = self.folder.join(FILE);
        let text = serde_json::to_string(&self.won)? + "\n";
        files::replace_with(&path, text)
            .map_err(SystemError)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The folder for Kakugo's files in the user's data folder of the system.
///
/// # Errors
/// Returns an error if the user has no home folder.
pub fn data_folder() -> Result<PathBuf> {
    let strategy = etcetera::choose_base_strategy();
    let strategy =
        strategy.map_err(|error| anyhow!("no folder for the challenge: {error}; set one with --data-dir"))?;
    Ok(strategy.data_dir().join("kakugo"))
}

/// Locks the file at `path` against other games while it is read and written.
fn lock(path: &Path) -> Result<Lock> {
    ensure!(!path.is_dir(), "cannot read {}: it is a directory, not a regular file", path.display());
    Lock::beside(path, PATIENCE)
        .map_err(SystemError)
        .with_context(|| format!("cannot write next to {}", path.display()))
}

/// The progress in the file at `path`, if it is valid. An invalid file is renamed, and the text reports this.
fn known(path: &Path) -> Result<(Option<Won>, Option<String>)> {
    match read(path).map_err(SystemError).with_context(|| format!("cannot read {}", path.display()))? {
        ProgressFile::Nothing => Ok((None, None)),
        ProgressFile::Won(won) => Ok((Some(won), None)),
        ProgressFile::Damaged => {
            let aside = set_aside(path)
                .map_err(SystemError)
                .with_context(|| format!("cannot rename {}", path.display()))?;
            let warning = format!("{} is damaged and was renamed to {}", path.display(), aside.display());
            Ok((None, Some(warning)))
        }
    }
}

/// The content of a file.
enum ProgressFile {
    Nothing,
    Won(Won),
    Damaged,
}

fn read(path: &Path) -> io::Result<ProgressFile> {
    let bytes = match files::read(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ProgressFile::Nothing),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => return Ok(ProgressFile::Damaged),
        Err(error) => return Err(error),
    };
    let won = serde_json::from_slice(&bytes).ok().filter(|won: &Won| won.won <= Level::FULL.number());
    Ok(won.map_or(ProgressFile::Damaged, ProgressFile::Won))
}

/// Renames a file to the first free name of the form `challenge.json.damaged-1`.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| path.with_file_name(format!("{FILE}.damaged-{number}"));
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    let aside = (1..=u32::MAX).map(name).find(is_free).ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &aside)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder for one test, deleted at its end.
    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn folder(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("kakugo-progress-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn unlocked(folder: &Path) -> u8 {
        let (progress, warning) = ChallengeProgress::open(folder.to_owned()).unwrap();
        assert_eq!(warning, None);
        progress.unlocked().number()
    }

    #[test]
    fn wins_unlock_the_next_level_and_are_saved() {
        let home = folder("wins");
        let folder = home.0.join("deep/down");
        assert_eq!(unlocked(&folder), 1);
        for level in Level::all() {
            let (mut progress, _) = ChallengeProgress::open(folder.clone()).unwrap();
            assert_eq!(progress.unlocked(), level);
            assert_eq!(progress.win(level).unwrap(), (true, None));
            assert_eq!(progress.win(level).unwrap(), (false, None), "the second time it is no news");
            assert_eq!(progress.win(Level::FIRST).unwrap(), (false, None));
            assert_eq!(unlocked(&folder), (level.number() + 1).min(10));
        }
        assert_eq!(fs::read_to_string(folder.join(FILE)).unwrap(), "{\"won\":10}\n");
        assert_eq!(names(&folder), [FILE], "no drafts are left");
    }

    #[test]
    fn two_games_at_the_same_time_lose_no_win() {
        let home = folder("two");
        let folder = home.0.clone();
        let open = || ChallengeProgress::open(folder.clone()).unwrap().0;
        let (mut first, mut second) = (open(), open());
        let level = |number| Level::new(number).unwrap();
        assert!(first.win(level(1)).unwrap().0 && first.win(level(2)).unwrap().0);
        assert!(!second.win(level(1)).unwrap().0);
        assert_eq!((second.unlocked(), unlocked(&folder)), (level(3), 3));
    }

    #[test]
    fn simultaneous_wins_are_all_saved() {
        let home = folder("moment");
        for round in 0..10 {
            let folder = home.0.join(round.to_string());
            let (first, _) = ChallengeProgress::open(folder.clone()).unwrap();
            drop(first);
            std::thread::scope(|scope| {
                for number in 1..=4 {
                    let (mut progress, _) = ChallengeProgress::open(folder.clone()).unwrap();
                    scope.spawn(move || progress.win(Level::new(number).unwrap()).unwrap());
                }
            });
            assert_eq!(unlocked(&folder), 5, "round {round}");
            assert_eq!(names(&folder), [FILE], "no locks and drafts are left");
        }
    }

    #[test]
    fn a_damaged_file_is_renamed_unchanged() {
        let home = folder("damaged");
        let folder = home.0.clone();
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(FILE);
        let long = format!("{{\"won\":3}}{}x", " ".repeat(5000));
        let damaged: [&[u8]; 8] = [
            b"",
            b"{\"won\":",
            b"{\"won\":11}",
            b"{\"won\":-1}",
            b"{\"won\":\"3\"}",
            b"[3]\n{\"won\":3}",
            b"\xff\x00",
            long.as_bytes(),
        ];
        for (index, bytes) in damaged.into_iter().enumerate() {
            fs::write(&path, bytes).unwrap();
            let (progress, warning) = ChallengeProgress::open(folder.clone()).unwrap();
            let warning = warning.expect("there is a warning");
            let aside = format!("{FILE}.damaged-{}", index + 1);
            assert!(
                warning.contains("damaged") && warning.contains(&aside) && warning.lines().count() == 1,
                "{warning}"
            );
            assert_eq!(fs::read(folder.join(aside)).unwrap(), bytes, "it is kept as it was");
            assert_eq!((progress.unlocked(), unlocked(&folder)), (Level::FIRST, 1));
        }
    }

    #[test]
    fn a_file_damaged_during_a_game_is_renamed_too() {
        let home = folder("meanwhile");
        let folder = home.0.clone();
        let (mut progress, _) = ChallengeProgress::open(folder.clone()).unwrap();
        progress.win(Level::FIRST).unwrap();
        fs::write(folder.join(FILE), "{\"won\":7,").unwrap();
        let (is_news, warning) = progress.win(Level::new(2).unwrap()).unwrap();
        assert!(is_news && warning.is_some_and(|warning| warning.contains("damaged-1")));
        assert_eq!(fs::read_to_string(folder.join(format!("{FILE}.damaged-1"))).unwrap(), "{\"won\":7,");
        assert_eq!(fs::read_to_string(folder.join(FILE)).unwrap(), "{\"won\":2}\n");
        // An unreadable file is not treated as empty either.
        fs::remove_file(folder.join(FILE)).unwrap();
        fs::create_dir(folder.join(FILE)).unwrap();
        let error = format!("{:#}", progress.win(Level::new(3).unwrap()).unwrap_err());
        assert!(error.starts_with("cannot read"), "{error}");
    }

    #[test]
    fn an_existing_file_is_not_rewritten_before_a_win() {
        let home = folder("untouched");
        let folder = home.0.clone();
        fs::create_dir_all(&folder).unwrap();
        let text = "{\"won\": 4, \"of\": \"mine\"}";
        fs::write(folder.join(FILE), text).unwrap();
        assert_eq!(unlocked(&folder), 5);
        assert_eq!(fs::read_to_string(folder.join(FILE)).unwrap(), text);
        assert_eq!(names(&folder), [FILE], "no drafts are left");
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_an_error_and_nothing_is_lost() {
        let home = folder("unusable");
        let folder = home.0.clone();
        fs::create_dir_all(&folder).unwrap();
        // A file where the folder should be.
        fs::write(folder.join("file"), "mine").unwrap();
        let error = format!("{:#}", ChallengeProgress::open(folder.join("file")).unwrap_err());
        assert!(error.starts_with("cannot make the folder"), "{error}");
        assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "mine");
        // A folder where the file should be.
        fs::create_dir_all(folder.join("taken").join(FILE)).unwrap();
        assert!(ChallengeProgress::open(folder.join("taken")).is_err());
        // The folder disappears during the game: the win cannot be saved, and this is reported.
        let (mut progress, _) = ChallengeProgress::open(folder.join("gone")).unwrap();
        fs::remove_dir_all(folder.join("gone")).unwrap();
        let error = format!("{:#}", progress.win(Level::FIRST).unwrap_err());
        assert!(error.starts_with("cannot write") && error.lines().count() == 1, "{error}");
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let home = folder("atomic");
        let folder = home.0.clone();
        let (mut progress, _) = ChallengeProgress::open(folder.clone()).unwrap();
        progress.win(Level::FIRST).unwrap();
        // A folder has the name of the lock: nothing can be written.
        let lock = folder.join(format!(".{FILE}.lock"));
        fs::create_dir(&lock).unwrap();
        assert!(progress.win(Level::new(2).unwrap()).is_err());
        assert_eq!(fs::read_to_string(folder.join(FILE)).unwrap(), "{\"won\":1}\n");
        fs::remove_dir(&lock).unwrap();
        assert!(progress.win(Level::new(2).unwrap()).unwrap().0, "now it is kept");
        assert_eq!(unlocked(&folder), 3);
    }
}
