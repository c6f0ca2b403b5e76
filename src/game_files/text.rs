//! Line ends in texts of game files.

use std::iter;

/// The characters of a text with each line end as one line feed. A line end is LF, CR, CRLF or LFCR, as `FF[4]` of SGF
/// defines it.
pub fn line_feeds(text: &str) -> impl Iterator<Item = char> {
    let is_line_end = |c: char| c == '\n' || c == '\r';
    let mut chars = text.chars().peekable();
    iter::from_fn(move || {
        let c = chars.next()?;
        if !is_line_end(c) {
            return Some(c);
        }
        chars.next_if(|&next| is_line_end(next) && next != c);
        Some('\n')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_is_a_line_feed() {
        for (text, expected) in [
            ("one\r\ntwo\n", "one\ntwo\n"),
            ("one\rtwo\n\rthree", "one\ntwo\nthree"),
            ("\r\r\n\n", "\n\n\n"),
            ("\n\r\n", "\n\n"),
            ("é", "é"),
            ("", ""),
        ] {
            assert_eq!(line_feeds(text).collect::<String>(), expected, "{text:?}");
        }
    }
}
