//! The results file of a batch, also if none is named.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::RunArgs;
use crate::config::RunConfig;

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
    pub fn choose(args: &RunArgs, how: &RunConfig) -> Result<Option<ResultsFile>> {
        match &how.results {
            Some(path) => Ok(Some(ResultsFile { path: path.clone(), is_default: false })),
            None if args.no_log || args.json => Ok(None),
            None => {
                let path = create_default()?;
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
/// starts at the same time gets another file.
fn create_default() -> Result<PathBuf> {
    for number in 1..=MAX_NUMBER {
        let name = if number == 1 { "results.jsonl".to_owned() } else { format!("results-{number}.jsonl") };
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(_) => return Ok(name.into()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
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
