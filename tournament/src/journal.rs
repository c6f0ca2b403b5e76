//! The results file: a header, then a line per game, each complete on disk before it counts.
//!
//! Whatever kills this program, the file holds whole records and at most a torn last line, which is cut off when the
//! batch is resumed. One program at a time holds a file (it is locked).

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::record::{FORMAT, Header, Record};
use crate::whole_file::sync_directory;

/// How long another program may take to let go of the file: one that was killed is not gone at once.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// What a results file holds.
#[derive(Debug)]
pub struct Contents {
    /// The batch.
    pub header: Header,
    /// Its games, in the order in which they ended.
    pub records: Vec<Record>,
    /// Bytes up to the end of the last whole line.
    whole: usize,
}

impl Contents {
    /// Whether the last line is torn: this program was killed while it wrote.
    pub fn is_torn(&self, length: usize) -> bool {
        self.whole < length
    }
}

/// Reads a results file; `None` when it does not even hold a header.
///
/// # Errors
/// When it cannot be read, a line but the last is no record, or a game is there twice.
pub fn read(path: &Path) -> Result<Option<Contents>> {
    let text = std::fs::read(path).with_context(|| format!("results {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

/// What the bytes of a results file hold; `None` without a header.
fn parse(bytes: &[u8]) -> Result<Option<Contents>> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let Some(first) = lines.next() else { return Ok(None) };
    let header: Header = serde_json::from_slice(first).context("line 1 is no header of results")?;
    ensure!(header.format == FORMAT, "format {} is not known, only {FORMAT}", header.format);
    let mut contents = Contents { header, records: Vec::new(), whole: first.len() };
    let mut games = HashSet::new();
    let mut bad = None;
    for (index, line) in lines.enumerate() {
        if let Some((number, error)) = bad {
            return Err(error).with_context(|| format!("line {number} is no record of a game"));
        }
        match serde_json::from_slice::<Record>(line) {
            Ok(record) => {
                ensure!(games.insert(record.game), "game {} is there twice", record.game);
                contents.records.push(record);
                contents.whole += line.len();
            }
            // Only the last line may be bad: a machine that lost power can have kept its length without its text.
            Err(error) => bad = Some((index + 2, error)),
        }
    }
    Ok(Some(contents))
}

/// A results file that is written to.
#[derive(Debug)]
pub struct Journal {
    file: Locked,
    path: PathBuf,
}

#[cfg(unix)]
type Locked = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
type Locked = File;

impl Journal {
    /// Opens the results file of the batch that `header` describes; with the games that it holds already, if `resume`
    /// allows for any.
    ///
    /// # Errors
    /// When the file cannot be opened or is in use; when it holds another batch, or any without `resume`.
    pub fn open(path: &Path, header: &Header, resume: bool) -> Result<(Journal, Vec<Record>)> {
        let open = || -> Result<(Journal, Vec<Record>)> {
            let mut options = OpenOptions::new();
            let file = options.create(true).read(true).append(true).open(path)?;
            let mut journal = Journal { file: lock(file)?, path: path.to_owned() };
            let mut bytes = Vec::new();
            journal.file.read_to_end(&mut bytes)?;
            ensure!(bytes.is_empty() || resume, "the file exists: --resume goes on with it");
            match parse(&bytes)? {
                Some(contents) => {
                    check_header(&contents.header, header)?;
                    if contents.is_torn(bytes.len()) {
                        log::info!("cut a torn line off {}", path.display());
                        journal.file.set_len(contents.whole as u64)?;
                    }
                    Ok((journal, contents.records))
                }
                None => {
                    journal.file.set_len(0)?;
                    journal.append(header)?;
                    journal.sync()?;
                    sync_directory(path);
                    Ok((journal, Vec::new()))
                }
            }
        };
        open().with_context(|| format!("results {}", path.display()))
    }

    /// Appends a line; it is safe after [`Journal::sync`].
    ///
    /// # Errors
    /// When it cannot be written. What was written of it is a torn line.
    pub fn append(&mut self, line: &impl serde::Serialize) -> Result<()> {
        let mut text = serde_json::to_string(line).expect("records of texts and numbers are always JSON");
        text.push('\n');
        self.file.write_all(text.as_bytes()).with_context(|| format!("results {}", self.path.display()))
    }

    /// Waits until the disk has everything.
    ///
    /// # Errors
    /// When it does not take it.
    pub fn sync(&mut self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("results {}", self.path.display()))
    }
}

/// Refuses to go on with the results of another batch.
fn check_header(found: &Header, ours: &Header) -> Result<()> {
    if found.config_hash != ours.config_hash {
        let read = |header: &Header| serde_json::from_value::<crate::config::Config>(header.config.clone());
        let keys = match (read(found), read(ours)) {
            (Ok(theirs), Ok(ours)) => ours.differences(&theirs).join(", "),
            _ => String::new(),
        };
        bail!("it holds another batch, whose configuration differs in: {keys}");
    }
    ensure!(found.shard == ours.shard, "it holds {}, not {}", share(found.shard), share(ours.shard));
    Ok(())
}

fn share(shard: Option<(usize, usize)>) -> String {
    shard.map_or("the whole batch".to_owned(), |(index, count)| format!("share {index}/{count} of the batch"))
}

#[cfg(unix)]
fn lock(file: File) -> Result<Locked> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};

    let deadline = Instant::now() + LOCK_PATIENCE;
    let mut file = file;
    loop {
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(locked) => return Ok(locked),
            Err((back, Errno::EWOULDBLOCK)) if Instant::now() < deadline => file = back,
            Err((_, Errno::EWOULDBLOCK)) => bail!("another tournament writes to it"),
            Err((_, error)) => return Err(error).context("it cannot be locked"),
        }
        std::thread::sleep(LOCK_PATIENCE / 100);
    }
}

#[cfg(not(unix))]
fn lock(file: File) -> Result<Locked> {
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;

    fn header() -> Header {
        Header {
            format: FORMAT,
            program: "tournament".to_owned(),
            config_hash: "cafe".to_owned(),
            config: serde_json::json!({ "seed": 1 }),
            games: 3,
            shard: None,
        }
    }

    fn record(game: usize) -> Record {
        Record { pair: game.div_ceil(2), moves: "h8".to_owned(), ..blank(game) }
    }

    fn line(value: &impl serde::Serialize) -> String {
        serde_json::to_string(value).unwrap() + "\n"
    }

    fn games(records: &[Record]) -> Vec<usize> {
        records.iter().map(|record| record.game).collect()
    }

    #[test]
    fn wherever_the_file_is_torn_only_the_last_game_is_lost() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let (mut journal, records) = Journal::open(&path, &header(), false).unwrap();
        assert!(records.is_empty());
        journal.append(&record(1)).unwrap();
        let one = std::fs::metadata(&path).unwrap().len() as usize;
        journal.append(&record(2)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(&path, &header(), true).unwrap();
            let expected: &[usize] = match length {
                length if length == whole.len() => &[1, 2],
                length if length >= one => &[1],
                _ => &[],
            };
            assert_eq!(games(&records), expected, "{length} bytes");
            journal.append(&record(3)).unwrap();
            drop(journal);
            let contents = read(&path).unwrap().unwrap();
            assert_eq!(games(&contents.records), [expected, &[3]].concat(), "{length} bytes");
        }
    }

    #[test]
    fn a_last_line_of_zeros_is_torn_too() {
        let text = [line(&header()), line(&record(1)), "\0\0\0\n".to_owned()].concat();
        let contents = parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!(games(&contents.records), [1]);
        assert!(contents.is_torn(text.len()));
    }

    #[test]
    fn damage_elsewhere_is_named() {
        let says = |lines: &[String]| format!("{:#}", parse(lines.concat().as_bytes()).unwrap_err());
        let (head, one) = (line(&header()), line(&record(1)));
        assert!(says(&[head.clone(), "x\n".to_owned(), one.clone()]).starts_with("line 2 is no record"));
        assert_eq!(says(&[head.clone(), one.clone(), one.clone()]), "game 1 is there twice");
        assert!(says(&[one]).starts_with("line 1 is no header"));
        assert!(says(&[head.replace("\"format\":1", "\"format\":9")]).contains("format 9 is not known"));
    }

    #[test]
    fn a_file_is_not_overwritten_shared_or_mixed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let says =
            |header: &Header, resume| format!("{:#}", Journal::open(&path, header, resume).unwrap_err());
        let held = Journal::open(&path, &header(), false).unwrap();
        if cfg!(unix) {
            assert!(says(&header(), true).ends_with("another tournament writes to it"));
        }
        drop(held);
        assert!(says(&header(), false).contains("--resume"));
        let other =
            Header { config_hash: "beef".to_owned(), config: serde_json::json!({ "seed": 2 }), ..header() };
        assert!(says(&other, true).ends_with("differs in: seed"));
        let share = Header { shard: Some((1, 2)), ..header() };
        assert!(says(&share, true).ends_with("it holds the whole batch, not share 1/2 of the batch"));
    }
}
