//! Options in the documents: every option of the engine and of a game is documented.

use std::collections::BTreeSet;

use crate::documents::{help, read};
use kakugo::variants::{GAMES, rules_in_words};

/// Options of all commands.
const COMMON: [&str; 2] = ["--help", "--version"];

#[test]
fn every_option_of_the_engine_is_named() {
    let page = read("docs/command-line.md");
    let others = read("docs/games.md") + &read("docs/protocol.md");
    let commands = subcommands(&help(""));
    assert!(commands.len() >= 10, "{commands:?}");
    let mut faults = Vec::new();
    for command in [""].into_iter().chain(commands.iter().map(String::as_str)) {
        let Some(own) = section(&page, command) else {
            faults.push(format!("docs/command-line.md has no section for `{command}`"));
            continue;
        };
        let missing = unnamed(command, &[&own, &others]).into_iter();
        faults.extend(missing.map(|option| format!("`{command}`: no document names {option}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_option_of_databases_is_named() {
    let commands = subcommands(&help("db"));
    assert!(commands.len() >= 7, "{commands:?}");
    check_group("db", &commands, &read("docs/database.md"));
}

#[test]
fn every_option_of_books_is_named() {
    let page = read("docs/database.md");
    let book = page.split_once("\n## The book\n").expect("there is a section about books").1;
    check_group("book", &subcommands(&help("book")), book);
}

/// Checks that each of a command's `commands` has a section in a part of the page, which names its options.
fn check_group(group: &str, commands: &[String], part: &str) {
    for command in commands {
        let own = section(part, command)
            .unwrap_or_else(|| panic!("docs/database.md has no section for `{group} {command}`"));
        let missing = unnamed(&format!("{group} {command}"), &[&own]);
        assert!(missing.is_empty(), "`{group} {command}`: docs/database.md does not name {missing:?}");
    }
}

#[test]
fn every_option_of_a_game_is_in_a_table() {
    let page = read("docs/games.md");
    for (game, _) in GAMES {
        let name = format!("`{game}`");
        let is_of_game = |section: &&str| section.lines().next().is_some_and(|title| title.contains(&name));
        let section = page.split("\n### ").find(is_of_game).expect("every family has a section");
        let words = rules_in_words(game).expect("the game exists");
        let options = words.last().expect("the options come last").split_whitespace();
        for (option, _) in options.filter_map(|word| word.split_once('=')) {
            let code = format!("`{option}`");
            let is_named = section.lines().any(|line| line.starts_with("| `") && line.contains(&code));
            assert!(is_named, "docs/games.md: no table has the option {option} of {game}");
        }
    }
}

/// The commands listed in a help text, except help.
fn subcommands(help: &str) -> Vec<String> {
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.split_whitespace().next());
    names.filter(|&name| name != "help").map(str::to_owned).collect()
}

/// The long options explained in a help text.
fn options(help: &str) -> BTreeSet<String> {
    let explained = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = explained.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    words.map(|word| word.trim_end_matches(',').to_owned()).collect()
}

/// The section of a document whose heading contains `command` between backticks, or everything before the
/// first section if `command` is empty.
fn section(page: &str, command: &str) -> Option<String> {
    let mut is_inside = command.is_empty();
    let mut found = String::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let mut names = title.split('`').skip(1).step_by(2).filter_map(|code| code.split(' ').next());
            is_inside = names.any(|name| name == command);
        }
        if is_inside {
            found += &format!("{line}\n");
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The options of a command that none of the texts names, without the options that all commands have.
fn unnamed(command: &str, texts: &[&str]) -> Vec<String> {
    let is_missing = |option: &String| {
        !COMMON.contains(&option.as_str()) && !texts.iter().any(|text| is_named(text, option))
    };
    options(&help(command)).into_iter().filter(is_missing).collect()
}

/// Whether a text contains the option, and not only a longer one that begins with it.
fn is_named(text: &str, option: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '-';
    text.match_indices(option).any(|(at, _)| !text[at + option.len()..].starts_with(goes_on))
}

#[test]
fn a_missing_option_is_found() {
    let help = "Does it\n\nCommands:\n  go    Goes --far\n  help  Helps\n\nOptions:\n  -n, --nodes <N>  Nodes, as --many\n      --json\n";
    assert_eq!(subcommands(help), ["go"]);
    assert_eq!(options(help).into_iter().collect::<Vec<_>>(), ["--json", "--nodes"]);
    let page = "--log\n\n## `go FILE`, `run`\n\n`--nodes-a` `--json`\n\n## `stop`\n\n`--nodes`\n";
    let named = |command, option| section(page, command).map(|own| is_named(&own, option));
    assert_eq!(named("", "--log"), Some(true));
    assert_eq!(named("go", "--nodes"), Some(false), "another one begins so");
    assert_eq!((named("run", "--json"), named("stop", "--nodes")), (Some(true), Some(true)));
    assert_eq!(named("leave", "--json"), None);
}
