//! The documents: they show what the engine prints, name every rule and game, and the README stays short.

use std::fs;
use std::path::Path;

use crate::terminal::{run, text};
use kakugo::rules::{RuleKind, UnknownRule};
use kakugo::variants::GAMES;

/// Maximum number of lines of the README; longer texts belong in docs/.
const README_LINES: usize = 200;
/// Folders whose documents are checked, relative to the repository root.
const FOLDERS: [&str; 2] = ["", "docs"];

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines, more than {README_LINES}");
}

#[test]
fn the_documents_show_what_the_engine_prints() {
    let examples =
        |page: &str| read(page).split("    $ pbrain-kakugo ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let readme = examples("README.md");
    assert!(!readme.is_empty(), "README.md has examples");
    // Other commands search by the clock, or read files of the user.
    let mut steady = examples("docs/command-line.md");
    steady.retain(|block| block.starts_with("evaluate ") || block.starts_with("forbidden "));
    assert!(steady.len() >= 2, "docs/command-line.md has examples");
    for block in readme.iter().chain(&steady) {
        let mut lines = block.lines();
        let command: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let output = run(&command, "");
        let mut printed = text(&output.stdout).lines();
        // The end of the output may be omitted.
        let shown = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
        for line in shown.map(str::trim).filter(|line| !line.is_empty()) {
            let is_next = printed.any(|printed| printed.trim() == line);
            assert!(is_next, "`{}` does not print {line:?} there", command.join(" "));
        }
    }
}

/// The numbered steps of a text: after `prefix` a number, then a name up to the first punctuation mark.
fn steps(text: &str, prefix: &str) -> Vec<(usize, String)> {
    let step = |line: &str| {
        let (number, rest) = line.trim_start().strip_prefix(prefix)?.split_once(". ")?;
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != ' ' && c != '-').next()?;
        Some((number.parse().ok()?, name.trim().to_lowercase()))
    };
    text.lines().filter_map(step).collect()
}

#[test]
fn the_steps_of_a_node_are_those_of_the_search() {
    let in_code = steps(&read("src/search/alpha_beta.rs"), "// ");
    let page = read("docs/engine.md");
    let list = page.split("`alpha_beta.rs` numbers them:").nth(1).expect("the steps are introduced");
    let list = list.split("\n\n").nth(1).expect("a list follows");
    let on_page = steps(list, "");
    assert!(in_code.len() >= 15, "{in_code:?}");
    assert_eq!(in_code.len(), on_page.len(), "{in_code:?}\n{on_page:?}");
    for (at, ((number, name), (other_number, other_name))) in in_code.iter().zip(&on_page).enumerate() {
        assert_eq!((*number, *other_number), (at + 1, at + 1), "{name}, {other_name}");
        // Two words identify a step (`late move`, `all lose`), or one if the name has only one.
        let first = |name: &str| name.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert!(other_name.starts_with(&first(name)), "step {number}: '{name}' and '{other_name}'");
    }
}

#[test]
fn every_rule_and_game_is_named() {
    let page = read("docs/games.md");
    let rules = RuleKind::ALL.map(RuleKind::name);
    let games = GAMES.map(|(name, _)| name);
    let missing: Vec<_> =
        rules.into_iter().chain(games).filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/games.md does not name {missing:?}");
    for (place, told) in [
        ("the text of UnknownRule", UnknownRule.to_string()),
        ("`play --help`", help("play")),
        ("`solve --help`", help("solve")),
    ] {
        let missing: Vec<_> = rules.into_iter().filter(|&name| !told.contains(name)).collect();
        assert!(missing.is_empty(), "{place} does not name {missing:?}");
    }
}

/// The documents, with their paths from the repository root.
pub fn documents() -> Vec<String> {
    let mut names = Vec::new();
    for folder in FOLDERS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(path).expect("the folder can be listed") {
            let name = entry.expect("the folder can be listed").file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                names.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    names.sort();
    names
}

/// The text of a document.
pub fn read(name: &str) -> String {
    content(name).unwrap_or_else(|| panic!("{name} can be read"))
}

/// The content of a file in the repository, empty for a folder; `None` if it does not exist.
pub fn content(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if path.is_dir() {
        return Some(String::new());
    }
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The help of a command of the engine, or of the engine itself if `command` is empty.
pub fn help(command: &str) -> String {
    let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let output = run(&arguments, "");
    assert!(output.status.success(), "{arguments:?}");
    text(&output.stdout).to_owned()
}
