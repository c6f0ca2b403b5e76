//! Files that are written as a whole or not at all, by the library's [`kakugo::files`].

use std::io;
use std::path::Path;

pub use kakugo::files::{replace, sync_directory};

/// As [`replace`], for a text that is there already.
///
/// # Errors
/// As [`replace`].
pub fn replace_with(path: &Path, text: &str) -> io::Result<()> {
    kakugo::files::replace_with(path, text)
}
