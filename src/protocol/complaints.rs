//! Errors that wait to be reported, because managers do not read answers to `INFO`.

use super::response::Response;

/// Number of errors kept for one report; more would not help the reader.
const MOST_COMPLAINTS: usize = 6;

/// Errors that have not been reported yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaints {
    texts: Vec<String>,
    /// Shortages at the start, such as threads that the system refused; they are reported after the first
    /// search.
    at_start: Vec<String>,
}

impl Complaints {
    /// Keeps an error for the next report.
    pub fn add(&mut self, text: String) {
        if self.texts.len() < MOST_COMPLAINTS && !self.texts.contains(&text) {
            self.texts.push(text);
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

    /// One line with all errors since the last report; it is sent with the answer to the next command.
    pub fn report(&mut self) -> Option<Response> {
        let texts = std::mem::take(&mut self.texts);
        (!texts.is_empty()).then(|| Response::Error(format!("INFO: {}", texts.join("; "))))
    }
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
    fn shortages_at_the_start_wait_for_the_first_search() {
        let mut complaints = Complaints::default();
        complaints.add_at_start("no thread".to_owned());
        assert_eq!(complaints.report(), None);
        complaints.release_start();
        assert_eq!(complaints.report(), Some(Response::Error("INFO: no thread".to_owned())));
    }
}
