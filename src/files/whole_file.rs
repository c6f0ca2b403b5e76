//! Files that are written as a whole or not at all.
//!
//! A draft next to the file takes its name in one step once it is complete and on disk. Until then the draft
//! is not visible under this name; if anything fails, the old file is untouched and the draft is removed. The
//! draft of a killed process is removed by a process that writes a file to the folder a day or more later,
//! except on Windows. Symbolic links are kept, and their target is replaced. Other names of the same file
//! (hard links) keep the old content.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(unix)]
use super::abandoned::{hold, remove_abandoned};
use super::lock::{PATIENCE, open_alone, patiently};
use super::{destination, directory};

/// Writes the output of `write` to `path`, replacing the existing file, if any, with the same permissions.
///
/// # Errors
/// Returns the errors of `write` and of the file system, and an error if the existing file is not a regular
/// file, may not be written, or is locked by a process that opened it with
/// [`open_locked`](super::open_locked).
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = Replacement::begin(path)?;
    write(&mut file)?;
    file.finish()
}

/// A file that is written piece by piece and takes its name when it is [finished](Replacement::finish). If it
/// is dropped earlier, the existing file is kept.
pub struct Replacement {
    // Closed before the draft is removed.
    file: BufWriter<File>,
    draft: Draft,
    target: PathBuf,
    old: Option<Metadata>,
}

impl Replacement {
    /// Begins a file that will replace the file at `path`, if there is one, with the same permissions.
    ///
    /// # Errors
    /// Returns the same errors as [`replace`], before anything is written.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        let (target, old) = target(path)?;
        let (draft, file) = begin_draft(&target, old.is_some())?;
        Ok(Replacement { file: BufWriter::new(file), draft, target, old })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Returns the errors of the file system; the existing file is then unchanged.
    pub fn finish(self) -> io::Result<()> {
        let Replacement { file, draft, target, old } = self;
        put_in_place(draft, file.into_inner()?, &target, old.as_ref())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Like [`replace`], if the caller holds a lock on the existing file; `write` may write to the draft in any
/// order.
///
/// # Errors
/// Returns the errors of `write` and of the file system.
pub fn replace_held<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(File) -> Result<(), E>,
) -> Result<(), E> {
    let (target, old) = destination(path)?;
    let (draft, file) = begin_draft(&target, old.is_some())?;
    write(file.try_clone()?)?;
    Ok(put_in_place(draft, file, &target, old.as_ref())?)
}

/// Begins a draft for `target` after removing abandoned drafts from its folder.
fn begin_draft(target: &Path, is_private: bool) -> io::Result<(Draft, File)> {
    #[cfg(unix)]
    remove_abandoned(directory(target));
    Draft::begin(directory(target), is_private)
}

/// Gives a complete draft the name `target` and the permissions of the `old` file, and waits until it is on
/// disk.
fn put_in_place(draft: Draft, file: File, target: &Path, old: Option<&Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        keep_permissions(&file, old)?;
    }
    file.sync_all()?;
    drop(file);
    draft.replace(target)?;
    sync_directory(target);
    Ok(())
}

/// Like [`replace`], for contents in memory.
///
/// # Errors
/// Returns the same errors as [`replace`].
pub fn replace_with(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path, |file| file.write_all(contents.as_ref()))
}

/// Writes `contents` to `path` if nothing exists there, not even a symbolic link.
///
/// # Errors
/// Returns [`ErrorKind::AlreadyExists`] if something exists, and errors of the file system.
pub fn create(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    #[cfg(unix)]
    remove_abandoned(directory(path));
    let draft = Draft::written(path, None, |file| file.write_all(contents.as_ref()))?;
    match fs::hard_link(&draft.path, path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
        // Some file systems have no hard links: then the name is checked before it is taken.
        Err(_) if path.symlink_metadata().is_ok() => return Err(ErrorKind::AlreadyExists.into()),
        Err(_) => draft.replace(path)?,
    }
    sync_directory(path);
    Ok(())
}

/// Checks whether [`replace`] could begin, before long work whose result could not be stored. No file is changed or
/// removed.
///
/// # Errors
/// Returns the same errors as [`replace`].
pub fn try_replace(path: &Path) -> io::Result<()> {
    let (target, old) = target(path)?;
    Draft::written(&target, old.as_ref(), |_| Ok(())).map(drop)
}

/// Syncs the name of a new file, on systems that can sync directories.
pub fn sync_directory(path: &Path) {
    // If this fails, the file itself is still as safe as possible.
    let _ = File::open(directory(path)).and_then(|directory| directory.sync_all());
}

/// Target of a replacement: the file that `path` leads to, if it may be written, and its metadata if it
/// exists.
fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    if path.file_name().is_none() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file name"));
    }
    let (target, old) = destination(path)?;
    if old.is_some() {
        // The new file could replace a write-protected or locked file, which no user would expect.
        patiently(PATIENCE, || open_alone(OpenOptions::new().write(true), &target))?;
    }
    Ok((target, old))
}

/// A file with a temporary name, removed unless it gets another name.
struct Draft {
    path: PathBuf,
}

impl Draft {
    /// A draft for `target` with the output of `write`, on disk, with the permissions of the `old` file.
    fn written(
        target: &Path,
        old: Option<&Metadata>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Draft> {
        let (draft, mut file) = Draft::begin(directory(target), old.is_some())?;
        let mut writer = BufWriter::new(&mut file);
        write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        if let Some(old) = old {
            keep_permissions(&file, old)?;
        }
        file.sync_all()?;
        Ok(draft)
    }

    /// An empty draft. If it will get the permissions of another file, only its owner can access it until
    /// then.
    fn begin(directory: &Path, is_private: bool) -> io::Result<(Draft, File)> {
        /// Maximum number of draft names that are tried: drafts of killed processes with the same process id
        /// may exist.
        const TRIES: usize = 1000;
        static DRAFTS: AtomicU32 = AtomicU32::new(0);
        // WebAssembly has no process id either.
        if cfg!(target_family = "wasm") {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        if is_private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = is_private;
        for _ in 0..TRIES {
            let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
            // A short name, so that it fits wherever the name of the file does.
            let path = directory.join(format!(".kakugo-{}-{number}.part", process::id()));
            match options.open(&path) {
                Ok(file) => {
                    #[cfg(unix)]
                    hold(&file);
                    return Ok((Draft { path }, file));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("its folder is full of unfinished files"))
    }

    /// Gives the draft the name `target`.
    fn replace(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        std::mem::forget(self);
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // The error that led here is reported instead.
        let _ = fs::remove_file(&self.path);
    }
}

/// Gives `file` the owner, if this is permitted, and the mode of the `old` file.
#[cfg(unix)]
fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let new = file.metadata()?;
    let mut mode = old.mode() & 0o7777;
    if (new.uid(), new.gid()) != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
    {
        // The set-ID bits were meant for the old owner and group. Another group gets only the rights that others have.
        mode &= 0o777;
        if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
            mode = mode & !0o070 | (mode & 0o007) << 3;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_permissions(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
