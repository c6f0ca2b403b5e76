//! The database of positions that all tabs read: their queries, and that nothing changes it.

mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Board, Size};
use kakugo::database::{self, Access, DatabaseError, Edit, Label, Store};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;

use crate::server::{Server, say};

/// Writes a database of renju: h8 has a comment, i9 after it wins for White, and h9 is worth 50 points to White.
fn write_database(path: &Path) {
    let store = Store::open(path, Access::Create).expect("a new database");
    let rule = Rule::from(RuleKind::Renju);
    for (moves, edits) in [
        ("h8", vec![Edit::Text("Begin \"here\"\nor elsewhere.".to_owned())]),
        ("h8i9", vec![Edit::Label(Label::Loss), Edit::Value(-29_996, Bound::Exact)]),
        ("h8h9", vec![Edit::Value(-50, Bound::Exact), Edit::Depth(9)]),
    ] {
        let moves = parse_moves(moves, Size::default()).expect("moves");
        let board = Board::of_moves(Size::default(), &moves);
        store.write(|batch| database::edit(batch, &board, rule, &edits)).expect("it is written");
    }
}

fn run(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kakugo-board"))
        .args(["--port", "0"])
        .args(options)
        .output()
        .expect("it runs")
}

#[test]
fn every_tab_reads_the_database_and_no_byte_of_it_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my book.kdb");
    write_database(&path);
    let before = fs::read(&path).expect("a file");
    let server = Server::start(&["--database", path.to_str().expect("a path"), "--tabs", "3"]);
    let mut tabs = [(); 3].map(|()| server.tab());
    for tab in &mut tabs {
        // The page sees the name, but not the folder.
        assert_eq!(say(tab, "ABOUT", "MESSAGE DATABASE FILE"), "MESSAGE DATABASE FILE my book.kdb");
        say(tab, "INFO rule 4\nSTART 15", "OK");
        let known = say(tab, "YXQUERYDATABASEALLT\n7,7\nDONE", "MESSAGE DATABASE 8 6");
        assert_eq!(known, "MESSAGE DATABASE 8 6 30517 -29996 0 3 0");
        let comment = say(tab, "YXQUERYDATABASETEXT\n7,7\nDONE", "MESSAGE DATABASE TEXT");
        assert_eq!(comment, "MESSAGE DATABASE TEXT \"Begin \\\"here\\\"");
        let more = say(tab, "YXQUERYDATABASEMORE\n7,7\nDONE", "MESSAGE DATABASE MORE 7 6");
        let rate = more.split(' ').nth(5).and_then(|rate| rate.parse().ok());
        assert!(rate.is_some_and(|rate: f32| 0.5 < rate && rate < 1.0) && more.ends_with(" 0 0 0"), "{more}");
        // A whole game in a tab does not change the file.
        let position = "INFO usedatabase 1\nINFO max_node 500\nBOARD\n7,7,2\n0,0,1\n1,0,2\nDONE";
        assert_eq!(say(tab, position, "ERROR"), "ERROR 'INFO' is not for pages");
        for line in ["YXEDITTEXTDATABASE x", "YXDELETEDATABASEALL", "YXDBFIX", "YXSETDATABASE other.kdb"] {
            assert!(say(tab, line, "ERROR").ends_with(" is not for pages"), "{line}");
        }
    }
    let refused = Store::open_within(&path, Access::Write, 1 << 20, Duration::ZERO);
    assert!(matches!(refused, Err(DatabaseError::Busy)), "the server holds the file");
    drop((tabs, server));
    assert!(fs::read(&path).expect("a file") == before);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no other file");
}

#[test]
fn an_engine_with_little_memory_still_reads_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kdb");
    write_database(&path);
    let options = ["--database", path.to_str().expect("a path"), "--memory", "64", "--tabs", "6"];
    let server = Server::start(&options);
    let mut tab = server.tab();
    say(&mut tab, "INFO rule 4\nSTART 15", "OK");
    let known = say(&mut tab, "YXQUERYDATABASEALL\n7,7\nDONE", "MESSAGE DATABASE 8 6");
    assert_eq!(known, "MESSAGE DATABASE 8 6 30517 -29996 0 3 0");
    assert_eq!(say(&mut tab, "INFO timeout_turn 100\nBOARD\n7,7,2\nDONE\nRESTART", "OK"), "OK");
}

#[test]
fn without_a_database_of_the_server_no_file_is_looked_for() {
    let server = Server::start(&[]);
    let mut tab = server.tab();
    say(&mut tab, "START 15", "OK");
    let answer = say(&mut tab, "YXQUERYDATABASEALL", "ERROR");
    assert_eq!(answer, "ERROR 'YXQUERYDATABASEALL' is not for pages");
}

#[test]
fn an_invalid_file_is_one_line_and_nothing_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let whole = folder.path().join("whole.kdb");
    write_database(&whole);
    let whole = fs::read(whole).expect("a file");
    let missing = folder.path().join("none.kdb").to_str().expect("a path").to_owned();
    for (path, why) in [
        (missing.as_str(), "No such file or directory"),
        (&file("text.kdb", b"h8 i9"), "it is not a position database; `pbrain-kakugo db import`"),
        (&file("empty.kdb", b""), "it is not a position database"),
        (&file("new.kdb", b"kakugo positions\x63\0\0\0"), "its format 99 is not supported by this version"),
        (&file("cut.kdb", &whole[..100]), "it is damaged"),
        (folder.path().to_str().expect("a path"), "not a regular file"),
    ] {
        let Output { status, stdout, stderr } = run(&["--database", path]);
        let (said, failed) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!((status.code(), &*said), (Some(2), ""), "{path}: {failed}");
        assert_eq!(failed.lines().count(), 1, "{failed}");
        assert!(
            failed.starts_with("kakugo-board: ") && failed.contains(path) && failed.contains(why),
            "{failed}"
        );
    }
    let other = file("other.kdb", &whole);
    let Output { status, stderr, .. } = run(&["--database", &other, "--export", &missing]);
    assert_eq!(status.code(), Some(2), "{}", String::from_utf8_lossy(&stderr));
    assert!(!Path::new(&missing).exists());
}
