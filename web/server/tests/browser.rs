//! The page in a real browser: runs the tests of `web/tests` if Node, its modules and Chromium are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kakugo-board");
/// The engine for browsers in cargo's target folder, if it was built.
const MODULE: &str = "wasm32-unknown-unknown/release/kakugo_wasm.wasm";

/// The folder of the tests, and whether everything that they need is installed.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let is_there = folder.join("node_modules").is_dir() && has("npm");
    if !is_there {
        eprintln!("no npm, or no node_modules in web/tests (npm ci): the page is not tested here");
    }
    is_there.then_some(folder)
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// The engine's module, in the target folder of the program.
fn module() -> PathBuf {
    let target =
        Path::new(PROGRAM).ancestors().nth(2).expect("a target folder has one folder for each profile");
    target.join(MODULE)
}

fn npm(script: &str) -> bool {
    let Some(folder) = folder() else { return true };
    let mut run = Command::new("npm")
        .args(["run", "--silent", script])
        .current_dir(folder)
        .env("KAKUGO_BOARD", PROGRAM)
        .env("KAKUGO_WASM", module())
        .spawn()
        .expect("npm runs");
    run.wait().expect("npm ends").success()
}

#[test]
fn the_types_of_the_page_are_right() {
    assert!(npm("check"));
}

#[test]
fn the_modules_of_the_page_do_what_they_promise() {
    assert!(npm("unit"));
}

#[test]
fn people_can_play_and_analyse_in_a_browser() {
    if !has("chromium") {
        eprintln!("no chromium: the page is not opened here");
        return;
    }
    assert!(npm("browser"));
}
