//! Where results are to go, looked at before the hours of work that make them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kakugo::files::try_replace;

/// A name that no result has: a draft is made for it and removed, to see whether a folder takes files.
const PROBE: &str = ".kakugo-probe";

/// Checks that files can be written in `folder`; where it is missing, that it can be made. Makes nothing.
///
/// # Errors
/// When something else has its name, or nothing may be written there.
pub fn check_folder(folder: &Path) -> Result<()> {
    let there = folder.ancestors().find(|path| path.symlink_metadata().is_ok());
    let there = there.unwrap_or(Path::new("."));
    ensure!(there.is_dir(), "{} is no folder", there.display());
    try_replace(&there.join(PROBE)).with_context(|| format!("cannot write to the folder {}", there.display()))
}

/// Checks that `file` can be written or replaced, in a folder that may be missing. Makes nothing.
///
/// # Errors
/// As [`check_folder`], and when the file that is there is no regular file or may not be replaced.
pub fn check_file(file: &Path) -> Result<()> {
    check_folder(folder_of(file))?;
    if folder_of(file).is_dir() {
        try_replace(file).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Makes `folder` and what is missing above it.
///
/// # Errors
/// When it can't be made.
pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Makes the folder that `file` is in.
///
/// # Errors
/// When it can't be made.
pub fn make_folder_of(file: &Path) -> Result<()> {
    make_folder(folder_of(file))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
