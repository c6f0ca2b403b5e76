//! The committed corpus, and mutations of it, through an entry of the fuzzers: what holds without a fuzzer.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Runs `entry` with every file of the corpus of `target`, and with `mutations` of them. The same every time; the
/// bytes that break something are printed, to be kept in the corpus.
pub fn run(target: &str, mutations: usize, entry: fn(&[u8])) {
    let seeds = seeds(target);
    for (path, bytes) in &seeds {
        attempt(entry, bytes, &path.display().to_string());
    }
    let mut random = SmallRng::seed_from_u64(0x6b61_6b75_676f);
    for round in 0..mutations {
        let (_, bytes) = seeds.choose(&mut random).expect("a corpus has files");
        let (_, other) = seeds.choose(&mut random).expect("a corpus has files");
        attempt(entry, &mutated(bytes, other, &mut random), &format!("mutation {round}"));
    }
}

fn attempt(entry: fn(&[u8]), bytes: &[u8], name: &str) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| entry(bytes))) {
        eprintln!("{name} breaks it: {}", bytes.escape_ascii());
        std::panic::resume_unwind(panic);
    }
}

/// The files of the corpus in the order of their names.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    // The packages that run this lie in the root or one folder below it.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [here, here.parent().expect("a package lies in a folder")];
    let folder = folders.map(|folder| folder.join("tests/fuzz/corpus").join(target));
    let folder = folder.into_iter().find(|folder| folder.is_dir()).expect("the corpus is there");
    let entries = fs::read_dir(folder).expect("the corpus can be listed");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("the corpus can be read");
        (path, bytes)
    };
    let seeds: Vec<_> = paths.into_iter().map(read).collect();
    assert!(seeds.len() >= 3, "{target} has only {} seeds", seeds.len());
    seeds
}

/// A few changes: bytes, words and numbers that tend to break readers, and parts of another file.
fn mutated(bytes: &[u8], other: &[u8], random: &mut SmallRng) -> Vec<u8> {
    const TOKENS: [&[u8]; 21] = [
        b"0",
        b"-1",
        b"255",
        b"65536",
        b"2147483648",
        b"-2147483648",
        b"-9223372036854775808",
        b"18446744073709551616",
        b"1e999",
        b"NaN",
        b"\n",
        b"\r\n",
        b"\0",
        b"\"",
        b"\\",
        b"{",
        b"[",
        b"(",
        b",",
        b"\xff",
        b"\xe2\x80\xae",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let at = random.random_range(0..=bytes.len());
        let end = random.random_range(at..=bytes.len().min(at + 40));
        match random.random_range(0..8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = random.random(),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => {
                let part = bytes[at..end].to_vec();
                let to = random.random_range(0..=bytes.len());
                bytes.splice(to..to, part);
            }
            5 if !other.is_empty() => {
                let from = random.random_range(0..other.len());
                let part = other[from..other.len().min(from + 80)].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let token = TOKENS.choose(random).expect("some");
                bytes.splice(at..end, token.iter().copied());
            }
        }
    }
    bytes
}
