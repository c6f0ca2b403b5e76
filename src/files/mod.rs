//! Files as all programs of this house treat them: read within bounds, replaced as a whole, written by one process at
//! a time.
//!
//! - [`read`], [`read_text`], [`read_stream`]: the whole of a file that has a bounded size, never a pipe or a device
//!   that could block for ever.
//! - [`replace`], [`create`]: a file is there whole or not at all, whatever happens meanwhile.
//! - [`open_locked`], [`Lock`]: one writer at a time.
//!
//! Knows nothing of what is in the files. Errors are those of the system or say in a few words what is wrong; the
//! caller adds the name of the file.

mod lock;
mod read;
mod whole_file;

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

pub use lock::{Lock, open_locked};
pub use read::{read, read_stream, read_text};
pub use whole_file::{create, replace, replace_with, sync_directory, try_replace};

/// As many links as the systems follow.
const MOST_LINKS: usize = 40;

/// Where the symbolic links that `path` may end in lead to, and what is there; `None`: nothing yet.
///
/// # Errors
/// When the links go in a circle or through something that is no folder, and when what is there is no regular file.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        let found = match fs::symlink_metadata(&at) {
            Ok(found) => found,
            // The system's own links lead to what has no name, a pipe for instance.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match fs::metadata(path) {
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
        } else if found.is_file() {
            return Ok((at, Some(found)));
        } else {
            return Err(not_regular(found.file_type()));
        }
    }
    Err(io::Error::other("its symbolic links go in a circle"))
}

/// The folder that the file at `path` is in.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
