//! Memory of imports, and the table of times and memory for long files.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::tempdir;

use crate::process::{Process, peak};
use crate::readers::hostile::{ALL, Hostile};
use crate::readers::written;

/// `db import` of a file into a new database, with more options.
fn importing(path: &Path, options: &[&str]) -> Child {
    let database = path.with_extension("kdb");
    let _ = fs::remove_file(&database);
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    command.args(["db", "import"]).arg(&database).arg(path).args(["--rule", "renju"]).args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// CPU seconds of a process so far; `None` once it has ended.
fn processor_time(id: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// CPU seconds and peak memory of an import in bytes.
fn measured(path: &Path, options: &[&str]) -> (f64, u64) {
    let mut child = importing(path, options);
    let (mut seconds, mut most) = (0.0_f64, 0);
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak(child.id()).unwrap_or(0));
        seconds = seconds.max(processor_time(child.id()).unwrap_or(0.0));
        thread::sleep(Duration::from_millis(5));
    }
    (seconds, most)
}

/// Maximum memory of `db import` in bytes, whatever it reads: its store keeps 64 MiB of pages.
const MOST_OF_AN_IMPORT: u64 = 160 << 20;

/// The table below checks this for files of up to 100 MB.
#[test]
fn an_import_stays_within_its_memory() {
    let folder = tempdir().unwrap();
    for kind in &ALL {
        let path = written(folder.path(), kind, 1 << 20);
        let (_, most) = measured(&path, &[]);
        assert!(most < MOST_OF_AN_IMPORT, "{} {}: {} MiB", kind.format, kind.name, most >> 20);
    }
}

/// Games whose variations take about as much memory as a game may, or more.
#[test]
fn an_import_of_variations_stays_within_its_memory() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("tree.sgf");
    // No two stones are neighbours.
    let moves: String = "acegikmo".chars().map(|x| format!(";W[{x}a];B[{x}c]")).collect();
    for (name, variation, most) in [
        ("a move", "(;W[ii])".to_owned(), 400_000),
        ("moves", format!("({moves})"), 36_000),
        ("a comment", "(;W[ii]C[a comment of 33 bytes, not shorter])".to_owned(), 220_000),
        ("a long comment", format!("(;W[ii]C[{}])", "long ".repeat(14_000)), 900),
        ("nothing", "(;C[x](;W[ii]))".to_owned(), 200_000),
    ] {
        for count in [most / 3, most / 2, most] {
            fs::write(&path, format!("(;B[hh]{})", variation.repeat(count))).unwrap();
            let (_, held) = measured(&path, &["--variations"]);
            assert!(held < MOST_OF_AN_IMPORT, "{count} times {name}: {} MiB", held >> 20);
        }
    }
    // A game may also be long itself, but not as long as with its variations.
    fs::write(&path, format!("(;B[hh]C[{}])", "x".repeat(60 << 20))).unwrap();
    let (_, held) = measured(&path, &["--variations"]);
    assert!(held < MOST_OF_AN_IMPORT, "a comment on a move of the game: {} MiB", held >> 20);
}

#[test]
fn reading_a_file_stays_within_the_memory_of_the_conversation() {
    const MAX_MEMORY: u64 = 80 << 20;
    let folder = tempdir().unwrap();
    for kind in ALL.iter().filter(|kind| ["lib", "txt"].contains(&kind.format.name())) {
        let path = written(folder.path(), kind, 1 << 20);
        let mut engine = Process::start(&[]);
        let lines =
            format!("INFO rule 4\nINFO max_memory {MAX_MEMORY}\nINFO timeout_turn 600000\nSTART 15\n");
        engine.send(lines.as_bytes());
        assert_eq!(engine.answer(), "OK");
        // The table of a long search takes all available memory.
        engine.send(b"BOARD\n7,7,1\n8,8,2\nDONE\n");
        thread::sleep(Duration::from_secs(1));
        engine.send(b"YXSTOP\n");
        engine.answer();
        let command = if kind.format.name() == "lib" { "YXLIBTODB" } else { "YXTXTTODB" };
        let database = folder.path().join(format!("{}.kdb", kind.name));
        let lines = format!("YXSETDATABASE {}\n{command} {}\nABOUT\n", database.display(), path.display());
        engine.send(lines.as_bytes());
        let answer = engine.answer_within(Duration::from_secs(120)).expect("the file is read").0;
        assert!(answer.starts_with("ERROR ") || answer.starts_with("name="), "{answer}");
        let most = peak(engine.id()).unwrap();
        assert!(most < MAX_MEMORY, "{} {}: {} MiB", kind.format, kind.name, most >> 20);
    }
}

/// `cargo test --release --test program readers::memory::table -- --ignored --nocapture`; the figures are in docs/measurements.md.
/// The seconds are CPU time, independent of other processes. `KINDS="sgf games"` in the environment selects kinds.
#[test]
#[ignore = "minutes, and files of 100 MB"]
fn table_of_times_and_memory() {
    let folder = tempdir().unwrap();
    println!("{:<6}{:<24}{:>8}{:>10}{:>10}", "format", "kind", "MB", "s", "MB held");
    let row = |kind: &Hostile, megabytes: usize| {
        let path = written(folder.path(), kind, megabytes * 1_000_000);
        let (seconds, most) = measured(&path, &[]);
        assert!(most < MOST_OF_AN_IMPORT, "{} {}: {} MiB", kind.format, kind.name, most >> 20);
        let held = most / 1_000_000;
        println!("{:<6}{:<24}{megabytes:>8}{seconds:>10.2}{held:>10}", kind.format.name(), kind.name);
        fs::remove_file(path).unwrap();
    };
    let wanted = std::env::var("KINDS").unwrap_or_default();
    let is_wanted = |kind: &&Hostile| format!("{} {}", kind.format, kind.name).contains(&wanted);
    for megabytes in [1, 10, 100] {
        ALL.iter().filter(is_wanted).for_each(|kind| row(kind, megabytes));
    }
}
