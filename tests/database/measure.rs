//! A million positions: rates, sizes and times, printed. `cargo test --release --test database measure -- --ignored
//! --nocapture`; the figures are in docs/measurements.md.

use std::fs;
use std::time::{Duration, Instant};

use kakugo::board::{Board, Size};
use kakugo::database::format::{Format, Scope, Terms, export, import};
use kakugo::database::{
    Access, Bound, Edit, Importer, Label, MergeRule, Record, Store, count_damaged, edit, query, query_one,
};
use kakugo::rules::{Rule, RuleKind};
use rand::Rng;
use tempfile::tempdir;

use crate::positions::{random_moves, rng};

const POSITIONS: usize = 1_000_000;
const QUERIES: usize = 100_000;

/// Runs `work`, which does `count` things, and prints how long it took.
fn timed<T>(name: &str, count: usize, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    let seconds = began.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    println!("{name:<28}{:>10.1} ms {:>12.0} a second", 1000.0 * seconds, count as f64 / seconds);
    result
}

/// Positions of random games of 40 moves, each game from its fifth move on, with what a search would say of them.
fn positions() -> Vec<(Board, Record)> {
    let mut rng = rng(90);
    let mut positions = Vec::with_capacity(POSITIONS);
    while positions.len() < POSITIONS {
        let mut board = Board::new(Size::default());
        for (ply, point) in random_moves(&mut rng, Size::default(), 40).into_iter().enumerate() {
            board.play(point);
            if ply >= 4 && positions.len() < POSITIONS {
                let label = if rng.random_ratio(1, 10) { Label::Win } else { Label::None };
                let (value, depth) = (rng.random_range(-1000..1000), rng.random_range(8..30));
                let record = Record { label, value, depth, bound: Bound::Exact, ..Record::default() };
                positions.push((board.clone(), record));
            }
        }
    }
    positions
}

#[test]
#[ignore = "a minute, and only of interest in a release build"]
fn a_million_positions() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let rule = Rule::from(RuleKind::Freestyle);
    let positions = positions();
    let store = Store::open(&path, Access::Create).unwrap();
    timed("import from memory", POSITIONS, || {
        let mut importer = Importer::new(&store, MergeRule::default());
        positions.iter().for_each(|(board, record)| importer.add(board, rule, record.clone()).unwrap());
        importer.finish().unwrap();
    });
    drop(store);
    let mebibytes = |path| fs::metadata(path).unwrap().len() as f64 / f64::from(1 << 20);
    println!("file                        {:>10.1} MiB", mebibytes(&path));
    timed("compact", 1, || Store::open(&path, Access::Write).unwrap().compact().unwrap());
    println!("file, compact               {:>10.1} MiB", mebibytes(&path));
    timed("open to write and close", 1, || Store::open(&path, Access::Write).unwrap());
    let store = timed("open to read", 1, || Store::open(&path, Access::Read).unwrap());
    let reader = store.reader().unwrap();
    let asked: Vec<&Board> = positions.iter().map(|(board, _)| board).step_by(POSITIONS / QUERIES).collect();
    for name in ["queries, cold", "queries, warm"] {
        let found = timed(name, QUERIES, || {
            asked.iter().filter(|board| query_one(&reader, board, rule).unwrap().is_some()).count()
        });
        assert_eq!(found, QUERIES);
    }
    timed("queries with all moves", 1000, || {
        asked
            .iter()
            .take(1000)
            .for_each(|board| assert!(query(&reader, board, rule).unwrap().record.is_some()));
    });
    assert_eq!(timed("check", POSITIONS, || count_damaged(&reader, &mut ()).unwrap()), 0);
    let table = folder.path().join("a.csv");
    let scope = Scope::default();
    timed("export csv", POSITIONS, || export(Format::Csv, &reader, &scope, &table, &mut ()).unwrap());
    println!("csv                         {:>10.1} MiB", mebibytes(&table));
    drop((reader, store));
    let copy = Store::open(&folder.path().join("b.kdb"), Access::Create).unwrap();
    let terms = Terms::new(rule.kind, Size::default());
    timed("import csv", POSITIONS, || {
        import(Format::Csv, &table, terms, Importer::new(&copy, MergeRule::default()), &mut ()).unwrap();
    });
    timed("edits, one a transaction", 200, || {
        for board in asked.iter().take(200) {
            copy.write(|batch| edit(batch, board, rule, &[Edit::Label(Label::Draw)])).unwrap();
        }
    });
    timed("edits, one transaction", QUERIES, || {
        copy.write(|batch| {
            asked.iter().try_for_each(|board| edit(batch, board, rule, &[Edit::Label(Label::Win)]).map(drop))
        })
        .unwrap();
    });
}
