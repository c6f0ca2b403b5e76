//! Foreign text made safe for a terminal, a table, a page and JSON.
//!
//! Names, comments and lines from engines and files may contain anything: escape sequences that control a
//! terminal, characters that change the writing direction, characters without width. All programs print such
//! text through this module, mostly by way of [`output`](crate::terminal::output).

use std::borrow::Cow;
use std::fmt::Display;

/// Maximum number of characters of a name in a table or a line; longer names would push everything else off
/// the screen, and the formatter does not support a width of 65,536.
pub const NAME_LENGTH: usize = 60;
/// Maximum number of characters of an error.
#[cfg(feature = "cli")]
const ERROR_LENGTH: usize = 4000;

/// The characters, other than control characters, that are invisible or change the direction of others.
const HIDDEN: [(char, char); 24] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110cd}'),
    ('\u{13430}', '\u{1345f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether `c` has an effect on a terminal or a reader instead of being shown.
fn is_hidden(c: char) -> bool {
    c.is_control() || !c.is_ascii() && HIDDEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Whether a text is printable ASCII, as most texts are; a quick test.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// `\n`, `\x1b`, `\u{202e}`.
fn escape(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if c.is_ascii() => text.push_str(&format!("\\x{:02x}", u32::from(c))),
        c => text.extend(c.escape_unicode()),
    }
}

/// The text with all hidden characters escaped, except those accepted by `is_meant`; `before` precedes each
/// escape.
fn escaped<'a>(text: &'a str, before: &str, is_meant: impl Fn(char) -> bool) -> Cow<'a, str> {
    let acts = |c: char| is_hidden(c) && !is_meant(c);
    if is_plain(text) || !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) {
            shown.push_str(before);
            escape(c, &mut shown);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// A text on one line, with all characters made visible that are hidden or would control a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, "", |_| false)
}

/// Like [`visible`], for a text with line ends of our own.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, "", |c| c == '\n')
}

/// Like [`visible_lines`], for a text with our own styles: sequences `ESC [ numbers m`, which only change
/// colours and weight, are kept. Foreign parts must be [`visible`] before they are styled.
pub fn visible_styled(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return visible_lines(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        shown.push_str(&visible_lines(&rest[..start]));
        let style = style_length(&rest[start..]);
        match style {
            0 => escape('\u{1b}', &mut shown),
            _ => shown.push_str(&rest[start..start + style]),
        }
        rest = &rest[start + style.max(1)..];
    }
    shown.push_str(&visible_lines(rest));
    Cow::Owned(shown)
}

/// The length of the style at the beginning of `text`, 0 if there is none.
fn style_length(text: &str) -> usize {
    let Some(body) = text.strip_prefix("\u{1b}[") else { return 0 };
    let numbers = body.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if body[numbers..].starts_with('m') { "\u{1b}[".len() + numbers + 1 } else { 0 }
}

/// A name for a table or a line: visible, and not too long.
pub fn name(text: &str) -> Cow<'_, str> {
    clipped(text, NAME_LENGTH)
}

/// An error as one line.
#[cfg(feature = "cli")]
pub fn error(error: &anyhow::Error) -> String {
    clipped(&format!("{error:#}"), ERROR_LENGTH).into_owned()
}

/// The first `length` characters, at least three, made visible, with dots if the text is longer.
pub fn clipped(text: &str, length: usize) -> Cow<'_, str> {
    let end = |length: usize| text.char_indices().nth(length).map(|(index, _)| index);
    match end(length) {
        None => visible(text),
        Some(_) => Cow::Owned(visible(&text[..end(length - 3).unwrap_or(0)]).into_owned() + "..."),
    }
}

/// A number with a noun: `1 move`, `2 moves`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// One JSON value in which hidden characters are escaped for JSON: it has the same meaning and is safe to
/// view.
pub fn json(text: String) -> String {
    if is_plain(&text) || !text.contains(|c| is_hidden(c) && c != '\n') {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// One JSON value whose texts are made [visible], as far as JSON itself does not escape them.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(text, "\\", |c| c == '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str =
        "a\u{1b}[2J\u{7}\u{7f}\u{9b}1m\n\r\t\u{202e}b\u{2066}\u{200b}\u{feff}\u{2028}\u{e0041}\u{ad}é漢\\";

    #[test]
    fn what_acts_or_hides_is_made_visible() {
        let shown = visible(HOSTILE);
        assert_eq!(
            shown,
            "a\\x1b[2J\\x07\\x7f\\u{9b}1m\\n\\r\\t\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{e0041}\\u{ad}é漢\\"
        );
        assert_eq!(visible(&shown), shown, "what is visible stays");
        assert_eq!(visible_lines("a\n\u{1b}\n"), "a\n\\x1b\n");
        for c in ('\0'..=char::MAX).filter(|c| c.is_control()) {
            assert!(visible(&c.to_string()).starts_with('\\'), "{c:?}");
        }
    }

    #[test]
    fn our_styles_stay_and_nothing_else_does() {
        let styled = "\u{1b}[1m\u{1b}[38;5;16mbold\u{1b}[0m\nplain";
        assert_eq!(visible_styled(styled), styled);
        for (text, shown) in [
            ("\u{1b}[2J\u{1b}[1m", "\\x1b[2J\u{1b}[1m"),
            ("\u{1b}]0;title\u{7}", "\\x1b]0;title\\x07"),
            ("\u{1b}", "\\x1b"),
            ("\u{1b}[38;5", "\\x1b[38;5"),
            ("\u{1b}[m\u{202e}\r", "\u{1b}[m\\u{202e}\\r"),
            ("no style\u{9b}1m", "no style\\u{9b}1m"),
        ] {
            assert_eq!(visible_styled(text), shown);
        }
    }

    #[test]
    fn names_are_clipped() {
        assert_eq!(name("short\u{1b}"), "short\\x1b");
        let sixty = "é".repeat(60);
        assert_eq!(name(&sixty), sixty);
        assert_eq!(name(&"é".repeat(61)), "é".repeat(57) + "...");
    }

    #[test]
    fn one_of_a_kind_is_singular() {
        let games = [0, 1, 2].map(|count: usize| counted(count, "game"));
        assert_eq!(games, ["0 games", "1 game", "2 games"]);
        assert_eq!(counted(1_u16, "move"), "1 move");
        assert_eq!(counted(u64::MAX, "node"), "18446744073709551615 nodes");
    }

    #[test]
    #[cfg(feature = "cli")]
    fn an_error_is_one_line() {
        assert_eq!(error(&anyhow::anyhow!("a\nb").context("\u{1b}")), "\\x1b: a\\nb");
        assert_eq!(error(&anyhow::anyhow!("x".repeat(1 << 20))).len(), ERROR_LENGTH);
    }

    #[test]
    fn json_means_the_same_and_hides_nothing() {
        let text = json(serde_json::to_string(HOSTILE).unwrap());
        assert!(!text.contains(is_hidden), "{text:?}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), HOSTILE);
    }
}
