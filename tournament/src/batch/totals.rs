//! Totals of one engine over a batch: scores, times, memory.

use std::time::Duration;

use kakugo::board::{ByColor, Color};

use crate::config::batch::Batch;
use crate::files::Replay;
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

    fn add_time(&mut self, used_ms: f64, limit_ms: f64) {
        self.moves += 1;
        self.time_ms += used_ms;
        self.longest_ms = self.longest_ms.max(used_ms);
        if used_ms > limit_ms {
            self.overruns += 1;
            self.worst_overrun_ms = self.worst_overrun_ms.max(used_ms - limit_ms);
        }
    }
}

/// Adds the times of a game between the engines with these indices, black's first.
pub(super) fn add_times(
    totals: &mut [Totals],
    batch: &Batch,
    record: &GameRecord,
    engines_by_color: [usize; 2],
) {
    let Ok(replay) = Replay::of(record) else { return };
    let mut clocks = [(Duration::ZERO, 0); 2];
    for (&side, played) in replay.sides.iter().skip(replay.opening).zip(&record.played) {
        let side = side as usize;
        let (spent, moves) = &mut clocks[side];
        let limit = batch.engines[engines_by_color[side]].clock.limit(*spent, *moves);
        totals[engines_by_color[side]].add_time(played.ms, limit.as_secs_f64() * 1000.0);
        let used = Duration::try_from_secs_f64(played.ms / 1000.0).unwrap_or_default();
        *spent = spent.saturating_add(used);
        *moves += 1;
    }
    // The move was not played, but its overrun is the most important one.
    if let Some(late) = record.evidence.as_ref().and_then(|evidence| evidence.late) {
        let loser = usize::from(record.result == GameResult::Black);
        totals[engines_by_color[loser]].add_time(late.ms, late.limit_ms);
    }
}
