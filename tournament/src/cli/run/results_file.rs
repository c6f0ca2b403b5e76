//! The results file of a batch, also if none is named.

use std::fs::OpenOptions;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use kakugo::files::{open, without_mark};

use super::RunArgs;
use crate::batch::summary::BatchSummary;
use crate::config::RunConfig;
use crate::config::batch::Batch;
use crate::files::input::next_line;
use crate::files::journal;
use crate::model::record::Header;

/// Maximum number of default names that are tried.
const MAX_NUMBER: u32 = 10_000;

/// The results file that a batch writes.
#[derive(Debug)]
pub struct ResultsFile {
    /// Its path.
    pub path: PathBuf,
    /// Whether its name was chosen here.
    is_default: bool,
}

impl ResultsFile {
    /// The results file of a batch: the named one, or a new file with the first free default name. `None` if
    /// none is wanted, or if the records go to standard output.
    ///
    /// # Errors
    /// Returns an error if no default file can be created.
    pub fn choose(args: &RunArgs, how: &RunConfig, batch: &Batch) -> Result<Option<ResultsFile>> {
        match &how.results {
            Some(path) => Ok(Some(ResultsFile { path: path.clone(), is_default: false })),
            None if args.no_log || args.json => Ok(None),
            None => {
                let (path, begun) = create_default(batch)?;
                if let Some((games, begun)) = begun {
                    let (all, begun) = (batch.games, begun.display());
                    crate::cli::warn(&format!(
                        "tournament: {begun} has {games} of {all} games of this batch; --resume --log {begun} \
                         continues it"
                    ));
                }
                crate::cli::warn(&format!("tournament: the games are saved in {}", path.display()));
                Ok(Some(ResultsFile { path, is_default: true }))
            }
        }
    }

    /// The options that continue the batch, in addition to those that started it.
    pub fn resume_options(&self) -> String {
        if self.is_default {
            format!("--resume --log {}", self.path.display())
        } else {
            "--resume".to_owned()
        }
    }
}

/// Creates the first of `results.jsonl`, `results-2.jsonl`, ... that does not exist. Another process that
/// starts at the same time gets another file. Also returns the last of the existing files that contains a
/// part of the batch, with its number of games.
fn create_default(batch: &Batch) -> Result<(PathBuf, Option<(usize, PathBuf)>)> {
    let mut begun = None;
    for number in 1..=MAX_NUMBER {
        let name = if number == 1 { "results.jsonl".to_owned() } else { format!("results-{number}.jsonl") };
        let path = PathBuf::from(&name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok((path, begun)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                begun = games_of(batch, &path).map(|games| (games, path)).or(begun);
            }
            Err(error) => {
                return Err(anyhow!(
                    "cannot create the results file {name}: {error}; name another one with --log FILE, or \
                     play without one with --no-log"
                ));
            }
        }
    }
    bail!("{MAX_NUMBER} results files have default names: name another one with --log FILE")
}

/// Number of games in a results file of the batch, if games are left to play.
fn games_of(batch: &Batch, path: &Path) -> Option<usize> {
    let mut source = BufReader::new(open(path).ok()?);
    let first = next_line(&mut source).ok()?;
    let header: Header = serde_json::from_slice(without_mark(&first)).ok()?;
    if header.check_format().is_err() || header.config_hash != batch.hash || header.shard.is_some() {
        return None;
    }
    let mut games = 0;
    while next_line(&mut source).ok()?.ends_with(b"\n") {
        games += 1;
    }
    (games < batch.games && !is_over(batch, path)).then_some(games)
}

/// Whether the batch has a test that has ended in this results file.
fn is_over(batch: &Batch, path: &Path) -> bool {
    let contents = batch.sprt.and_then(|_| journal::read(path).ok().flatten());
    let mut summary = BatchSummary::new(batch);
    for record in contents.iter().flat_map(|contents| &contents.records) {
        summary.add(record);
    }
    summary.is_over()
}
