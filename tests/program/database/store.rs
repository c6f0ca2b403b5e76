//! Files: transactions, readers and writers, transfers between databases.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kakugo::board::{Board, Size};
use kakugo::database::{
    Access, DatabaseError, GameCounts, Importer, Lookup, Memory, MergeRule, Prefer, Probe, Reader, Record,
    Storage, Store, WriteBatch, merge, query_one, summarize,
};
use kakugo::rules::{Rule, RuleKind};
use rand::Rng;
use tempfile::tempdir;

use crate::database::positions::{random_board, random_record, random_terms, rng};
use crate::database::{content, content_of, create};

/// Random positions with records in their own orientation.
fn positions(seed: u64, count: usize) -> Vec<(Board, Rule, Record)> {
    let mut rng = rng(seed);
    let one = |_| {
        let (rule, size) = random_terms(&mut rng);
        let moves = rng.random_range(6..40);
        let board = random_board(&mut rng, size, moves);
        let record = random_record(&mut rng, &board);
        (board, rule, record)
    };
    (0..count).map(one).collect()
}

fn fill(store: &Store, positions: &[(Board, Rule, Record)], batch: usize) {
    let rule = MergeRule { prefer: Prefer::New, adds_games: false };
    let mut importer = Importer::new(store, rule).with_batch(batch);
    for (board, rule, record) in positions {
        importer.add(board, *rule, record.clone()).unwrap();
    }
    let tally = importer.finish().unwrap();
    assert_eq!((tally.read, tally.committed), (positions.len() as u64, positions.len() as u64));
}

#[test]
fn what_is_stored_is_found_again_from_every_side() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let stored = positions(20, 500);
    fill(&Store::open(&path, Access::Create).unwrap(), &stored, 70);
    let store = Store::open(&path, Access::Read).unwrap();
    let reader = store.reader().unwrap();
    for (board, rule, record) in &stored {
        let found = query_one(&reader, board, *rule).unwrap().expect("it was stored");
        assert_eq!((found.label, &found.text), (record.label, &record.text));
        let known = reader.probe(board, *rule).unwrap();
        assert_eq!((known.value, known.depth, known.bound), (record.value, record.depth, record.bound));
        let other = if rule.kind.code() == 0 { 1 } else { 0 };
        assert_eq!(
            query_one(&reader, board, Rule::from_code(other).unwrap()).unwrap(),
            None,
            "of another rule"
        );
    }
    assert_eq!(reader.probe(&Board::new(stored[0].0.size()), Rule::from_code(2).unwrap()), None);
    let keys: Vec<Vec<u8>> = content(&reader).into_iter().map(|(key, _)| key).collect();
    assert!(keys.is_sorted());
    let (rule, size) = (stored[0].1.kind, stored[0].0.size());
    let of_board = reader.entries_of(rule, size).unwrap().map(|entry| entry.unwrap().0);
    let expected = keys.iter().filter(|key| key[..3] == [rule.code() as u8, size.width(), size.height()]);
    assert!(of_board.map(|key| key.bytes().to_vec()).eq(expected.cloned()));
    assert_eq!(summarize(&reader, &mut ()).unwrap().positions, keys.len() as u64);
}

#[test]
fn a_transaction_is_kept_whole_or_not_at_all() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    fill(&store, &positions(21, 50), 100);
    let before = store.reader().unwrap();
    let empty_all = |batch: &mut WriteBatch| {
        for entry in before.entries()? {
            assert!(batch.remove(&entry?.0)?);
        }
        assert!(batch.is_empty()?);
        Ok(())
    };
    let failed = store.write(|batch| empty_all(batch).and(Err::<(), _>(DatabaseError::NoEntry)));
    assert!(matches!(failed, Err(DatabaseError::NoEntry)));
    assert_eq!(content_of(&store), content(&before), "nothing happened");
    store.write(empty_all).unwrap();
    assert!(store.reader().unwrap().is_empty().unwrap());
    assert!(!before.is_empty().unwrap(), "a reader sees what was there when it began");
}

#[test]
fn an_import_without_batches_is_kept_whole_or_not_at_all() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let stored = positions(22, 80);
    let games = Record { games: GameCounts { won: 1, drawn: 0, lost: 2 }, ..Record::default() };
    let add = |importer: &mut Importer| {
        for (board, rule, _) in &stored {
            importer.add(board, *rule, games.clone()).unwrap();
        }
    };
    let mut dropped = Importer::new(&store, MergeRule::default()).with_batch(usize::MAX).adds_games();
    add(&mut dropped);
    drop(dropped);
    assert!(store.reader().unwrap().is_empty().unwrap());
    for round in 1..=2 {
        let mut importer = Importer::new(&store, MergeRule::default()).with_batch(usize::MAX).adds_games();
        add(&mut importer);
        importer.finish().unwrap();
        let (board, rule, _) = &stored[0];
        let found = query_one(&store.reader().unwrap(), board, *rule).unwrap().unwrap();
        assert_eq!(found.games, GameCounts { won: round, drawn: 0, lost: 2 * round });
    }
}

#[test]
fn several_read_and_one_writes_alone() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let says = |access| Store::open(&path, access).unwrap_err().to_string();
    assert!(says(Access::Read).contains("No such file") || says(Access::Read).contains("cannot find"));
    let writer = Store::open(&path, Access::Create).unwrap();
    fill(&writer, &positions(23, 10), 100);
    assert_eq!(says(Access::Read), "another process has it open");
    assert_eq!(says(Access::Write), "another process has it open");
    drop(writer);
    let bytes = fs::read(&path).unwrap();
    let readers = [(); 3].map(|()| Store::open(&path, Access::Read).unwrap());
    for reader in &readers {
        assert_eq!(content(&reader.reader().unwrap()), content(&readers[0].reader().unwrap()));
        assert!(matches!(reader.begin().map(drop), Err(DatabaseError::ReadOnly)));
    }
    assert_eq!(says(Access::Write), "another process has it open");
    let [mut one, other, third] = readers;
    assert!(matches!(one.compact(), Err(DatabaseError::ReadOnly)));
    drop((one, other, third));
    assert_eq!(fs::read(&path).unwrap(), bytes, "reading changes nothing");
    Store::open(&path, Access::Write).unwrap();
}

#[cfg(unix)]
#[test]
fn a_reader_needs_no_right_to_write() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    fill(&Store::open(&path, Access::Create).unwrap(), &positions(24, 10), 100);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let reader = Store::open(&path, Access::Read).unwrap().reader().unwrap();
    assert!(reader.len().unwrap() > 0);
}

#[test]
fn merging_keeps_what_both_know() {
    let folder = tempdir().unwrap();
    let [one, other, both] = ["one.kdb", "other.kdb", "both.kdb"].map(|name| create(&folder, name));
    let stored = positions(25, 300);
    fill(&one, &stored[..200], 1000);
    fill(&other, &stored[100..], 1000);
    fill(&both, &stored, 1000);
    let other = other.reader().unwrap();
    let tally = merge(&other, Importer::new(&one, MergeRule::default()), &mut ()).unwrap();
    assert_eq!(tally.read, other.len().unwrap());
    let texts = |reader: &Reader| -> Vec<(Vec<u8>, usize)> {
        content(reader).into_iter().map(|(key, record)| (key, record.point_texts.len())).collect()
    };
    assert_eq!(texts(&one.reader().unwrap()), texts(&both.reader().unwrap()));
    let again = merge(&other, Importer::new(&one, MergeRule::default()), &mut ()).unwrap();
    assert_eq!((again.added, again.changed), (0, 0), "coming again changes nothing");
}

#[test]
fn compaction_gives_space_back_and_loses_nothing() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let length = |path: &Path| fs::metadata(path).unwrap().len();
    let mut store = Store::open(&path, Access::Create).unwrap();
    fill(&store, &positions(26, 4000), 500);
    let kept: Vec<_> = content_of(&store).into_iter().step_by(10).collect();
    let reader = store.reader().unwrap();
    store
        .write(|batch| {
            for (place, entry) in reader.entries()?.enumerate() {
                if place % 10 != 0 {
                    batch.remove(&entry?.0)?;
                }
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(store.compact().unwrap_err().to_string(), "it is being read");
    drop(reader);
    let before = length(&path);
    store.compact().unwrap();
    drop(store);
    assert!(length(&path) < before / 2, "{before} {}", length(&path));
    let store = Store::open(&path, Access::Read).unwrap();
    assert_eq!(content_of(&store), kept);
}

#[test]
fn keys_that_are_not_the_least_are_found_and_deleted() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    fill(&store, &positions(27, 100), 1000);
    let reader = store.reader().unwrap();
    let sound = reader.len().unwrap();
    let (key, record) =
        reader.entries().unwrap().map(Result::unwrap).find(|(key, _)| key.stone_count() > 8).unwrap();
    // Another image of a position.
    let mut rotated = key.bytes().to_vec();
    let area = key.size().area();
    assert!(area <= 256 || key.bytes().len() > 7);
    let wide = if area <= 256 { 1 } else { 2 };
    let mut cells: Vec<usize> = rotated[7..]
        .chunks(wide)
        .map(|cell| cell.iter().fold(0, |sum, &byte| sum * 256 + usize::from(byte)))
        .map(|cell| area - 1 - cell)
        .collect();
    let (black, white) = cells.split_at_mut(key.black_count());
    black.sort();
    white.sort();
    let bytes = cells.iter().flat_map(|cell| (*cell as u16).to_be_bytes().into_iter().skip(2 - wide));
    rotated.splice(7.., bytes.collect::<Vec<u8>>());
    let wrong = kakugo::database::Key::from_bytes(&rotated).unwrap();
    assert_eq!(wrong.is_least(), wrong == key);
    store.write(|batch| batch.put(&wrong, &record)).unwrap();
    let count = || kakugo::database::count_damaged(&store.reader().unwrap(), &mut ()).unwrap();
    assert_eq!(count(), u64::from(wrong != key));
    kakugo::database::delete_damaged(&store, &mut ()).unwrap();
    assert_eq!((count(), store.reader().unwrap().len().unwrap()), (0, sound));
    assert_eq!(store.reader().unwrap().get(&key).unwrap(), Some(record));
}

/// Bytes in memory, with the number of bytes written.
#[derive(Clone, Debug, Default)]
struct Counter {
    memory: Arc<Memory>,
    written: Arc<AtomicU64>,
}

impl Storage for Counter {
    fn length(&self) -> io::Result<u64> {
        self.memory.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.memory.read(offset, out)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.written.fetch_add(data.len() as u64, Ordering::Relaxed);
        self.memory.write(offset, data)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.memory.set_length(length)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Positions in no order share no pages with their neighbours in the file: whoever writes a few at a time writes every
/// page many times.
#[test]
fn an_import_writes_each_page_about_once() {
    let storage = Counter::default();
    let store = Store::on(Box::new(storage.clone()), Access::Create).unwrap();
    let mut importer = Importer::new(&store, MergeRule::default());
    let mut rng = rng(27);
    for _ in 0..120_000 {
        let moves = rng.random_range(8..20);
        let board = random_board(&mut rng, Size::square(15).unwrap(), moves);
        importer.add(&board, Rule::from(RuleKind::Renju), Record::default()).unwrap();
    }
    importer.finish().unwrap();
    let reader = store.reader().unwrap();
    let entries = reader.entries().unwrap().map(Result::unwrap);
    let stored: usize = entries.map(|(key, record)| key.bytes().len() + record.encode().unwrap().len()).sum();
    let written = storage.written.load(Ordering::Relaxed);
    assert!(stored > 2_000_000 && written < 2 * stored as u64, "{written} bytes written for {stored}");
}
