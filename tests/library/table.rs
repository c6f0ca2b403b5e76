//! The transposition table through the public API: its usage, dumps that give the next search a head start,
//! and the effects of a stopped search.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::Size;
use kakugo::board::notation::parse_fen;
use kakugo::engine::{Engine, Options};
use kakugo::eval::Networks;
use kakugo::rules::{Rule, RuleKind};
use kakugo::search::RootOptions;
use kakugo::think::{Limits, SearchReport, Silent};
use tempfile::TempDir;

/// Quiet openings: how much a table saves in a single one is chance.
const QUIET: [&str; 3] = [
    "15/15/15/15/15/7O7/6X1X6/7XO6/6O8/15/15/15/15/15/15 b",
    "15/15/15/15/15/15/6XO7/7X7/8O6/15/15/15/15/15/15 b",
    "15/15/15/15/15/8O6/7X7/6O1X6/15/15/15/15/15/15/15 b",
];
const DEPTH: i32 = 12;

fn engine(hash_bytes: u64) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(hash_bytes), ..Options::default() });
    engine.set_board(parse_fen(QUIET[0]).unwrap());
    engine
}

fn search(engine: &mut Engine) -> SearchReport {
    search_within(engine, None)
}

/// As [`search`], with a limit of nodes.
fn search_within(engine: &mut Engine, max_nodes: Option<u64>) -> SearchReport {
    let limits = Limits { max_depth: Some(DEPTH), max_nodes, ..Limits::infinite() };
    engine.think(&limits, &AtomicBool::new(false), &Silent)
}

/// Searches every opening; returns the number of nodes.
fn search_all(engine: &mut Engine) -> u64 {
    search_all_within(engine, None)
}

/// As [`search_all`], with a limit of nodes for each search.
fn search_all_within(engine: &mut Engine, max_nodes: Option<u64>) -> u64 {
    let nodes = QUIET.map(|fen| {
        engine.set_board(parse_fen(fen).unwrap());
        let report = search_within(engine, max_nodes);
        assert_eq!(report.last.depth, DEPTH);
        report.last.nodes
    });
    nodes.iter().sum()
}

/// An engine that has searched, its dump, and the folder of the dump.
fn dumped() -> (Engine, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(16 << 20);
    search_all(&mut engine);
    let entries = engine.dump_table(&folder.path().join("table")).unwrap();
    assert!(entries > 1_000, "only {entries} entries");
    (engine, folder)
}

/// Hashes and contents of a dump, without ages.
fn entries(path: &Path) -> BTreeSet<(u64, u64)> {
    let bytes = fs::read(path).unwrap();
    let words: Vec<u64> = bytes[32..bytes.len() - 8]
        .chunks(8)
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect();
    words.chunks(2).map(|pair| (pair[0], pair[1] << 6)).collect()
}

#[test]
fn a_dump_gives_the_next_search_its_head_start() {
    let (_, folder) = dumped();
    let path = folder.path().join("table");
    let many = search_all(&mut engine(16 << 20));
    for hash_bytes in [16 << 20, 64 << 20, 4 << 20] {
        let mut warm = engine(hash_bytes);
        assert_eq!(warm.load_table(&path).unwrap(), entries(&path).len() as u64);
        let few = search_all(&mut warm);
        assert!(few < many / 4 * 3, "{few} nodes with the dump in {hash_bytes} bytes, {many} without");
    }
}

#[test]
fn a_dump_of_a_loaded_dump_has_the_same_entries() {
    let (_, folder) = dumped();
    let (path, again) = (folder.path().join("table"), folder.path().join("again"));
    let mut engine = engine(64 << 20);
    engine.load_table(&path).unwrap();
    engine.dump_table(&again).unwrap();
    assert_eq!(entries(&again), entries(&path));
}

#[test]
fn a_new_game_with_a_limit_of_nodes_keeps_what_was_loaded() {
    let (_, folder) = dumped();
    let mut engine = Engine::new(Options { hash_bytes: Some(16 << 20), ..Options::default() });
    engine.new_game(Size::default());
    engine.set_board(parse_fen(QUIET[0]).unwrap());
    engine.load_table(&folder.path().join("table")).unwrap();
    let many = search_all(&mut self::engine(16 << 20));
    let few = search_all_within(&mut engine, Some(u64::MAX));
    assert!(few < many / 4 * 3, "{few} nodes with the dump, {many} without");
}

#[test]
fn a_table_too_small_for_a_dump_is_enlarged() {
    let (_, folder) = dumped();
    let many = search_all(&mut engine(16 << 20));
    let mut engine = engine(16 << 20);
    let limits = Limits::nodes(1_000);
    engine.think(&limits, &AtomicBool::new(false), &Silent);
    engine.load_table(&folder.path().join("table")).unwrap();
    let few = search_all(&mut engine);
    assert!(few < many / 4 * 3, "{few} nodes with the dump, {many} without");
}

#[test]
fn damaged_dumps_are_refused_and_the_table_stays() {
    let (mut engine, folder) = dumped();
    let (path, before, after) =
        (folder.path().join("table"), folder.path().join("before"), folder.path().join("after"));
    engine.dump_table(&before).unwrap();
    let good = fs::read(&path).unwrap();
    let flipped = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        bytes
    };
    let last = good.len() - 1;
    let longer = [&good[..], &[0; 16]].concat();
    let cases: [(Vec<u8>, &str); 12] = [
        (Vec::new(), "it is not a table dump"),
        (b"no table at all, but a text of some length".to_vec(), "it is not a table dump"),
        (flipped(7), "it is a dump in an unsupported format version"),
        (flipped(11), "the dump is damaged"),
        (flipped(13), "the dump is damaged"),
        (flipped(20), "it is a dump of a search with a different network"),
        (flipped(24), "the dump is damaged"),
        (flipped(31), "the dump is damaged"),
        (flipped(good.len() / 2), "the dump is damaged"),
        (flipped(last), "the dump is damaged"),
        (good[..good.len() - 16].to_vec(), "the dump is damaged"),
        (longer, "the dump is damaged"),
    ];
    for (bytes, reason) in cases {
        fs::write(&path, bytes).unwrap();
        assert_eq!(engine.load_table(&path).unwrap_err().to_string(), reason);
    }
    assert!(engine.load_table(&folder.path().join("nothing")).is_err());
    assert!(engine.load_table(folder.path()).is_err());
    engine.dump_table(&after).unwrap();
    assert!(fs::read(before).unwrap() == fs::read(after).unwrap(), "the table has changed");
}

#[test]
fn dumps_of_other_games_are_refused() {
    let (mut engine, folder) = dumped();
    let path = folder.path().join("table");
    engine.set_rule(Rule::from(RuleKind::Renju));
    let says = |engine: &mut Engine| engine.load_table(&path).unwrap_err().to_string();
    assert_eq!(says(&mut engine), "it is a dump of freestyle on 15x15, not of renju on 15x15");
    engine.set_rule(Rule::from(RuleKind::Freestyle));
    engine.new_game(Size::square(20).unwrap());
    assert_eq!(says(&mut engine), "it is a dump of freestyle on 15x15, not of freestyle on 20x20");
    let networks = Networks::default();
    let fingerprints: BTreeSet<u64> =
        RuleKind::ALL.into_iter().map(|kind| networks.of(kind).fingerprint()).collect();
    assert_eq!(fingerprints.len(), 4, "both caro rules have one");
}

#[test]
fn an_existing_file_is_not_overwritten_by_an_empty_dump() {
    let (_, folder) = dumped();
    let path = folder.path().join("table");
    let before = fs::read(&path).unwrap();
    let mut engine = engine(1 << 20);
    assert_eq!(engine.dump_table(&path).unwrap_err().to_string(), "the table is empty");
    search(&mut engine);
    engine.clear_table();
    assert!(engine.dump_table(&path).is_err());
    assert!(fs::read(&path).unwrap() == before);
    assert!(engine.dump_table(&folder.path().join("no/such/folder")).is_err());
}

#[test]
fn a_dump_contains_the_definition_of_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let options = RootOptions { max_stones: Some(40), draw_value: -30, ..RootOptions::default() };
    let steered = |engine: &mut Engine| {
        let limits = Limits::depth(DEPTH);
        engine.think_with(&limits, &options, &AtomicBool::new(false), &Silent).last.nodes
    };
    let mut first = engine(16 << 20);
    let cold = steered(&mut first);
    first.dump_table(&path).unwrap();
    let mut second = engine(16 << 20);
    search(&mut second);
    second.load_table(&path).unwrap();
    assert!(steered(&mut second) < cold / 4 * 3);
    // A search with the usual definition removes it, and then searches like one that begins with an empty table.
    let usual = search(&mut engine(16 << 20)).last.nodes;
    let mut third = engine(16 << 20);
    third.load_table(&path).unwrap();
    assert_eq!(search(&mut third).last.nodes, usual);
}

#[test]
fn the_usage_grows_with_the_search() {
    let mut engine = engine(1 << 20);
    assert_eq!(engine.table_usage(), 0);
    let mut last = 0;
    for max_nodes in [20_000, 80_000, 320_000] {
        engine.clear_table();
        let limits = Limits::nodes(max_nodes);
        engine.think(&limits, &AtomicBool::new(false), &Silent);
        let usage = engine.table_usage();
        assert!(last < usage && usage <= 1_000, "{usage} after {max_nodes} nodes, {last} before");
        last = usage;
    }
    engine.clear_table();
    assert_eq!(engine.table_usage(), 0);
}

#[test]
fn a_search_without_limits_stops_immediately_and_keeps_its_results() {
    // As in pondering, the expected reply is on the board. Caro is used because a search ends by itself with
    // a proof: in freestyle two threads may find one here within half a second, in caro three trials of 20 s
    // found none.
    let quiet = || {
        let mut engine = engine(16 << 20);
        engine.set_rule(Rule::from(RuleKind::Caro));
        engine
    };
    let cold = search(&mut quiet()).last.nodes;
    for threads in [1, 2] {
        let mut engine = quiet();
        engine.set_options(Options { threads, ..engine.options() }).unwrap();
        let stop = AtomicBool::new(false);
        let (report, late) = thread::scope(|scope| {
            let pondering = scope.spawn(|| engine.think(&Limits::infinite(), &stop, &Silent));
            thread::sleep(Duration::from_millis(1_500));
            assert!(!pondering.is_finished(), "it has no limit");
            stop.store(true, Ordering::Relaxed);
            let stopped = Instant::now();
            (pondering.join().unwrap(), stopped.elapsed())
        });
        assert!(late < Duration::from_millis(500), "{late:?}");
        assert!(report.best_move.is_some() && report.last.depth > 3);
        engine.set_options(Options { threads: 1, ..engine.options() }).unwrap();
        let warm = search(&mut engine).last.nodes;
        assert!(warm < cold, "{warm} nodes after pondering, {cold} without");
    }
}

#[test]
fn win_rates_follow_the_network_of_the_rule() {
    let mut engine = engine(1 << 20);
    for kind in RuleKind::ALL {
        engine.set_rule(Rule::from(kind));
        let points_per_unit = Networks::default().of(kind).points_per_unit;
        let rate = engine.win_rate(points_per_unit);
        assert!((rate - 1.0 / (1.0 + (-1.0_f32).exp())).abs() < 1e-6, "{kind:?}: {rate}");
        assert_eq!((engine.win_rate(0), engine.win_rate(29_990), engine.win_rate(-29_991)), (0.5, 1.0, 0.0));
    }
}
