//! The checksums of the weights that were copied over networks of a recipe's plays.
//!
//! The games of such a play are complete, but the network that played them is gone.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kakugo::files::{Lock, PATIENCE, read_text, replace_with};

/// The name of the file. No step of a recipe can have a name with a dot.
const NAME: &str = "copied.txt";
/// Maximum size of the file, in bytes.
const LIMIT: u64 = 1 << 20;

/// The file of the checksums.
pub struct CopiedFile(PathBuf);

impl CopiedFile {
    /// The file in the folder of a recipe's results.
    pub fn of(folder: &Path) -> CopiedFile {
        CopiedFile(folder.join(NAME))
    }

    /// Whether these weights were copied.
    pub fn contains(&self, weights: &[u8]) -> Result<bool> {
        Ok(self.sums()?.contains(&crc32fast::hash(weights)))
    }

    /// Adds weights.
    pub fn add(&self, weights: &[u8]) -> Result<()> {
        let _lock = Lock::beside(&self.0, PATIENCE).with_context(|| self.name())?;
        let mut sums = self.sums()?;
        if !sums.insert(crc32fast::hash(weights)) {
            return Ok(());
        }
        let text: String = sums.iter().map(|sum| format!("{sum:08x}\n")).collect();
        replace_with(&self.0, text).with_context(|| self.name())
    }

    /// The checksums; none if there is no file. Other lines are ignored.
    fn sums(&self) -> Result<BTreeSet<u32>> {
        let text = match read_text(&self.0, LIMIT) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(|| self.name())?,
        };
        Ok(text.lines().filter_map(|line| u32::from_str_radix(line, 16).ok()).collect())
    }

    /// The path, for errors.
    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn weights_are_found_after_they_are_added() {
        let folder = tempfile::tempdir().unwrap();
        let file = CopiedFile::of(folder.path());
        assert!(!file.contains(b"one").unwrap());
        file.add(b"one").unwrap();
        file.add(b"two").unwrap();
        file.add(b"one").unwrap();
        assert!(file.contains(b"one").unwrap() && file.contains(b"two").unwrap());
        assert!(!file.contains(b"three").unwrap());
        assert_eq!(fs::read_to_string(folder.path().join(NAME)).unwrap().lines().count(), 2);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = (CopiedFile::of(folder.path()), folder.path().join(NAME));
        let bytes = b"00000001\n\xff\n";
        fs::write(&path, bytes).unwrap();
        for error in [file.contains(b"one").unwrap_err(), file.add(b"one").unwrap_err()] {
            assert_eq!(format!("{error:#}"), format!("{}: it is not a text in UTF-8", path.display()));
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
