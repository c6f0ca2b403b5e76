//! Joins the results of a batch's shares in one file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::replace;

use crate::files::journal::{self, Contents, line};
use crate::model::record::{GameRecord, Header};

/// Result of a merge: numbers of games, and what was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Games in the new file.
    pub games: usize,
    /// Games in the whole batch.
    pub of: usize,
    /// Notices of incomplete last lines that were skipped, with their files.
    pub torn: Vec<String>,
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
    let (mut records, mut torn) = (Vec::<GameRecord>::new(), Vec::new());
    for path in inputs {
        let contents = journal::read(path)?;
        let contents = contents.with_context(|| format!("{} contains no results", path.display()))?;
        if let Some(number) = contents.torn_line {
            torn.push(format!("{}: line {number} is incomplete and was skipped", path.display()));
        }
        let Contents { header, records: more, .. } = contents;
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
    Ok(Merged { games: records.len(), of: header.games, torn })
}

fn write(output: &Path, header: &Header, records: &[GameRecord]) -> Result<()> {
    replace(output, |file| {
        file.write_all(line(header).as_bytes())?;
        records.iter().try_for_each(|record| file.write_all(line(record).as_bytes()))
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::model::record::FORMAT;

    #[test]
    fn incomplete_last_lines_are_reported() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let header = Header {
            format: FORMAT,
            program: "tournament".to_owned(),
            config_hash: "cafe".to_owned(),
            config: serde_json::json!({}),
            games: 3,
            shard: None,
        };
        let game = |number| GameRecord { moves: "h8".to_owned(), ..blank(number) };
        let last = line(&game(2));
        for (name, text) in [("a", line(&game(1)) + &last[..last.len() / 2]), ("b", line(&game(3)))] {
            std::fs::write(path(name), line(&header) + &text).unwrap();
        }
        let merged = merge(&path("all"), &[path("a"), path("b")], false).unwrap();
        assert_eq!((merged.games, merged.of), (2, 3));
        let notice = format!("{}: line 3 is incomplete and was skipped", path("a").display());
        assert_eq!(merged.torn, [notice]);
        assert_eq!(journal::read(&path("all")).unwrap().unwrap().records, [game(1), game(3)]);
    }
}
