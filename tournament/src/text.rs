//! Makes foreign text safe for terminals and pages (re-exported from the library) and for spreadsheets, and fits it
//! into the columns of tables.

use std::borrow::Cow;

pub use kakugo::output::width;
pub use kakugo::text::{
    NAME_LENGTH, clipped, counted, error, json, name, visible, visible_json, visible_lines,
};

/// Characters at which spreadsheets start a formula, or which they skip before one, wide forms included.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A text of a table, with spaces at its end to fill `columns` columns of a terminal. Characters of Chinese or
/// Japanese take two.
pub fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}

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
    fn columns_are_filled_whatever_their_characters_take() {
        assert_eq!(padded("ab", 5), "ab   ");
        assert_eq!(padded("日本", 5), "日本 ");
        assert_eq!(padded("日本語", 5), "日本語");
    }

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
