//! Commands that transfer positions between the database and other files: where they do not apply, they change nothing.

use std::fs;
use std::path::Path;

use crate::process::Process;

/// An engine in a game of freestyle, with the moves 7,7 8,8 on the board and their positions in the database `file`.
fn engine(file: &Path) -> Process {
    let mut engine = Process::start(&[]);
    engine.say(&format!("INFO hash_size 1024\nSTART 15\nYXSETDATABASE {}", file.display()));
    assert_eq!(engine.answer(), "OK");
    engine.say("YXBOARD 7,7,1 8,8,2 DONE");
    for line in ["7,7", "7,7 8,8"] {
        engine.say(&format!("YXEDITTVDDATABASE 6 0 50 9 {line} DONE"));
        engine.line("MESSAGE DATABASE ONE 0 50 9 3");
    }
    engine
}

/// Checks that each command with a file in `folder` is an error for this reason.
fn assert_refused(engine: &mut Process, folder: &Path, commands: &[(&str, &str)], reason: &str) {
    for (command, name) in commands {
        engine.say(&format!("{command} {}", folder.join(name).display()));
        let answer = engine.answer();
        assert!(answer.starts_with("ERROR ") && answer.contains(reason), "{command}: {answer}");
    }
}

/// Names of the files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn games_that_the_database_cannot_store_transfer_no_positions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut engine = engine(&folder.join("a.kdb"));
    for (command, name) in [("YXDBTOTXT", "all.txt"), ("YXDBTOLIB", "all.lib")] {
        engine.say(&format!("{command} {}", folder.join(name).display()));
        assert!(engine.line("MESSAGE ").ends_with(" positions written"), "{command}");
    }
    let exports = [("YXDBSPLIT", "b.kdb"), ("YXDBTOTXT", "b.txt"), ("YXDBTOLIB", "b.lib")];
    let library = ("YXLIBTODB", "all.lib");
    engine.say("INFO game pente\nYXBOARD 1,1,1 DONE");
    let reason = "the command does not apply to pente";
    assert_refused(&mut engine, folder, &exports, reason);
    assert_refused(&mut engine, folder, &[library, ("YXTXTTODB", "all.txt")], reason);
    // A continuous game. A table states the rules of its positions itself.
    engine.say("INFO game freestyle\nINFO rule 3\nYXBOARD 7,7,1 8,8,2 DONE");
    let reason = "positions with blocked points or of continuous games cannot be stored";
    assert_refused(&mut engine, folder, &exports, reason);
    assert_refused(&mut engine, folder, &[library], reason);
    assert_eq!(files(folder), ["a.kdb", "all.lib", "all.txt"]);
}

#[test]
fn a_database_that_is_not_to_be_written_is_named_as_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("a.kdb"));
    engine.say("INFO database_readonly 1");
    for command in ["YXDBMERGE", "YXTXTTODB", "YXLIBTODB"] {
        engine.say(&format!("{command} {}", folder.path().join("source").display()));
        assert_eq!(engine.answer(), "ERROR database: it is open for reading only", "{command}");
    }
}

#[test]
fn the_database_itself_is_neither_a_source_nor_a_target() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join("a.kdb");
    let mut engine = engine(&file);
    let commands =
        ["YXDBMERGE", "YXDBSPLIT", "YXDBTOTXT", "YXDBTOTXTALL", "YXDBTOLIB", "YXTXTTODB", "YXLIBTODB"];
    let of_table = ["YXHASHDUMP", "YXHASHLOAD"];
    // Then there is a table to write.
    engine.say("INFO max_node 100\nYXNBEST 1");
    engine.answer();
    let expected = format!("ERROR {}: it is the database itself", file.display());
    for command in commands.into_iter().chain(of_table) {
        engine.say(&format!("{command} {}", file.display()));
        assert_eq!(engine.answer(), expected, "{command}");
    }
    engine.say("YXQUERYDATABASEONE 7,7 DONE");
    assert!(engine.line("MESSAGE DATABASE ONE ").starts_with("MESSAGE DATABASE ONE 0 50 9 3"));
}

#[test]
fn a_database_that_is_not_open_yet_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kakugo.kdb");
    drop(engine(&file));
    let before = fs::read(&file).unwrap();
    let mut engine = Process::start(&[]);
    engine.say(&format!("INFO hash_size 1024\nINFO folder {}\nSTART 15", folder.path().display()));
    assert_eq!(engine.answer(), "OK");
    engine.say("INFO max_node 100\nYXNBEST 1");
    engine.answer();
    engine.say(&format!("YXHASHDUMP {}", file.display()));
    assert_eq!(engine.answer(), format!("ERROR {}: it is the database itself", file.display()));
    assert_eq!(fs::read(&file).unwrap(), before);
    let other = folder.path().join("table");
    engine.say(&format!("YXHASHDUMP {}", other.display()));
    assert!(engine.line("MESSAGE ").ends_with(&format!("written to {}", other.display())));
}
