//! Prints rates, sizes and times for a million positions: `cargo test --release --test program database::measure -- --ignored
//! --nocapture`. The figures are in docs/measurements.md.

use std::fs;
use std::time::{Duration, Instant};

use kakugo::board::{Board, Point, Size};
use kakugo::database::format::{Format, ImportOptions, Scope, export, import};
use kakugo::database::{
    Access, Canonical, Edit, Importer, Label, MergeRule, Record, Store, WriteBatch, count_damaged, edit,
    query, query_one,
};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;
use rand::Rng;
use rand::rngs::StdRng;
use tempfile::tempdir;

use crate::database::create;
use crate::database::positions::{random_moves, rng};

const POSITIONS: usize = 1_000_000;

/// Runs `work`, which does `count` things, and prints the elapsed time.
fn timed<T>(name: &str, count: usize, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    let seconds = began.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    println!("{name:<28}{:>10.1} ms {:>12.0} a second", 1000.0 * seconds, count as f64 / seconds);
    result
}

/// Random games of 40 moves; their positions count from the fifth move on.
struct Games(Vec<Vec<Point>>);

impl Games {
    fn random() -> Games {
        let mut rng = rng(90);
        Games((0..POSITIONS.div_ceil(36)).map(|_| random_moves(&mut rng, Size::default(), 40)).collect())
    }

    /// Passes every position, or every n-th one, to `visitor`; returns their number.
    fn visit(&self, step: usize, mut visitor: impl FnMut(&Board)) -> usize {
        let (mut place, mut visited) = (0, 0);
        for game in &self.0 {
            let mut board = Board::new(Size::default());
            for (ply, &point) in game.iter().enumerate() {
                board.play(point);
                if ply >= 4 {
                    if place % step == 0 {
                        visitor(&board);
                        visited += 1;
                    }
                    place += 1;
                }
            }
        }
        visited
    }
}

/// A random record such as a search creates.
fn random_search(rng: &mut StdRng) -> Record {
    let label = if rng.random_ratio(1, 10) { Label::Win } else { Label::None };
    let (value, depth) = (rng.random_range(-1000..1000), rng.random_range(8..30));
    Record { label, value, depth, bound: Bound::Exact, ..Record::default() }
}

#[test]
#[ignore = "a minute, and only of interest in a release build"]
fn a_million_positions() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let rule = Rule::from(RuleKind::Freestyle);
    let games = Games::random();
    let count = games.visit(1, |_| ());
    let store = Store::open(&path, Access::Create).unwrap();
    timed("import from memory", count, || {
        let (mut importer, mut rng) = (Importer::new(&store, MergeRule::default()), rng(91));
        games.visit(1, |board| importer.add(board, rule, random_search(&mut rng)).unwrap());
        importer.finish().unwrap();
    });
    let stored = store.reader().unwrap().len().unwrap() as usize;
    println!("{count} positions, {stored} different ones");
    drop(store);
    let mebibytes = |path| fs::metadata(path).unwrap().len() as f64 / f64::from(1 << 20);
    println!("file {:.1} MiB", mebibytes(&path));
    timed("compact", 1, || Store::open(&path, Access::Write).unwrap().compact().unwrap());
    println!("file, compact {:.1} MiB", mebibytes(&path));
    timed("open to write, and close", 1, || drop(Store::open(&path, Access::Write).unwrap()));
    let store = timed("open to read", 1, || Store::open(&path, Access::Read).unwrap());
    let reader = store.reader().unwrap();
    // Boards are expensive: every fiftieth.
    let mut asked = Vec::new();
    games.visit(50, |board| asked.push(board.clone()));
    timed("keys alone", asked.len(), || {
        assert!(asked.iter().all(|board| Canonical::of(board, rule).is_some()))
    });
    for name in ["queries, nothing read yet", "queries"] {
        let is_known = |board: &Board| query_one(&reader, board, rule).unwrap().is_some();
        timed(name, asked.len(), || assert!(asked.iter().all(is_known)));
    }
    timed("queries with all moves", 1000, || {
        asked
            .iter()
            .take(1000)
            .for_each(|board| assert!(query(&reader, board, rule).unwrap().record.is_some()));
    });
    assert_eq!(timed("check", stored, || count_damaged(&reader, &mut ()).unwrap()), 0);
    let table = folder.path().join("a.csv");
    timed("export csv", stored, || {
        export(Format::Csv, &reader, &Scope::default(), &table, &mut ()).unwrap();
    });
    println!("csv {:.1} MiB", mebibytes(&table));
    drop((reader, store));
    let copy = create(&folder, "b.kdb");
    let terms = ImportOptions::new(rule.kind, Size::default());
    timed("import csv", stored, || {
        import(Format::Csv, &table, terms, Importer::new(&copy, MergeRule::default()), &mut ()).unwrap();
    });
    let label = [Edit::Label(Label::Draw)];
    timed("edits, one a transaction", 200, || {
        for board in asked.iter().take(200) {
            copy.write(|batch| edit(batch, board, rule, &label)).unwrap();
        }
    });
    timed("edits, one transaction", asked.len(), || {
        let edit_all = |batch: &mut WriteBatch| {
            asked.iter().try_for_each(|board| edit(batch, board, rule, &label).map(drop))
        };
        copy.write(edit_all).unwrap();
    });
}
