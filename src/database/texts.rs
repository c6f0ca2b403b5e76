//! Joins texts of records: comments that the same people or programs write into several databases.

use std::collections::HashSet;

use super::record::{BACKSPACE, is_in_point_texts, plain_comment};

/// Whether `text` contains `lines` as complete lines, one after the other.
pub(super) fn has_lines(text: &str, lines: &str) -> bool {
    format!("\n{text}\n").contains(&format!("\n{lines}\n"))
}

/// Appends the lines of `other` that `text` does not have, and the empty lines of `other`. If no line is new, nothing
/// changes, so two databases that have joined the same texts in different orders stop growing.
pub(super) fn append_new_lines(text: &mut String, other: &str) {
    let new: Vec<&str> = {
        let known: HashSet<&str> = text.split('\n').collect();
        other.split('\n').filter(|line| line.is_empty() || !known.contains(*line)).collect()
    };
    if new.iter().any(|line| !line.is_empty()) {
        text.push('\n');
        *text += &new.join("\n");
    }
}

/// Whether a text of a point is a copy of `text`, or of a line of it, as the formats of Rapfi and Yixin-Board store it.
pub(super) fn is_point_text_copy(copy: &str, text: &str) -> bool {
    let is_copy = |text: &str| text.chars().filter(|&c| is_in_point_texts(c)).eq(copy.chars());
    is_copy(text) || text.lines().any(is_copy)
}

/// Whether a comment is a copy of `text`, or of lines of it, as the formats of Rapfi and Yixin-Board store it.
pub(super) fn is_comment_copy(copy: &str, text: &str) -> bool {
    text.contains(['\r', BACKSPACE]) && has_lines(&plain_comment(text), copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_lines_are_appended() {
        for (text, other, joined) in [
            ("a", "b", "a\nb"),
            ("a\nb", "b\na", "a\nb"),
            ("a\nb", "c\na", "a\nb\nc"),
            ("a\n\nb", "a\n\nc", "a\n\nb\n\nc"),
            ("a\nb", "b\n\na", "a\nb"),
            ("a", "b\n\nc", "a\nb\n\nc"),
        ] {
            let mut found = text.to_owned();
            append_new_lines(&mut found, other);
            assert_eq!(found, joined, "{text:?} and {other:?}");
        }
    }
}
