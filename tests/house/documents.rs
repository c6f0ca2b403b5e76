//! The documents: every link has a target, every option of the engine is documented, and the README stays
//! short.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::terminal::{run, text};
use kakugo::rules::{RuleKind, UnknownRule};
use kakugo::variants::{GAMES, rules_in_words};

/// Maximum number of lines of the README; longer texts belong in docs/.
const README_LINES: usize = 200;
/// Folders whose documents are checked, relative to the repository root.
const FOLDERS: [&str; 2] = ["", "docs"];
/// Options of all commands.
const COMMON: [&str; 2] = ["--help", "--version"];

#[test]
fn every_link_leads_somewhere() {
    let names = documents();
    assert!(names.len() > 10, "{names:?}");
    let faults: Vec<String> =
        names.iter().flat_map(|name| broken_links(name, &read(name), content)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

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
        let missing = options(&help(command)).into_iter().filter(|option| {
            !COMMON.contains(&option.as_str()) && !is_named(&own, option) && !is_named(&others, option)
        });
        faults.extend(missing.map(|option| format!("`{command}`: no document names {option}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
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
fn every_option_of_databases_is_named() {
    let page = read("docs/database.md");
    let commands = subcommands(&help("db"));
    assert!(commands.len() >= 7, "{commands:?}");
    for command in &commands {
        let own = section(&page, command)
            .unwrap_or_else(|| panic!("docs/database.md has no section for `{command}`"));
        let named = options(&help(&format!("db {command}")));
        let missing: Vec<&String> = named
            .iter()
            .filter(|option| !COMMON.contains(&option.as_str()) && !is_named(&own, option))
            .collect();
        assert!(missing.is_empty(), "`db {command}`: docs/database.md does not name {missing:?}");
    }
}

#[test]
fn every_option_of_books_is_named() {
    let page = read("docs/database.md");
    let book = page.split_once("\n## The book\n").expect("there is a section about books").1;
    for command in subcommands(&help("book")) {
        let own = section(book, &command)
            .unwrap_or_else(|| panic!("docs/database.md has no section for `book {command}`"));
        let named = options(&help(&format!("book {command}")));
        let missing: Vec<&String> = named
            .iter()
            .filter(|option| !COMMON.contains(&option.as_str()) && !is_named(&own, option))
            .collect();
        assert!(missing.is_empty(), "`book {command}`: docs/database.md does not name {missing:?}");
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
fn content(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if path.is_dir() {
        return Some(String::new());
    }
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Links of a document without a target, with file and line; `content` returns the existing files.
fn broken_links(name: &str, text: &str, content: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (line, link) in links(text) {
        if ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
            continue;
        }
        let (file, fragment) = link.split_once('#').unwrap_or((&link, ""));
        let target = if file.is_empty() { Some(name.to_owned()) } else { resolve(name, file) };
        let found = target
            .as_deref()
            .and_then(|target| if target == name { Some(text.to_owned()) } else { content(target) });
        let Some(found) = found else {
            faults.push(format!("{name}:{line}: there is no {file}"));
            continue;
        };
        let is_document = target.is_some_and(|target| target.ends_with(".md"));
        if is_document && !fragment.is_empty() && !fragments(&found).iter().any(|known| known == fragment) {
            faults.push(format!("{name}:{line}: {link} names no heading"));
        }
    }
    faults
}

/// The path from the repository root of the file that the document `name` calls `file`; `None` outside the
/// repository.
fn resolve(name: &str, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Targets of the links in a text, with their lines: `[text](target)`, or `[name]: target` on a line of its
/// own.
fn links(text: &str) -> Vec<(usize, String)> {
    let text = without_code(text);
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let inline =
            text.match_indices("](").filter_map(|(at, mark)| text[at + mark.len()..].split_once(')'));
        let targets = inline.map(|(target, _)| target);
        let definition =
            text.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
        for target in targets.chain(definition) {
            // A title may follow.
            let target = target.split_whitespace().next().unwrap_or_default();
            found.push((line + 1, target.to_owned()));
        }
    }
    found
}

/// The fragments of the headings in a text, as GitHub makes them: lower case, blanks become hyphens, other
/// punctuation is dropped, and repeated fragments get a number.
fn fragments(text: &str) -> Vec<String> {
    let mut counts = BTreeMap::new();
    let mut found = Vec::new();
    let blocks = without_fences(text);
    for line in blocks.lines() {
        let title = line.trim_start_matches('#');
        if !(1..=6).contains(&(line.len() - title.len())) || !title.starts_with(' ') {
            continue;
        }
        let letters = title.trim().to_lowercase();
        let kept = letters.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        let fragment: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = counts.entry(fragment.clone()).or_insert(0);
        found.push(if *count == 0 { fragment } else { format!("{fragment}-{count}") });
        *count += 1;
    }
    found
}

/// `text` with empty lines in place of fenced blocks.
pub fn without_fences(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence { "\n".to_owned() } else { format!("{line}\n") }
    });
    lines.collect()
}

/// `text` without code blocks and code between backticks; the lines stay the same.
fn without_code(text: &str) -> String {
    let text = without_fences(text);
    let mut kept = String::with_capacity(text.len());
    // Code does not extend beyond its paragraph.
    for paragraph in text.split("\n\n") {
        let parts: Vec<&str> = paragraph.split('`').collect();
        for (place, part) in parts.iter().enumerate() {
            // Text after the last of an odd number of backticks is not code.
            let is_code = place % 2 == 1 && place + 1 < parts.len();
            kept.extend(part.chars().filter(|&c| !is_code || c == '\n'));
        }
        kept.push_str("\n\n");
    }
    kept
}

/// The help of a command of the engine, or of the engine itself if `command` is empty.
fn help(command: &str) -> String {
    let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let output = run(&arguments, "");
    assert!(output.status.success(), "{arguments:?}");
    text(&output.stdout).to_owned()
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

/// Whether a text contains the option, and not only a longer one that begins with it.
fn is_named(text: &str, option: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '-';
    text.match_indices(option).any(|(at, _)| !text[at + option.len()..].starts_with(goes_on))
}

#[test]
fn a_broken_link_is_found_with_its_line() {
    let there = |name: &str| match name {
        "docs/b.md" => Some("# B\n\n## Two words\n".to_owned()),
        "src" | "src/c.rs" => Some(String::new()),
        _ => None,
    };
    let right = "# A `code`\n[b](docs/b.md), [two](docs/b.md#two-words) [own](#a-code)\n[code `]`](src/c.rs#L5) [src](src)\n\
                 ![picture](docs/b.md \"B\") [web](https://example.org/x#y)\n\n[name]: docs/b.md\n";
    assert_eq!(broken_links("a.md", right, there), Vec::<String>::new());
    assert_eq!(broken_links("docs/b.md", "[c](../src/c.rs) [b](b.md)", there), Vec::<String>::new());
    let wrong = "# A\n\n[b](b.md) [b](docs/b.md#three-words)\n[own](#b)\n\n[name]: docs/d.md\n[out](../x.md)";
    let faults = [
        "a.md:3: there is no b.md",
        "a.md:3: docs/b.md#three-words names no heading",
        "a.md:4: #b names no heading",
        "a.md:6: there is no docs/d.md",
        "a.md:7: there is no ../x.md",
    ];
    assert_eq!(broken_links("a.md", wrong, there), faults);
    let code = "`[a](x.md)` and `[b]\n(y.md)`\n\n```\n[c](z.md)\n# No heading\n```\n\n`odd [d](w.md)";
    assert_eq!(broken_links("a.md", code, there), ["a.md:9: there is no w.md"]);
}

#[test]
fn fragments_are_those_of_github() {
    let text = "# What the search's techniques gained\n## `bench`\n## At 1 s a move\n### Levels: practice, _x_\n#no\n## `bench`\n";
    let found =
        ["what-the-searchs-techniques-gained", "bench", "at-1-s-a-move", "levels-practice-_x_", "bench-1"];
    assert_eq!(fragments(text), found);
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
