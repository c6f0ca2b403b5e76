//! Reads TOML files. Errors are one line with the file, the line and the key.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;

/// Names of types in errors, and their meanings.
const TYPES: [(&str, &str); 4] = [
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number, at least 0"),
    ("usize", "a whole number, at least 0"),
];

/// Reads a TOML file; errors are one line with file, line and key.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = kakugo::files::read_text(path, crate::files::input::SMALL_LIMIT)
        .with_context(|| format!("config {}", path.display()))?;
    parse_toml(&text).map_err(|error| anyhow!("{}: {error:#}", path.display()))
}

/// Parses a TOML text like [`read_toml`].
pub(crate) fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let message = explained(&error.message().replace('\n', ", "));
        let Some(span) = error.span() else { return anyhow!(message) };
        let number = text[..span.start].matches('\n').count();
        let line = text.lines().nth(number).unwrap_or("");
        let line_start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        match key_of(line, span.start - line_start).filter(|key| !message.contains(key)) {
            Some(key) => anyhow!("line {}: {key}: {message}", number + 1),
            None => anyhow!("line {}: {message}", number + 1),
        }
    })
}

/// The key of the value at this place of a line; for a place before the first value, the line's first key.
fn key_of(line: &str, place: usize) -> Option<&str> {
    let is_outside_texts = |end: usize| line[..end].matches(['"', '\'']).count().is_multiple_of(2);
    let before = line.get(..place).unwrap_or(line);
    let last = before.rmatch_indices('=').map(|(end, _)| end).find(|&end| is_outside_texts(end));
    let end = last.or_else(|| line.find('='))?;
    let key = line[..end].trim_end();
    // In an inline table, the key follows a brace or a comma.
    Some(key.rsplit(['{', ',']).next().unwrap_or(key).trim_start())
}

/// A message with the names of types explained.
fn explained(message: &str) -> String {
    let message = message.replace("expected a sequence", "expected a list").replace("` as i128", "`");
    match TYPES.iter().find(|(name, _)| message.ends_with(&format!("expected {name}"))) {
        Some((_, meaning)) => format!("{message} ({meaning})"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn error_of(text: &str) -> String {
        parse_toml::<Config>(text).unwrap_err().to_string()
    }

    #[test]
    fn the_key_of_a_wrong_value_is_named() {
        let inline = error_of("seed = 1\nlimits = { nodes = 5, depth = 7, threads = \"x\" }\n");
        assert!(inline.starts_with("line 2: threads: invalid type: string \"x\", expected u32"), "{inline}");
        let list = error_of("[[engine]]\ncommand = \"a\"\ninfo = [\"a = b\", 5]\r\n");
        assert!(list.starts_with("line 3: info: "), "{list}");
        assert_eq!(key_of("a = { b = \"c = d\", e = 7 }", 23), Some("e"));
        assert_eq!(key_of("a = 5", 0), Some("a"));
        assert_eq!(key_of("[a]", 3), None);
        // A place beyond the line, such as its line end.
        assert_eq!(key_of("a =", 9), Some("a"));
    }

    #[test]
    fn names_of_types_are_explained() {
        let error = error_of("[run]\nconcurrency = 100000\n");
        assert!(error.ends_with("expected u16 (a whole number from 0 to 65535)"), "{error}");
        assert!(error_of("[[engine]]\ncommand = \"a\"\ninfo = 5\n").ends_with("expected a list"));
        assert!(!error_of("seed = 99999999999999999999\n").contains("i128"));
    }
}
