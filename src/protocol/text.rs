//! Foreign text made fit for one line of ours.

/// Most bytes of foreign text that are repeated in an answer.
const QUOTED: usize = 40;

/// The beginning of `bytes` with everything but printable ASCII escaped.
pub fn quote(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED)];
    let dots = if shown.len() < bytes.len() { "..." } else { "" };
    format!("{}{dots}", shown.escape_ascii())
}

/// The first `limit` characters of `text`, with line ends and other control characters escaped.
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    for c in text.chars().take(limit) {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_escaped_and_clipped() {
        assert_eq!(quote(b"TURN\n\xff"), "TURN\\n\\xff");
        assert_eq!(quote(&[b'a'; 1000]), format!("{}...", "a".repeat(QUOTED)));
        assert_eq!(one_line("a\nb\r\0é", 100), "a\\nb\\r\\u{0}é");
        assert_eq!(one_line("abcdef", 3), "abc");
    }
}
