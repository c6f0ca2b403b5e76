//! `YXSTOP` ends whatever runs or is about to run.

use crate::process::Process;
use crate::readers::end::dump;

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
