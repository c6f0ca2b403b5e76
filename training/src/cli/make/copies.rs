//! Copies of the weights of all fits in one folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kakugo::eval::WeightsFile;
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

    /// Copies the weights of all fits. If one of them is damaged, nothing is copied.
    pub(super) fn copy_weights(&self, to: &Path) -> Result<()> {
        let mut copies = Vec::new();
        for (to, from) in self.copies(to)? {
            let bytes = read(&from)?;
            WeightsFile::decode(&bytes).with_context(|| format!("cannot copy {}", from.display()))?;
            copies.push((to, bytes));
        }
        for (to, bytes) in copies {
            self.accept_start(&to, &bytes)?;
            if self.plays_with(&to)? {
                CopiedFile::of(&self.folder).add(&bytes)?;
            }
            replace_with(&to, bytes).with_context(|| to.display().to_string())?;
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

#[cfg(test)]
mod tests {
    use std::fs;

    use kakugo::eval::built_in_file;
    use kakugo::rules::RuleKind;

    use super::*;
    use crate::recipe::WeightsRecipe;

    #[test]
    fn a_damaged_network_is_not_copied_and_neither_are_the_others() {
        let play = |name: &str, rule: &str| {
            format!("[[play]]\nname = \"{name}\"\nrule = \"{rule}\"\nseeds = [1]\ngames = 20\n")
        };
        let fit = "[[fit]]\nname = \"both\"\non = [\"f\", \"r\"]\n";
        let recipe = WeightsRecipe::parse(&(play("f", "freestyle") + &play("r", "renju") + fit)).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let (made, to) = (directory.path().join("both"), directory.path().join("to"));
        fs::create_dir(&made).unwrap();
        fs::create_dir(&to).unwrap();
        let maker = Maker { recipe: &recipe, folder: directory.path().to_owned(), threads: 1 };
        let renju = built_in_file(RuleKind::Renju);
        fs::write(made.join("freestyle.net"), built_in_file(RuleKind::Freestyle)).unwrap();
        fs::write(made.join("renju.net"), &renju[..renju.len() / 2]).unwrap();
        let error = format!("{:#}", maker.copy_weights(&to).unwrap_err());
        let expected = format!("cannot copy {}: ", made.join("renju.net").display());
        assert!(error.starts_with(&expected), "{error}");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 0);
        fs::write(made.join("renju.net"), &renju).unwrap();
        maker.copy_weights(&to).unwrap();
        assert_eq!(fs::read(to.join("renju.net")).unwrap(), *renju);
    }
}
