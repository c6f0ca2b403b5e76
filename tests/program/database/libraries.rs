//! RenLib libraries: a database is exported and imported again, and everything that a library cannot store is
//! reported.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use kakugo::board::notation::{parse_fen, parse_moves};
use kakugo::board::{Board, Point, Size};
use kakugo::database::format::{
    Exported, Format, ImportOptions, Imported, Scope, TransferError, export, import,
};
use kakugo::database::renlib::{self, Builder, CodePage, Entry, Library, Line, Positions};
use kakugo::database::{Canonical, Importer, Label, MergeRule, Record, Store, Subtree, query, query_one};
use kakugo::rules::RuleKind;
use kakugo::think::Bound;
use rand::Rng;
use tempfile::{TempDir, tempdir};

use crate::database::positions::{random_moves, random_record, rng};
use crate::database::{Content, board, content_of, create};

const RULE: RuleKind = RuleKind::Renju;

fn base(folder: &TempDir, name: &str, entries: &[(Board, RuleKind, Record)]) -> Store {
    let store = create(folder, name);
    let mut importer = Importer::new(&store, MergeRule::default());
    for (board, rule, record) in entries {
        importer.add(board, (*rule).into(), record.clone()).unwrap();
    }
    importer.finish().unwrap();
    store
}

fn write(store: &Store, path: &Path, scope: &Scope) -> Result<Exported, TransferError> {
    export(Format::Library, &store.reader().unwrap(), scope, path, &mut ())
}

fn read(folder: &TempDir, name: &str, path: &Path) -> (Store, Result<Imported, TransferError>) {
    let store = create(folder, name);
    let importer = Importer::new(&store, MergeRule::default());
    let result = import(Format::Library, path, ImportOptions::new(RULE, Size::default()), importer, &mut ());
    (store, result)
}

/// The part of a stored position that a library can store: texts and marks, and labels as texts if there is
/// no other text.
fn held(store: &Store, board: &Board, record: &Record) -> Record {
    let answer = query(&store.reader().unwrap(), board, RULE.into()).unwrap();
    let mut point_texts = record.point_texts.clone();
    for found in answer.moves {
        let Some(next) = found.record.filter(|next| found.text.is_none() && next.label != Label::None) else {
            continue;
        };
        let steps = next.steps().map_or(String::new(), |steps| (steps + 1).to_string());
        let shown = format!("{}{steps}", next.label.of_move().to_char());
        let position = Canonical::of(board, RULE.into()).unwrap();
        point_texts.insert(position.stored(found.point), shown);
    }
    let Record { is_marked, is_start, text, .. } = record.clone();
    Record { is_marked, is_start, text, point_texts, ..Record::default() }
}

/// Positions of games from a few openings, so that many coincide, by transpositions and as images.
fn entries(seed: u64, games: usize) -> Vec<(Board, RuleKind, Record)> {
    let mut rng = rng(seed);
    let mut entries = vec![];
    for _ in 0..games {
        let mut board = Board::new(Size::default());
        let mut moves = parse_moves("h8", Size::default()).unwrap();
        let near = parse_moves("g7h7i7g8i8g9h9i9", Size::default()).unwrap();
        for _ in 0..5 {
            moves.push(near[rng.random_range(0..near.len())]);
        }
        moves.extend(random_moves(&mut rng, Size::default(), 6));
        for point in moves {
            if board.is_empty(point) {
                board.play(point);
                entries.push((board.clone(), RULE, random_record(&mut rng, &board)));
            }
        }
    }
    entries
}

#[test]
fn a_database_comes_back_from_a_library() {
    let folder = tempdir().unwrap();
    let store = base(&folder, "a.kdb", &entries(80, 60));
    let path = folder.path().join("a.lib");
    let expected = content_of(&store);
    let exported = write(&store, &path, &Scope::default()).unwrap();
    assert_eq!(exported, Exported { written: expected.len() as u64, left_out: 0 });
    let library = renlib::read(&fs::read(&path).unwrap()).unwrap();
    assert!(Positions::of(&library).advance().is_some());
    let (back, imported) = read(&folder, "b.kdb", &path);
    assert_eq!(imported.unwrap().left_out, 0);
    let found = content_of(&back);
    let keys = |content: &Content| content.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&found), keys(&expected), "each position, and no other");
    let reader = store.reader().unwrap();
    let entries = reader.entries().unwrap().map(Result::unwrap);
    for ((key, record), (_, found)) in entries.zip(found) {
        let held = held(&store, &key.board(), &record);
        assert_eq!(found, held, "{:?}", key.board());
    }
    // The second time everything is known.
    let again = folder.path().join("b.lib");
    write(&back, &again, &Scope::default()).unwrap();
    assert_eq!(fs::read(&again).unwrap(), fs::read(&path).unwrap());
}

#[test]
fn each_position_stands_once_unless_its_way_is_not_stored() {
    let folder = tempdir().unwrap();
    let marked = |moves: &str, text: &str| {
        (board(moves), RULE, Record { text: text.to_owned(), is_marked: true, ..Record::default() })
    };
    // Two orders of moves and an image; then a position that no stored position leads to.
    let all = [
        marked("h8", "one"),
        marked("h8i9", "two"),
        marked("h8i9j10", "three"),
        marked("j10", "other"),
        marked("j10i9", "meets"),
        marked("a1b1c1d1e1", "far"),
    ];
    let store = base(&folder, "a.kdb", &all);
    let path = folder.path().join("a.lib");
    assert_eq!(write(&store, &path, &Scope::default()).unwrap(), Exported { written: 6, left_out: 0 });
    let library = renlib::read(&fs::read(&path).unwrap()).unwrap();
    let code_page = library.code_page();
    let mut positions = Positions::of(&library);
    let mut seen: HashMap<Vec<Option<Point>>, String> = HashMap::new();
    let mut comments = Vec::new();
    while let Some(visit) = positions.advance() {
        let line = Line::of(visit, &positions, code_page);
        assert!(visit.earlier.is_none(), "each once");
        if !line.comment.is_empty() {
            comments.push(line.comment.clone());
        }
        seen.insert(line.moves, line.comment);
    }
    comments.sort();
    assert_eq!(comments, ["far", "meets", "one", "other", "three", "two"]);
    assert_eq!(seen.len(), 1 + 6 + 4, "the root, and four moves on the way to the last");
}

#[test]
fn a_label_is_shown_on_the_way_if_no_exported_position_leads_to_it() {
    let folder = tempdir().unwrap();
    let labelled = |moves: &str| (board(moves), RULE, Record { label: Label::Win, ..Record::default() });
    let known = |moves: &str| (board(moves), RULE, Record::default());
    // Without a predecessor, the stones are played in the order of the key.
    let alone = base(&folder, "a.kdb", &[labelled("h8i9j10")]);
    let below = base(&folder, "b.kdb", &[known("h8"), known("h8i9"), labelled("h8i9j10")]);
    let subtree = Subtree::of(&board("h8i9j10"), RULE.into()).unwrap();
    let scope = Scope { subtree: Some(subtree), ..Scope::default() };
    for (number, (store, scope, before, last)) in
        [(alone, Scope::default(), "j10i9", "h8"), (below, scope, "h8i9", "j10")].into_iter().enumerate()
    {
        let path = folder.path().join("a.lib");
        assert_eq!(write(&store, &path, &scope).unwrap(), Exported { written: 1, left_out: 0 });
        let (back, imported) = read(&folder, &format!("back-{number}.kdb"), &path);
        assert_eq!(imported.unwrap().positions.added, 3, "the two on the way too");
        let record = query_one(&back.reader().unwrap(), &board(before), RULE.into()).unwrap().unwrap();
        let texts: Vec<(Point, String)> = record.point_texts.into_iter().collect();
        assert_eq!(texts, [(parse_moves(last, Size::default()).unwrap()[0], "l".to_owned())]);
    }
}

#[test]
fn a_subtree_comes_behind_the_stored_moves_to_it() {
    let folder = tempdir().unwrap();
    let known = |moves: &str| (board(moves), RULE, Record { is_marked: true, ..Record::default() });
    // Another order of moves also leads to the third one.
    let all = ["j10", "j10i9", "h8", "h8i9", "h8i9j10", "h8i9j10a1", "h8i9c3"].map(known);
    let store = base(&folder, "a.kdb", &all);
    let (root, path) = (board("h8i9"), folder.path().join("a.lib"));
    let scope = Scope { subtree: Some(Subtree::of(&root, RULE.into()).unwrap()), ..Scope::default() };
    assert_eq!(write(&store, &path, &scope).unwrap(), Exported { written: 4, left_out: 0 });
    let (back, _) = read(&folder, "b.kdb", &path);
    let expected = ["h8", "h8i9", "h8i9j10", "h8i9j10a1", "h8i9c3"].map(|moves| {
        let is_marked = moves != "h8";
        (board(moves), RULE, Record { is_marked, ..Record::default() })
    });
    assert_eq!(
        content_of(&back),
        content_of(&base(&folder, "c.kdb", &expected)),
        "and h8, which is on the way"
    );
}

#[test]
fn what_a_library_cannot_hold_is_left_out_and_counted() {
    let folder = tempdir().unwrap();
    let mut rng = rng(82);
    let mut all = entries(83, 3);
    let kept = base(&folder, "kept.kdb", &all);
    let nine = Size::square(9).unwrap();
    for _ in 0..4 {
        let board = Board::of_moves(nine, &random_moves(&mut rng, nine, 3));
        // Also with another rule: it is skipped before the rule matters.
        all.push((board, RuleKind::Standard, Record::default()));
    }
    // Stones that cannot have been played in turn, and stones after which the other side is to move.
    all.push((
        parse_fen("15/15/15/15/15/15/15/6XXX6/15/15/15/15/15/15/15").unwrap(),
        RULE,
        Record::default(),
    ));
    let mut turned = board("h8i9");
    turned.set_side_to_move(kakugo::board::Color::White);
    all.push((turned, RULE, Record::default()));
    // A text that ends halfway.
    let text = "a\0b".to_owned();
    all.push((board("a1"), RULE, Record { text, ..Record::default() }));
    let store = base(&folder, "a.kdb", &all);
    let others = content_of(&store).len() - content_of(&kept).len();
    let path = folder.path().join("a.lib");
    let exported = write(&store, &path, &Scope::default()).unwrap();
    let written = content_of(&kept).len() as u64;
    assert_eq!(exported, Exported { written, left_out: others as u64 });
    let (back, _) = read(&folder, "b.kdb", &path);
    assert_eq!(content_of(&back).len() as u64, written);
}

#[test]
fn rules_do_not_mix_in_a_library() {
    let folder = tempdir().unwrap();
    let mut all = entries(84, 2);
    all.push((board("h8"), RuleKind::Freestyle, Record::default()));
    let store = base(&folder, "a.kdb", &all);
    let path = folder.path().join("a.lib");
    fs::write(&path, "what was there").unwrap();
    let said = write(&store, &path, &Scope::default()).unwrap_err().to_string();
    assert_eq!(said, "a library holds positions of one rule: specify the rule");
    assert_eq!(fs::read(&path).unwrap(), b"what was there");
    let of = |rule| Scope { rule: Some(rule), ..Scope::default() };
    assert_eq!(write(&store, &path, &of(RuleKind::Freestyle)).unwrap().written, 1);
    assert_eq!(write(&store, &path, &of(RULE)).unwrap().written, content_of(&store).len() as u64 - 1);
    assert_eq!(write(&store, &path, &of(RuleKind::Caro)).unwrap(), Exported::default());
    let empty = renlib::read(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(empty.node_count(), 1);
}

#[test]
fn passes_and_moves_onto_stones_are_left_out_and_counted() {
    let folder = tempdir().unwrap();
    let mut builder = Builder::new(CodePage::UTF_8);
    let points = parse_moves("h8i9j10", Size::default()).unwrap();
    let line = |moves: &[Option<Point>], comment: &str| Line {
        moves: moves.to_vec(),
        comment: comment.to_owned(),
        ..Line::default()
    };
    let [h8, i9, j10] = [points[0], points[1], points[2]].map(Some);
    builder.add(&line(&[h8, i9], "kept")).unwrap();
    builder.add(&line(&[h8, None], "a pass")).unwrap();
    builder.add(&line(&[h8, None, j10], "behind it")).unwrap();
    builder.add(&line(&[j10, i9], "an image")).unwrap();
    let mut library: Library = builder.finish();
    let first = library.first_child(Library::ROOT).unwrap();
    let onto = library.entry(first).unwrap();
    assert!(matches!(onto, Entry::Move(_)));
    let second = library.first_child(first).unwrap();
    library.add_child(second, onto);
    let path = folder.path().join("a.lib");
    fs::write(&path, renlib::to_bytes(&library)).unwrap();
    let (store, imported) = read(&folder, "a.kdb", &path);
    let imported = imported.unwrap();
    assert_eq!((imported.positions.read, imported.left_out), (4, 3));
    let text = |moves| query_one(&store.reader().unwrap(), &board(moves), RULE.into()).unwrap().unwrap().text;
    assert_eq!((text("h8i9"), text("j10i9")), ("kept".to_owned(), "an image".to_owned()));
}

#[test]
fn a_damaged_library_imports_nothing() {
    let folder = tempdir().unwrap();
    let store = base(&folder, "a.kdb", &entries(85, 5));
    let path = folder.path().join("a.lib");
    write(&store, &path, &Scope::default()).unwrap();
    let bytes = fs::read(&path).unwrap();
    for (name, bytes) in [("cut", &bytes[..bytes.len() - 40]), ("none", b"no library"), ("empty", b"")] {
        fs::write(&path, bytes).unwrap();
        let (store, result) = read(&folder, name, &path);
        let said = result.unwrap_err().to_string();
        assert_eq!((said.lines().count(), content_of(&store).len()), (1, 0), "{name}: {said}");
    }
    let nine = ImportOptions::new(RULE, Size::square(9).unwrap());
    let importer = Importer::new(&store, MergeRule::default());
    let said = import(Format::Library, &path, nine, importer, &mut ()).unwrap_err().to_string();
    assert_eq!(said, "RenLib supports only 15x15 boards");
}

#[test]
fn a_text_that_is_too_long_when_it_is_decoded_is_a_fault_of_the_library() {
    let folder = tempdir().unwrap();
    let code_page: CodePage = "windows-1251".parse().unwrap();
    let mut builder = Builder::new(code_page);
    let moves = parse_moves("h8", Size::default()).unwrap().into_iter().map(Some).collect();
    builder.add(&Line { moves, comment: "ж".repeat(1 << 19) + " ход", ..Line::default() }).unwrap();
    let path = folder.path().join("a.lib");
    fs::write(&path, renlib::to_bytes(&builder.finish())).unwrap();
    let store = base(&folder, "a.kdb", &[]);
    let options = ImportOptions { encoding: Some(code_page), ..ImportOptions::new(RULE, Size::default()) };
    let importer = Importer::new(&store, MergeRule::default());
    let result = import(Format::Library, &path, options, importer, &mut ());
    assert!(matches!(result, Err(TransferError::Input(None, _))), "{result:?}");
}

/// `cargo test --release --test program a_hundred_thousand -- --ignored --nocapture`
#[test]
#[ignore = "only of interest in a release build"]
fn a_hundred_thousand_positions_go_through_a_library() {
    const POSITIONS: usize = 100_000;
    let folder = tempdir().unwrap();
    let mut rng = rng(86);
    let store = create(&folder, "a.kdb");
    let mut importer = Importer::new(&store, MergeRule::default());
    let mut count = 0;
    while count < POSITIONS {
        let mut board = Board::new(Size::default());
        for point in random_moves(&mut rng, Size::default(), 40) {
            board.play(point);
            let label = if rng.random_ratio(1, 10) { Label::Win } else { Label::None };
            let record = Record { label, value: 10, depth: 5, bound: Bound::Exact, ..Record::default() };
            importer.add(&board, RULE.into(), record).unwrap();
            count += 1;
        }
    }
    importer.finish().unwrap();
    let path = folder.path().join("a.lib");
    let began = Instant::now();
    let exported = write(&store, &path, &Scope::default()).unwrap();
    println!("export {:?}: {:.2?}, {} bytes", exported, began.elapsed(), fs::metadata(&path).unwrap().len());
    let began = Instant::now();
    let (_, imported) = read(&folder, "b.kdb", &path);
    println!("import {:?}: {:.2?}", imported.unwrap().positions, began.elapsed());
}
