//! Entries of the fuzzers into the library: each function takes any bytes and panics when something is wrong.

use std::fs;

use kakugo::board::Size;
use kakugo::board::notation::{format_fen, format_moves, parse_fen, parse_moves, parse_point};
use kakugo::database::format::{self, Format, ImportOptions, Scope};
use kakugo::database::renlib::{self, Builder, CodePage, Line, Positions};
use kakugo::database::{Importer, Key, MergeRule, Record, Store, count_damaged};
use kakugo::engine::{Engine, Options};
use kakugo::eval::WeightsFile;
use kakugo::game::{self, Game, play_moves};
use kakugo::protocol::input::read_line;
use kakugo::protocol::response::Response;
use kakugo::protocol::search_control::SearchControl;
use kakugo::protocol::session::{Next, SearchTask, Session};
use kakugo::rules::RuleKind;
use kakugo::variants;

/// Lines of a manager. Every answer is one line, and no search goes beyond a few nodes.
pub fn protocol(bytes: &[u8]) {
    /// Searches are what takes time.
    const MOST_SEARCHES: usize = 8;
    let options = Options { hash_bytes: Some(1 << 16), ..Options::default() };
    let mut session = Session::new(Engine::new(options));
    let mut searches = 0;
    let mut input = bytes;
    while let Some(line) = read_line(&mut input).expect("memory can be read") {
        let step = session.handle(&line);
        step.responses.iter().for_each(check_line);
        let Next::Think(task) = step.next else { continue };
        searches += 1;
        if searches > MOST_SEARCHES {
            break;
        }
        think(&mut session, task);
    }
    session.engine().position().board().validate();
}

fn think(session: &mut Session, mut task: SearchTask) {
    // INFO lines must not make the fuzzer use all memory and cores.
    let mut input = &b"INFO max_memory 0\nINFO hash_size 64\nINFO thread_num 1\n"[..];
    while let Some(line) = read_line(&mut input).expect("memory can be read") {
        session.handle(&line);
    }
    task.limits.clock = None;
    task.limits.max_nodes = Some(16);
    task.limits.max_depth = Some(2);
    let before = session.engine().position().board().clone();
    let legal = session.variant().map(Game::legal_moves);
    match session.think(&task, &SearchControl::default(), &|response| check_line(&response)) {
        Some(Response::Move(point)) => match legal {
            None => assert!(before.is_empty(point), "{point:?} on {}", format_fen(&before)),
            Some(legal) => assert!(legal.iter().any(|mv| mv.point == point), "{point:?}"),
        },
        Some(response) => check_line(&response),
        None => {}
    }
}

fn check_line(response: &Response) {
    let line = response.to_string();
    assert!(!line.contains(['\n', '\r', '\0']) && !line.is_empty() && line.len() < 4000, "{line:?}");
}

/// Positions and moves in all notations: what is read reads the same when it is written.
pub fn notation(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(board) = parse_fen(&text) {
        let written = format_fen(&board);
        let again = parse_fen(&written).expect("what is written can be read");
        assert_eq!(format_fen(&again), written);
        board.validate();
    }
    for size in [Size::default(), Size::new(5, 22).expect("a board")] {
        let _ = parse_point(&text, size);
        if let Ok(moves) = parse_moves(&text, size) {
            let written = format_moves(&moves, size);
            assert_eq!(parse_moves(&written, size).expect("what is written can be read"), moves);
        }
    }
    // A game by its name and options, and on the next line its moves.
    let (name, moves) = text.split_once('\n').unwrap_or((&text, ""));
    if let Ok(mut game) = variants::open(name) {
        let read = play_moves(game.as_mut(), moves);
        let written = game::format_moves(&game.moves(), game.size());
        if read.is_ok() {
            let mut again = variants::open(name).expect("it opened before");
            play_moves(again.as_mut(), &written).expect("what is written can be read");
            assert_eq!(again.moves(), game.moves());
        }
    }
}

/// Files of weights.
pub fn weights(bytes: &[u8]) {
    if let Err(error) = WeightsFile::decode(bytes) {
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

/// Libraries of RenLib: what can be read of them reads the same when it is written, and its lines make a library.
pub fn renlib(bytes: &[u8]) {
    let reading = renlib::read_prefix(bytes);
    if let Some(fault) = reading.fault {
        assert_eq!(fault.to_string().lines().count(), 1);
    }
    let library = reading.library;
    assert!(library.node_count() <= 1 + bytes.len() / 2);
    assert_eq!(renlib::read(&renlib::to_bytes(&library)).as_ref(), Ok(&library));
    let code_page = library.code_page();
    let mut positions = Positions::of(&library);
    let mut builder = Builder::new(CodePage::UTF_8);
    while let Some(visit) = positions.advance() {
        builder.add(&Line::of(visit, &positions, code_page)).expect("it comes from a library");
    }
    assert!(builder.finish().node_count() <= library.node_count());
}

/// Keys and records of databases, and tables of positions: what was read of a table reads the same when it is written.
pub fn tables(bytes: &[u8]) {
    if let Ok(key) = Key::from_bytes(bytes) {
        assert_eq!(key.diagram().board().stone_count(), key.stone_count());
    }
    let record = Record::decode(bytes, Size::default());
    if let Ok(record) = &record {
        let again = record.encode().and_then(|bytes| Record::decode(&bytes, Size::default()));
        assert!(again.as_ref() == Ok(record) || record.check().is_err(), "{record:?}");
    }
    for format in [Format::Csv, Format::Yixin, Format::Rapfi] {
        let path = std::env::temp_dir().join(format!("kakugo-fuzz-{}.{format}", std::process::id()));
        fs::write(&path, bytes).expect("a temporary file");
        let store = import_table(&path, format);
        let reader = store.reader().expect("it is in memory");
        assert_eq!(count_damaged(&reader, &mut ()).expect("it is in memory"), 0);
        let export = |store: &Store| {
            let reader = store.reader().expect("it is in memory");
            format::export(Format::Csv, &reader, &Scope::default(), &path, &mut ())
                .expect("it can be written");
            fs::read(&path).expect("it was just written")
        };
        let written = export(&store);
        assert_eq!(export(&import_table(&path, Format::Csv)), written);
        fs::remove_file(&path).expect("it was just written");
    }
}

/// Database of what a table has up to its first wrong line.
fn import_table(path: &std::path::Path, format: Format) -> Store {
    let store = Store::in_memory().expect("memory can be written");
    let terms = ImportOptions::new(RuleKind::Freestyle, Size::default());
    let importer = Importer::new(&store, MergeRule::default()).with_batch(1);
    if let Err(error) = format::import(format, path, terms, importer, &mut ()) {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    store
}
