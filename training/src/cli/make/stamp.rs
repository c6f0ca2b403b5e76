//! The stamp of a fit: a file beside its weights with the checksums of everything that they were made from.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kakugo::files::{Lock, PATIENCE, read_text, replace_with, sync_directory};

use crate::recipe::StepOptions;

/// The name of the file.
const NAME: &str = "made";
/// Maximum size of the file, in bytes.
const LIMIT: u64 = 1 << 20;

/// Checksums of what the weights of a fit were made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// First a checksum of the options and the games; then, for each rule, the checksums of the first weights for
    /// which the result is up to date. No rules if the training began with random weights.
    parts: Vec<Vec<u32>>,
}

impl Stamp {
    /// The stamp of a training with these options and games that continues from the weights `first` of each rule.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn new(options: &StepOptions, games: &[PathBuf], first: &[PathBuf]) -> Result<Stamp> {
        let mut sum = crc32fast::Hasher::new();
        for (key, value) in options {
            sum.update(format!("{key}={value};").as_bytes());
        }
        for path in games {
            sum.update(&read(path)?);
        }
        let mut parts = vec![vec![sum.finalize()]];
        for path in first {
            parts.push(vec![crc32fast::hash(&read(path)?)]);
        }
        Ok(Stamp { parts })
    }

    /// Parses the text of a stamp; `None` if it is anything else.
    fn parse(text: &str) -> Option<Stamp> {
        let sums = |line: &str| -> Option<Vec<u32>> {
            line.split(' ').map(|sum| u32::from_str_radix(sum, 16).ok()).collect()
        };
        let parts: Vec<Vec<u32>> = text.lines().map(sums).collect::<Option<_>>()?;
        (!parts.is_empty()).then_some(Stamp { parts })
    }

    /// The text of the stamp.
    fn text(&self) -> String {
        let line = |sums: &Vec<u32>| {
            let sums: Vec<String> = sums.iter().map(|sum| format!("{sum:08x}")).collect();
            sums.join(" ") + "\n"
        };
        self.parts.iter().map(line).collect()
    }

    /// Whether weights with this stamp are up to date: it contains every checksum of `now`, the stamp that a training
    /// would have today.
    pub fn covers(&self, now: &Stamp) -> bool {
        let is_known = |(known, now): (&Vec<u32>, &Vec<u32>)| now.iter().all(|sum| known.contains(sum));
        self.parts.len() == now.parts.len() && self.parts.iter().zip(&now.parts).all(is_known)
    }

    /// Also accepts these bytes as the weights that rule number `rule` continues from. Has no effect if the training
    /// began with random weights.
    pub fn accept(&mut self, rule: usize, weights: &[u8]) {
        let sum = crc32fast::hash(weights);
        if let Some(sums) = self.parts.get_mut(1 + rule).filter(|sums| !sums.contains(&sum)) {
            sums.push(sum);
        }
    }
}

/// The file of a stamp.
pub struct StampFile(PathBuf);

impl StampFile {
    /// The file in a folder of weights.
    pub fn of(folder: &Path) -> StampFile {
        StampFile(folder.join(NAME))
    }

    /// Locks the stamp and the weights beside it against other processes.
    pub fn lock(&self) -> Result<Lock> {
        Lock::beside(&self.0, PATIENCE).with_context(|| self.name())
    }

    /// The stamp, if there is a valid one.
    pub fn read(&self) -> Option<Stamp> {
        Stamp::parse(&read_text(&self.0, LIMIT).ok()?)
    }

    /// Writes a stamp.
    pub fn write(&self, stamp: &Stamp) -> Result<()> {
        replace_with(&self.0, stamp.text()).with_context(|| self.name())
    }

    /// Removes the file, if it exists, and makes the removal durable.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed.with_context(|| self.name())?,
        }
        sync_directory(&self.0);
        Ok(())
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_covers_the_weights_that_it_accepts() {
        let directory = tempfile::tempdir().unwrap();
        let [games, one, other] = ["games", "one", "other"].map(|name| directory.path().join(name));
        let options = |text: &str| -> StepOptions { toml::from_str(text).unwrap() };
        for path in [&games, &one, &other] {
            fs::write(path, path.display().to_string()).unwrap();
        }
        let stamp = |text: &str, first: &[&PathBuf]| {
            let first: Vec<PathBuf> = first.iter().copied().cloned().collect();
            Stamp::new(&options(text), std::slice::from_ref(&games), &first).unwrap()
        };
        let mut made = stamp("epochs = 1", &[&one, &other]);
        assert!(made.covers(&made));
        assert!(!made.covers(&stamp("epochs = 2", &[&one, &other])));
        for first in [&[&other, &other][..], &[&one], &[]] {
            assert!(!made.covers(&stamp("epochs = 1", first)), "{first:?}");
        }
        made.accept(0, &fs::read(&other).unwrap());
        assert!(made.covers(&stamp("epochs = 1", &[&other, &other])));
        assert!(!made.covers(&stamp("epochs = 1", &[&one, &one])), "the second rule is another part");
        let file = StampFile::of(directory.path());
        file.write(&made).unwrap();
        assert_eq!(file.read(), Some(made));
        fs::write(&games, "other games").unwrap();
        assert!(!file.read().unwrap().covers(&stamp("epochs = 1", &[&one, &other])));
        file.remove().unwrap();
        assert_eq!(file.read(), None);
        file.remove().unwrap();
    }

    #[test]
    fn other_texts_are_no_stamps() {
        for text in ["", "\n", "xyz\n", "0000001g\n", "1  2\n", "100000000\n"] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
        assert!(Stamp::parse("0a0b0c0d\n00000001 00000002\n").is_some());
    }
}
