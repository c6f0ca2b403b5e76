//! The report of a batch: one HTML file that shows everything and needs nothing else.
//!
//! The data goes into the page as one block of JSON, the statistics worked out, the games written as shortly as
//! text allows; the page's own script draws from it. What engines say is never trusted: it is in the file as JSON whose
//! `<` is escaped, the script puts it on the page as text only, and the page's policy runs no script and no style
//! but those that carry the hashes written here. Nothing here plays, rates or reads files.

mod clock;
pub mod drawing;
mod games;
mod marks;
mod payload;
mod tables;
mod times;
mod verdict;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::files::record::GameRecord;
use crate::text;

pub use payload::{Payload, ReportBatch};

const PAGE: &str = include_str!("page.html");
const STYLE: &[&str] = &[
    include_str!("style/base.css"),
    include_str!("style/charts.css"),
    include_str!("style/games.css"),
    include_str!("style/media.css"),
];
/// In this order one script; each file is a chapter of it.
const SCRIPT: &[&str] = &[
    include_str!("script/dom.js"),
    include_str!("script/data.js"),
    include_str!("script/board.js"),
    include_str!("script/graph.js"),
    include_str!("script/viewer.js"),
    include_str!("script/list.js"),
    include_str!("script/charts.js"),
    include_str!("script/tables.js"),
    include_str!("script/main.js"),
];

/// The page that shows `records`, which come from `batches`.
///
/// # Errors
/// When a record's board or moves are none; says which game it is.
pub fn page(title: &str, batches: &[ReportBatch], records: &[GameRecord]) -> Result<String, String> {
    let payload = Payload::new(title, batches, records)?;
    let data = serde_json::to_string(&payload).expect("texts, numbers and lists are always JSON");
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat());
    let style = STYLE.concat();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style),
    );
    // The data comes last: what it holds is then never taken for a mark of the page.
    let page = [("policy", policy.as_str()), ("style", &style), ("script", &script)]
        .into_iter()
        .fold(PAGE.to_owned(), |page, (mark, text)| page.replacen(&format!("{{{{{mark}}}}}"), text, 1));
    Ok(page.replacen("{{title}}", &escape_text(title), 1).replacen("{{data}}", &escape_json(&data), 1))
}

/// A source of a content security policy: the text that hashes to this may run.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// JSON that can stand in a script element: `<` only ever comes in strings, where it may be written so. What would turn
/// the direction of the page's own words, or hide, is shown as an escape.
fn escape_json(json: &str) -> String {
    text::visible_json(json).replace('<', "\\u003c")
}

/// Text between tags. A brace begins the marks of [`PAGE`], so it is escaped too.
fn escape_text(text: &str) -> String {
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
}
