//! Files of games: read as a whole, or continued at the end.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::Size;
use kakugo::files::{self, LockedFile};

use super::{GamesRecipe, TrainingGame};

/// Maximum size of a file, in bytes: a hundred million positions.
const MOST_BYTES: u64 = 1 << 31;

/// Contents of a file.
#[derive(Debug)]
pub struct GamesFile {
    /// Recipe of the games.
    pub recipe: GamesRecipe,
    /// The games in order of their numbers.
    pub games: Vec<TrainingGame>,
    /// Number of bytes after the last complete game: the beginning of a game that was being written when the
    /// program was killed.
    pub torn: usize,
}

/// Reads a file of games; `-` is standard input.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a file of games, or is damaged before its last game.
pub fn read(path: &Path) -> Result<GamesFile> {
    let name = || path.display().to_string();
    let bytes = if path == Path::new("-") {
        files::read_stream(io::stdin(), MOST_BYTES)
    } else {
        files::read(path, MOST_BYTES)
    };
    decode(&bytes.with_context(name)?).with_context(name)
}

/// Reads a file of games that may be incomplete; `None` if it ends within its head.
///
/// # Errors
/// Returns the same errors as [`read`].
pub fn read_begun(path: &Path) -> Result<Option<GamesFile>> {
    let name = || path.display().to_string();
    let bytes = files::read(path, MOST_BYTES).with_context(name)?;
    decode_begun(&bytes).with_context(name)
}

/// Reads the recipe of a file of games without the games; `None` if the file ends within its head.
///
/// # Errors
/// Returns an error if the file cannot be read, or does not begin with the head of a file of games.
pub fn read_recipe(path: &Path) -> Result<Option<GamesRecipe>> {
    let name = || path.display().to_string();
    let mut head = Vec::new();
    let file = files::open(path).with_context(name)?;
    file.take(GamesRecipe::MOST_BYTES).read_to_end(&mut head).with_context(name)?;
    if GamesRecipe::is_cut_off(&head) {
        return Ok(None);
    }
    GamesRecipe::decode(&head).map(Some).with_context(name)
}

/// Checks that the file at `path`, which has the recipe `found`, can be continued with games of `recipe`.
///
/// # Errors
/// Returns an error with the differences if the recipes differ.
pub fn check_recipe(path: &Path, found: &GamesRecipe, recipe: &GamesRecipe) -> Result<()> {
    match found.difference(recipe) {
        Some(difference) => bail!("{} has games of another recipe: {difference}", path.display()),
        None => Ok(()),
    }
}

/// Decodes the bytes of a file that may be incomplete; `None` if they end within its head.
fn decode_begun(bytes: &[u8]) -> Result<Option<GamesFile>> {
    if GamesRecipe::is_cut_off(bytes) { Ok(None) } else { decode(bytes).map(Some) }
}

/// Decodes the bytes of a file.
///
/// # Errors
/// Returns an error if they are not a file of games, or are damaged before the last game.
pub fn decode(bytes: &[u8]) -> Result<GamesFile> {
    let recipe = GamesRecipe::decode(bytes)?;
    let mut games = Vec::new();
    let mut at = recipe.encoded_bytes();
    while at < bytes.len() {
        match TrainingGame::decode(&bytes[at..], recipe.size) {
            Ok((game, length)) => {
                ensure!(game.index as usize == games.len(), "game {} is missing", games.len());
                games.push(game);
                at += length;
            }
            Err(_) if can_be_torn(&bytes[at..], games.len(), recipe.size) => break,
            Err(error) => return Err(error.context(format!("at byte {at}"))),
        }
    }
    Ok(GamesFile { recipe, games, torn: bytes.len() - at })
}

/// Whether a killed process can have left `rest`, which does not begin with a complete game: only the last
/// game can be incomplete, so `rest` is no longer than one game and no complete game follows.
fn can_be_torn(rest: &[u8], number: usize, size: Size) -> bool {
    let follows = |(game, _): (TrainingGame, usize)| game.index as usize > number;
    rest.len() <= TrainingGame::MAX_BYTES
        && !(1..rest.len()).any(|from| TrainingGame::decode(&rest[from..], size).is_ok_and(follows))
}

/// A file that games are appended to, by one process at a time.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: LockedFile,
    recipe: GamesRecipe,
    bytes: u64,
    games: u32,
    positions: u64,
}

impl GameFile {
    /// Creates the file, or continues it at its end; an incomplete game is removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, if another process writes to it, or if it
    /// contains anything but games of this recipe; it is then unchanged.
    pub fn open(path: &Path, recipe: &GamesRecipe) -> Result<GameFile> {
        let name = || path.display().to_string();
        let head = recipe.encode();
        let mut file = files::open_locked(path).with_context(name)?;
        let bytes = files::read_stream(&*file, MOST_BYTES).with_context(name)?;
        let old = decode_begun(&bytes).with_context(name)?;
        old.iter().try_for_each(|old| check_recipe(path, &old.recipe, recipe))?;
        ensure!(
            old.is_some() || head.starts_with(&bytes),
            "{} ends within the head of another recipe",
            path.display()
        );
        let length = old.as_ref().map_or(head.len(), |old| bytes.len() - old.torn);
        if old.is_none() {
            file.write_all(&head[bytes.len()..]).with_context(name)?;
            // Games without a head would be lost with it in a power failure.
            file.sync_all().with_context(name)?;
        } else {
            file.set_len(length as u64).with_context(name)?;
        }
        let games = old.map_or(Vec::new(), |old| old.games);
        let positions = games.iter().map(TrainingGame::positions).sum();
        let (path, recipe) = (path.to_owned(), recipe.clone());
        Ok(GameFile { path, file, recipe, bytes: length as u64, games: games.len() as u32, positions })
    }

    /// Number of its games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Number of searched positions in its games, including inner positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends the next game in one write.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or would be larger than any file that can be read.
    ///
    /// # Panics
    /// Panics if `game` is not the next game.
    pub fn append(&mut self, game: &TrainingGame) -> Result<()> {
        assert_eq!(game.index, self.games, "games are added in their order");
        let bytes = game.encode(self.recipe.size);
        let length = self.bytes + bytes.len() as u64;
        ensure!(
            length <= MOST_BYTES,
            "{} is full: a file of games has at most {} MiB; use another seed and another file for more games",
            self.path.display(),
            MOST_BYTES >> 20
        );
        self.file.write_all(&bytes).with_context(|| self.path.display().to_string())?;
        self.bytes = length;
        self.games += 1;
        self.positions += game.positions();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{game, recipe};

    fn file_of(games: u32) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games.bin");
        let mut file = GameFile::open(&path, &recipe::example()).unwrap();
        (0..games).for_each(|index| file.append(&game::example(index)).unwrap());
        (directory, path)
    }

    #[test]
    fn games_read_as_they_were_written() {
        let (_directory, path) = file_of(3);
        let contents = read(&path).unwrap();
        assert_eq!(contents.recipe, recipe::example());
        assert_eq!(contents.games, [0, 1, 2].map(game::example));
        assert_eq!(contents.torn, 0);
    }

    #[test]
    fn a_second_writer_is_refused() {
        let (_directory, path) = file_of(2);
        let mut first = GameFile::open(&path, &recipe::example()).unwrap();
        let error = format!("{:#}", GameFile::open(&path, &recipe::example()).unwrap_err());
        assert!(error.ends_with("games.bin: another process writes to it"), "{error}");
        first.append(&game::example(2)).unwrap();
        assert_eq!(read(&path).unwrap().games.len(), 3, "reading is still possible");
    }

    #[test]
    fn a_file_torn_anywhere_is_continued() {
        let (_directory, path) = file_of(2);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut file = GameFile::open(&path, &recipe::example()).unwrap();
            assert!(file.games() < 2);
            (file.games()..2).for_each(|index| file.append(&game::example(index)).unwrap());
            assert_eq!((file.games(), file.positions()), (2, 10));
            assert_eq!(std::fs::read(&path).unwrap(), whole, "torn at {length}");
        }
    }

    #[test]
    fn files_without_a_whole_head_have_no_games_yet() {
        let (_directory, path) = file_of(1);
        let whole = std::fs::read(&path).unwrap();
        let head = recipe::example().encoded_bytes();
        for length in [0, 1, 9, head - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(read_begun(&path).unwrap().is_none(), "{length} bytes");
            assert!(read_recipe(&path).unwrap().is_none(), "{length} bytes");
            assert!(read(&path).is_err(), "{length} bytes");
        }
        for (length, games) in [(head, 0), (whole.len() - 1, 0), (whole.len(), 1)] {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read_begun(&path).unwrap().expect("a whole head").games.len(), games);
            assert_eq!(read_recipe(&path).unwrap(), Some(recipe::example()), "{length} bytes");
        }
        std::fs::write(&path, "something else").unwrap();
        for error in [read_begun(&path).unwrap_err(), read_recipe(&path).unwrap_err()] {
            let error = format!("{error:#}");
            assert!(error.ends_with("games.bin: not a file of self-play games"), "{error}");
        }
    }

    #[test]
    fn no_file_grows_beyond_what_can_be_read() {
        let (_directory, path) = file_of(1);
        let mut file = GameFile::open(&path, &recipe::example()).unwrap();
        let before = std::fs::read(&path).unwrap();
        assert_eq!(file.bytes, before.len() as u64);
        let next = game::example(1);
        let length = next.encode(recipe::example().size).len() as u64;
        file.bytes = MOST_BYTES - length + 1;
        let error = format!("{:#}", file.append(&next).unwrap_err());
        assert!(error.contains("games.bin is full: a file of games has at most 2048 MiB"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!((std::fs::read(&path).unwrap(), file.games()), (before, 1));
        file.bytes = MOST_BYTES - length;
        file.append(&next).unwrap();
        assert_eq!(read(&path).unwrap().games.len(), 2);
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let (_directory, path) = file_of(200);
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8], recipe: &GamesRecipe, expected: &str| {
            std::fs::write(&path, bytes).unwrap();
            let error = format!("{:#}", GameFile::open(&path, recipe).unwrap_err());
            assert!(error.contains(expected), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        };
        let recipe = recipe::example();
        refused(&whole, &GamesRecipe { seed: 3, ..recipe.clone() }, "games of another recipe: seed");
        refused(b"something else", &recipe, "not a file of self-play games");
        let other = GamesRecipe { nodes: 999, ..recipe.clone() };
        let cut_off = &whole[..recipe.encoded_bytes() - 1];
        refused(cut_off, &other, "games.bin ends within the head of another recipe");
        let mut damaged = whole.clone();
        damaged[recipe.encoded_bytes() + 70] ^= 1;
        refused(&damaged, &recipe, "at byte 98: a game is damaged");
        assert!(format!("{:#}", read(&path).unwrap_err()).contains("at byte 98"));
        // Near the end too: more games follow, so the game is not incomplete but damaged.
        let mut damaged = whole.clone();
        let length = game::example(0).encode(recipe.size).len();
        let at = whole.len() - 3 * length;
        damaged[at + 20] ^= 1;
        refused(&damaged, &recipe, &format!("at byte {at}: a game is damaged"));
    }
}
