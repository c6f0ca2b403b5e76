//! Files that `tournament report` refuses, or reads in part.

use std::process::Command;

use crate::common::page_data;
use crate::report::{POOL, pool};

/// Runs `tournament report` on a file with `text`; returns the error or the page.
fn reported(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("results.jsonl"), folder.path().join("page.html"));
    std::fs::write(&file, text).unwrap();
    std::fs::write(&out, "the old page").unwrap();
    let program = env!("CARGO_BIN_EXE_tournament");
    let ran = Command::new(program).arg("report").arg(file).arg("--out").arg(&out).output().unwrap();
    let page = std::fs::read_to_string(&out).unwrap();
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 2, "no partial file is left");
    if ran.status.success() {
        return Ok(page);
    }
    assert_eq!(page, "the old page");
    Err(String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn files_that_are_no_results_change_nothing() {
    assert!(reported("").err().unwrap().contains(" contains no results"));
    assert!(reported("hello\n").err().unwrap().contains("not a game: "));
    let broken = POOL.replacen("\"moves\"", "\"stones\"", 3);
    assert!(reported(&broken).err().unwrap().contains("line 2: not a game: missing field `moves`"));
}

#[test]
fn a_line_that_a_killed_runner_left_is_no_game() {
    let (_, records) = pool();
    let page = reported(&POOL[..POOL.len() - 40]).unwrap();
    assert_eq!(page_data(&page)["games"].as_array().unwrap().len(), records.len() - 1);
}
