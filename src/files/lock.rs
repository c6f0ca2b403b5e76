//! One writer at a time.
//!
//! The system lets go of a lock when its process ends, however it ends.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(not(windows))]
use super::{check_regular, never_block};
use super::{destination, identity};

/// Patience with another process that has a file: one that was killed is not gone at once.
pub const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// Opens the regular file at `path` for reading and for writing at its end, or begins it; until it is closed, no other
/// process can open it so.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] when another process holds it for longer than a killed one would; those of the file
/// system; and when it is no regular file.
pub fn open_locked(path: &Path) -> io::Result<File> {
    open_within(path, PATIENCE)
}

fn open_within(path: &Path, patience: Duration) -> io::Result<File> {
    let (path, _) = destination(path)?;
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true);
    patiently(patience, || {
        let file = open_alone(&mut options, &path)?;
        // Whoever held it may have removed it or put another in its place.
        if has_name(&file, &path)? { Ok(file) } else { Err(ErrorKind::WouldBlock.into()) }
    })
}

/// A lock on what goes by a name and is replaced as a whole, so that no file that lasts could be held: a file
/// `.NAME.lock` beside it, gone when the lock is.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Keeps every other process from a lock beside `path`; waits for `patience` when one has it.
    ///
    /// # Errors
    /// As [`open_locked`].
    pub fn beside(path: &Path, patience: Duration) -> io::Result<Lock> {
        // One file under two names has one lock.
        let (path, _) = destination(path)?;
        let name = path.file_name().ok_or_else(|| io::Error::other("it is not a file name"))?;
        let mut lock = OsString::from(".");
        lock.push(name);
        lock.push(".lock");
        let path = path.with_file_name(lock);
        Ok(Lock { _file: open_within(&path, patience)?, path })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is held: whoever waits for it sees that it has lost its name. One that stays is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

/// Tries until it is not [`ErrorKind::WouldBlock`] any more that stands in the way.
pub(super) fn patiently<T>(patience: Duration, mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let deadline = Instant::now() + patience;
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            done => return done,
        }
        if Instant::now() >= deadline {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another process writes to it"));
        }
        thread::sleep(PAUSE);
    }
}

/// Opens and locks a file, or says [`ErrorKind::WouldBlock`].
#[cfg(not(windows))]
pub(super) fn open_alone(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::fs::TryLockError;

    never_block(options);
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        // Some network file systems know no locks: there it is as if nobody else were there.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Here a lock would keep readers out too, so the other writers are refused when they open the file.
#[cfg(windows)]
pub(super) fn open_alone(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const SHARE_READ: u32 = 1;
    const SHARE_DELETE: u32 = 4;
    const SHARING_VIOLATION: i32 = 32;
    match options.share_mode(SHARE_READ | SHARE_DELETE).open(path) {
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Err(ErrorKind::WouldBlock.into()),
        opened => opened,
    }
}

/// Whether `path` is a name of `file`, as far as can be told: another may have been put there.
///
/// # Errors
/// When the system does not say.
pub fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(named) => Ok(identity(&file.metadata()?) == identity(&named)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
