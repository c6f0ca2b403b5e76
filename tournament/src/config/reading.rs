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
    let signs = equals_signs(line);
    let end = *signs.iter().rfind(|&&sign| sign < place).or(signs.first())?;
    let key = line[..end].trim_end();
    // In an inline table, the key follows a brace or a comma.
    Some(key.rsplit(['{', ',']).next().unwrap_or(key).trim_start())
}

/// The places of the equals signs of a line that are not in texts or in a comment.
fn equals_signs(line: &str) -> Vec<usize> {
    let mut signs = Vec::new();
    let (mut open_quote, mut is_escaped) = (None, false);
    for (place, character) in line.char_indices() {
        match (open_quote, character) {
            _ if is_escaped => is_escaped = false,
            (Some('"'), '\\') => is_escaped = true,
            (Some(quote), _) if quote == character => open_quote = None,
            (Some(_), _) => {}
            (None, '#') => break,
            (None, '"' | '\'') => open_quote = Some(character),
            (None, '=') => signs.push(place),
            (None, _) => {}
        }
    }
    signs
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
        let quoted = error_of("[[engine]]\ncommand = \"a\"\nenv = { A = \"it's\", B = 5 }\n");
        assert!(quoted.starts_with("line 3: B: invalid type: "), "{quoted}");
        // The key of a list over several lines is in another line.
        let long = error_of("[[engine]]\ncommand = \"a\"\ninfo = [\n\"a = b\", 5,\n]\n");
        assert!(long.starts_with("line 4: invalid type: "), "{long}");
        assert_eq!(key_of(r#"a = ["b \" = c", 5]"#, 17), Some("a"));
        assert_eq!(key_of("a = ['b\\', \"c = d\", 5]", 20), Some("a"));
        assert_eq!(key_of("[1 # a = b", 1), None);
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
