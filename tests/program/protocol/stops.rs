//! `YXSTOP` ends whatever runs or is about to run.

use std::time::{Duration, Instant};

use crate::process::Process;
use crate::protocol::is_move;
use crate::readers::end::dump;

#[test]
fn a_command_behind_pondering_is_stopped() {
    let mut engine = Process::start(&[]);
    engine.send(b"INFO pondering 1\nINFO hash_size 1024\nINFO max_node 500\nSTART 15\nBEGIN\n");
    assert_eq!(engine.answer(), "OK");
    assert!(is_move(&engine.answer()));
    let asked = Instant::now();
    engine.send(b"INFO timeout_turn 60000\nINFO max_node 0\nYXNBEST 3\nYXSTOP\n");
    assert!(engine.answer_of_analysis().contains(','));
    assert!(asked.elapsed() < Duration::from_secs(5), "took {:?}", asked.elapsed());
}

#[test]
fn a_table_that_is_being_loaded_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.table");
    dump(&path, 5_000_000);
    let mut engine = Process::start(&[]);
    engine.send(b"INFO rule 4\nSTART 15\n");
    assert_eq!(engine.answer(), "OK");
    engine.send(format!("YXHASHLOAD {}\nYXSTOP\nABOUT\n", path.display()).as_bytes());
    let answers = [engine.answer(), engine.answer()];
    assert!(answers[0].starts_with("ERROR ") && answers[0].ends_with(": interrupted"), "{answers:?}");
    assert!(answers[1].starts_with("name="), "{answers:?}");
}
