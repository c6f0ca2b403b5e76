//! Joins the results of a batch's shares in one file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::replace;

use crate::files::journal::{self, Contents, line};
use crate::model::record::{GameRecord, Header};

/// Numbers of games in a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Games in the new file.
    pub games: usize,
    /// Games in the whole batch.
    pub of: usize,
}

/// Writes the games of `inputs` to `output`, in the order of their numbers. The new file is written
/// completely or not at all.
///
/// # Errors
/// Returns an error if `output` exists and `force` is not set, if another program writes to it, if an input
/// cannot be read, if the inputs are from different batches, or if two of them contain the same game.
pub fn merge(output: &Path, inputs: &[PathBuf], force: bool) -> Result<Merged> {
    ensure!(force || !output.exists(), "{} exists: --force replaces it", output.display());
    let mut joined: Option<Header> = None;
    let mut origins: HashMap<usize, &Path> = HashMap::new();
    let mut records: Vec<GameRecord> = Vec::new();
    for path in inputs {
        let contents = journal::read(path)?;
        let Contents { header, records: more, .. } =
            contents.with_context(|| format!("{} contains no results", path.display()))?;
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
                "{}: game {} is not among the {} games of its batch",
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
