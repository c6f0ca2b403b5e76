//! The stamp of a fit: a file beside its weights with the checksums of everything that they were made from.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kakugo::files::{Lock, PATIENCE, read_text, replace_with, sync_directory};

use crate::recipe::{PlayStep, StepOptions};

/// The name of the file.
const NAME: &str = "made";
/// Maximum size of the file, in bytes.
const LIMIT: u64 = 1 << 20;

/// Checksums of what the weights of a fit were made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// First the checksum of the options and all games, the checksums of the files of games, and the plans of the
    /// rules; then, for each rule, the checksums of the first weights for which the result is up to date. No rules if
    /// the training began with random weights.
    parts: Vec<Vec<u32>>,
}

impl Stamp {
    /// The stamp of a training with these options and games that continues from the weights `first` of each rule.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn new(options: &StepOptions, games: &[PathBuf], first: &[PathBuf]) -> Result<Stamp> {
        let mut whole = crc32fast::Hasher::new();
        whole.update(options_text(options).as_bytes());
        let mut of_files = Vec::new();
        for path in games {
            let mut sum = crc32fast::Hasher::new();
            sum.update(&read(path)?);
            whole.combine(&sum);
            of_files.push(sum.finalize());
        }
        let mut parts = vec![[vec![whole.finalize()], of_files].concat()];
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

    /// Adds the plan of a rule, a [`plan_sum`].
    pub fn add_plan(&mut self, plan: u32) {
        self.parts[0].push(plan);
    }

    /// Whether weights with this stamp are up to date: they were made from the options and games of `now`, the stamp
    /// that a training would have today, and it contains every checksum of the first weights of `now`.
    pub fn covers(&self, now: &Stamp) -> bool {
        let is_known = |(known, now): (&Vec<u32>, &Vec<u32>)| now.iter().all(|sum| known.contains(sum));
        self.parts[0][0] == now.parts[0][0]
            && self.parts.len() == now.parts.len()
            && self.parts[1..].iter().zip(&now.parts[1..]).all(is_known)
    }

    /// Whether it has the checksums of files and plans, which stamps of earlier versions do not have.
    pub fn has_plans(&self) -> bool {
        self.parts[0].len() > 1
    }

    /// Whether a network was made by this plan.
    pub fn has_plan(&self, plan: u32) -> bool {
        self.parts[0][1..].contains(&plan)
    }

    /// Whether file number `file` of the games of `now`, a new stamp, is one of the files of this stamp.
    pub fn has_file(&self, now: &Stamp, file: usize) -> bool {
        self.parts[0][1..].contains(&now.parts[0][1 + file])
    }

    /// Whether a network of this stamp began with the first weights that rule number `rule` has in `now`, or both
    /// began with random weights.
    pub fn has_start(&self, now: &Stamp, rule: usize) -> bool {
        match now.parts.get(1 + rule) {
            Some(first) => self.parts[1..].iter().any(|known| first.iter().all(|sum| known.contains(sum))),
            None => self.parts.len() == 1,
        }
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

/// The plan of a network: the checksum of its fit's options and of what the recipe says about the plays of its rule.
/// If games are missing, the same plan plays the same games again.
pub fn plan_sum<'a>(options: &StepOptions, plays: impl Iterator<Item = &'a PlayStep>) -> u32 {
    let mut text = options_text(options);
    for PlayStep { name, rule, size, seeds, games, positions, network, options } in plays {
        text += &format!("{name};{rule};{size};{seeds:?};{games:?};{positions:?};{network:?};");
        text += &options_text(options);
    }
    crc32fast::hash(text.as_bytes())
}

fn options_text(options: &StepOptions) -> String {
    options.iter().map(|(key, value)| format!("{key}={value};")).collect()
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
    fn a_stamp_knows_what_each_network_was_made_from() {
        let directory = tempfile::tempdir().unwrap();
        let [one, two, other] = ["one", "two", "other"].map(|name| directory.path().join(name));
        for path in [&one, &two, &other] {
            fs::write(path, path.display().to_string()).unwrap();
        }
        let stamp = |games: [&PathBuf; 2], first: [&PathBuf; 2], plans: [u32; 2]| {
            let of_rules = |paths: [&PathBuf; 2]| paths.map(PathBuf::clone);
            let mut stamp = Stamp::new(&StepOptions::new(), &of_rules(games), &of_rules(first)).unwrap();
            plans.into_iter().for_each(|plan| stamp.add_plan(plan));
            stamp
        };
        let made = stamp([&one, &two], [&one, &two], [7, 8]);
        let now = stamp([&other, &two], [&one, &other], [7, 9]);
        assert!(!made.covers(&now));
        assert_eq!([0, 1].map(|file| made.has_file(&now, file)), [false, true]);
        assert_eq!([0, 1].map(|rule| made.has_start(&now, rule)), [true, false]);
        assert_eq!([7, 8, 9].map(|plan| made.has_plan(plan)), [true, true, false]);
        let random = Stamp::new(&StepOptions::new(), &[one, two], &[]).unwrap();
        assert!(random.has_start(&random, 1) && !made.has_start(&random, 0) && !random.has_start(&made, 0));
        // Stamps of earlier versions have only the first checksum of a line, that of all files.
        let text = made.text();
        let (sum, _) = text.split_once(' ').unwrap();
        let (_, first) = text.split_once('\n').unwrap();
        let old = Stamp::parse(&format!("{sum}\n{first}")).unwrap();
        assert!(old.covers(&made) && !old.has_plans() && made.has_plans(), "{text}");
    }

    #[test]
    fn plans_differ_in_everything_that_the_recipe_says() {
        let play = "name = \"z\"\nrule = \"renju\"\nseeds = [1]\ngames = 20\nnodes = 20\n";
        let plan = |options: &str, play: &str| {
            plan_sum(&toml::from_str(options).unwrap(), [toml::from_str::<PlayStep>(play).unwrap()].iter())
        };
        let plans: BTreeSet<u32> = [
            plan("epochs = 1", play),
            plan("epochs = 2", play),
            plan("epochs = 1", &play.replace("games = 20", "games = 21")),
            plan("epochs = 1", &play.replace("games", "positions")),
            plan("epochs = 1", &play.replace("[1]", "[1, 2]")),
            plan("epochs = 1", &play.replace("nodes = 20", "nodes = 21")),
            plan("epochs = 1", &play.replace("renju", "caro")),
            plan("epochs = 1", &(play.to_owned() + "size = 9")),
            plan("epochs = 1", &(play.to_owned() + "network = \"first\"")),
        ]
        .into();
        assert_eq!(plans.len(), 9);
        assert!(plans.contains(&plan("epochs = 1", play)));
    }

    #[test]
    fn other_texts_are_no_stamps() {
        for text in ["", "\n", "xyz\n", "0000001g\n", "1  2\n", "100000000\n"] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
        assert!(Stamp::parse("0a0b0c0d\n00000001 00000002\n").is_some());
    }
}
