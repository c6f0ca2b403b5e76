//! HTML pages, each in a single file: they need no other file and no network.
//!
//! The data of a page is a block of JSON, from which the page's own script draws. Foreign text is never trusted: in the
//! data `<` is escaped, the script adds it to the page only as text, and the page's content security policy allows only
//! the script and the style whose hashes it contains.
//!
//! The parts that all pages share are here: [`DOM`], [`BOARD`] and [`CONTROLS`] for their scripts, [`BASE_STYLE`],
//! [`BOARD_STYLE`] and [`GAMES_STYLE`] for their styles. [`DOM`] and [`BOARD`] are modules, which the board in the browser
//! imports; a page of one file has one script, so their imports and exports are left out there.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::terminal::text;

/// Script: elements, numbers and times as text. Comes before all others.
pub const DOM: &str = include_str!("dom.js");
/// Script: the board with its stones.
pub const BOARD: &str = include_str!("board.js");
/// Script: icons, scrolling, touch input.
pub const CONTROLS: &str = include_str!("controls.js");
/// Style: colours, type, the frame of the page.
pub const BASE_STYLE: &str = include_str!("base.css");
/// Style: the board and its stones.
pub const BOARD_STYLE: &str = include_str!("board.css");
/// Style: the controls of a board, lists of moves and games.
pub const GAMES_STYLE: &str = include_str!("games.css");

/// The parts of a page without its title and data.
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    /// HTML with the marks `{{policy}}`, `{{style}}`, `{{title}}`, `{{data}}` and `{{script}}`.
    pub html: &'a str,
    /// Style sheets.
    pub style: &'a [&'a str],
    /// The parts of the page's script, in order.
    pub script: &'a [&'a str],
}

impl Template<'_> {
    /// The page before its data and after it. The data between them must be [escaped](escape_json).
    pub fn around_data(&self, title: &str) -> [String; 2] {
        let script =
            format!("\"use strict\";\n(() => {{\n{}}})();\n", without_modules(&self.script.concat()));
        let style = self.style.concat();
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
            hash(&script),
            hash(&style),
        );
        let title = escape_text(title);
        // The title comes last, so that nothing in it is taken for a mark of the page.
        let marks = [("policy", &policy), ("style", &style), ("script", &script), ("title", &title)];
        let (before, after) = self.html.split_once("{{data}}").expect("a page has a place for its data");
        [before, after].map(|part| {
            marks.iter().fold(part.to_owned(), |part, (mark, text)| {
                part.replacen(&format!("{{{{{mark}}}}}"), text, 1)
            })
        })
    }
}

/// A script whose parts share one scope: imports and exports, which are on separate lines, are left out.
fn without_modules(script: &str) -> String {
    let is_needed = |line: &&str| !line.starts_with("import ") && !line.starts_with("export {");
    script.split_inclusive('\n').filter(is_needed).collect()
}

/// A source of a content security policy: the text that hashes to this may run.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// JSON that is safe in a script element: `<` occurs only in strings, where it can be escaped. Characters that are
/// invisible, or that would change the direction of the page's own text, are shown as escapes.
pub fn escape_json(json: &str) -> String {
    text::visible_json(json).replace('<', "\\u003c")
}

/// Text between tags. A brace begins the marks of a page, so it is escaped too.
pub fn escape_text(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '{' => "&#123;".to_owned(),
        _ => c.to_string(),
    };
    text::visible(text).chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_policy_is_base64_of_sha256() {
        // The example of the specification (CSP3, section 2.3.1 speaks of this script).
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn hostile_text_ends_nothing() {
        let json = escape_json(&serde_json::to_string("</script><!-- {{data}}").unwrap());
        assert!(!json.contains('<'));
        assert_eq!(escape_json(&serde_json::to_string("\u{202e}\u{9b}").unwrap()), r#""\\u{202e}\\u{9b}""#);
        assert_eq!(escape_text("\u{202e}"), "\\u&#123;202e}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "</script><!-- {{data}}");
        assert_eq!(escape_text("</title>{{data}}&"), "&lt;/title&gt;&#123;&#123;data}}&amp;");
    }

    #[test]
    fn the_parts_stand_in_their_places() {
        let template = Template {
            html: "<title>{{title}}</title>{{policy}}{{style}}[{{data}}]{{script}}",
            style: &["a{}", "b{}"],
            script: &["f();\nexport { f };\n", "import { f } from \"./f.js\";\ng();\n"],
        };
        let [before, after] = template.around_data("{{script}} <");
        assert!(
            before.starts_with(
                "<title>&#123;&#123;script}} &lt;</title>default-src 'none'; script-src 'sha256-"
            )
        );
        assert!(before.ends_with("form-action 'none'a{}b{}["), "{before}");
        assert_eq!(after, "]\"use strict\";\n(() => {\nf();\ng();\n})();\n");
    }
}
