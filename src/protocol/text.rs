//! Makes foreign text safe for one line of output.

use crate::terminal::text::visible;

/// Maximum number of characters of free text in one line.
pub const TEXT_LIMIT: usize = 500;
/// Maximum number of bytes of foreign text that are quoted in an answer.
const QUOTED: usize = 40;

/// The beginning of `bytes`, with everything except printable ASCII escaped.
pub fn quote(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED)];
    let dots = if shown.len() < bytes.len() { "..." } else { "" };
    format!("{}{dots}", shown.escape_ascii())
}

/// The first `limit` characters of `text` on one line, with control characters made visible.
pub fn one_line(text: &str, limit: usize) -> String {
    let end = text.char_indices().nth(limit).map_or(text.len(), |(end, _)| end);
    visible(&text[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_escaped_and_clipped() {
        assert_eq!(quote(b"TURN\n\xff"), "TURN\\n\\xff");
        assert_eq!(quote(&[b'a'; 1000]), format!("{}...", "a".repeat(QUOTED)));
        assert_eq!(one_line("a\nb\r\0é\u{202e}", 100), "a\\nb\\r\\x00é\\u{202e}");
        assert_eq!(one_line("abcdef", 3), "abc");
    }
}
