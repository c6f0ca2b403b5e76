//! The report of a batch: one HTML file that shows everything and needs no other file.
//!
//! The page contains its data as one block of JSON: computed statistics, and the games in compact form. The
//! page's own script draws from it. Text from engines is never trusted: it is stored as JSON with escaped
//! `<`, the script inserts it only as text, and the page's policy allows only the script and the style with
//! the hashes computed here. Nothing here plays, rates or reads files.

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

use crate::model::record::GameRecord;
use crate::text;

pub use payload::{Payload, ReportBatch};

const PAGE: &str = include_str!("page.html");
const STYLE: &[&str] = &[
    include_str!("style/base.css"),
    include_str!("style/charts.css"),
    include_str!("style/games.css"),
    include_str!("style/media.css"),
];
/// The parts of the script, joined in this order.
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

/// The page that shows `records`, which belong to `batches`.
///
/// # Errors
/// Returns an error that names the game if the board or the moves of a record are invalid.
pub fn page(title: &str, batches: &[ReportBatch], records: &[GameRecord]) -> Result<String, String> {
    let payload = Payload::new(title, batches, records)?;
    let data = serde_json::to_string(&payload).expect("texts, numbers and lists are valid JSON");
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat());
    let style = STYLE.concat();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style),
    );
    // The data comes last, so that nothing in it is read as a placeholder of the page.
    let page = [("policy", policy.as_str()), ("style", &style), ("script", &script)]
        .into_iter()
        .fold(PAGE.to_owned(), |page, (mark, text)| page.replacen(&format!("{{{{{mark}}}}}"), text, 1));
    Ok(page.replacen("{{title}}", &escape_text(title), 1).replacen("{{data}}", &escape_json(&data), 1))
}

/// A source of a content security policy: text with this hash may run.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// JSON that is safe in a script element: `<` occurs only in strings, where it can be escaped. Characters
/// that would change the direction of the page's own text, or hide it, are shown as escapes.
fn escape_json(json: &str) -> String {
    text::visible_json(json).replace('<', "\\u003c")
}

/// Text between tags. Braces begin the placeholders of [`PAGE`], so they are escaped too.
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
        // The example of the specification (CSP3, section 2.3.1 refers to this script).
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
