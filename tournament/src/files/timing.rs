//! The clocks of a game, computed from its record: records store the time of each answer, but no limits.

use std::iter::once;

use anyhow::Result;
use kakugo::board::{ByColor, Color};

use super::Replay;
use crate::model::record::{AnswerRecord, GameRecord};

/// An answer of an engine that came in time, or within the margin. All times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedAnswer {
    /// The side that gave it, by the final colours.
    pub side: Color,
    /// Time used.
    pub used_ms: f64,
    /// Time allowed, without the margin; `None` without a limit.
    pub limit_ms: Option<f64>,
    /// Whether it is a move, not a decision in an opening procedure.
    pub is_move: bool,
}

/// The clock of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    ms: f64,
    /// Number of moves that have earned their increment.
    moves: usize,
}

/// The timed answers of a game in order: the decisions of an opening procedure, which are on the clock of the
/// game, then the moves. `limit` is the limit of a side after it has spent a number of milliseconds on a
/// number of moves.
///
/// # Errors
/// Returns an error if the moves of the record cannot be replayed.
pub fn timed_answers(
    record: &GameRecord,
    limit: impl Fn(Color, f64, usize) -> Option<f64>,
) -> Result<Vec<TimedAnswer>> {
    let replay = Replay::of(record)?;
    let mut clocks = ByColor::<Spent>::default();
    let mut answers = Vec::new();
    let mut add = |side: Color, used_ms: f64, is_move: bool, earns: bool| {
        let clock = &mut clocks[side];
        let limit_ms = limit(side, clock.ms, clock.moves);
        answers.push(TimedAnswer { side, used_ms, limit_ms, is_move });
        clock.ms += used_ms.max(0.0);
        clock.moves += usize::from(earns);
    };
    let mut is_joined = false;
    if let Some(procedure) = &record.procedure {
        let first = if procedure.first == Color::White.to_string() { Color::White } else { Color::Black };
        for answer in &procedure.answers {
            let side = if answer.by == "first" { first } else { !first };
            is_joined = came_with_a_move(answer);
            if !is_joined {
                add(side, answer.thought.ms, false, false);
            }
        }
    }
    let sides = replay.sides.iter().copied();
    // Some files have the time of a last move that was not played.
    let next = replay.sides.last().map_or(Color::Black, |&last| !last);
    for (index, (side, played)) in
        sides.chain(once(next)).skip(replay.opening).zip(&record.played).enumerate()
    {
        // A move that came with a decision earns no increment: it answers a request for a decision.
        add(side, played.ms, true, index > 0 || !is_joined);
    }
    Ok(answers)
}

/// Whether an answer has no time of its own, because it came with the first move.
fn came_with_a_move(answer: &AnswerRecord) -> bool {
    answer.thought.ms == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::model::record::{MoveRecord, ProcedureRecord};

    fn thought(ms: f64) -> MoveRecord {
        MoveRecord { ms, ..MoveRecord::default() }
    }

    fn answer(by: &str, ms: f64) -> AnswerRecord {
        AnswerRecord { by: by.to_owned(), answer: "swap".to_owned(), thought: thought(ms) }
    }

    /// Side, used and limit of each answer in a game of 1000 ms with an increment of 10 ms.
    fn timed(record: &GameRecord) -> Vec<(Color, f64, f64)> {
        let limit = |_, spent: f64, moves: usize| Some(1000.0 + 10.0 * moves as f64 - spent);
        let answers = timed_answers(record, limit).unwrap();
        answers.iter().map(|answer| (answer.side, answer.used_ms, answer.limit_ms.unwrap())).collect()
    }

    #[test]
    fn the_clock_runs_from_the_first_decision() {
        use Color::{Black, White};
        // The first player, who ends up with white, thinks for 300 ms about the stones and 100 ms about the
        // colour.
        let mut record = GameRecord {
            opening: "h8h9".to_owned(),
            moves: "h8h9i9i10j9".to_owned(),
            played: [50.0, 60.0, 70.0].map(thought).to_vec(),
            ..blank(1)
        };
        let moves = [(Black, 50.0, 1000.0), (White, 60.0, 1000.0), (Black, 70.0, 960.0)];
        assert_eq!(timed(&record), moves);
        let answers = vec![answer("first", 300.0), answer("second", 200.0), answer("first", 100.0)];
        let procedure = ProcedureRecord { name: "swap2".to_owned(), first: "white".to_owned(), answers };
        record.procedure = Some(procedure);
        let decisions = [(White, 300.0, 1000.0), (Black, 200.0, 1000.0), (White, 100.0, 700.0)];
        let moves = [(Black, 50.0, 800.0), (White, 60.0, 600.0), (Black, 70.0, 760.0)];
        assert_eq!(timed(&record), [decisions, moves].concat());
        // The last answer came with the first move.
        record.procedure.as_mut().unwrap().answers = vec![answer("first", 300.0), answer("second", 0.0)];
        let moves = [(Black, 50.0, 1000.0), (White, 60.0, 700.0), (Black, 70.0, 950.0)];
        assert_eq!(timed(&record), [&[(White, 300.0, 1000.0)][..], &moves].concat());
    }

    #[test]
    fn odd_times_and_an_unplayed_move_are_no_problem() {
        let played = [f64::NAN, -5.0, 7.0].map(thought).to_vec();
        let record = GameRecord { moves: "h8h9".to_owned(), played, ..blank(1) };
        let limits: Vec<f64> = timed(&record).into_iter().map(|answer| answer.2).collect();
        assert_eq!(limits, [1000.0, 1000.0, 1010.0]);
    }
}
