//! File readers with files crafted to take time and memory: both grow at most linearly with the length of the
//! file, and `END` and Ctrl-C interrupt every reader.

#[cfg(unix)]
pub mod end;
mod growth;
mod hostile;
#[cfg(target_os = "linux")]
mod large;
mod linear;
#[cfg(target_os = "linux")]
mod memory;

use std::fs;
use std::path::{Path, PathBuf};

use hostile::Hostile;

/// Writes such a file to `folder`.
pub fn written(folder: &Path, kind: &Hostile, length: usize) -> PathBuf {
    let name = format!("{}.{}", kind.name.replace(' ', "-"), kind.format);
    let path = folder.join(name);
    fs::write(&path, kind.bytes(length)).unwrap();
    path
}
