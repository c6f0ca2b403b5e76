//! Links in the documents: every link has a target.

use std::collections::BTreeMap;

use crate::documents::{content, documents, read};

#[test]
fn every_link_leads_somewhere() {
    let names = documents();
    assert!(names.len() > 10, "{names:?}");
    let faults: Vec<String> =
        names.iter().flat_map(|name| broken_links(name, &read(name), content)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Links of a document without a target, with file and line; `content` returns the existing files.
pub fn broken_links(name: &str, text: &str, content: impl Fn(&str) -> Option<String>) -> Vec<String> {
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
