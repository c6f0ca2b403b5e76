//! The pages name every option of every command.

use clap::{Command, CommandFactory};
use tournament::cli::Cli;

const PAGE: &str = include_str!("../../../docs/tournament.md");
const TRAINING: &str = include_str!("../../../docs/training.md");

/// Where the options of each command are described: the beginnings of sections of the page, or of another page.
const SECTIONS: [(&str, &[&str]); 10] = [
    ("run", &["`tournament run`"]),
    ("init", &[]),
    ("merge", &["# Matches"]),
    ("rate", &["Ratings, games and other formats"]),
    ("show", &["Ratings, games and other formats"]),
    ("convert", &["Ratings, games and other formats"]),
    ("report", &["`tournament report`", "Ratings, games and other formats"]),
    ("openings", &["Openings"]),
    ("doublings", &["`tournament doublings`", "`tournament run`"]),
    ("tune", &["# Matches", "# Training"]),
];

/// The names of a command's options.
fn options(command: &Command) -> Vec<String> {
    let names = command.get_arguments().flat_map(|argument| {
        argument.get_long().into_iter().chain(argument.get_visible_aliases().unwrap_or_default())
    });
    names.map(|name| format!("--{name}")).collect()
}

/// Whether a text contains the option, and not only as the beginning of a longer one.
fn is_named(text: &str, option: &str) -> bool {
    text.match_indices(option).any(|(at, _)| {
        let rest = &text[at + option.len()..];
        !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
    })
}

#[test]
fn every_option_is_named() {
    let sections: Vec<&str> = PAGE.split("\n## ").chain([TRAINING]).collect();
    let section = |title: &str| {
        let is_its = |section: &&&str| section.starts_with(title);
        sections.iter().find(is_its).unwrap_or_else(|| panic!("no section {title}"))
    };
    let mut missing = Vec::new();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let (_, titles) = SECTIONS.iter().find(|(known, _)| *known == name).expect(name);
        let text: String = titles.iter().map(|title| format!("{}\n", section(title))).collect();
        let unnamed = options(command).into_iter().filter(|option| !is_named(&text, option));
        missing.extend(unnamed.map(|option| format!("`{name}`: no page names {option}")));
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}
