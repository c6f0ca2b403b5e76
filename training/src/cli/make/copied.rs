//! The checksums of the weights that were copied over networks of a recipe's plays.
//!
//! The games of such a play are complete, but the network that played them is gone.

use std::collections::BTreeSet;
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
    pub fn contains(&self, weights: &[u8]) -> bool {
        self.sums().contains(&crc32fast::hash(weights))
    }

    /// Adds weights.
    pub fn add(&self, weights: &[u8]) -> Result<()> {
        let name = || self.0.display().to_string();
        let _lock = Lock::beside(&self.0, PATIENCE).with_context(name)?;
        let mut sums = self.sums();
        if !sums.insert(crc32fast::hash(weights)) {
            return Ok(());
        }
        let text: String = sums.iter().map(|sum| format!("{sum:08x}\n")).collect();
        replace_with(&self.0, text).with_context(name)
    }

    /// The checksums; none if there is no valid file.
    fn sums(&self) -> BTreeSet<u32> {
        let text = read_text(&self.0, LIMIT).unwrap_or_default();
        text.lines().filter_map(|line| u32::from_str_radix(line, 16).ok()).collect()
    }
}
