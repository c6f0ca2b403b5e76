//! Databases of Rapfi: keys as Rapfi looks them up, code pages, and in [`damage`] files that are damaged in any way.

mod damage;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use kakugo::board::notation::parse_fen;
use kakugo::board::{Board, Color, Point, Size, Symmetry};
use kakugo::database::format::{
    Exported, Format, ImportOptions, Imported, Scope, TransferError, export, import,
};
use kakugo::database::{Importer, Label, MergeRule, Record, Store, query_one};
use kakugo::files::CodePage;
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;
use lz4_flex::frame::{FrameDecoder, FrameEncoder, FrameInfo};
use rand::Rng;
use tempfile::tempdir;

use crate::database::positions::{random_board, random_record, random_terms, rng, symmetric_board};
use crate::database::{content_of, create};

const OPTIONS: ImportOptions = ImportOptions::new(RuleKind::Freestyle, Size::square(15).unwrap());
const UTF_8: &[u8] = b"\0\0\0\0\0charset=\"UTF-8\"";
const NO_DATA: &[u8] = b"\xff";

/// A file without compression; an empty key has no data.
fn raw(records: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut bytes = (records.len() as u32).to_le_bytes().to_vec();
    for (key, data) in records {
        let parts = if key.is_empty() { vec![key] } else { vec![key, data] };
        for part in parts {
            bytes.extend((part.len() as u16).to_le_bytes());
            bytes.extend(*part);
        }
    }
    bytes
}

fn in_frame(bytes: &[u8]) -> Vec<u8> {
    let checked = FrameInfo::new().content_checksum(true);
    let mut frame = FrameEncoder::with_frame_info(checked, Vec::new());
    frame.write_all(bytes).unwrap();
    frame.finish().unwrap()
}

fn read_with(store: &Store, path: &Path, options: ImportOptions) -> Result<Imported, TransferError> {
    let importer = Importer::new(store, MergeRule::default()).with_batch(1);
    import(Format::Rapfi, path, options, importer, &mut ())
}

fn read(store: &Store, bytes: &[u8]) -> Result<Imported, TransferError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    read_with(store, file.path(), OPTIONS)
}

fn record_of(store: &Store, fen: &str, rule: RuleKind) -> Option<Record> {
    query_one(&store.reader().unwrap(), &parse_fen(fen).unwrap(), rule.into()).unwrap()
}

/// Key and data.
type Parts = (Vec<u8>, Vec<u8>);

/// The records of an exported file.
fn written(store: &Store, path: &Path) -> (Vec<Parts>, Exported) {
    let reader = store.reader().unwrap();
    let exported = export(Format::Rapfi, &reader, &Scope::default(), path, &mut ()).unwrap();
    let mut bytes = Vec::new();
    FrameDecoder::new(&fs::read(path).unwrap()[..]).read_to_end(&mut bytes).unwrap();
    let mut rest = &bytes[4..];
    let mut part = || {
        let (length, after) = rest.split_at_checked(2)?;
        let (part, after) = after.split_at(u16::from_le_bytes(length.try_into().unwrap()).into());
        rest = after;
        Some(part.to_vec())
    };
    let mut records = Vec::new();
    while let (Some(key), Some(data)) = (part(), part()) {
        records.push((key, data));
    }
    assert_eq!(records.len(), u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize);
    assert_eq!(records.remove(0), (vec![0, 0, 0], UTF_8.to_vec()));
    assert_eq!(records.len() as u64, exported.written);
    (records, exported)
}

#[test]
fn a_file_of_rapfi_is_read() {
    let text = b"\x77\xd0\x8a\x31\0@BTXT@77a\nEE!\n\x08first\x08second";
    let bytes = raw(&[
        (&[0, 0, 0], UTF_8),
        (&[2, 15, 15, 7, 6, 7, 7, 8, 7], text),
        (&[], &[]),
        (&[0, 15, 15, 7, 7, 8, 8, 0xff, 0xff], &[]),
        (&[0, 15, 15, 7, 7, 0xff, 0xff, 8, 8], NO_DATA),
        (&[1, 15, 15, 7, 7], b"D"),
        (&[1, 6, 5, 5, 4], &[b'!', 5, 0, 0x2d, 0]),
        (&[0, 15, 15], "\u{1}\u{0}\u{0}\u{0}\u{0}ход\u{0}".replace('\u{1}', "?").as_bytes()),
    ]);
    let folder = tempdir().unwrap();
    for (name, bytes) in [("raw.kdb", bytes.clone()), ("frame.kdb", in_frame(&bytes))] {
        let store = create(&folder, name);
        let imported = read(&store, &bytes).unwrap();
        assert_eq!((imported.positions.added, imported.left_out), (6, 0));
        let renju = |fen: &str| record_of(&store, fen, RuleKind::Renju);
        // Black's last move wins, so white, who is to move, loses.
        let record = renju("15/15/15/15/15/15/7X7/7XO6/15/15/15/15/15/15/15").unwrap();
        assert_eq!((record.label, record.value, record.depth), (Label::Loss, -30_000, 12));
        assert_eq!((record.bound, record.text.as_str()), (Bound::Upper, "first\nsecond"));
        let texts: Vec<(Point, &str)> =
            record.point_texts.iter().map(|(&point, text)| (point, text.as_str())).collect();
        assert_eq!(texts, [(Point::new(7, 7), "a"), (Point::new(14, 14), "!")]);
        let freestyle = |fen: &str| record_of(&store, fen, RuleKind::Freestyle);
        let two = "15/15/15/15/15/15/15/7X7/8O6/15/15/15/15/15/15";
        assert_eq!(freestyle(&format!("{two} w")), Some(Record::default()));
        let pair = freestyle("15/15/15/15/15/15/15/7X7/8X6/15/15/15/15/15/15 w");
        assert_eq!(pair, Some(Record::default()));
        let root = freestyle("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15").unwrap();
        assert_eq!((root.label, root.text.as_str()), (Label::Other(b'?'), "ход"));
        let standard = |fen: &str| record_of(&store, fen, RuleKind::Standard).unwrap();
        assert_eq!(standard("15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15").label, Label::Draw);
        let corner = standard("6/6/6/6/5X");
        assert_eq!((corner.label, corner.value), (Label::Forced, 5));
        assert_eq!((corner.depth, corner.bound), (11, Bound::Upper));
    }
}

/// The key that Rapfi looks a position up by: the least of its images, stones by column, then row.
fn key_of_rapfi(board: &Board, rule: u8) -> Vec<u8> {
    let size = board.size();
    let images = Symmetry::of(size).map(|symmetry| {
        Color::ALL.map(|color| -> BTreeSet<[u8; 2]> {
            let turned = board.stones(color).iter().map(|point| symmetry.apply(point, size));
            turned.map(|point| [point.x(), point.y()]).collect()
        })
    });
    let least = images.min().unwrap();
    let stones = least.iter().flatten().flatten().copied();
    [rule, size.width(), size.height()].into_iter().chain(stones).collect()
}

#[test]
fn written_keys_are_the_least_of_all_images() {
    let (folder, mut rng) = (tempdir().unwrap(), rng(91));
    let path = folder.path().join("a.db");
    for round in 0..40 {
        let size = Size::square([15, 15, 6, 20][round % 4]).unwrap();
        let moves = rng.random_range(0..size.area() / 2);
        let board = random_board(&mut rng, size, moves);
        let keys: Vec<Vec<u8>> = Symmetry::of(size)
            .map(|symmetry| {
                let mut image = Board::new(size);
                for color in Color::ALL {
                    let stones = board.stones(color).iter();
                    stones.for_each(|point| image.set_up(color, symmetry.apply(point, size)));
                }
                image.set_side_to_move(board.side_to_move());
                let store = Store::in_memory().unwrap();
                let mut importer = Importer::new(&store, MergeRule::default());
                importer.add(&image, RuleKind::Renju.into(), Record::default()).unwrap();
                importer.finish().unwrap();
                written(&store, &path).0.remove(0).0
            })
            .collect();
        assert_eq!(keys, vec![key_of_rapfi(&board, 2); 8]);
    }
}

#[test]
fn the_first_of_equivalent_points_by_row_has_the_text() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let mut importer = Importer::new(&store, MergeRule::default());
    // Symmetric with respect to the column of its stones.
    let board = parse_fen("15/15/15/15/15/15/15/7X7/7O7/15/15/15/15/15/15").unwrap();
    let text = |x, y| Record {
        point_texts: [(Point::new(x, y), "a".to_owned())].into_iter().collect(),
        ..Record::default()
    };
    importer.add(&board, Rule::default(), text(9, 5)).unwrap();
    importer.finish().unwrap();
    let (records, _) = written(&store, &folder.path().join("a.db"));
    // The least key has white on the left of black: (6, 7) and (7, 7), so that rows are mirrored.
    assert_eq!(records[0].0, [0, 15, 15, 7, 7, 6, 7]);
    assert_eq!(records[0].1, b"\xff\0\0\0\0@BTXT@95a\n");
}

#[test]
fn a_database_of_rapfi_keeps_what_it_has_a_place_for() {
    let folder = tempdir().unwrap();
    let (store, mut rng) = (create(&folder, "a.kdb"), rng(92));
    let mut importer = Importer::new(&store, MergeRule::default());
    for round in 0..300 {
        let (rule, size) = random_terms(&mut rng);
        let moves = rng.random_range(0..30);
        let mut board = random_board(&mut rng, size, moves);
        match round % 8 {
            0 => board = symmetric_board(&mut rng, size),
            1 => board.set_side_to_move(!board.side_to_move()),
            _ => {}
        }
        importer.add(&board, rule, random_record(&mut rng, &board)).unwrap();
    }
    importer.finish().unwrap();
    let path = folder.path().join("a.db");
    assert_eq!(Format::of_path(&path), Ok(Format::Rapfi));
    let (records, exported) = written(&store, &path);
    let mut expected = content_of(&store);
    expected.retain(|(key, _)| {
        let key = kakugo::database::Key::from_bytes(key).unwrap();
        let white = key.stone_count() - key.black_count();
        let is_known = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju].contains(&key.rule());
        is_known && [white, white + 1].contains(&key.black_count())
    });
    assert_eq!(records.len(), expected.len());
    assert_eq!(exported.left_out as usize, content_of(&store).len() - expected.len());
    assert!(exported.left_out > 50 && exported.written > 100, "{exported:?}");
    for (_, record) in &mut expected {
        let Record { label, value, depth, bound, text, point_texts, .. } = std::mem::take(record);
        *record = Record { label, value, depth, bound, text, point_texts, ..Record::default() };
        // The texts of points contain no blanks.
        record.point_texts.values_mut().for_each(|text| text.retain(|c| !c.is_whitespace()));
    }
    let other = create(&folder, "b.kdb");
    let imported = read_with(&other, &path, OPTIONS).unwrap();
    assert_eq!((imported.positions.added, imported.left_out), (exported.written, 0));
    assert_eq!(content_of(&other), expected);
}

#[test]
fn depths_and_texts_beyond_the_format_are_cut_or_left_out() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let mut importer = Importer::new(&store, MergeRule::default());
    let rule = Rule::default();
    let deep = Record { depth: i16::MAX, bound: Bound::Exact, value: 1, ..Record::default() };
    importer.add(&Board::new(Size::default()), rule, deep).unwrap();
    for (side, length) in [(9, 65_530), (10, 65_531)] {
        let long = Record { text: "x".repeat(length), ..Record::default() };
        importer.add(&Board::new(Size::square(side).unwrap()), rule, long).unwrap();
    }
    importer.finish().unwrap();
    let path = folder.path().join("a.db");
    let (_, exported) = written(&store, &path);
    assert_eq!(exported, Exported { written: 2, left_out: 1 });
    let other = create(&folder, "b.kdb");
    read_with(&other, &path, OPTIONS).unwrap();
    let records: Vec<Record> = content_of(&other).into_iter().map(|(_, record)| record).collect();
    assert_eq!(records[0].text.len(), 65_530);
    assert_eq!((records[1].depth, records[1].bound), (8191, Bound::Exact));
}

#[test]
fn texts_without_a_label_are_read_in_the_detected_or_the_given_code_page() {
    let text = "黑棋必胜，白棋无法防守，这个局面非常好";
    let gbk = CodePage::of_label("gbk").unwrap().encode(text).unwrap().into_owned();
    let data = [b"\xff\0\0\0\0", &gbk[..]].concat();
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut number = 0;
    let mut read_text = |records: &[(&[u8], &[u8])], encoding: Option<&str>| {
        number += 1;
        let store = create(&folder, &format!("{number}.kdb"));
        fs::write(&path, raw(records)).unwrap();
        let encoding = encoding.map(|name| CodePage::of_label(name).unwrap());
        read_with(&store, &path, ImportOptions { encoding, ..OPTIONS }).unwrap();
        content_of(&store).remove(0).1.text
    };
    let key: &[u8] = &[0, 15, 15, 7, 7];
    let in_utf_8 = [b"\xff\0\0\0\0", text.as_bytes()].concat();
    assert_eq!(read_text(&[(key, &data)], None), text);
    assert_eq!(read_text(&[(key, &data)], Some("gbk")), text);
    assert_ne!(read_text(&[(key, &data)], Some("shift_jis")), text);
    assert_eq!(read_text(&[(&[0, 0, 0], UTF_8), (key, &in_utf_8)], None), text);
    assert_eq!(read_text(&[(&[0, 0, 0], UTF_8), (key, &in_utf_8)], Some("gbk")), text);
}

#[test]
fn positions_that_a_database_cannot_store_are_counted() {
    let folder = tempdir().unwrap();
    let store = create(&folder, "a.kdb");
    let bytes = raw(&[
        (&[3, 15, 15, 7, 7], NO_DATA),
        (&[0, 4, 15, 1, 7], NO_DATA),
        (&[0, 15, 23, 7, 7], NO_DATA),
        (&[0, 15, 15, 7, 7, 7, 7], NO_DATA),
        (&[0, 15, 15, 7, 7], b","),
        (&[0, 15, 15, 7, 7], b"w"),
    ]);
    let imported = read(&store, &bytes).unwrap();
    assert_eq!((imported.positions.added, imported.left_out), (1, 5));
}
