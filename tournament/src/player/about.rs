//! The engine's name, and what it rejects: its answers to ABOUT and to the INFO lines before it.

use std::time::{Duration, Instant};

use super::Player;
use super::lines::{is_about_info, is_complaint, is_word, names};
use crate::process::Received;

/// Time limit for an answer to ABOUT.
const ABOUT_LIMIT: Duration = Duration::from_secs(1);
/// Number of complaints about INFO lines that are kept before the answer to ABOUT; further ones are only counted.
const MAX_COMPLAINTS: usize = 3;

/// An engine's answer to ABOUT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The answer; empty if the engine gave none.
    pub answer: String,
    /// The first complaints about INFO lines that came before it.
    pub complaints: Vec<String>,
    /// Number of further complaints about INFO lines.
    pub more_complaints: u32,
}

impl Player<'_> {
    /// The engine's answer to ABOUT, and its complaints about the INFO lines before it.
    pub fn ask_about(&mut self) -> About {
        self.process.send("ABOUT");
        let mut about = About::default();
        let deadline = Instant::now() + ABOUT_LIMIT;
        while let Received::Line(line) = self.process.next_line(deadline) {
            if !is_complaint(&line.text) {
                if line.text.contains('=') {
                    about.answer = line.text;
                    break;
                }
                continue;
            }
            // A complaint that quotes no line may refer to any INFO line, and the answer may still come.
            let may_be_about_info = self.counts_for_info();
            if is_about_info(&line.text) {
                about.add_complaint(line.text);
            } else if is_word(&line.text, "UNKNOWN") && (names(&line.text, "ABOUT") || !may_be_about_info) {
                break;
            }
        }
        about
    }
}

impl About {
    fn add_complaint(&mut self, complaint: String) {
        if self.complaints.len() < MAX_COMPLAINTS {
            self.complaints.push(complaint);
        } else {
            self.more_complaints += 1;
        }
    }
}
