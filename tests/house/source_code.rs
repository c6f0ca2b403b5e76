//! Reading of Rust sources, as far as the checks of imports need it.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file in `root` and its folders: its path from the repository root, and its text.
pub fn sources(root: &str) -> Vec<(String, String)> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = vec![base.join(root)];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the sources can be listed");
            open.extend(entries.map(|entry| entry.expect("the sources can be listed").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name =
                path.strip_prefix(base).expect("it is below the root").to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).expect("the sources can be read")));
        }
    }
    assert!(!found.is_empty(), "no sources below {root}");
    found.sort();
    found
}

/// The modules from the root to the file: `src/rules/plain/line.rs` is `rules`, `plain`, `line`.
pub fn module_path(path: &str) -> Vec<&str> {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.split('/').filter(|&part| part != "mod" && part != "lib").collect()
}

/// The items of a list after its opening brace, each with its offset.
pub fn list_items(list: &str) -> Vec<(usize, &str)> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth > 0 => {}
            '}' | ',' => {
                let item = list[start..place].trim_start();
                items.push((place - item.len(), item));
                start = place + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    items
}

/// The name that begins `text`.
pub fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|&c| is_word(c)).collect()
}

/// Whether names may contain the character.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `text` with comments and string literals replaced by blanks, so that all offsets and lines stay the same.
pub fn without_comments_and_texts(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => quoted(rest),
            'r' if !code.ends_with(is_word) => raw_text(rest).unwrap_or(0),
            // A quote or brace as a character literal; a lifetime has no closing quote here.
            '\'' => character(rest).unwrap_or(0),
            _ => 0,
        };
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..length].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    code
}

/// The length of the string literal at the beginning of `rest`.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (place, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of the raw string literal, such as `r#"..."#`, at the beginning of `rest`.
fn raw_text(rest: &str) -> Option<usize> {
    let hashes = rest[1..].chars().take_while(|&c| c == '#').count();
    let body = rest[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(rest.len() - body.len() + body.find(&end)? + end.len())
}

/// The length of the character literal, such as `'"'` or `'\n'`, at the beginning of `rest`.
fn character(rest: &str) -> Option<usize> {
    let inner = &rest[1..];
    let length = match inner.strip_prefix('\\') {
        Some(escaped) => 1 + escaped.chars().next()?.len_utf8(),
        None => inner.chars().next()?.len_utf8(),
    };
    inner[length..].starts_with('\'').then_some(length + 2)
}

/// `code` with the items after `#[cfg(test)]` replaced by blanks.
pub fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut result = code.to_owned();
    while let Some(start) = result.find(MARK) {
        let end = item_end(&result, start + MARK.len());
        let blank: String = result[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        result.replace_range(start..end, &blank);
    }
    result
}

/// The end of the item that begins at `start`: its closing brace, or a semicolon before any brace.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0;
    for (place, c) in code[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == '}' || c == ';') {
            return start + place + 1;
        }
    }
    code.len()
}
