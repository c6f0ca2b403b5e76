//! Files that are written wholly or not at all.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Puts `bytes` in the place of the file at `path`, if there is one: by a draft beside it that is renamed when it is
/// whole.
///
/// # Errors
/// When it can't be written; what was there is as before, and no draft is left.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(path)?;
    let written = write_new(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // It may never have come to be; what matters is said already.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Whether a draft can be written, so that [`replace`] will find room.
///
/// # Errors
/// When it can't.
pub fn try_draft(path: &Path) -> io::Result<()> {
    let draft = draft(path)?;
    write_new(&draft, b"")?;
    fs::remove_file(&draft)
}

/// The name of the draft: hidden, of this process, in the same folder.
fn draft(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it is no file name"))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}.tmp", process::id()));
    Ok(path.with_file_name(draft))
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
