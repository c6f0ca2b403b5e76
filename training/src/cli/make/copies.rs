//! Copies of the weights of all fits in one folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kakugo::files::{is_same, replace_with};

use super::super::fit::weights;
use super::super::place::{check_file, make_folder};
use super::copied::CopiedFile;
use super::part::Part;
use super::stamp::{StampFile, read};
use super::{Job, Maker};

impl Maker<'_> {
    /// The copies of weights in the folder `to`, each with its source: later fits replace earlier ones.
    fn copies(&self, to: &Path) -> Result<BTreeMap<PathBuf, PathBuf>> {
        let mut copies = BTreeMap::new();
        for step in &self.recipe.fit {
            for rule in self.recipe.rules_of(step)? {
                copies.insert(weights(to, rule), weights(&self.folder.join(&step.name), rule));
            }
        }
        Ok(copies)
    }

    /// Creates the folder `to`, and checks that the copies can be written there.
    pub(super) fn prepare_copies(&self, to: &Path) -> Result<()> {
        make_folder(to)?;
        self.copies(to)?.keys().try_for_each(|copy| check_file(copy))
    }

    /// Copies the weights of all fits.
    pub(super) fn copy_weights(&self, to: &Path) -> Result<()> {
        for (to, from) in &self.copies(to)? {
            let bytes = read(from)?;
            self.accept_start(to, &bytes)?;
            if self.plays_with(to)? {
                CopiedFile::of(&self.folder).add(&bytes)?;
            }
            replace_with(to, bytes).with_context(|| to.display().to_string())?;
        }
        Ok(())
    }

    /// Whether games of the recipe are played with the network in `file`.
    fn plays_with(&self, file: &Path) -> Result<bool> {
        for play in &self.recipe.play {
            let Some(name) = &play.network else { continue };
            if is_same(&weights(&self.weights_of(name), play.kind()?), file) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a copy has replaced the network of a play after all its games were complete. `kept`: the files that were
    /// already found to be replaced.
    pub(super) fn is_replaced(&self, part: &Part, jobs: &[Job], kept: &BTreeSet<PathBuf>) -> Result<bool> {
        let Some(network) = &part.options.network else { return Ok(false) };
        let parts = jobs.iter().filter_map(|job| match job {
            Job::Play(other) if other.play_name == part.play_name => Some(other),
            _ => None,
        });
        let parts: Vec<&Part> = parts.collect();
        if parts.iter().any(|other| kept.contains(&other.path)) {
            return Ok(true);
        }
        if !CopiedFile::of(&self.folder).contains(&read(network)?)? {
            return Ok(false);
        }
        for other in parts {
            if !other.is_complete()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records in the stamps of the fits that continue from `file` that these weights, which will replace it, are also
    /// accepted. Otherwise these fits would be trained again, on the same games and starting from their own result.
    fn accept_start(&self, file: &Path, bytes: &[u8]) -> Result<()> {
        for step in &self.recipe.fit {
            let Some(from) = step.from.as_ref().map(|name| self.weights_of(name)) else { continue };
            let mut rules = self.recipe.rules_of(step)?.into_iter();
            let Some(number) = rules.position(|rule| is_same(&weights(&from, rule), file)) else { continue };
            let stamp_file = StampFile::of(&self.folder.join(&step.name));
            let _lock = stamp_file.lock()?;
            if let Some(mut stamp) = stamp_file.read() {
                stamp.accept(number, bytes);
                stamp_file.write(&stamp)?;
            }
        }
        Ok(())
    }
}
