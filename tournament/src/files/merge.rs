//! Joins the results of shares of a batch into one file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::replace;

use crate::files::journal::{self, Contents, line};
use crate::files::record::{GameRecord, Header};

/// Numbers of games of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Games in the new file.
    pub games: usize,
    /// Games of the whole batch.
    pub of: usize,
}

/// Joins the games of `inputs` in `output`, in the order of their numbers. The new file is there as a whole or not at
/// all.
///
/// # Errors
/// When `output` exists and `force` is not set or another program writes to it, an input cannot be read, the inputs are
/// not of one batch, or a game is in two of them.
pub fn merge(output: &Path, inputs: &[PathBuf], force: bool) -> Result<Merged> {
    ensure!(force || !output.exists(), "{} exists: --force replaces it", output.display());
    let mut joined: Option<Header> = None;
    let mut origins: HashMap<usize, &Path> = HashMap::new();
    let mut records: Vec<GameRecord> = Vec::new();
    for path in inputs {
        let contents = journal::read(path)?;
        let Contents { header, records: more, .. } =
            contents.with_context(|| format!("{} holds no results", path.display()))?;
        let first = joined.get_or_insert_with(|| Header { shard: None, ..header.clone() });
        ensure!(
            header.config_hash == first.config_hash && header.games == first.games,
            "{} and {} are results of different batches",
            inputs[0].display(),
            path.display()
        );
        for record in more {
            ensure!(
                (1..=header.games).contains(&record.game),
                "{}: game {} is none of the {} of its batch",
                path.display(),
                record.game,
                header.games
            );
            if let Some(other) = origins.insert(record.game, path) {
                bail!("game {} is in {} and in {}", record.game, other.display(), path.display());
            }
            records.push(record);
        }
    }
    let header = joined.context("nothing to merge")?;
    records.sort_by_key(|record| record.game);
    write(output, &header, &records).with_context(|| format!("writing {}", output.display()))?;
    Ok(Merged { games: records.len(), of: header.games })
}

fn write(output: &Path, header: &Header, records: &[GameRecord]) -> Result<()> {
    replace(output, |file| {
        file.write_all(line(header).as_bytes())?;
        records.iter().try_for_each(|record| file.write_all(line(record).as_bytes()))
    })?;
    Ok(())
}
