//! Totals of one engine over a batch: scores, times, memory.

use std::time::Duration;

use kakugo::board::{ByColor, Color};

use crate::config::batch::Batch;
use crate::files::timing::{TimedAnswer, timed_answers};
use crate::model::procedure::is_opening_complete;
use crate::model::record::{GameRecord, GameResult};
use crate::stats::Score;

/// Totals of one engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub scores: ByColor<Score>,
    pub moves: u32,
    pub time_ms: f64,
    pub longest_ms: f64,
    pub overruns: u32,
    pub worst_overrun_ms: f64,
    pub peak_memory: u64,
}

impl Totals {
    pub fn score(&self) -> Score {
        self.scores[Color::Black].plus(&self.scores[Color::White])
    }

    fn add_move(&mut self, used_ms: f64) {
        self.moves += 1;
        self.time_ms += used_ms;
        self.longest_ms = self.longest_ms.max(used_ms);
    }

    fn add_overrun(&mut self, used_ms: f64, limit_ms: f64) {
        if used_ms > limit_ms {
            self.overruns += 1;
            self.worst_overrun_ms = self.worst_overrun_ms.max(used_ms - limit_ms);
        }
    }
}

/// Adds the times of a game between the engines with these indices.
pub(super) fn add_times(
    totals: &mut [Totals],
    batch: &Batch,
    record: &GameRecord,
    engines_by_color: ByColor<usize>,
) {
    let limit = |side: Color, spent_ms: f64, moves: usize| {
        let spent = Duration::try_from_secs_f64(spent_ms / 1000.0).unwrap_or(Duration::MAX);
        let clock = batch.engines[engines_by_color[side]].clock;
        Some(clock.limit(spent, moves).as_secs_f64() * 1000.0)
    };
    let Ok(answers) = timed_answers(record, limit) else { return };
    for TimedAnswer { side, used_ms, limit_ms, is_move } in answers {
        let totals = &mut totals[engines_by_color[side]];
        totals.add_overrun(used_ms, limit_ms.unwrap_or(f64::INFINITY));
        if is_move {
            totals.add_move(used_ms);
        }
    }
    // The answer that lost on time is not in the game, but its overrun is the most important one.
    if let Some(late) = record.evidence.as_ref().and_then(|evidence| evidence.late) {
        let loser = if record.result == GameResult::Black { Color::White } else { Color::Black };
        let totals = &mut totals[engines_by_color[loser]];
        totals.add_overrun(late.ms, late.limit_ms);
        if is_opening_complete(record) {
            totals.add_move(late.ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::model::record::{AnswerRecord, Evidence, Late, MoveRecord, ProcedureRecord};

    #[test]
    fn a_late_decision_of_an_opening_is_no_move() {
        let config = "[[engine]]\ncommand = \"a\"\n[[engine]]\ncommand = \"b\"\n";
        let batch = Batch::new(Config::parse(config).unwrap()).unwrap();
        let moves_and_overruns = |answers: Option<&[&str]>| {
            let answer = |answer: &&str| AnswerRecord {
                by: "first".to_owned(),
                answer: (*answer).to_owned(),
                thought: MoveRecord::default(),
            };
            let procedure = |answers: &[&str]| ProcedureRecord {
                name: "swap2".to_owned(),
                first: "black".to_owned(),
                answers: answers.iter().map(answer).collect(),
            };
            let late = Some(Late { ms: 1500.0, limit_ms: 1000.0 });
            let record = GameRecord {
                procedure: answers.map(procedure),
                evidence: Some(Evidence { late, ..Evidence::default() }),
                ..GameRecord::example(1, ["a", "b"], GameResult::Black)
            };
            let mut totals = [Totals::default(), Totals::default()];
            add_times(&mut totals, &batch, &record, ByColor([0, 1]));
            (totals[1].moves, totals[1].overruns)
        };
        assert_eq!(moves_and_overruns(None), (1, 1));
        assert_eq!(moves_and_overruns(Some(&["h8 i9 j10"])), (0, 1));
        assert_eq!(moves_and_overruns(Some(&["h8 i9 j10", "stay"])), (1, 1));
    }
}
