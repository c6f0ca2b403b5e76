//! The database as boards use it: queries after every move, edits, files, and moves played from it.

use std::path::Path;

use kakugo::board::{Board, Point, Size};
use kakugo::database::{Access, Canonical, GameCounts, Record, Store};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;

use crate::process::Process;

/// An engine with the database `file`, in a game of freestyle.
fn engine(file: &Path) -> Process {
    let mut engine = Process::start(&[]);
    engine.say("INFO hash_size 1024\nINFO timeout_turn 60000\nINFO max_node 2000\nSTART 15");
    assert_eq!(engine.answer(), "OK");
    // Yixin-Board sends the path on a line of its own.
    engine.say(&format!("YXSETDATABASE\n{}", file.display()));
    assert!(engine.line("MESSAGE ").contains(" the database"));
    engine
}

/// The lines between `REFRESH` and `DONE`, without their prefix.
fn moves(engine: &mut Process, stones: &str) -> Vec<String> {
    engine.say(&format!("YXQUERYDATABASEALL\n{stones}DONE"));
    assert_eq!(engine.line("MESSAGE DATABASE"), "MESSAGE DATABASE REFRESH");
    let mut lines = Vec::new();
    loop {
        let line = engine.line("MESSAGE DATABASE ");
        let line = line.strip_prefix("MESSAGE DATABASE ").expect("the head");
        if line == "DONE" {
            return lines;
        }
        lines.push(line.to_owned());
    }
}

#[test]
fn what_is_edited_is_found_from_every_side() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my games.kdb");
    let mut first = engine(&file);
    assert!(moves(&mut first, "").is_empty() && !file.exists(), "asking makes no file");
    // The move 8,6 after 7,7 wins in five plies; 7,6 is worth 50 to the player who makes it.
    first.say("YXEDITTVDDATABASE 7 87 -29996 12\n7,7\n8,6\nDONE");
    assert_eq!(first.line("MESSAGE DATABASE"), "MESSAGE DATABASE ONE 119 -29996 12 3 w5");
    first.say("YXEDITTVDDATABASE 6 -1 -50 9\n7,7\n7,6\nDONE");
    assert!(first.line("MESSAGE DATABASE").starts_with("MESSAGE DATABASE ONE 0 -50 9 3 7"));
    first.say(
        "YXEDITTEXTDATABASE \"a \\\"good\\\" move\"\n7,7\n7,6\nDONE\nYXEDITLABELDATABASE 6,6 A\n7,7\nDONE",
    );
    let shown = moves(&mut first, "7,7\n");
    let has = |line: &str| shown.iter().any(|other| other.starts_with(line));
    // The position is symmetric: every image of the moves is reported.
    for line in ["8,6", "6,8", "8,8"] {
        let (x, y) = line.split_once(',').unwrap();
        assert!(has(&format!("{x} {y} 30517 -29996 12 3 0")), "{line} in {shown:?}");
    }
    assert!(has("7 6 ") && has("6 7 ") && has("8 7 ") && has("7 8 "), "{shown:?}");
    assert!(has("6 6 30517 -29996 12 3 0 A"), "{shown:?}");
    first.say("YXQUERYDATABASETEXT\n7,7\n8,7\nDONE");
    assert_eq!(first.line("MESSAGE DATABASE"), "MESSAGE DATABASE TEXT \"a \\\"good\\\" move\"");
    drop(first);
    // The process was killed: all confirmed changes are saved.
    let mut second = engine(&file);
    assert_eq!(moves(&mut second, "7,7\n").len(), shown.len());
    second.say("YXDELETEDATABASEALL W\n7,7\nDONE");
    assert_eq!(second.line("MESSAGE "), "MESSAGE deleted positions: 1");
    second.line("MESSAGE DATABASE DONE");
    assert_eq!(moves(&mut second, "7,7\n").len(), 8, "the four images of 7,6, and of the text on 6,6");
    second.say("YXDBCHECK\nYXSAVEDATABASE");
    assert_eq!(second.line("MESSAGE"), "MESSAGE 0 entries of the database are damaged");
    assert_eq!(second.line("MESSAGE"), "MESSAGE the database is saved");
}

#[test]
fn moves_are_deleted_everywhere_below_a_position() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["W RECURSIVE", "wrecursive"] {
        let mut engine = engine(&folder.path().join(format!("{kind}.kdb")));
        for (label, stones) in [(119, "7,7"), (108, "7,7\n8,8"), (119, "7,7\n8,8\n9,9")] {
            engine.say(&format!("YXEDITTVDDATABASE 1 {label} 0 0\n{stones}\nDONE"));
            engine.line("MESSAGE DATABASE ONE ");
        }
        engine.say(&format!("YXDELETEDATABASEALL {kind}\n7,7\nDONE"));
        assert_eq!(engine.line("MESSAGE "), "MESSAGE deleted positions: 1", "{kind}");
        engine.line("MESSAGE DATABASE DONE");
        assert!(
            moves(&mut engine, "7,7\n8,8\n").is_empty() && moves(&mut engine, "7,7\n").len() == 4,
            "{kind}"
        );
    }
}

#[test]
fn a_position_is_deleted_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("one.kdb"));
    let positions = ["7,7\n", "7,7\n8,6\n", "7,7\n8,6\n0,0\n"];
    for stones in positions {
        engine.say(&format!("YXEDITTVDDATABASE 6 -1 -50 9\n{stones}DONE"));
        engine.line("MESSAGE DATABASE ONE 0 -50 9 3 ");
    }
    let deleted = positions[1];
    engine.say(&format!("YXDELETEDATABASEONE\n{deleted}DONE"));
    for stones in positions {
        engine.say(&format!("YXQUERYDATABASEONE\n{stones}DONE"));
        let line = engine.line("MESSAGE DATABASE ONE ");
        if stones == deleted {
            assert_eq!(line, "MESSAGE DATABASE ONE 0 0 0 0");
        } else {
            assert!(line.starts_with("MESSAGE DATABASE ONE 0 -50 9 3 "), "{stones:?}: {line}");
        }
    }
}

#[test]
fn edits_that_leave_no_data_leave_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("none.kdb");
    let mut engine = engine(&file);
    engine.say("YXCLEARBESTMOVEDATABASE 7,7 DONE\nYXEDITTEXTDATABASE \"\"\n7,7\n8,8\nDONE");
    engine.say("YXEDITLABELDATABASE 7,8\n7,7\n7,9\nDONE\nYXEDITTVDDATABASE 1 0 0 0\n7,7\nDONE");
    assert_eq!(engine.line("MESSAGE DATABASE ONE "), "MESSAGE DATABASE ONE 0 0 0 0");
    // A comment that is deleted, a text that is deleted with its move, and one that is deleted with all moves.
    engine.say("YXEDITTEXTDATABASE a\n7,7\nDONE\nYXEDITTEXTDATABASE \"\"\n7,7\nDONE");
    engine.say("YXEDITLABELDATABASE 8,6 A\n7,7\nDONE\nYXDELETEDATABASEONE\n7,7\n8,6\nDONE");
    assert!(moves(&mut engine, "7,7\n").is_empty() && moves(&mut engine, "").is_empty());
    engine.say("YXEDITLABELDATABASE 8,6 A\n7,7\nDONE\nYXDELETEDATABASEALL\n7,7\nDONE");
    assert_eq!(engine.line("MESSAGE deleted "), "MESSAGE deleted positions: 0");
    engine.say("END");
    assert_eq!(engine.finish().0, Some(0));
    let store = Store::open(&file, Access::Read).unwrap();
    assert_eq!(store.reader().unwrap().len().unwrap(), 0);
}

#[test]
fn moves_may_follow_on_the_line_of_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("lines.kdb"));
    for stones in ["\n", " 7,7 8,6 "] {
        engine.say(&format!("YXEDITTVDDATABASE 6 -1 -50 9{stones}DONE"));
        engine.line("MESSAGE DATABASE ONE 0 -50 9 3");
    }
    engine.say("YXDELETEDATABASEONE all\nDONE");
    assert_eq!(engine.answer(), "ERROR YXDELETEDATABASEONE takes no arguments except moves x,y");
    assert_eq!(engine.answer(), "ERROR DONE without a block of stones");
    engine.say("YXDELETEDATABASEONE 7,7 8,6 DONE\nYXQUERYDATABASEONE 7,7 8,6 DONE");
    assert_eq!(engine.line("MESSAGE DATABASE ONE "), "MESSAGE DATABASE ONE 0 0 0 0");
    // The record of the empty board stays.
    engine.say("YXQUERYDATABASEONE\nDONE");
    let line = engine.line("MESSAGE DATABASE ONE ");
    assert!(line.starts_with("MESSAGE DATABASE ONE 0 -50 9 3"), "{line}");
}

#[test]
fn rates_games_and_the_best_move_are_reported_for_the_mover() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.kdb");
    let store = Store::open(&file, Access::Create).unwrap();
    let add = |stone: Option<Point>, record: Record| {
        let board = Board::of_moves(Size::default(), stone.as_slice());
        let position = Canonical::of(&board, Rule::from(RuleKind::Freestyle)).unwrap();
        store.write(|batch| batch.put(position.key(), &record)).unwrap();
    };
    let centre = Point::new(7, 7);
    let games = |won, drawn, lost| GameCounts { won, drawn, lost };
    add(None, Record { best_move: Some(centre), ..Record::default() });
    add(Some(centre), Record { bound: Bound::Exact, games: games(3, 1, 2), ..Record::default() });
    add(Some(Point::new(7, 0)), Record { games: games(0, 0, 4), ..Record::default() });
    add(Some(Point::new(7, 1)), Record { text: "no value".to_owned(), ..Record::default() });
    drop(store);
    let mut engine = engine(&file);
    let expected = [
        "MORE 7 0 - 4 0 0",
        "MORE 0 7 - 4 0 0",
        "MORE 7 7 0.5000 2 1 3",
        "MORE 14 7 - 4 0 0",
        "MORE 7 14 - 4 0 0",
        "BEST 7 7",
        "MORE DONE",
    ];
    assert_eq!(more(&mut engine, ""), expected);
    // The position itself: its label, 50%, and the games of the side that has moved.
    assert_eq!(more(&mut engine, "7,7\n"), ["HERE 3485733 0 0 3 0.5000 2 1 3", "MORE DONE"]);
    assert_eq!(more(&mut engine, "0,7\n"), ["HERE -1 0 0 0 - 4 0 0", "MORE DONE"]);
    assert_eq!(more(&mut engine, "7,1\n"), ["MORE DONE"], "only a comment");
    engine.say("YXEDITLABELDATABASE 8,6 A b\n7,7\nDONE");
    assert_eq!(more(&mut engine, "7,7\n8,6\n"), ["HERE -1 0 0 0 - 0 0 0 A b", "MORE DONE"]);
}

/// The lines that answer `YXQUERYDATABASEMORE`.
fn more(engine: &mut Process, stones: &str) -> Vec<String> {
    engine.say(&format!("YXQUERYDATABASEMORE\n{stones}DONE"));
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line| line != "MORE DONE") {
        lines.push(engine.line("MESSAGE DATABASE ").replace("MESSAGE DATABASE ", ""));
    }
    lines
}

/// The answer to `YXQUERYDATABASETEXT`, which ends with its quote.
fn comment(engine: &mut Process, stones: &str) -> String {
    engine.say(&format!("YXQUERYDATABASETEXT\n{stones}DONE"));
    let mut text = engine.line("MESSAGE DATABASE TEXT ");
    while !text.ends_with('"') || text.ends_with(" \"") {
        text = format!("{text}\n{}", engine.line(""));
    }
    text
}

#[test]
fn comments_come_as_boards_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("comments.db"));
    // Yixin-Board sends no line end after a comment, and sends the comment again at every key press, with the
    // ends of its lines.
    engine.say("yxedittextdatabase \"ab\"7,7\n6,8\ndone");
    assert_eq!(comment(&mut engine, "7,7\n6,8\n"), "MESSAGE DATABASE TEXT \"ab\"");
    engine.say("yxedittextdatabase \"ab\n\"7,7\n6,8\ndone");
    assert_eq!(comment(&mut engine, "7,7\n6,8\n"), "MESSAGE DATABASE TEXT \"ab\"");
    engine.say("yxedittextdatabase \"ab\n\nyxstop\nBEGIN \\\"c\\\"\"7,7\n6,8\ndone");
    assert_eq!(comment(&mut engine, "7,7\n6,8\n"), "MESSAGE DATABASE TEXT \"ab\n\nyxstop\nBEGIN \\\"c\\\"\"");
    // No stones: the block ends on the line of the comment.
    engine.say("yxedittextdatabase \"the empty board\"done");
    assert_eq!(comment(&mut engine, ""), "MESSAGE DATABASE TEXT \"the empty board\"");
    // A comment that is too long is rejected as a whole.
    engine.say(&format!("yxedittextdatabase \"{}\n\"7,7\ndone\nABOUT", "long line\n".repeat(7000)));
    let answers = [engine.answer(), engine.answer(), engine.answer(), engine.answer()];
    let expected = ["ERROR line too long", "UNKNOWN command '7,7'", "ERROR DONE without", "name="];
    assert!(answers.iter().zip(expected).all(|(answer, head)| answer.starts_with(head)), "{answers:?}");
    assert_eq!(comment(&mut engine, ""), "MESSAGE DATABASE TEXT \"the empty board\"");
    // Commands that end the game are handled in the middle of a comment.
    engine.say("yxedittextdatabase \"a\nEND");
    assert_eq!(engine.finish(), (Some(0), Vec::new()));
}

#[test]
fn a_file_that_is_no_database_leaves_the_one_that_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let (file, bad) = (folder.path().join("good.db"), folder.path().join("bad.db"));
    let mut engine = engine(&file);
    engine.say("YXEDITTEXTDATABASE kept\n7,7\nDONE");
    std::fs::write(&bad, "nonsense").unwrap();
    engine.say(&format!("YXSETDATABASE {}", bad.display()));
    assert!(engine.answer().ends_with("bad.db: it is not a position database"));
    assert_eq!(comment(&mut engine, "7,7\n"), "MESSAGE DATABASE TEXT \"kept\"");
    // An unsupported format still takes a path.
    engine.say(&format!("YXDBTOPOS\n{}\nABOUT", folder.path().join("a.pos").display()));
    assert!(engine.answer().ends_with("this format is not supported, use YXDBTOTXT or YXDBTOLIB"));
    assert!(engine.answer().starts_with("name="));
}

#[test]
fn known_moves_are_played_and_lost_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("book.kdb"));
    engine.say("YXSETBESTMOVEDATABASE\n0,0\n14,14\nDONE\nBOARD\n0,0,2\nDONE");
    assert_ne!(engine.answer(), "14,14", "it is not to be used yet");
    engine.say("START 15\nINFO usedatabase 1\nBOARD\n0,0,2\nDONE");
    assert_eq!((engine.answer(), engine.answer()), ("OK".to_owned(), "14,14".to_owned()));
    engine.say("YXEDITTVDDATABASE 1 119 0 0\n0,0\n5,9\nDONE\nBOARD\n0,0,2\nDONE");
    assert!(["5,9", "9,5"].contains(&engine.answer().as_str()), "a win, or its image, counts more");
    engine.say("YXBLOCK\n5,9\n9,5\nDONE\nBOARD\n0,0,2\nDONE");
    assert_eq!(engine.answer(), "14,14", "the board has left it out");
    // The only sensible block is labelled as a loss.
    engine.say("YXBLOCKRESET\nYXEDITTVDDATABASE 1 108 0 0\n0,0\n7,7\n1,0\n7,8\n2,0\n7,9\n3,0\n4,0\nDONE");
    engine.say("BOARD\n0,0,2\n7,7,1\n1,0,2\n7,8,1\n2,0,2\n7,9,1\n3,0,2\nDONE");
    assert_ne!(engine.answer(), "4,0");
    engine.say("INFO database_readonly 1\nYXEDITTEXTDATABASE x\n0,0\nDONE");
    assert_eq!(engine.answer(), "ERROR database: it is open for reading only");
}

#[test]
fn a_known_move_that_an_excluded_line_forbids_is_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("lines.kdb"));
    engine.say("YXSETBESTMOVEDATABASE\n0,0\n14,14\nDONE\nINFO usedatabase 1\nBOARD\n0,0,2\nDONE");
    assert_eq!(engine.answer(), "14,14");
    engine.say("YXBLOCKPATH\n0,0\n14,14\nDONE\nBOARD\n0,0,2\nDONE");
    assert_ne!(engine.answer(), "14,14");
    engine.say("YXBLOCKPATHRESET\nBOARD\n0,0,2\nDONE");
    assert_eq!(engine.answer(), "14,14");
}

#[test]
fn files_of_other_programs_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut engine = engine(&path("a.kdb"));
    engine.say("YXEDITTEXTDATABASE first\n7,7\n8,6\nDONE\nYXEDITTEXTDATABASE second\n7,7\n8,6\n8,8\nDONE");
    for (command, name) in [("YXDBTOTXTALL", "all.txt"), ("YXDBTOLIB", "all.lib"), ("YXDBSPLIT", "part.kdb")]
    {
        engine.say(&format!("{command} {}", path(name).display()));
        let line = engine.line("MESSAGE ");
        assert!(line.ends_with(": 2 positions written"), "{command}: {line}");
    }
    for (command, name) in [("YXTXTTODB", "all.txt"), ("YXLIBTODB", "all.lib"), ("YXDBMERGE", "part.kdb")] {
        let database = path(&format!("{command}.kdb"));
        engine.say(&format!("YXSETDATABASE {}\n{command} {}", database.display(), path(name).display()));
        engine.line("MESSAGE ");
        let line = engine.line("MESSAGE ");
        assert!(line.contains(" new, "), "{command}: {line}");
        engine.say("YXQUERYDATABASETEXT\n7,7\n6,6\n6,8\nDONE");
        let text = "MESSAGE DATABASE TEXT \"second\"";
        assert_eq!(engine.line("MESSAGE DATABASE"), text, "{command}, the image in another corner");
    }
    std::fs::write(path("bad"), "nonsense").unwrap();
    for command in ["YXSETDATABASE", "YXDBMERGE", "YXTXTTODB", "YXLIBTODB"] {
        engine.say(&format!("{command} {}", path("bad").display()));
        assert!(engine.answer().starts_with("ERROR "), "{command}");
    }
    engine.say("YXDELETEDATABASEALL some\nABOUT");
    assert!(engine.answer().starts_with("ERROR YXDELETEDATABASEALL takes "));
    assert!(engine.answer().starts_with("name="));
    engine.say("YXEDITLABELDATABASE 30,30 A\n7,7\nDONE");
    assert!(engine.answer().starts_with("ERROR "), "no such point");
    // Neither of these is a valid path.
    engine.say("YXSETDATABASE\nYXSTOP\nEND");
    let (status, last) = engine.finish();
    assert_eq!((status, last), (Some(0), Vec::new()));
}

#[test]
fn a_search_knows_what_the_database_says_of_the_replies() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("near.kdb"));
    let board = "BOARD\n7,7,1\n8,8,2\n7,5,1\n8,6,2\nDONE";
    engine.say(board);
    let plain = engine.answer();
    // A label says that a reply in the corner wins; the move itself has a value from a short search.
    let line = format!("7,7\n8,8\n7,5\n8,6\n{plain}");
    engine.say(&format!("YXEDITTVDDATABASE 6 -1 3 1\n{line}\nDONE"));
    engine.say(&format!("YXEDITTVDDATABASE 1 119 0 0\n{line}\n0,14\nDONE\nSTART 15\n{board}"));
    assert_eq!(engine.answer(), "OK");
    assert_eq!(engine.answer(), plain, "it is not to be used yet");
    engine.say(&format!("START 15\nINFO usedatabase 1\n{board}"));
    assert_eq!(engine.answer(), "OK");
    assert_ne!(engine.answer(), plain);
    engine.say(&format!("INFO usedatabase 0\n{board}"));
    assert_eq!(engine.answer(), plain, "the table has forgotten it");
    engine.say(&format!("INFO usedatabase 1\n{board}"));
    assert_ne!(engine.answer(), plain);
    engine.say(&format!("YXEDITTVDDATABASE 1 0 0 0\n{line}\n0,14\nDONE\n{board}"));
    assert_eq!(engine.answer(), plain, "the label is gone");
}

#[test]
fn an_open_quote_is_given_up_when_a_game_begins() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("quotes.kdb"));
    engine.say("YXEDITTEXTDATABASE \"never closed\n7,7\nDONE\nSTART 15\nBEGIN");
    assert_eq!(engine.answer(), "OK");
    assert_eq!(engine.answer(), "7,7");
}
