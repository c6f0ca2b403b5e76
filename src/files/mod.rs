//! Access to files, the same in all programs of this repository: read within limits, replaced as a whole, written by
//! one process at a time.
//!
//! - [`open`], [`read()`], [`read_text`], [`read_stream`]: a file, or the content of a file of limited size, never a pipe
//!   or a device that could block forever.
//! - [`replace`], [`Replacement`], [`replace_held`], [`create`]: a file is written completely or not at all,
//!   even if the process is killed.
//! - [`open_locked`], [`LockedFile`], [`Lock`]: one writer at a time.
//! - [`is_same`], [`has_name`], [`directory`]: whether two names refer to the same file, whether a name refers
//!   to an open file, the folder of a file.
//! - [`Checksum`]: detects damage of a file.
//! - [`CodePage`]: decodes the bytes of a text; [`Utf8Reader`]: reads a file in UTF-16 as UTF-8.
//! - [`entry_lines`]: the lines of a list without [comments](is_comment); [`without_mark`]: a text without a byte order
//!   mark.
//! - `inputs`, `without_repeats`: the files that the folders and patterns on a command line refer to, each of them
//!   once (feature `cli`).
//!
//! This module knows nothing else about the content of files. Its errors are system errors or a few words about the
//! cause; the caller adds the name of the file.

#[cfg(unix)]
mod abandoned;
mod checksum;
mod code_page;
#[cfg(feature = "cli")]
mod inputs;
mod lock;
mod read;
mod utf16;
mod whole_file;

use std::fs::{self, FileType, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

pub use checksum::Checksum;
pub use code_page::{CodePage, CodePageError, Guess};
#[cfg(feature = "cli")]
pub use inputs::{inputs, without_repeats};
pub use lock::{Lock, LockedFile, PATIENCE, has_name, open_locked};
pub use read::{check_length, entry_lines, is_comment, open, read, read_stream, read_text, without_mark};
pub use utf16::Utf8Reader;
pub use whole_file::{Replacement, create, replace, replace_held, replace_with, sync_directory, try_replace};

/// The number of links that systems follow.
const MOST_LINKS: usize = 40;

/// The target of the symbolic links at the end of `path`, and its metadata; `None` if it does not exist.
///
/// # Errors
/// Returns an error if the links form a circle or lead through something that is not a folder, or if the
/// target is not a regular file.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        let found = match fs::symlink_metadata(&at) {
            Ok(found) => found,
            // The system's own links may lead to something without a name, such as a pipe.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match fs::metadata(path) {
                    // It was created between the two checks.
                    Ok(_) if at == path => continue,
                    Ok(other) if other.is_file() => Err(io::Error::other("the file has no name any more")),
                    Ok(other) => Err(not_regular(other.file_type())),
                    Err(_) => Ok((at, None)),
                };
            }
            Err(error) => return Err(error),
        };
        if found.is_symlink() {
            let target = fs::read_link(&at)?;
            at = directory(&at).join(target);
        } else {
            check_regular(&found)?;
            return Ok((at, Some(found)));
        }
    }
    Err(io::Error::other("its symbolic links go in a circle"))
}

/// Whether two paths lead to the same file, or would if the file existed, as far as this can be determined.
pub fn is_same(one: &Path, other: &Path) -> bool {
    if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other))
        && let (Some(one), Some(other)) = (identity(&one), identity(&other))
    {
        return one == other;
    }
    // Systems without such numbers ignore the case of names.
    if let (Ok(one), Ok(other)) = (one.canonicalize(), other.canonicalize()) {
        return one == other;
    }
    let resolved = |path: &Path| {
        let (path, _) = destination(path).ok()?;
        Some(directory(&path).canonicalize().ok()?.join(path.file_name()?))
    };
    match (resolved(one), resolved(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// The device and the number of a file, which are the same for all its names.
#[cfg(unix)]
fn identity(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Prevents files opened with `options` from blocking: a pipe would wait for its other end.
#[cfg(unix)]
pub(crate) fn never_block(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
}

#[cfg(not(unix))]
pub(crate) fn never_block(_: &mut OpenOptions) {}

/// The folder that contains the file at `path`.
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(not_regular(found.file_type())) }
}

fn not_regular(kind: FileType) -> io::Error {
    let what = if kind.is_dir() { "a directory" } else { special(kind) };
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a regular file"))
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "something else"
}
