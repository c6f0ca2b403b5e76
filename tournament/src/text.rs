//! Makes foreign text safe for terminals and pages (re-exported from the library) and for spreadsheets.

use std::borrow::Cow;

pub use kakugo::text::{
    NAME_LENGTH, clipped, counted, error, json, name, visible, visible_json, visible_lines,
};

/// Characters at which spreadsheets start a formula, or which they skip before one, wide forms included.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A text as a spreadsheet cell: an apostrophe prevents it from being read as a formula or a number.
pub fn cell(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    if is_formula(&text) { Cow::Owned(format!("'{text}")) } else { text }
}

/// The text of a [`cell`].
pub fn of_cell(text: String) -> String {
    match text.strip_prefix('\'') {
        Some(inner) if is_formula(inner) => inner.to_owned(),
        _ => text,
    }
}

/// Whether a spreadsheet would read the cell as a formula. Leading apostrophes are ignored, so that none is
/// lost or added.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_no_formulas_and_read_as_they_were_written() {
        for text in ["=1+1", "+1", "-1", "@a", "'=1", "''@", "\u{ff1d}1", "'", "''", "a=b", "", "'tis", "1-0"]
        {
            let written = cell(text);
            assert!(!written.starts_with(FORMULA), "{written}");
            assert_eq!(of_cell(written.into_owned()), text);
        }
        assert_eq!(cell("\t=1"), "\\t=1");
        assert_eq!((cell("=1"), cell("'=1")), ("'=1".into(), "''=1".into()));
    }
}
