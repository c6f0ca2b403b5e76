//! State file of a tuning: its configuration and the score of every iteration so far. The file is replaced as
//! a whole, so that it always contains complete iterations, however the program ends.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::{Lock, PATIENCE, read_text, replace_with};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::Tuning;
use crate::files::identity::{differing_keys, hash};
use crate::files::input;
use crate::stats::Score;
use crate::text;

/// The version of the format that this program writes.
const FORMAT: u32 = 1;

/// Beginning of the last entry of the file.
const CHECK: &str = ",\"check\":\"";

/// The last entry and the end of a file that begins with `text`.
fn check_of(text: &str) -> String {
    format!("{CHECK}{}\"}}", hash(text))
}

/// Contents of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateFile {
    format: u32,
    /// Name and version of the program that wrote it.
    program: String,
    config: Value,
    openings_hash: Option<String>,
    /// Games won, lost and drawn by the first engine, for each iteration.
    results: Vec<[u32; 3]>,
    /// Hash of the preceding text, because a changed digit may still be valid. Files of older versions have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<String>,
}

impl StateFile {
    fn new(tuning: &Tuning) -> StateFile {
        // In the form in which it will be read back, so that the two can be compared.
        let text = serde_json::to_string(&tuning.config).expect("texts and numbers are valid JSON");
        StateFile {
            format: FORMAT,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            config: serde_json::from_str(&text).expect("it was just written"),
            openings_hash: tuning.batch.config.openings_hash.clone(),
            results: Vec::new(),
            check: None,
        }
    }

    /// The text of the file.
    fn text(&self) -> String {
        let plain = StateFile { check: None, ..self.clone() };
        let text = text::json(serde_json::to_string(&plain).expect("texts and numbers are valid JSON"));
        let begun = text.strip_suffix('}').expect("an object ends with a brace");
        format!("{begun}{}\n", check_of(begun))
    }

    /// Reads the text of a file.
    fn parse(text: &str) -> Result<StateFile> {
        let mut found: StateFile =
            serde_json::from_str(text).context("it is not the state file of a tuning")?;
        ensure!(found.format == FORMAT, "format {} is not supported, only {FORMAT}", found.format);
        if found.check.take().is_some() {
            let begun = text.rfind(CHECK).map_or("", |end| &text[..end]);
            ensure!(
                text[begun.len()..].trim_end() == check_of(begun),
                "it is damaged: its checksum does not match"
            );
        }
        Ok(found)
    }

    /// Rejects a state that is not a beginning of `tuning`, whose initial state is `ours`.
    fn check_against(&self, ours: &StateFile, tuning: &Tuning) -> Result<()> {
        if self.config != ours.config {
            let keys = differing_keys(&ours.config, &self.config).join(", ");
            bail!("it contains another tuning, whose configuration differs in: {keys}");
        }
        ensure!(self.openings_hash == ours.openings_hash, "its tuning has other openings");
        let iterations = tuning.config.iterations as usize;
        ensure!(self.results.len() <= iterations, "it has more iterations than the tuning");
        let games = tuning.games as u64;
        let are_whole = |result: &[u32; 3]| result.iter().map(|&n| u64::from(n)).sum::<u64>() == games;
        ensure!(self.results.iter().all(are_whole), "it contains an iteration without {games} games");
        Ok(())
    }
}

/// The state file, locked against other writers while this value exists.
#[derive(Debug)]
pub struct State {
    path: PathBuf,
    contents: StateFile,
    _lock: Lock,
}

impl State {
    /// Opens the state in the file at `path`, if `resume` is set; otherwise creates a new one, which is
    /// written immediately.
    ///
    /// # Errors
    /// Returns an error if the file is in use, is not a state file, belongs to another tuning, exists without
    /// `resume`, or cannot be written.
    pub fn open(path: &Path, tuning: &Tuning, resume: bool) -> Result<State> {
        let open = || -> Result<State> {
            let lock = Lock::beside(path, PATIENCE)?;
            let ours = StateFile::new(tuning);
            let mut state = State { path: path.to_owned(), contents: ours, _lock: lock };
            if path.symlink_metadata().is_err() {
                state.save()?;
                return Ok(state);
            }
            ensure!(resume, "the file exists: continue it with --resume");
            let found = StateFile::parse(&read_text(path, input::LIMIT)?)?;
            found.check_against(&state.contents, tuning)?;
            state.contents.results = found.results;
            Ok(state)
        };
        open().with_context(|| format!("state {}", path.display()))
    }

    /// The scores so far.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        self.contents.results.iter().map(|&[wins, losses, draws]| Score { wins, losses, draws })
    }

    /// Adds the score of an iteration and writes the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; it is then unchanged.
    pub fn add(&mut self, score: Score) -> Result<()> {
        self.contents.results.push([score.wins, score.losses, score.draws]);
        self.save().with_context(|| format!("state {}", self.path.display()))
    }

    fn save(&self) -> Result<()> {
        Ok(replace_with(&self.path, self.contents.text())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Host;
    use crate::tuning::config::TuneConfig;

    fn tuning() -> Tuning {
        let text = "iterations = 3\npairs = 1\n[engine]\ncommand = \"a\"\n\
                    [[parameter]]\nname = \"p\"\nstart = 1\nmin = 0\nmax = 9\n";
        crate::config::parse_toml::<TuneConfig>(text).unwrap().resolve(&Host::alone().unwrap()).unwrap()
    }

    #[test]
    fn one_program_at_a_time_has_a_state() {
        let (directory, tuning) = (tempfile::tempdir().unwrap(), tuning());
        let path = directory.path().join("state.json");
        let mut state = State::open(&path, &tuning, false).unwrap();
        state.add(Score { wins: 1, losses: 0, draws: 1 }).unwrap();
        let error_of = |resume| format!("{:#}", State::open(&path, &tuning, resume).unwrap_err());
        assert!(error_of(true).ends_with("another process writes to it"));
        drop(state);
        assert!(error_of(false).ends_with("continue it with --resume"));
        assert_eq!(State::open(&path, &tuning, true).unwrap().scores().count(), 1);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "the lock is gone");
    }

    #[test]
    fn damage_anywhere_is_noticed_and_leaves_the_file_alone() {
        let (directory, tuning) = (tempfile::tempdir().unwrap(), tuning());
        let path = directory.path().join("state.json");
        let mut state = State::open(&path, &tuning, false).unwrap();
        state.add(Score { wins: 1, losses: 0, draws: 1 }).unwrap();
        state.add(Score { wins: 0, losses: 2, draws: 0 }).unwrap();
        let _lock = state._lock;
        let text = std::fs::read_to_string(&path).unwrap();
        let whole = StateFile::parse(&text).unwrap();
        let end = text.trim_end().len();
        for at in 0..end {
            for with in [b'0', b'2', b'x', b' ', b'"', b',', 0, 0x80] {
                let mut bytes = text.clone().into_bytes();
                if bytes[at] == with {
                    continue;
                }
                bytes[at] = with;
                let read = String::from_utf8(bytes).ok().and_then(|text| StateFile::parse(&text).ok());
                assert!(read.is_none(), "byte {at} as {with}");
            }
            assert!(StateFile::parse(&text[..at]).is_err(), "cut at {at}");
        }
        // Files of older versions have no checksum; damage that makes them invalid is still detected.
        let old = serde_json::to_string(&StateFile { check: None, ..whole.clone() }).unwrap();
        assert_eq!(StateFile::parse(&old).unwrap(), whole);
        let odd = StateFile { results: vec![[u32::MAX, u32::MAX, u32::MAX]], ..whole.clone() };
        assert!(odd.check_against(&StateFile::new(&tuning), &tuning).is_err());
        let long = StateFile { results: vec![[2, 0, 0]; 4], ..whole };
        assert!(long.check_against(&StateFile::new(&tuning), &tuning).is_err());
    }
}
