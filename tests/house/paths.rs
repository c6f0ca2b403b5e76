//! Paths in the documents: whole paths, which begin with a folder of the root, exist. Ends of paths are checked in
//! `docs/extending.md` only.

use std::path::Path;

use crate::documents::{documents, read};
use crate::links::without_fences;
use crate::source_code::sources;

/// Folders at the root of the repository that documents name files in.
const ROOTS: [&str; 8] = [".ci", "docs", "examples", "src", "tests", "tournament", "training", "web"];
/// The page in which ends of paths are checked too: some file of `src` must have each.
const EXTENDING: &str = "docs/extending.md";

#[test]
fn every_path_in_the_documents_exists() {
    let exists = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists();
    let known: Vec<String> = sources("src").into_iter().map(|(path, _)| path).collect();
    let mut faults = Vec::new();
    for name in documents() {
        for path in named_paths(&read(&name)) {
            let is_whole = ROOTS.contains(&path.split('/').next().unwrap_or_default());
            let is_end = || known.iter().any(|source| source.ends_with(&format!("/{path}")));
            let is_right = if is_whole { exists(&path) } else { name != EXTENDING || is_end() };
            if !is_right {
                faults.push(format!("{name}: there is no {path}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The paths between backticks, without those that stand for several files.
fn named_paths(text: &str) -> Vec<String> {
    let text = without_fences(text);
    let spans = text.split("\n\n").flat_map(|paragraph| {
        let parts: Vec<&str> = paragraph.split('`').collect();
        // Text after the last of an odd number of backticks is not code.
        let last = parts.len().saturating_sub(1);
        parts.into_iter().enumerate().filter(move |&(place, _)| place % 2 == 1 && place < last)
    });
    let spans = spans.map(|(_, span)| span);
    let stands_for_more = |span: &str| {
        span.contains(|c: char| c.is_whitespace() || "*{<".contains(c))
            || ["NAME", "FAMILY"].iter().any(|word| span.contains(word))
    };
    spans.filter(|span| span.contains('/') && !stands_for_more(span)).map(str::to_owned).collect()
}

#[test]
fn paths_are_found_between_backticks() {
    let text = "`src/a.rs` and `b.rs`, `cargo run src/c.rs`\n`src/NAME.rs`, `d/e.rs`\n\n`odd src/f.rs\n\n```\n`src/g.rs`\n```\n\n\
                `src/{h,i}.rs` `src/*.rs` `src`\n";
    assert_eq!(named_paths(text), ["src/a.rs", "d/e.rs"]);
}
