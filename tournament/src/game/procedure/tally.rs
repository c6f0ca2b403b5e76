//! Who profits from a procedure: the score of the second person, who judges what the first has put, and black's.

use std::fmt;

use kakugo::board::Color;

use crate::files::record::GameRecord;
use crate::stats::Score;

/// Totals over the games that began with a procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProcedureTally {
    second: Score,
    black: Score,
    /// Answers that were taken.
    answers: u32,
    /// Games in which the second person has black at the end.
    swapped: u32,
}

impl ProcedureTally {
    /// Counts a game, if it began with a procedure and came to its end.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(procedure) = &record.procedure else { return };
        let second_is_black = procedure.first == Color::White.to_string();
        self.second.add_outcome(record.result, second_is_black);
        self.black.add_outcome(record.result, true);
        self.answers += procedure.answers.len() as u32;
        self.swapped += u32::from(second_is_black);
    }
}

impl fmt::Display for ProcedureTally {
    /// One line, with its end; nothing where no procedure was played.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let games = self.second.games();
        if games == 0 {
            return Ok(());
        }
        let percent = |score: &Score| 100.0 * score.mean().unwrap_or(0.5);
        writeln!(
            f,
            "openings: {} legal answers; the second person scored {:.1}% and has black in {} of {games}; black scored {:.1}%",
            self.answers,
            percent(&self.second),
            self.swapped,
            percent(&self.black),
        )
    }
}
