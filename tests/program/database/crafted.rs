//! Maliciously crafted files: the content is changed, and all checksums are renewed. Whatever a file
//! contains, the result is one error line, never a crash, and never more time than the file's size allows.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use kakugo::database::{
    Access, DatabaseError, Fixed, Importer, MergeRule, Record, Store, count_damaged, fix, query, summarize,
};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use tempfile::tempdir;

use crate::database::positions::{random_board, random_record, random_terms, rng};
use crate::terminal;

const PAGE: usize = 4096;
/// Offset of page 1 of layout 1, and the size of a page with its checksum.
const OLD_START: usize = 20_480;
const OLD_STRIDE: usize = 4_100;
const OLD: &[u8] = include_bytes!("../../data/database/layout-1.kdb");

/// A file with a tree of three levels, long texts and free pages.
fn new_file(folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.kdb");
    let store = Store::open(&path, Access::Create).unwrap();
    let mut rng = rng(71);
    let mut importer = Importer::new(&store, MergeRule::default()).with_batch(400);
    for number in 0..4000 {
        let (rule, size) = random_terms(&mut rng);
        let board = random_board(&mut rng, size, 20);
        let mut record = random_record(&mut rng, &board);
        if number % 500 == 0 {
            record.text = "long ".repeat(4000);
        }
        importer.add(&board, rule, record).unwrap();
    }
    importer.finish().unwrap();
    drop(store);
    fs::read(&path).unwrap()
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn put(bytes: &mut [u8], at: usize, sum: u32) {
    bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
}

fn sum_of(before: &[u8], bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(bytes);
    hasher.finalize()
}

/// Corrects all checksums of a file: of its nodes from the leaves up, in their parents, and of both heads.
fn renew(bytes: &mut [u8]) {
    let pages = bytes.len() / PAGE;
    let mut sums = HashMap::new();
    for level in 0..4 {
        for page in 3..pages {
            let start = page * PAGE;
            let length = usize::from(u16::from_le_bytes([bytes[start + 6], bytes[start + 7]])) * PAGE;
            if bytes[start + 5] != level || length == 0 || start + length > bytes.len() {
                continue;
            }
            if level > 0 {
                let mut at = start + 24;
                for _ in 0..number(bytes, start + 16).min(400) {
                    if at + 16 > start + length {
                        break;
                    }
                    let child = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
                    if let Some(&sum) = sums.get(&child) {
                        put(bytes, at + 10, sum);
                    }
                    at += 16 + usize::from(u16::from_le_bytes([bytes[at + 14], bytes[at + 15]]));
                }
            }
            let sum = sum_of(&(page as u64).to_le_bytes(), &bytes[start + 4..start + length]);
            put(bytes, start, sum);
            sums.insert(page as u64, sum);
        }
    }
    for copy in [PAGE, 2 * PAGE] {
        let root = u64::from_le_bytes(bytes[copy + 16..copy + 24].try_into().unwrap());
        if let Some(&sum) = sums.get(&root) {
            put(bytes, copy + 28, sum);
        }
        let sum = sum_of(&[], &bytes[copy..copy + 52]);
        put(bytes, copy + 52, sum);
    }
}

/// Like [`renew`], for a file of layout 1.
fn renew_old(bytes: &mut [u8]) {
    for copy in [4096, 12288] {
        let sum = sum_of(&bytes[copy..copy + 16], &bytes[copy + 16..copy + 16 + PAGE]);
        put(bytes, copy + 16 + PAGE, sum);
    }
    let pages = (bytes.len() - OLD_START) / OLD_STRIDE;
    for page in 1..=pages {
        let start = OLD_START + (page - 1) * OLD_STRIDE;
        if bytes[start..start + OLD_STRIDE].iter().any(|&byte| byte != 0) {
            let sum = sum_of(&(page as u64).to_le_bytes(), &bytes[start..start + PAGE]);
            put(bytes, start + PAGE, sum);
        }
    }
}

/// Changes a few places, most of them in numbers that control others.
fn spoil(bytes: &mut [u8], rng: &mut StdRng, is_old: bool) {
    let (start, stride) = if is_old { (OLD_START, OLD_STRIDE) } else { (3 * PAGE, PAGE) };
    let pages = (bytes.len() - start) / stride;
    for _ in 0..rng.random_range(1..4) {
        let page = start + rng.random_range(0..pages) * stride;
        let heads: &[usize] = if is_old { &[4112, 12304] } else { &[4096, 8192] };
        let at = match rng.random_range(0..6) {
            0 => page + rng.random_range(0..PAGE),
            1 => heads.choose(rng).unwrap() + rng.random_range(0..if is_old { 320 } else { 52 }),
            _ => page + rng.random_range(0..96),
        };
        match rng.random_range(0..5) {
            0 => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => bytes[at] = rng.random(),
            2 => bytes[at..at + 4].fill(0xff),
            3 => bytes[at..at + 2].fill(0),
            // Replaces this node by another one.
            _ => {
                let other = start + rng.random_range(0..pages) * stride;
                bytes.copy_within(other..other + PAGE, page);
            }
        }
    }
}

/// A crafted file, of the current layout or of layout 1.
fn crafted(whole: &[u8], rng: &mut StdRng, is_old: bool) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    spoil(&mut bytes, rng, is_old);
    if is_old {
        renew_old(&mut bytes)
    } else {
        renew(&mut bytes)
    }
    bytes
}

/// Applies all operations to a file; it is enough that they return.
fn use_file(path: &Path, rng: &mut StdRng) -> Result<u64, DatabaseError> {
    let store = Store::open(path, Access::Read)?;
    let reader = store.reader()?;
    let (rule, size) = random_terms(rng);
    let board = random_board(rng, size, 3);
    let _ = query(&reader, &board, rule);
    let counted = count_damaged(&reader, &mut ());
    let _ = summarize(&reader, &mut ());
    drop((reader, store));
    if let Ok(mut store) = Store::open(path, Access::Write) {
        let mut importer = Importer::new(&store, MergeRule::default());
        let added = (0..20).try_for_each(|_| {
            let board = random_board(rng, size, 12);
            importer.add(&board, rule, Record::default())
        });
        let _ = added.and_then(|()| importer.finish().map(drop));
        let _ = store.compact();
    }
    counted
}

fn craft_and_use(rounds: usize, seed: u64) {
    let folder = tempdir().unwrap();
    let (new, path) = (new_file(folder.path()), folder.path().join("crafted.kdb"));
    let mut rng = rng(seed);
    let (mut refused, mut recovered) = (0, 0);
    for round in 0..rounds {
        let is_old = round % 2 == 1;
        let bytes = crafted(if is_old { OLD } else { &new }, &mut rng, is_old);
        fs::write(&path, &bytes).unwrap();
        if let Err(error) = use_file(&path, &mut rng) {
            refused += 1;
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
        fs::write(&path, &bytes).unwrap();
        match fix(&path, 1 << 20, &mut ()) {
            Ok(fixed) => {
                recovered += usize::from(matches!(fixed, Fixed::Recovered(_)));
                let store = Store::open(&path, Access::Write).unwrap();
                assert_eq!(count_damaged(&store.reader().unwrap(), &mut ()).unwrap(), 0, "round {round}");
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
    assert!(refused * 8 > rounds && recovered * 10 > rounds, "{refused} and {recovered} of {rounds}");
}

#[test]
fn crafted_files_are_refused_or_repaired() {
    craft_and_use(60, 72);
}

#[test]
fn a_wrong_number_of_positions_is_found_and_repaired() {
    let folder = tempdir().unwrap();
    let (mut bytes, path) = (new_file(folder.path()), folder.path().join("count.kdb"));
    let right = u64::from_le_bytes(bytes[PAGE + 40..PAGE + 48].try_into().unwrap());
    for wrong in [0, right - 1, right + 1, u64::MAX] {
        for copy in [PAGE, 2 * PAGE] {
            bytes[copy + 40..copy + 48].copy_from_slice(&wrong.to_le_bytes());
        }
        renew(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let store = Store::open(&path, Access::Read).unwrap();
        let counted = count_damaged(&store.reader().unwrap(), &mut ());
        assert!(matches!(counted, Err(DatabaseError::Damaged(_))), "{wrong} for {right}: {counted:?}");
        drop(store);
        assert_eq!(fix(&path, 1 << 20, &mut ()).unwrap(), Fixed::Recovered(right));
        let store = Store::open(&path, Access::Read).unwrap();
        assert_eq!(count_damaged(&store.reader().unwrap(), &mut ()).unwrap(), 0);
    }
}

#[test]
#[ignore = "a minute or two"]
fn a_thousand_crafted_files_are_refused_or_repaired() {
    craft_and_use(1000, 73);
}

#[test]
fn renewed_checksums_of_an_unchanged_file_are_those_that_it_had() {
    let folder = tempdir().unwrap();
    let new = new_file(folder.path());
    let mut renewed = new.clone();
    renew(&mut renewed);
    // Heads and the nodes of the last commit; nodes of earlier commits may lead to reused pages.
    assert_eq!(renewed[..3 * PAGE], new[..3 * PAGE]);
    let mut renewed = OLD.to_vec();
    renew_old(&mut renewed);
    assert_eq!(renewed, OLD);
}

/// The output of the commands: a result, or one line on standard error.
fn run_commands(folder: &Path, files: usize, seed: u64) {
    let (new, mut rng) = (new_file(folder), rng(seed));
    let empty = folder.join("empty.csv");
    fs::write(&empty, "rule,position\n").unwrap();
    for round in 0..files {
        let is_old = round % 2 == 1;
        let bytes = crafted(if is_old { OLD } else { &new }, &mut rng, is_old);
        let commands: [&[&str]; 7] = [
            &["info", "a.kdb"],
            &["query", "a.kdb", "h8"],
            &["check", "a.kdb"],
            &["export", "a.kdb", "out.csv"],
            &["import", "a.kdb", "empty.csv"],
            &["compact", "a.kdb"],
            &["check", "--fix", "a.kdb"],
        ];
        for command in commands {
            fs::write(folder.join("a.kdb"), &bytes).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
                .arg("db")
                .args(command)
                .current_dir(folder)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(0) => assert_eq!(errors, "", "round {round}: {command:?}"),
                Some(1 | 2) => assert_eq!(errors.lines().count(), 1, "round {round}: {command:?}: {errors}"),
                other => panic!("round {round}: {command:?} ended with {other:?}: {errors}"),
            }
        }
    }
}

#[test]
fn commands_answer_a_crafted_file_with_one_line() {
    run_commands(&terminal::directory("crafted"), 6, 74);
}

#[test]
#[ignore = "some minutes"]
fn commands_answer_a_thousand_crafted_files_with_one_line() {
    run_commands(&terminal::directory("crafted-1000"), 1000, 75);
}

#[test]
fn a_file_that_is_cut_off_or_zeroed_while_it_is_open_is_an_error() {
    let folder = tempdir().unwrap();
    let (new, path) = (new_file(folder.path()), folder.path().join("open.kdb"));
    for access in [Access::Read, Access::Write] {
        for round in 0..8 {
            fs::write(&path, &new).unwrap();
            let mut store = Store::open_with_cache(&path, access, 1 << 16).unwrap();
            let reader = store.reader().unwrap();
            assert!(reader.entries().unwrap().next().unwrap().is_ok());
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            let kept = if round % 4 == 0 { 0 } else { new.len() as u64 / 4 * (round % 4) };
            file.set_len(kept).unwrap();
            if round > 3 {
                file.set_len(new.len() as u64).unwrap();
            }
            assert!(matches!(count_damaged(&reader, &mut ()), Err(DatabaseError::Damaged(_))));
            drop(reader);
            let mut rng = rng(round);
            let board = random_board(&mut rng, kakugo::board::Size::default(), 9);
            let written = store.begin().and_then(|transaction| {
                transaction.apply(|batch| {
                    kakugo::database::edit(batch, &board, kakugo::rules::Rule::default(), &[]).map(drop)
                })?;
                transaction.commit()
            });
            assert!(written.is_ok() || written.unwrap_err().to_string().lines().count() == 1);
            let _ = store.compact();
        }
    }
}

#[test]
fn files_of_layout_1_are_read_and_renewed() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("old.kdb");
    fs::write(&path, OLD).unwrap();
    let entries = |path: &Path| {
        let store = Store::open(path, Access::Read).unwrap();
        let reader = store.reader().unwrap();
        let entries: Vec<_> = reader.entries().unwrap().map(Result::unwrap).collect();
        assert_eq!(entries.len() as u64, reader.len().unwrap());
        entries
    };
    let old = entries(&path);
    assert_eq!(fs::read(&path).unwrap(), OLD, "reading changes nothing");
    // The table was written by the same engine as the file.
    let other = folder.path().join("table.kdb");
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/database/layout-1.csv");
    let arguments = ["db", "import", other.to_str().unwrap(), table.to_str().unwrap()];
    let status = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(arguments)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(old, entries(&other));
    drop(Store::open(&path, Access::Write).unwrap());
    assert_eq!(fs::read(&path).unwrap()[16..20], [2, 0, 0, 0]);
    assert_eq!(old, entries(&path));
}
