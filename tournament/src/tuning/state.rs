//! What is kept of a tuning: its configuration and the score of every iteration so far. The file is replaced as a
//! whole, so that whatever kills this program, it holds whole iterations.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::Tuning;
use super::spsa::Score;
use crate::config::differing_keys;
use crate::whole_file;

/// The version of the format that this program writes.
const FORMAT: u32 = 1;

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    format: u32,
    /// Name and version of the program that wrote it.
    program: String,
    config: Value,
    openings_hash: Option<String>,
    /// Games won, lost and drawn by the first engine, for each iteration.
    results: Vec<[u32; 3]>,
}

impl State {
    /// The state of `tuning` before its first iteration.
    fn new(tuning: &Tuning) -> State {
        // As it will be read from the file, so that the two can be compared.
        let text = serde_json::to_string(&tuning.config).expect("texts and numbers are always JSON");
        State {
            format: FORMAT,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            config: serde_json::from_str(&text).expect("it was just written"),
            openings_hash: tuning.batch.config.openings_hash.clone(),
            results: Vec::new(),
        }
    }

    /// The state in the file at `path`, if `resume` allows for any; otherwise a new one, which is written at once.
    ///
    /// # Errors
    /// When the file is no state, of another tuning, or there without `resume`, and when it cannot be written.
    pub fn open(path: &Path, tuning: &Tuning, resume: bool) -> Result<State> {
        let open = || -> Result<State> {
            let ours = State::new(tuning);
            if !path.exists() {
                ours.save(path)?;
                return Ok(ours);
            }
            ensure!(resume, "the file exists: --resume goes on with it");
            let text = std::fs::read_to_string(path)?;
            let found: State = serde_json::from_str(&text).context("it holds no state of a tuning")?;
            ensure!(found.format == FORMAT, "format {} is not known, only {FORMAT}", found.format);
            if found.config != ours.config {
                let keys = differing_keys(&ours.config, &found.config).join(", ");
                bail!("it holds another tuning, whose configuration differs in: {keys}");
            }
            ensure!(found.openings_hash == ours.openings_hash, "the openings are not those of its tuning");
            let iterations = tuning.config.iterations as usize;
            ensure!(found.results.len() <= iterations, "it has more iterations than the tuning");
            let games = tuning.games as u64;
            let are_whole = |result: &[u32; 3]| result.iter().map(|&n| u64::from(n)).sum::<u64>() == games;
            ensure!(found.results.iter().all(are_whole), "an iteration in it is not of {games} games");
            Ok(found)
        };
        open().with_context(|| format!("state {}", path.display()))
    }

    /// The scores so far.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        self.results.iter().map(|&[wins, losses, draws]| Score { wins, losses, draws })
    }

    /// Adds the score of an iteration and writes the file.
    ///
    /// # Errors
    /// When the file cannot be written; it is then as it was.
    pub fn add(&mut self, score: Score, path: &Path) -> Result<()> {
        self.results.push([score.wins, score.losses, score.draws]);
        self.save(path).with_context(|| format!("state {}", path.display()))
    }

    fn save(&self, path: &Path) -> Result<()> {
        Ok(whole_file::replace_with(path, &format!("{}\n", serde_json::to_string(self)?))?)
    }
}
