//! Files that one program at a time writes to.
//!
//! What is appended to is locked itself ([`open`]). What is replaced as a whole is another file each time: programs
//! that keep at it lock one beside it ([`Beside`]), and whoever replaces a file once makes sure that nobody else has it
//! locked ([`replace`]). Locks are those of the system: they end with the program, however it ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::{input, whole_file};

/// How long another program may take to let go of a file: one that was killed is not gone at once.
const PATIENCE: Duration = Duration::from_secs(2);

const HELD: &str = "another process writes to it";

/// A file that is ours as long as it is open.
#[cfg(unix)]
pub type Locked = nix::fcntl::Flock<File>;
/// A file. This system's locks would keep readers out.
#[cfg(not(unix))]
pub type Locked = File;

/// Opens a file, made if it is not there, to read it and append to it.
///
/// # Errors
/// When it cannot be opened, is no regular file, or another program writes to it.
pub fn open(path: &Path) -> Result<Locked> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let file = input::open_with(path, OpenOptions::new().create(true).read(true).append(true))?;
        let file = match lock(file, deadline) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => bail!(HELD),
            Err(error) => bail!("it cannot be locked: {error}"),
        };
        // Whoever had it may have put another in its place, or taken it away.
        if is_at(&file, path) {
            return Ok(file);
        }
    }
}

/// A lock on a file that is replaced as a whole again and again, by another one beside it; that goes with the lock.
#[derive(Debug)]
pub struct Beside {
    path: PathBuf,
    _file: Locked,
}

impl Beside {
    /// The lock of the file at `path`, which need not be there.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(path: &Path) -> Result<Beside> {
        // One file under two names has one lock.
        let path = resolved(path).unwrap_or_else(|| path.to_owned());
        let mut name = path.into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        Ok(Beside { _file: open(&path)?, path })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Still locked, so it is nobody else's. One that stays does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Puts what `write` writes at `path` as a whole, unless another program writes to what is there.
///
/// # Errors
/// When there is something else than a regular file, another program has it, or it cannot be written.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    Ok(whole_file::replace(path, write)?)
}

/// As [`replace`], for a text that is there already.
///
/// # Errors
/// As [`replace`].
pub fn replace_with(path: &Path, text: &str) -> Result<()> {
    replace(path, |file| file.write_all(text.as_bytes()))
}

/// Whether two paths lead to one file, as far as can be told.
pub fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (std::fs::metadata(one), std::fs::metadata(other)) {
        return identity(&one) == identity(&other);
    }
    match (resolved(one), resolved(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Where a file is or will be.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Some(path);
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(parent.canonicalize().ok()?.join(path.file_name()?))
}

#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(there)) => identity(&ours) == identity(&there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// Locks a file, or says that it [would block](io::ErrorKind::WouldBlock) beyond `deadline`.
#[cfg(unix)]
fn lock(mut file: File, deadline: Instant) -> io::Result<Locked> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};

    loop {
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(locked) => return Ok(locked),
            Err((back, Errno::EWOULDBLOCK)) if Instant::now() < deadline => file = back,
            Err((_, error)) => return Err(error.into()),
        }
        std::thread::sleep(PATIENCE / 100);
    }
}

#[cfg(not(unix))]
fn lock(file: File, _deadline: Instant) -> io::Result<Locked> {
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_is_locked_is_neither_opened_nor_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.jsonl");
        let held = open(&path).unwrap();
        assert_eq!(open(&path).unwrap_err().to_string(), HELD);
        assert_eq!(replace_with(&path, "x").unwrap_err().to_string(), HELD);
        drop(held);
        replace_with(&path, "x").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "x");
        assert!(replace_with(Path::new("/dev/null"), "x").is_err());
    }

    #[test]
    fn a_lock_beside_a_file_goes_with_its_owner() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let held = Beside::open(&path).unwrap();
        if cfg!(unix) {
            assert_eq!(Beside::open(&path).unwrap_err().to_string(), HELD);
        }
        drop(held);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        // One that a killed program left is taken over.
        std::fs::write(directory.path().join("state.lock"), "").unwrap();
        drop(Beside::open(&path).unwrap());
    }

    #[test]
    fn paths_to_one_file_are_told() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        assert!(is_same(&at("a"), &directory.path().join(".").join("a")));
        assert!(!is_same(&at("a"), &at("b")));
        std::fs::write(at("a"), "").unwrap();
        std::fs::hard_link(at("a"), at("b")).unwrap();
        assert_eq!(is_same(&at("a"), &at("b")), cfg!(unix));
        assert!(!is_same(&at("a"), &at("c")));
    }
}
