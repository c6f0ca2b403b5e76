//! Damaged files cause a one-line error, never a crash. Every page has a checksum, so a reader gets either
//! what was written or an error.

use std::fs;
use std::path::Path;

use kakugo::database::{Access, DatabaseError, Importer, MergeRule, Record, Store};
use rand::Rng;
use tempfile::tempdir;

use crate::database::Content;
use crate::database::positions::{random_board, random_record, random_terms, rng};

fn read_all(path: &Path) -> Result<Content, DatabaseError> {
    let store = Store::open(path, Access::Read)?;
    let reader = store.reader()?;
    let entries = reader.entries()?.map(|entry| entry.map(|(key, record)| (key.bytes().to_vec(), record)));
    entries.collect()
}

#[test]
fn damage_is_told_or_does_no_harm() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let store = Store::open(&path, Access::Create).unwrap();
    let mut rng = rng(70);
    let mut importer = Importer::new(&store, MergeRule::default()).with_batch(300);
    for _ in 0..2000 {
        let (rule, size) = random_terms(&mut rng);
        let board = random_board(&mut rng, size, 20);
        importer.add(&board, rule, random_record(&mut rng, &board)).unwrap();
    }
    importer.finish().unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    let expected = read_all(&path).unwrap();
    let mut told = 0;
    for round in 0..150 {
        let mut bytes = whole.clone();
        let at = rng.random_range(0..bytes.len());
        match round % 5 {
            0 => bytes.truncate(at),
            1 => bytes[at % 20_480] ^= 1 << rng.random_range(0..8),
            2 => bytes[at] ^= 1 << rng.random_range(0..8),
            3 => bytes[at..].iter_mut().take(5000).for_each(|byte| *byte = rng.random()),
            _ => bytes.extend([7; 10_000]),
        }
        let damaged = folder.path().join("b.kdb");
        fs::write(&damaged, &bytes).unwrap();
        match read_all(&damaged) {
            Ok(entries) => assert_eq!(entries, expected),
            Err(error) => {
                told += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                assert!(
                    matches!(
                        error,
                        DatabaseError::Damaged(_)
                            | DatabaseError::NotADatabase
                            | DatabaseError::UnknownFormat(_)
                    ),
                    "{error:?}"
                );
            }
        }
        assert_eq!(fs::read(&damaged).unwrap(), bytes, "reading changes nothing");
        // A writer fails cleanly too.
        if let Ok(store) = Store::open(&damaged, Access::Write) {
            let (rule, size) = random_terms(&mut rng);
            let board = random_board(&mut rng, size, 20);
            let mut importer = Importer::new(&store, MergeRule::default());
            let _ = importer.add(&board, rule, Record::default()).and_then(|()| importer.finish().map(drop));
        }
    }
    // Much of a file is free space, or was never written.
    assert!(told > 40, "{told}");
}

#[test]
fn other_files_are_refused_by_name() {
    let folder = tempdir().unwrap();
    let says = |bytes: &[u8]| {
        let path = folder.path().join("a");
        fs::write(&path, bytes).unwrap();
        let says = |access| Store::open(&path, access).unwrap_err().to_string();
        assert_eq!(says(Access::Read), says(Access::Create));
        assert_eq!(fs::read(&path).unwrap(), bytes);
        says(Access::Write)
    };
    assert_eq!(says(b""), "it is not a position database");
    assert_eq!(says(b"rule,position\n"), "it is not a position database");
    assert_eq!(says(&[0xff; 100_000]), "it is not a position database");
    let folder_itself = Store::open(folder.path(), Access::Read).unwrap_err().to_string();
    assert_eq!(folder_itself, "it is a directory, not a regular file");
}
