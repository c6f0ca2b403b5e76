//! What the commands print, as a user sees it.

use std::path::Path;

use crate::terminal::{directory, run_in};
use crate::transcripts;

#[test]
fn commands_print_what_the_transcripts_show() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/commands");
    transcripts::play(&data, &directory("commands"), "pbrain-kakugo", run_in);
}
