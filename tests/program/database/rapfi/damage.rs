//! Damaged files of Rapfi: nothing of them is imported, and they never end the program.

use std::fs;
use std::io::Read;

use kakugo::database::{Importer, MergeRule, Store};
use lz4_flex::frame::FrameDecoder;
use rand::Rng;
use tempfile::tempdir;

use super::{in_frame, raw, read, written};
use crate::database::positions::{random_board, random_record, random_terms, rng};
use crate::database::{content_of, create};

#[test]
fn damage_is_reported_with_its_record_and_nothing_is_imported() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let good: (&[u8], &[u8]) = (&[0, 15, 15, 7, 7], b"w\x01\0\x02\0text");
    let whole = raw(&[good, good]);
    let frame = in_frame(&whole);
    let mut spoilt = frame.clone();
    let last = spoilt.len() - 1;
    spoilt[last - 8] ^= 0x40;
    for (bytes, said) in [
        (raw(&[good, (&[0, 15], b"")]), "record 2: the key is too short"),
        (raw(&[good, (&[0, 15, 15, 7], b"")]), "record 2: the key ends within a stone"),
        (raw(&[good, (&[0, 15, 15, 15, 7], b"")]), "record 2: a stone is off the board"),
        (raw(&[good, (&[0, 15, 15, 0xff, 0], b"")]), "record 2: a stone is off the board"),
        (raw(&[good, (good.0, b"\x07")]), "record 2: the label is not a character"),
        (raw(&[good, (good.0, b"w\0\0\0\0@BTXT@FFx")]), "record 2: a point text has no point on the board"),
        (whole[..whole.len() - 1].to_vec(), "record 2: the file is cut off"),
        (whole[..whole.len() / 2 + 2].to_vec(), "record 2: the file is cut off"),
        (whole[..3].to_vec(), "the file is cut off"),
        (Vec::new(), "the file is cut off"),
        ([&whole[..], &[0]].concat(), "bytes follow the last record"),
        (in_frame(&[&whole[..], &[0]].concat()), "bytes follow the last record"),
        (frame[..4].to_vec(), "the file is cut off"),
        (frame[..frame.len() / 2].to_vec(), "the file is cut off"),
        // The end mark and the checksum have four bytes each.
        (frame[..frame.len() - 1].to_vec(), "record 2: the file is cut off"),
        (frame[..frame.len() - 4].to_vec(), "record 2: the file is cut off"),
        (frame[..frame.len() - 5].to_vec(), "record 2: the file is cut off"),
        (frame[..frame.len() - 8].to_vec(), "record 2: the file is cut off"),
        (spoilt, "the LZ4 frame is damaged"),
        ([&frame[..4], b"no frame at all"].concat(), "the LZ4 frame is damaged"),
    ] {
        let error = read(&store, &bytes).unwrap_err().to_string();
        assert!(error == said || error.ends_with(&format!(": {said}")), "{error} instead of {said}");
        assert_eq!(content_of(&store).len(), 0, "{said}");
    }
}

fn mutate(rounds: usize, seed: u64) {
    let folder = tempdir().unwrap();
    let (store, path, mut rng) = (create(&folder, "a.kdb"), folder.path().join("a.db"), rng(seed));
    let mut importer = Importer::new(&store, MergeRule::default());
    for _ in 0..40 {
        let (rule, size) = random_terms(&mut rng);
        let board = random_board(&mut rng, size, 12);
        importer.add(&board, rule, random_record(&mut rng, &board)).unwrap();
    }
    importer.finish().unwrap();
    written(&store, &path);
    let frame = fs::read(&path).unwrap();
    let mut plain = Vec::new();
    FrameDecoder::new(&frame[..]).read_to_end(&mut plain).unwrap();
    let mut refused = 0;
    for round in 0..rounds {
        let mut bytes = if round % 3 == 0 { frame.clone() } else { plain.clone() };
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..5) {
                0 => bytes[at] = rng.random(),
                1 => bytes[at] ^= 1 << rng.random_range(0..8),
                2 => bytes.insert(at, rng.random()),
                3 => drop(bytes.drain(at..bytes.len().min(at + 3))),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if round % 3 == 2 {
            bytes = in_frame(&bytes);
        }
        let other = Store::in_memory().unwrap();
        match read(&other, &bytes) {
            Ok(_) => {
                let reader = other.reader().unwrap();
                assert_eq!(kakugo::database::count_damaged(&reader, &mut ()).unwrap(), 0);
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                assert_eq!(content_of(&other).len(), 0, "{error}");
            }
        }
    }
    assert!(refused * 2 > rounds, "{refused} of {rounds}");
}

#[test]
fn changed_bytes_are_refused_or_imported_and_never_end_the_program() {
    mutate(1000, 93);
}

#[test]
#[ignore = "a minute or two"]
fn many_changed_bytes_are_refused_or_imported_and_never_end_the_program() {
    mutate(300_000, 94);
}
