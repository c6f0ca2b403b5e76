//! A file of reviews, with a line of JSON for each game; an interrupted run can continue it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::record::{ReviewKey, ReviewRecord, SearchLimit};
use crate::cli::{SystemError, file_error};
use crate::files::{LockedFile, Utf8Reader, open_locked, without_mark};
use crate::terminal::text;

/// Maximum length of a line in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The beginning of every line.
const BEGINS: &[u8] = b"{\"game\":";

/// An open file of reviews; no other process writes to it.
pub struct ReviewLog {
    file: LockedFile,
    path: PathBuf,
    /// Offset and length of each finished game's line.
    finished: HashMap<ReviewKey, (u64, u64)>,
}

impl ReviewLog {
    /// Opens or creates the file at `path`; a file with reviews only if `resume` is set. An incomplete last
    /// line, left by a killed process, is removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or is in use, or if it contains anything except reviews
    /// with this limit.
    pub fn open(path: &Path, resume: bool, limit: SearchLimit) -> Result<ReviewLog> {
        let file = open_locked(path).map_err(|error| file_error("write", path, error))?;
        let mut log = ReviewLog { file, path: path.to_owned(), finished: HashMap::new() };
        log.read_all(resume, limit).with_context(|| path.display().to_string())?;
        Ok(log)
    }

    fn read_all(&mut self, resume: bool, limit: SearchLimit) -> Result<()> {
        let length = self.file.metadata().map_err(SystemError)?.len();
        ensure!(length == 0 || resume, "the file exists: --resume continues it");
        let mut input = Utf8Reader::new(BufReader::new(&*self.file));
        input.fill_buf().map_err(SystemError)?;
        ensure!(!input.is_utf16(), "the file is in UTF-16: save it in UTF-8 to continue it");
        let (mut whole, mut number) = (0, 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            number += 1;
            input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line).map_err(SystemError)?;
            if line.is_empty() {
                break;
            }
            let text = if number == 1 { without_mark(&line) } else { &line[..] };
            let place = (whole + (line.len() - text.len()) as u64, text.len() as u64);
            match ReviewRecord::parse(text) {
                Ok(record) if line.ends_with(b"\n") => {
                    let made = record.limit;
                    ensure!(
                        made == limit,
                        "its games were reviewed with {}, not {}",
                        shown(made),
                        shown(limit)
                    );
                    self.finished.insert(record.key, place);
                    whole += line.len() as u64;
                }
                _ if is_torn(text) && input.fill_buf().map_err(SystemError)?.is_empty() => break,
                Ok(_) => bail!("line {number} has no end"),
                Err(error) => return Err(error).with_context(|| format!("line {number}")),
            }
        }
        if whole < length {
            self.file.set_len(whole).map_err(SystemError)?;
        }
        Ok(())
    }

    /// Number of finished games.
    pub fn len(&self) -> usize {
        self.finished.len()
    }

    /// The finished games.
    pub fn keys(&self) -> HashSet<ReviewKey> {
        self.finished.keys().cloned().collect()
    }

    /// The review of a finished game.
    ///
    /// # Errors
    /// Returns an error if the file can't be read.
    pub fn read(&mut self, key: &ReviewKey) -> Result<Option<ReviewRecord>> {
        let Some(&(place, length)) = self.finished.get(key) else { return Ok(None) };
        let mut line = vec![0; usize::try_from(length)?];
        let mut file: &File = &self.file;
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut line));
        let record =
            read.map_err(|error| SystemError(error).into()).and_then(|()| ReviewRecord::parse(&line));
        record.with_context(|| self.path.display().to_string()).map(Some)
    }

    /// Adds a review, which is on disk when this returns.
    ///
    /// # Errors
    /// Returns an error if it can't be written.
    pub fn append(&mut self, record: &ReviewRecord) -> Result<()> {
        let written = self.file.write_all(text::json(record.json()).as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(SystemError).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Whether a last line was left incomplete by a killed process or a power cut: the beginning of a line, or
/// zeros.
fn is_torn(line: &[u8]) -> bool {
    let is_beginning = line.starts_with(BEGINS) || BEGINS.starts_with(line);
    line.contains(&0) || is_beginning && !line.ends_with(b"\n")
}

fn shown(limit: SearchLimit) -> String {
    match limit {
        SearchLimit { nodes: Some(nodes), .. } => format!("--nodes {nodes}"),
        SearchLimit { seconds, .. } => format!("--time {}", seconds.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LIMIT: SearchLimit = SearchLimit { nodes: Some(100), seconds: None };

    fn record(game: &str) -> ReviewRecord {
        let line = format!(
            r#"{{"game":"{game}","rule":"renju","size":"15x15","position":"h8","black":"\u001b","white":null,
            "result":"*","nodes":100,"moves":[{{"ply":1,"move":"h8","color":"black","mark":"only-move",
            "winrate_before":0.5,"winrate_after":0.5,"best":"h8","line":["h8"],"value":0,"mate":null,"proven":false}}],
            "accuracy":{{"black":100.0,"white":null}},"lost_from":null}}"#
        );
        ReviewRecord::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn finished_games_are_found_again_wherever_the_file_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("review.jsonl");
        let mut log = ReviewLog::open(&path, false, LIMIT).unwrap();
        for game in ["a", "b"] {
            log.append(&record(game)).unwrap();
        }
        drop(log);
        let whole = fs::read(&path).unwrap();
        let line = whole.len() / 2;
        assert!(!whole.contains(&0x1b), "hidden characters are escaped");
        for length in [line, line + 1, line + 7, line + 20, whole.len() - 1, whole.len()] {
            fs::write(&path, &whole[..length]).unwrap();
            let mut log = ReviewLog::open(&path, true, LIMIT).unwrap();
            assert_eq!(log.len(), if length == whole.len() { 2 } else { 1 }, "{length}");
            let found = log.read(&record("a").key).unwrap().unwrap();
            assert_eq!(found.json(), record("a").json());
            log.append(&record("c")).unwrap();
            drop(log);
            let log = ReviewLog::open(&path, true, LIMIT).unwrap();
            assert!(log.keys().is_superset(&HashSet::from(["a", "c"].map(|game| record(game).key))));
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_utf_16_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("review.jsonl");
        let marked = format!("\u{feff}{}{}", record("a").json(), record("b").json());
        fs::write(&path, &marked).unwrap();
        let mut log = ReviewLog::open(&path, true, LIMIT).unwrap();
        for game in ["a", "b"] {
            assert_eq!(log.read(&record(game).key).unwrap().unwrap().json(), record(game).json());
        }
        drop(log);
        let one = format!("\u{feff}{}", record("a").json());
        for text in [one.as_str(), marked.as_str(), one.trim_end()] {
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            fs::write(&path, &wide).unwrap();
            let error = format!("{:#}", ReviewLog::open(&path, true, LIMIT).err().unwrap());
            assert!(error.ends_with("the file is in UTF-16: save it in UTF-8 to continue it"), "{error}");
            assert!(fs::read(&path).unwrap() == wide);
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("review.jsonl");
        let says = |resume, limit| format!("{:#}", ReviewLog::open(&path, resume, limit).err().unwrap());
        let contents = ["a diary", "{\"game\":1}\n", "a diary\n", "{\"game\":\"a\"}\nx\n"];
        for content in contents {
            fs::write(&path, content).unwrap();
            assert!(says(false, LIMIT).contains("--resume"));
            assert!(says(true, LIMIT).contains("line 1"), "{}", says(true, LIMIT));
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        fs::write(&path, record("a").json()).unwrap();
        let other = SearchLimit { nodes: None, seconds: Some(0.5) };
        assert!(
            says(true, other).ends_with("reviewed with --nodes 100, not --time 0.5"),
            "{}",
            says(true, other)
        );
    }
}
