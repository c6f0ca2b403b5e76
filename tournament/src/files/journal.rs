//! The results file: a header, then one line per game. A game counts only once its line is on disk.
//!
//! However the program ends, the file contains whole records and at most one incomplete last line, which is
//! removed when the batch is resumed. The file is locked: only one program at a time can write to it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::{self, LockedFile, Utf8Reader, open_locked, sync_directory, without_mark};

use crate::files::identity::differing_keys;
use crate::files::input;
use crate::model::record::{GameRecord, Header};
use crate::text;

/// Beginning of every record.
const RECORD_BEGINS: &[u8] = b"{\"game\":";

/// Contents of a results file.
#[derive(Debug)]
pub struct Contents {
    /// The batch.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub records: Vec<GameRecord>,
    /// The number of an incomplete last line, left by a killed process; it is not among the records.
    pub torn_line: Option<usize>,
    /// Number of bytes up to the end of the last complete line, in UTF-8.
    whole: u64,
}

impl Contents {
    /// Whether a file of `length` bytes ends in an incomplete line.
    fn is_torn(&self, length: u64) -> bool {
        self.whole < length
    }
}

/// Reads a results file, which may be in UTF-16; `None` if it does not even contain a header.
///
/// # Errors
/// Returns an error if the file cannot be read, a line other than an incomplete last one is not a record, or
/// a game occurs twice.
pub fn read(path: &Path) -> Result<Option<Contents>> {
    let file = files::open(path).with_context(|| format!("results {}", path.display()))?;
    parse(Utf8Reader::new(BufReader::new(file))).with_context(|| path.display().to_string())
}

/// Whether the file has a complete first line, as a results file with a header.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn has_header(path: &Path) -> Result<bool> {
    let name = || format!("results {}", path.display());
    let mut source = BufReader::new(files::open(path).with_context(name)?);
    Ok(input::next_line(&mut source).with_context(name)?.ends_with(b"\n"))
}

/// Reads the contents of a results file; `None` without a complete first line.
fn parse(mut source: impl BufRead) -> Result<Option<Contents>> {
    let first = input::next_line(&mut source)?;
    if !first.ends_with(b"\n") {
        return Ok(None);
    }
    let header: Header =
        serde_json::from_slice(without_mark(&first)).context("line 1 is not the header of a results file")?;
    header.check_format().map_err(anyhow::Error::msg)?;
    let mut contents = Contents { header, records: Vec::new(), torn_line: None, whole: first.len() as u64 };
    let (mut games, mut budget) = (HashSet::new(), input::MemoryBudget::default());
    for number in 2.. {
        let line = input::next_line(&mut source)?;
        if line.is_empty() {
            break;
        }
        budget.take(line.len() + size_of::<GameRecord>())?;
        match serde_json::from_slice::<GameRecord>(&line) {
            Ok(record) if line.ends_with(b"\n") => {
                ensure!(games.insert(record.game), "game {} occurs twice", record.game);
                contents.records.push(record);
                contents.whole += line.len() as u64;
            }
            _ if is_torn(&line) && source.fill_buf()?.is_empty() => {
                contents.torn_line = Some(number);
                break;
            }
            Ok(_) => bail!("line {number} is incomplete"),
            Err(error) => {
                return Err(error).with_context(|| format!("line {number} is not the record of a game"));
            }
        }
    }
    Ok(Some(contents))
}

/// Whether an incomplete last line was left by a killed process or a power failure: the beginning of a
/// record, or zeros, because after a power failure a file may have its new length without the data. No record
/// contains a zero byte.
fn is_torn(line: &[u8]) -> bool {
    let is_beginning = line.starts_with(RECORD_BEGINS) || RECORD_BEGINS.starts_with(line);
    line.contains(&0) || is_beginning && !line.ends_with(b"\n")
}

/// A results file that is open for writing.
#[derive(Debug)]
pub struct Journal {
    file: LockedFile,
    path: PathBuf,
}

impl Journal {
    /// Opens the results file of the batch that `header` describes, and returns the games that it already
    /// contains, if `resume` is set. A file with any other contents is not modified.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a regular file or is in use; if it contains
    /// something else or another batch; or if it contains results and `resume` is not set.
    pub fn open(path: &Path, header: &Header, resume: bool) -> Result<(Journal, Vec<GameRecord>)> {
        let open = || -> Result<(Journal, Vec<GameRecord>)> {
            let mut journal = Journal { file: open_locked(path)?, path: path.to_owned() };
            let length = journal.file.metadata()?.len();
            ensure!(
                length == 0 || resume,
                "the file exists: continue it with --resume, or name another one with --log FILE"
            );
            let mut source = Utf8Reader::new(BufReader::new(&*journal.file));
            source.fill_buf()?;
            ensure!(!source.is_utf16(), "the file is in UTF-16: save it in UTF-8 to continue it");
            match parse(source)? {
                Some(contents) => {
                    check_header(&contents.header, header)?;
                    if contents.is_torn(length) {
                        log::info!("removed an incomplete line from {}", path.display());
                        journal.file.set_len(contents.whole)?;
                    }
                    Ok((journal, contents.records))
                }
                None => {
                    // An incomplete header can still be recognised as ours.
                    let mut begun = Vec::new();
                    let mut file: &File = &journal.file;
                    file.seek(SeekFrom::Start(0))?;
                    file.take(input::LINE_LIMIT).read_to_end(&mut begun)?;
                    ensure!(
                        line(header).as_bytes().starts_with(&begun),
                        "it contains something other than results"
                    );
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

    /// Appends a line; it is safely stored after [`Journal::sync`].
    ///
    /// # Errors
    /// Returns an error if the line cannot be written; an incomplete line may remain.
    pub fn append(&mut self, value: &impl serde::Serialize) -> Result<()> {
        self.file
            .write_all(line(value).as_bytes())
            .with_context(|| format!("results {}", self.path.display()))
    }

    /// Waits until everything is on disk.
    ///
    /// # Errors
    /// Returns an error if the data cannot be written to disk.
    pub fn sync(&mut self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("results {}", self.path.display()))
    }
}

/// A header or a record as a line of the file, with its line end.
pub fn line(value: &impl serde::Serialize) -> String {
    text::json(
        serde_json::to_string(value).expect("records contain only texts and numbers, so they are valid JSON"),
    ) + "\n"
}

/// Rejects results of another batch.
fn check_header(found: &Header, ours: &Header) -> Result<()> {
    if found.config_hash != ours.config_hash {
        let keys = differing_keys(&ours.config, &found.config).join(", ");
        bail!("it contains another batch, whose configuration differs in: {keys}");
    }
    ensure!(found.shard == ours.shard, "it contains {}, not {}", share(found.shard), share(ours.shard));
    Ok(())
}

fn share(shard: Option<(usize, usize)>) -> String {
    shard.map_or("the whole batch".to_owned(), |(index, count)| format!("share {index}/{count} of the batch"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::model::record::FORMAT;

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

    fn record(game: usize) -> GameRecord {
        GameRecord { pair: game.div_ceil(2), moves: "h8".to_owned(), ..blank(game) }
    }

    fn games(records: &[GameRecord]) -> Vec<usize> {
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
    fn a_byte_order_mark_before_the_header_is_skipped() {
        let text = ["\u{feff}", &line(&header()), &line(&record(1))].concat();
        let contents = parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!((&contents.header, games(&contents.records)), (&header(), vec![1]));
        assert!(!contents.is_torn(text.len() as u64));
    }

    #[test]
    fn a_file_in_utf_16_is_read_but_not_continued() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let last = line(&record(2));
        for (text, torn_line) in [(last.as_str(), None), (&last[..last.len() / 2], Some(3))] {
            let text = ["\u{feff}", &line(&header()), &line(&record(1)), text].concat();
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            std::fs::write(&path, &wide).unwrap();
            let contents = read(&path).unwrap().unwrap();
            let expected: &[usize] = if torn_line.is_none() { &[1, 2] } else { &[1] };
            assert_eq!((games(&contents.records), contents.torn_line), (expected.to_vec(), torn_line));
            let error = format!("{:#}", Journal::open(&path, &header(), true).unwrap_err());
            assert!(error.ends_with("the file is in UTF-16: save it in UTF-8 to continue it"), "{error}");
            assert!(std::fs::read(&path).unwrap() == wide);
        }
    }

    #[test]
    fn a_last_line_of_zeros_is_torn_too() {
        let text = [line(&header()), line(&record(1)), "\0\0\0\n".to_owned()].concat();
        let contents = parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!(games(&contents.records), [1]);
        assert!(contents.is_torn(text.len() as u64));
    }

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let ours = [line(&header()), line(&record(1))].concat();
        let (first, _) = Journal::open(&path, &header(), false).unwrap();
        drop(first);
        for (text, why) in [
            ("notes", "it contains something other than results"),
            ("notes\n", "line 1 is not the header of a results file"),
            ("{", "line 1"),
            ("{}\n", "line 1 is not the header of a results file"),
            ("\0\0\0", "it contains something other than results"),
            ("{\"format\":1,\"program\":\"other", "it contains something other than results"),
            (&format!("{ours}my notes"), "line 3 is not the record of a game"),
            (&format!("{ours}my notes\n"), "line 3 is not the record of a game"),
            (&format!("{ours}{{\"game\":2}}\n"), "line 3 is not the record of a game"),
            (&format!("{ours}{{\"name\":\"x\"}}"), "line 3 is not the record of a game"),
            (&format!("{ours}\0\n{}", line(&record(2))), "line 3 is not the record of a game"),
        ] {
            std::fs::write(&path, text).unwrap();
            let opened = Journal::open(&path, &header(), true);
            // The beginning of a header is recognised as ours.
            if text == "{" {
                assert!(opened.is_ok());
                continue;
            }
            let message = format!("{:#}", opened.unwrap_err());
            assert!(message.contains(why) && !message.contains('\n'), "{text:?}: {message}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn lines_hold_nothing_hidden() {
        let mut hostile = record(1);
        hostile.detail = "\u{1b}\u{9b}\u{7f}\u{202e}".to_owned();
        let text = line(&hostile);
        assert!(text.contains(r"\u001b\u009b\u007f\u202e"), "{text}");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), hostile);
        assert!(text.as_bytes().starts_with(RECORD_BEGINS));
    }

    #[test]
    fn damage_elsewhere_is_named() {
        let error_of = |lines: &[String]| format!("{:#}", parse(lines.concat().as_bytes()).unwrap_err());
        let (head, one) = (line(&header()), line(&record(1)));
        assert!(
            error_of(&[head.clone(), "x\n".to_owned(), one.clone()]).starts_with("line 2 is not the record")
        );
        assert_eq!(error_of(&[head.clone(), one.clone(), one.clone()]), "game 1 occurs twice");
        assert!(error_of(&[one]).starts_with("line 1 is not the header"));
        assert!(
            error_of(&[head.replace("\"format\":1", "\"format\":9")]).contains("format 9 is not supported")
        );
    }

    #[test]
    fn a_file_is_not_overwritten_shared_or_mixed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let error_of =
            |header: &Header, resume| format!("{:#}", Journal::open(&path, header, resume).unwrap_err());
        let held = Journal::open(&path, &header(), false).unwrap();
        assert!(error_of(&header(), true).ends_with("another process writes to it"));
        drop(held);
        assert!(error_of(&header(), false).contains("--resume"));
        let other =
            Header { config_hash: "beef".to_owned(), config: serde_json::json!({ "seed": 2 }), ..header() };
        assert!(error_of(&other, true).ends_with("differs in: seed"));
        let share = Header { shard: Some((1, 2)), ..header() };
        assert!(error_of(&share, true).ends_with("it contains the whole batch, not share 1/2 of the batch"));
    }
}
