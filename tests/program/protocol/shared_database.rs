//! Several processes use one database: they read it together, and one reads a file that another process
//! writes to.

use std::path::Path;
use std::time::{Duration, Instant};

use kakugo::database::{Access, Store};

use crate::process::Process;

/// Shorter than the wait for a writer, and longer than a move at 100 ms takes on a busy machine.
const IN_TIME: Duration = Duration::from_millis(1_200);

const STONES: &str = "BOARD\n0,0,2\nDONE";

/// A database in which 14,14 is the best answer to 0,0.
fn write_database(file: &Path) {
    let mut engine = Process::start(&[]);
    engine.say(&format!("START 15\nYXSETDATABASE {}", file.display()));
    engine.say("YXSETBESTMOVEDATABASE\n0,0\n14,14\nDONE\nEND");
    assert_eq!(engine.finish().0, Some(0));
    assert!(file.exists());
}

/// An engine that plays from the database in `folder`, at 100 ms a move.
fn player(folder: &Path) -> Process {
    let mut engine = Process::start(&[]);
    engine.say("START 15\nINFO timeout_turn 100\nINFO usedatabase 1");
    engine.say(&format!("INFO folder {}", folder.display()));
    assert_eq!(engine.answer(), "OK");
    engine
}

/// The answers to a request for a move, the last of which is the move, and the elapsed time.
fn answers(engine: &mut Process) -> (Vec<String>, Duration) {
    let start = Instant::now();
    engine.say(STONES);
    let mut lines = Vec::new();
    loop {
        let line = engine.answer();
        let is_error = line.starts_with("ERROR");
        lines.push(line);
        if !is_error {
            return (lines, start.elapsed());
        }
    }
}

#[test]
fn several_engines_play_from_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kakugo.kdb");
    write_database(&file);
    let mut players = [(); 3].map(|()| player(folder.path()));
    for _ in 0..2 {
        for player in &mut players {
            assert_eq!(answers(player).0, ["14,14"]);
        }
    }
    // A change needs exclusive access; if it is refused, the file is opened for reading again.
    players[0].say("YXEDITTEXTDATABASE x\n0,0\nDONE");
    assert_eq!(players[0].answer(), "ERROR database: another process has it open");
    assert_eq!(answers(&mut players[0]).0, ["14,14"]);
    let [mut last, one, other] = players;
    drop((one, other));
    last.say("YXEDITTEXTDATABASE x\n0,0\nDONE\nYXQUERYDATABASETEXT\n0,0\nDONE");
    assert_eq!(last.line("MESSAGE DATABASE"), "MESSAGE DATABASE TEXT \"x\"");
    // After the change other processes can read it again.
    assert_eq!(answers(&mut player(folder.path())).0, ["14,14"]);
}

#[test]
fn a_file_in_use_costs_no_time_and_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kakugo.kdb");
    write_database(&file);
    let writer = Store::open(&file, Access::Write).unwrap();
    let mut player = player(folder.path());
    let mut errors = Vec::new();
    for game in 0..2 {
        for turn in 0..3 {
            let (mut lines, elapsed) = answers(&mut player);
            assert!(elapsed < IN_TIME, "game {game}, move {turn}: {elapsed:?}");
            assert_ne!(lines.pop().unwrap(), "14,14");
            errors.extend(lines);
        }
        player.say("START 15");
        loop {
            match player.answer() {
                line if line == "OK" => break,
                line => errors.push(line),
            }
        }
    }
    assert_eq!(errors, ["ERROR INFO: database: another process has it open"]);
    drop(writer);
    // The file is not opened again until a new game begins or the setting changes.
    player.say("START 15");
    assert_eq!(player.answer(), "OK");
    assert_eq!(answers(&mut player).0, ["14,14"]);
}

#[test]
fn a_move_does_not_wait_for_a_file_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kakugo.kdb"), "nonsense").unwrap();
    let mut player = player(folder.path());
    let lines: Vec<String> = (0..3).flat_map(|_| answers(&mut player).0).collect();
    let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("ERROR")).collect();
    assert_eq!(errors, ["ERROR INFO: database: it is not a position database"]);
}

#[cfg(unix)]
#[test]
fn a_file_without_the_right_to_write_is_read() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kakugo.kdb");
    write_database(&file);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(answers(&mut player(folder.path())).0, ["14,14"]);
}

#[cfg(unix)]
#[test]
fn names_in_a_legacy_encoding_are_files_of_their_own() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 3] = [b"\x93\xfa.kdb", b"\x94\xfa.kdb", b"\xef\xbf\xbd\xef\xbf\xbd.kdb"];
    let mut engine = Process::start(&[]);
    engine.say("START 15");
    let mut line = |command: &str, name: &[u8], rest: &str| {
        let head = format!("{command}{}/", folder.path().display());
        engine.send(&[head.as_bytes(), name, b"\n", rest.as_bytes()].concat());
    };
    for (number, name) in names.into_iter().enumerate() {
        // The path after the command, and on the next line.
        let command = if number % 2 == 0 { "YXSETDATABASE " } else { "YXSETDATABASE\n" };
        line(command, name, &format!("YXEDITTEXTDATABASE {number}\n0,0\nDONE\n"));
    }
    for name in names {
        line("YXSETDATABASE ", name, "YXQUERYDATABASETEXT\n0,0\nDONE\n");
        line("YXDBTOTXT\n", &[name, b".txt"].concat(), "");
    }
    let mut texts: Vec<String> = Vec::new();
    for _ in names {
        texts.push(engine.line("MESSAGE DATABASE TEXT"));
        // END would interrupt the last export.
        assert!(engine.line("MESSAGE ").ends_with(": 1 positions written"));
    }
    assert_eq!(texts, ["0", "1", "2"].map(|text| format!("MESSAGE DATABASE TEXT \"{text}\"")));
    engine.say("END");
    assert_eq!(engine.finish().0, Some(0));
    let mut found: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().as_bytes().to_vec())
        .collect();
    found.sort();
    let ends: [&[u8]; 2] = [b"", b".txt"];
    let mut expected: Vec<Vec<u8>> =
        names.iter().flat_map(|name| ends.map(|end| [name, end].concat())).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_query_of_a_file_in_use_does_not_delay_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kakugo.kdb");
    write_database(&file);
    let _writer = Store::open(&file, Access::Write).unwrap();
    let mut engine = player(folder.path());
    let start = Instant::now();
    engine.say("YXQUERYDATABASETEXT\n0,0\nDONE\nYXQUERYDATABASEALL\n0,0\nDONE\nEND");
    let (status, lines) = engine.finish();
    assert!(start.elapsed() < IN_TIME, "took {:?}", start.elapsed());
    assert_eq!(status, Some(0));
    assert_eq!(lines, ["ERROR database: another process has it open"; 2]);
}
