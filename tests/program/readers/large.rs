//! Work on a large database: `END` is heard during all of it, no database is half-written, and its memory is bounded.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::{Board, Point, Size};
use kakugo::database::{Access, Importer, MergeRule, Record, Store};
use kakugo::rules::{Rule, RuleKind};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use tempfile::tempdir;

use crate::process::{Process, peak};
use crate::readers::end::{AT_ONCE, engine};

/// A database of random positions of five stones, by renju.
fn large(path: &Path, positions: usize) {
    let store = Store::open(path, Access::Create).unwrap();
    let mut importer = Importer::new(&store, MergeRule::default());
    let points: Vec<Point> = Size::default().points().collect();
    let mut rng = StdRng::seed_from_u64(5);
    let mut board = Board::new(Size::default());
    for _ in 0..positions {
        points.choose_multiple(&mut rng, 5).for_each(|&point| board.play(point));
        importer.add(&board, Rule::from(RuleKind::Renju), Record::default()).unwrap();
        while board.stone_count() > 0 {
            board.undo();
        }
    }
    importer.finish().unwrap();
}

#[test]
fn end_leaves_all_work_on_a_database_at_once() {
    let folder = tempdir().unwrap();
    let big = folder.path().join("big.kdb");
    large(&big, 150_000);
    let here = folder.path().display();
    for work in [
        "YXDBCHECK".to_owned(),
        "YXDBFIX".to_owned(),
        format!("YXDBTOTXT {here}/a.txt"),
        format!("YXDBTOTXTALL {here}/b.txt"),
        format!("YXDBTOLIB {here}/c.lib"),
        format!("YXDBSPLIT {here}/d.kdb"),
        format!("YXDBMERGE {here}/big.kdb"),
    ] {
        for begun in [20, 200, 450] {
            let is_merge = work.starts_with("YXDBMERGE");
            let database = if is_merge { folder.path().join(format!("e{begun}.kdb")) } else { big.clone() };
            let mut engine = engine(&database);
            engine.send(format!("{work}\n").as_bytes());
            thread::sleep(Duration::from_millis(begun));
            let asked = Instant::now();
            engine.send(b"END\n");
            let (status, _) = engine.finish();
            let took = asked.elapsed();
            println!("{work} after {begun} ms: {took:?}");
            assert_eq!(status, Some(0), "{work}");
            assert!(took < AT_ONCE, "{work}: END took {took:?} after {begun} ms");
            let split = folder.path().join("d.kdb");
            if split.exists() {
                let store = Store::open(&split, Access::Read).unwrap();
                assert!(store.reader().unwrap().len().unwrap() > 140_000, "it is complete");
                drop(store);
                fs::remove_file(split).unwrap();
            }
        }
    }
}

#[test]
fn a_library_stays_within_the_memory_of_the_conversation() {
    const MAX_MEMORY: u64 = 80 << 20;
    let folder = tempdir().unwrap();
    for (positions, is_written) in [(5_000, true), (200_000, false)] {
        let database = folder.path().join(format!("{positions}.kdb"));
        large(&database, positions);
        let mut engine = Process::start(&[]);
        let terms =
            format!("INFO rule 4\nINFO max_memory {MAX_MEMORY}\nINFO timeout_turn 600000\nSTART 15\n");
        engine.send(terms.as_bytes());
        assert_eq!(engine.answer(), "OK");
        // The table of a long search takes what memory there is.
        engine.send(b"BOARD\n7,7,1\n8,8,2\nDONE\n");
        thread::sleep(Duration::from_secs(1));
        engine.send(b"YXSTOP\n");
        engine.answer();
        let library = database.with_extension("lib");
        let (from, to) = (database.display(), library.display());
        engine.send(format!("RESTART\nYXSETDATABASE {from}\nYXDBTOLIB {to}\nABOUT\n").as_bytes());
        assert_eq!(engine.answer(), "OK");
        let answer = engine.answer_within(Duration::from_secs(120)).expect("it ends").0;
        assert_eq!(answer.starts_with("name="), is_written, "{answer}");
        assert_eq!(library.exists(), is_written);
        assert!(is_written || answer.contains("more memory"), "{answer}");
        let most = peak(engine.id()).unwrap();
        assert!(most < MAX_MEMORY, "{positions} positions: {} MiB", most >> 20);
    }
}
