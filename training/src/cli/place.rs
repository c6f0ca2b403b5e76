//! Checks the locations of results before the hours of work that produce them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kakugo::files::try_replace;

/// A file name that no result has: a draft with this name is created and removed to check whether a folder is
/// writable.
const PROBE: &str = ".kakugo-probe";

/// Checks that files can be written in `folder`, or that it can be created. Creates nothing permanent.
///
/// # Errors
/// Returns an error if something else has this name, or if nothing may be written there.
pub fn check_folder(folder: &Path) -> Result<()> {
    let there = folder.ancestors().find(|path| path.symlink_metadata().is_ok());
    let there = there.unwrap_or(Path::new("."));
    ensure!(there.is_dir(), "{} is not a folder", there.display());
    try_replace(&there.join(PROBE)).with_context(|| format!("cannot write to the folder {}", there.display()))
}

/// Checks that `file` can be written or replaced; its folder may be missing. Creates nothing permanent.
///
/// # Errors
/// Returns the same errors as [`check_folder`], and an error if the existing file is not a regular file or
/// may not be replaced.
pub fn check_file(file: &Path) -> Result<()> {
    check_folder(folder_of(file))?;
    if folder_of(file).is_dir() {
        try_replace(file).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Creates `folder` and all missing folders above it.
///
/// # Errors
/// Returns an error if it cannot be created.
pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// Creates the folder of `file`.
///
/// # Errors
/// Returns an error if it cannot be created.
pub fn make_folder_of(file: &Path) -> Result<()> {
    make_folder(folder_of(file))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
