//! Errors that wait to be reported, because managers do not read answers to `INFO`.

use super::response::Response;
use super::text::TEXT_LIMIT;

/// Number of errors in one report, so that its line can be read; the others follow with the next reports.
const MOST_IN_LINE: usize = 6;
/// Number of errors kept; further ones are only counted.
const MOST_KEPT: usize = 64;
/// Maximum number of characters of an error, which may contain a path.
const LONGEST_TEXT: usize = 200;
/// Maximum number of characters of the errors in one report: the rest is for the head of the line and the number of
/// errors that were not kept.
const LONGEST_REPORT: usize = TEXT_LIMIT - 40;
const SEPARATOR: &str = "; ";

/// Errors that have not been reported yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaints {
    texts: Vec<String>,
    /// Number of errors that were not kept.
    not_kept: usize,
    /// Shortages at the start, such as threads that the system refused; they are reported after the first
    /// search.
    at_start: Vec<String>,
}

impl Complaints {
    /// Keeps an error for the next report.
    pub fn add(&mut self, text: String) {
        let text = shortened(text);
        if self.texts.contains(&text) {
            return;
        }
        if self.texts.len() < MOST_KEPT {
            self.texts.push(text);
        } else {
            self.not_kept += 1;
        }
    }

    /// Keeps a shortage at the start until [`Complaints::release_start`].
    pub fn add_at_start(&mut self, text: String) {
        self.at_start.push(text);
    }

    /// Adds the shortages at the start to the next report.
    pub fn release_start(&mut self) {
        std::mem::take(&mut self.at_start).into_iter().for_each(|text| self.add(text));
    }

    /// One line with the first errors that have not been reported; it is sent with the answer to the next command.
    pub fn report(&mut self) -> Option<Response> {
        let mut length = 0;
        let fitting = self.texts.iter().take(MOST_IN_LINE).take_while(|text| {
            length += text.chars().count() + SEPARATOR.len();
            length <= LONGEST_REPORT
        });
        let count = fitting.count();
        let mut texts: Vec<String> = self.texts.drain(..count).collect();
        if self.texts.is_empty() && self.not_kept > 0 {
            texts.push(format!("{} more", std::mem::take(&mut self.not_kept)));
        }
        (!texts.is_empty()).then(|| Response::Error(format!("INFO: {}", texts.join(SEPARATOR))))
    }
}

/// A text with its middle left out if it is too long: it begins with the key and ends with the reason.
fn shortened(text: String) -> String {
    const DOTS: &str = "...";
    let length = text.chars().count();
    if length <= LONGEST_TEXT {
        return text;
    }
    let kept = (LONGEST_TEXT - DOTS.len()) / 2;
    let (start, end) = (text.chars().take(kept), text.chars().skip(length - kept));
    start.chain(DOTS.chars()).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::parser::InfoError;

    #[test]
    fn complaints_come_once_and_together() {
        let mut complaints = Complaints::default();
        assert_eq!(complaints.report(), None);
        for code in [5, 5, 7] {
            complaints.add(InfoError::UnknownRule(code).to_string());
        }
        let line = complaints.report().unwrap().to_string();
        assert!(line.starts_with("ERROR INFO: rule 5") && line.matches("rule 5").count() == 1, "{line}");
        assert!(line.contains("rule 7"), "{line}");
        assert_eq!(complaints.report(), None);
    }

    #[test]
    fn further_complaints_follow_in_the_next_reports() {
        let mut complaints = Complaints::default();
        (0..MOST_KEPT + 3).for_each(|number| complaints.add(format!("<{number}>")));
        let reports: Vec<String> =
            std::iter::from_fn(|| complaints.report()).map(|line| line.to_string()).collect();
        assert_eq!(reports[0], "ERROR INFO: <0>; <1>; <2>; <3>; <4>; <5>");
        let all = reports.concat();
        assert!((0..MOST_KEPT).all(|number| all.contains(&format!("<{number}>"))), "{all}");
        assert!(all.ends_with("; 3 more"), "{all}");
    }

    #[test]
    fn long_complaints_keep_their_reasons() {
        let mut complaints = Complaints::default();
        let reasons = ["no such file", "truncated weights", "permission denied"];
        for reason in reasons {
            complaints.add(format!("weights /{}: {reason}", "folder/".repeat(60)));
        }
        let reports: Vec<String> =
            std::iter::from_fn(|| complaints.report()).map(|line| line.to_string()).collect();
        assert_eq!(reports.len(), 2, "{reports:?}");
        assert!(reports.iter().all(|line| line.starts_with("ERROR INFO: weights /folder/")), "{reports:?}");
        assert!(reasons.iter().all(|reason| reports.concat().contains(reason)), "{reports:?}");
    }

    #[test]
    fn shortages_at_the_start_wait_for_the_first_search() {
        let mut complaints = Complaints::default();
        complaints.add_at_start("no thread".to_owned());
        assert_eq!(complaints.report(), None);
        complaints.release_start();
        assert_eq!(complaints.report(), Some(Response::Error("INFO: no thread".to_owned())));
    }
}
