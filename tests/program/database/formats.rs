//! Tables: exported data can be imported again, and errors are reported with their line.

use std::fs;
use std::path::{Path, PathBuf};

use kakugo::board::Size;
use kakugo::database::format::{Exported, Format, ImportOptions, Scope, TransferError, export, import};
use kakugo::database::{Importer, MergeRule, MergeTally, Record, Store, Subtree};
use kakugo::rules::{Rule, RuleKind};
use rand::Rng;
use tempfile::{TempDir, tempdir};

use crate::database::positions::{random_board, random_record, random_terms, rng, symmetric_board};
use crate::database::{content_of, create};

const TERMS: ImportOptions = ImportOptions::new(RuleKind::Freestyle, Size::square(15).unwrap());

/// A database with all kinds of records.
fn filled(seed: u64) -> (TempDir, Store) {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let mut rng = rng(seed);
    let mut importer = Importer::new(&store, MergeRule::default());
    for round in 0..300 {
        let (rule, size) = random_terms(&mut rng);
        let moves = rng.random_range(0..30);
        let board = if round % 4 == 0 {
            symmetric_board(&mut rng, size)
        } else {
            random_board(&mut rng, size, moves)
        };
        importer.add(&board, rule, random_record(&mut rng, &board)).unwrap();
    }
    importer.finish().unwrap();
    (folder, store)
}

fn export_all(store: &Store, format: Format, path: &Path) -> Exported {
    export(format, &store.reader().unwrap(), &Scope::default(), path, &mut ()).unwrap()
}

fn import_new(folder: &TempDir, format: Format, source: &Path) -> (Store, Result<MergeTally, TransferError>) {
    let store = create(folder, "new.kdb");
    let result =
        import(format, source, TERMS, Importer::new(&store, MergeRule::default()).with_batch(2), &mut ());
    (store, result.map(|imported| imported.positions))
}

#[test]
fn csv_and_databases_keep_everything() {
    let (folder, store) = filled(60);
    for format in [Format::Csv, Format::Database] {
        let path = folder.path().join(format!("b.{format}"));
        assert_eq!(Format::of_path(&path), Ok(format));
        assert_eq!(
            export_all(&store, format, &path),
            Exported { written: 300.min(content_of(&store).len() as u64), left_out: 0 }
        );
        let (back, result) = import_new(&folder, format, &path);
        assert_eq!(result.unwrap().added, content_of(&store).len() as u64);
        assert_eq!(content_of(&back), content_of(&store), "{format}");
        drop(back);
        fs::remove_file(folder.path().join("new.kdb")).unwrap();
    }
    let again = export(
        Format::Database,
        &store.reader().unwrap(),
        &Scope::default(),
        &folder.path().join("b.kdb"),
        &mut (),
    );
    assert!(again.unwrap_err().to_string().contains("the file exists already"));
}

#[test]
fn the_table_of_yixin_keeps_what_it_has_a_place_for() {
    let (folder, store) = filled(61);
    let path = folder.path().join("b.txt");
    let exported = export_all(&store, Format::Yixin, &path);
    let (back, result) = import_new(&folder, Format::Yixin, &path);
    result.unwrap();
    let mut expected = content_of(&store);
    expected.retain(|(key, _)| key[0] < 8);
    assert_eq!(exported.written, expected.len() as u64);
    assert_eq!(exported.left_out, (content_of(&store).len() - expected.len()) as u64);
    for (_, record) in &mut expected {
        *record = Record {
            games: Default::default(),
            best_move: None,
            is_marked: false,
            is_start: false,
            ..record.clone()
        };
        // The texts of points contain no blanks.
        for text in record.point_texts.values_mut() {
            text.retain(|c| !c.is_whitespace());
        }
    }
    assert_eq!(content_of(&back), expected);
}

#[test]
fn importing_an_export_again_changes_nothing() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let board = random_board(&mut rng(64), Size::default(), 9);
    let point = board.empty().iter().next().unwrap();
    let point_texts = [(point, "see I7\nor J8".to_owned())].into();
    let record = Record { text: "one\r\ntwo".to_owned(), point_texts, ..Record::default() };
    let mut importer = Importer::new(&store, MergeRule::default());
    importer.add(&board, RuleKind::Renju.into(), record).unwrap();
    importer.finish().unwrap();
    let before = content_of(&store);
    for format in [Format::Yixin, Format::Rapfi, Format::Csv, Format::Library] {
        for _ in 0..2 {
            let path = folder.path().join(format!("b.{format}"));
            export_all(&store, format, &path);
            let importer = Importer::new(&store, MergeRule::default());
            let options = ImportOptions { rule: RuleKind::Renju, ..TERMS };
            let imported = import(format, &path, options, importer, &mut ()).unwrap();
            assert_eq!(imported.positions.changed, 0, "{format}");
        }
    }
    let after = content_of(&store);
    assert!(before.iter().all(|entry| after.contains(entry)), "a library adds the positions on the way");
}

#[test]
fn an_export_has_the_positions_of_its_scope() {
    let (folder, store) = filled(62);
    let reader = store.reader().unwrap();
    let count = |scope: Scope| {
        let path = folder.path().join("b.csv");
        let exported = export(Format::Csv, &reader, &scope, &path, &mut ()).unwrap();
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(exported.written, lines as u64 - 1, "a line for each position, and the header");
        exported.written
    };
    let all = count(Scope::default());
    let by_rule: u64 =
        RuleKind::ALL.iter().map(|&rule| count(Scope { rule: Some(rule), ..Scope::default() })).sum();
    assert_eq!(by_rule, all);
    let size = Some(Size::default());
    let of_size = count(Scope { size, ..Scope::default() });
    assert!(0 < of_size && of_size < all);
    let rule = Rule::from(RuleKind::Renju);
    let root = kakugo::board::Board::new(Size::default());
    let black_begins = Subtree::of(&root, rule).unwrap();
    let tree = count(Scope { subtree: Some(black_begins), ..Scope::default() });
    assert!(0 < tree && tree <= count(Scope { rule: Some(rule.kind), size, subtree: None }));
}

#[test]
fn wrong_lines_are_told_and_what_came_before_stays() {
    let folder = tempdir().unwrap();
    let source: PathBuf = folder.path().join("a");
    let says = |format: Format, text: &[u8]| {
        fs::write(&source, text).unwrap();
        let (store, result) = import_new(&folder, format, &source);
        let kept = content_of(&store).len();
        drop(store);
        fs::remove_file(folder.path().join("new.kdb")).unwrap();
        (result.unwrap_err().to_string(), kept)
    };
    let csv = |lines: &str| says(Format::Csv, format!("position,rule,label\n{lines}").as_bytes());
    let good = "5/5/2X2/5/5,renju,win\n5/5/2XO1/5/5,renju,\n5/4X/2XO1/5/5,renju,loss\n";
    let (said, kept) = csv(&format!("{good}5/5/2Y2/5/5,renju,win\n"));
    assert_eq!(
        (said.as_str(), kept),
        ("line 5: position: 'Y' is not a valid FEN character", 2),
        "a batch of two"
    );
    assert_eq!(csv("5/5/2X2/5/5,chess,win\n").0.split(';').next(), Some("line 2: rule: no such rule"));
    assert!(csv("5/5/2X2/5/5,renju,won\n").0.starts_with("line 2: label: a label must be none, win"));
    assert!(csv("5/5/2X2/4#/5,renju,win\n").0.starts_with("line 2: position: positions with blocked points"));
    assert_eq!(csv("5/5/2X2/5/5,renju\n").0, "line 2: it has 2 fields, the first line 3");
    assert_eq!(csv(&format!("{good}  \nrenju\n")).0, "line 6: it has 1 field, the first line 3");
    assert_eq!(says(Format::Csv, b"rule,position\nrenju,\xff\n").0, "line 2: it is not a text in UTF-8");
    assert!(
        says(Format::Csv, b"rule,fen\n")
            .0
            .starts_with("line 1: 'fen' is not a column or occurs twice; columns: rule,")
    );
    assert!(says(Format::Csv, b"").0.contains("rule and position are required"));
    let open = format!("5/5/2X2/5/5,renju,win\n5/5/2X2/5/5,\"renju,{}", "x,\n".repeat(2 << 20));
    assert!(csv(&open).0.contains("an unclosed quote"));
    assert!(csv(&open).0.starts_with("line 3: a position is too long"), "{}", csv(&open).0);
    let of_windows = "position,rule,label\r\n5/5/2X2/5/5,renju,\r\n5/5/2X2/5/5,renju\r\n";
    assert_eq!(says(Format::Csv, of_windows.as_bytes()).0, "line 3: it has 2 fields, the first line 3");
    for (line_end, text) in [("\n", "\"one\ntwo\""), ("\r\n", "\"one\r\ntwo\"")] {
        let lines =
            ["", "position,rule,text", "", &format!("5/5/2X2/5/5,renju,{text}"), "", "5/5/2X2/5/5,renju"];
        let table = lines.join(line_end);
        assert_eq!(says(Format::Csv, table.as_bytes()).0, "line 7: it has 2 fields, the first line 3");
    }
    assert!(says(Format::Csv, b"\n\nrule,fen\n").0.starts_with("line 3: 'fen' is not a column"));
    assert_eq!(says(Format::Csv, b"rule,position\n\nrenju,\xff\n").0, "line 3: it is not a text in UTF-8");
    let yixin = |line: &str| {
        says(Format::Yixin, format!("index,key,label,value,depth,bound,text\n\r\n{line}").as_bytes())
    };
    assert_eq!(yixin("0,r-15-15-h8--w,w,0,0,exact,text").0, "line 3: the text is not in quotes");
    assert!(says(Format::Yixin, b"index;key\n").0.starts_with("line 1: the first line is not 'index,key,"));
    let long = format!("0,r-15-15-h8--w,w,0,0,exact,\"{}\"", "x".repeat(5 << 20));
    assert_eq!(yixin(&long).0, "line 3: it is too long for a position");
    let text = "x".repeat((1 << 20) + 1);
    let long_text = "the texts of a position have more than 1048576 bytes";
    assert_eq!(yixin(&format!("0,r-15-15-h8--w,w,0,0,exact,\"{text}\"")).0, format!("line 3: {long_text}"));
    let (said, kept) =
        says(Format::Csv, format!("rule,position,text\nrenju,5/5/2X2/5/5,{text}\n").as_bytes());
    assert_eq!((said, kept), (format!("line 2: {long_text}"), 0));
    assert_eq!(says(Format::Database, b"no database").0, "it is not a position database");
}

#[test]
fn a_suite_of_positions_has_no_games_to_import() {
    let folder = tempdir().unwrap();
    let source = folder.path().join("suite.jsonl");
    for line in ["{\"fen\":\"5/5/2X2/5/5\",\"best\":[\"c4\"]}", "{\"id\":\"a\",\"fen\":\"5/5/5/5/5\"}"] {
        fs::write(&source, line.to_owned() + "\n").unwrap();
        let store = create(&folder, "suite.kdb");
        let importer = Importer::new(&store, MergeRule::default());
        let games = import(Format::Results, &source, TERMS, importer, &mut ()).unwrap().games.unwrap();
        assert_eq!((games.read, games.other_lines, content_of(&store).len()), (0, 1, 0));
    }
}

#[test]
fn random_texts_are_refused_and_never_end_the_program() {
    let folder = tempdir().unwrap();
    let source = folder.path().join("a");
    let store = create(&folder, "a.kdb");
    let mut rng = rng(63);
    let lines = [
        "index,key,label,value,depth,bound,text\n0,r-15-15-h8i9-h9-w,w,-29990,0,exact,\"@BTXT@77a\\b c\"\n",
        "rule,position,label,value,depth,bound,won,drawn,lost,best_move,marks,text,point_texts\n\
         renju,5/5/2XO1/5/5,win,1,2,exact,1,2,3,a1,marked,t,a1=b|c2=d\n",
    ];
    for round in 0..4000 {
        let mut bytes = lines[round % 2].as_bytes().to_vec();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[at] = rng.random(),
                1 => bytes.insert(at, b"-,\\\"|=\n09az"[rng.random_range(0..11)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        fs::write(&source, &bytes).unwrap();
        let format = if round % 2 == 0 { Format::Yixin } else { Format::Csv };
        let importer = Importer::new(&store, MergeRule::default()).with_batch(usize::MAX);
        if let Err(error) = import(format, &source, TERMS, importer, &mut ()) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
    let sound = kakugo::database::count_damaged(&store.reader().unwrap(), &mut ()).unwrap();
    assert_eq!(sound, 0);
}
