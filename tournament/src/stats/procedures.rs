//! Statistics of a procedure: the scores of black and of the second player, who responds to the first
//! player's proposal.

use std::fmt;

use kakugo::board::Color;

use crate::model::record::GameRecord;
use crate::stats::Score;
use crate::text::counted;

/// Totals over the games that began with a procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProcedureTally {
    second: Score,
    black: Score,
    /// Number of legal answers.
    answers: u32,
    /// Number of games in which the second player ended up with black.
    swapped: u32,
}

impl ProcedureTally {
    /// Counts a game if it began with a procedure and a player answered.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(procedure) = &record.procedure else { return };
        if procedure.answers.is_empty() {
            return;
        }
        let second_is_black = procedure.first == Color::White.to_string();
        self.second.add_outcome(record.result, second_is_black);
        self.black.add_outcome(record.result, true);
        self.answers += procedure.answers.len() as u32;
        self.swapped += u32::from(second_is_black);
    }
}

impl fmt::Display for ProcedureTally {
    /// Writes one line with its line end; nothing if no procedure was played.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let games = self.second.games();
        if games == 0 {
            return Ok(());
        }
        let percent = |score: &Score| 100.0 * score.mean().unwrap_or(0.5);
        writeln!(
            f,
            "openings: {}; the second player scored {:.1}% and had black in {} of {}; black scored {:.1}%",
            counted(self.answers, "legal answer"),
            percent(&self.second),
            self.swapped,
            counted(games, "game"),
            percent(&self.black),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{AnswerRecord, GameResult, MoveRecord, ProcedureRecord};

    #[test]
    fn games_without_an_answer_are_not_counted() {
        let game = |answers: Vec<AnswerRecord>| {
            let (name, first) = ("swap2".to_owned(), "white".to_owned());
            let game = GameRecord::example(1, ["a", "b"], GameResult::Black);
            GameRecord { procedure: Some(ProcedureRecord { name, first, answers }), ..game }
        };
        let mut tally = ProcedureTally::default();
        tally.add(&game(Vec::new()));
        assert_eq!(tally, ProcedureTally::default());
        let answer = AnswerRecord {
            by: "first".to_owned(),
            answer: "h8 i9 j10".to_owned(),
            thought: MoveRecord::default(),
        };
        tally.add(&game(vec![answer]));
        assert_eq!((tally.answers, tally.swapped, tally.second.wins), (1, 1, 1));
    }
}
