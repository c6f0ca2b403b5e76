//! Locks that allow one writer at a time.
//!
//! The system releases a lock when its process ends for any reason.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(not(windows))]
use super::{check_regular, never_block};
use super::{destination, identity};

/// Time to wait for another process that has a file open, because a killed process does not disappear
/// immediately.
pub const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// A file that [`open_locked`] has opened: it is read anywhere, and written at its end.
///
/// It is not opened in the append mode of the system, in which Windows does not truncate files.
#[derive(Debug)]
pub struct LockedFile(File);

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.seek(SeekFrom::End(0))?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Opens the regular file at `path` for reading and appending, creating it if necessary. Until it is closed,
/// no other process can open it in this way.
///
/// # Errors
/// Returns [`ErrorKind::ResourceBusy`] if another process still holds the file after [`PATIENCE`], long enough for a
/// killed process to release it, and other errors if the file system refuses or the file is not a regular file.
pub fn open_locked(path: &Path) -> io::Result<LockedFile> {
    open_within(path, PATIENCE).map(LockedFile)
}

fn open_within(path: &Path, patience: Duration) -> io::Result<File> {
    let (path, _) = destination(path)?;
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    patiently(patience, || {
        let file = open_alone(&mut options, &path)?;
        // The previous owner may have removed it or replaced it by another file.
        if has_name(&file, &path)? { Ok(file) } else { Err(ErrorKind::WouldBlock.into()) }
    })
}

/// A lock on a name whose file is replaced as a whole, so that the file itself cannot be locked permanently.
/// The locked file is `.NAME.lock` next to it, which is deleted with the lock.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks the name `path` against all other processes; waits up to `patience` if another process has the
    /// lock.
    ///
    /// # Errors
    /// Returns the same errors as [`open_locked`].
    pub fn beside(path: &Path, patience: Duration) -> io::Result<Lock> {
        // A file with two names has one lock.
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
        // Removed while it is locked: a process that waits for it notices that the file has lost its name. A
        // file that remains is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

/// Repeats `attempt` as long as it returns [`ErrorKind::WouldBlock`].
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

/// Opens and locks a file, or returns [`ErrorKind::WouldBlock`].
#[cfg(not(windows))]
pub(super) fn open_alone(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::fs::TryLockError;

    never_block(options);
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        // Some network file systems do not support locks; then the file is treated as unlocked.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// On this system a lock would exclude readers too, so other writers are rejected when they open the file.
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

/// Whether `path` is a name of `file`, as far as this can be determined: another file may have taken the
/// name.
///
/// # Errors
/// Returns an error if the system does not report it.
pub fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(named) => Ok(identity(&file.metadata()?) == identity(&named)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
