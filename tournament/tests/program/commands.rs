//! What the commands print, as a user sees it.

use std::path::Path;
use std::process::Command;

use crate::transcripts;

#[test]
fn commands_print_what_the_transcripts_show() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/commands");
    let place = tempfile::tempdir().unwrap();
    transcripts::play(&data, place.path(), "tournament", |folder, arguments, _| {
        Command::new(env!("CARGO_BIN_EXE_tournament")).args(arguments).current_dir(folder).output().unwrap()
    });
}
