//! Time used by engines per move, by move number.

use kakugo::board::{ByColor, Color};
use serde::Serialize;

use super::games::ReportGame;
use super::limits::SideLimits;
use super::lists::ReportOpening;
use crate::files::timing::{TimedAnswer, timed_answers};
use crate::model::record::GameRecord;

/// Number of columns in a chart; more would not be visible on a phone.
const COLUMNS: usize = 24;

/// Time used by an engine. All times are in milliseconds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Times {
    /// All moves.
    pub all: Spread,
    /// By move number, with an equal number of moves in each column.
    pub columns: Vec<Column>,
    /// Number of moves, and of decisions in opening procedures, that took longer than their limit but were
    /// accepted.
    pub late: usize,
    /// Greatest delay of these answers.
    pub latest: f64,
}

/// A range of move numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// First move number; a move is one stone of each side.
    pub from: usize,
    /// Last move number.
    pub to: usize,
    /// Their times.
    pub spread: Spread,
}

/// Distribution of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Number of moves.
    pub moves: usize,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub most: f64,
    /// Maximum.
    pub longest: f64,
}

/// Times of each engine; `records` and `games` are the same games, and `limits` the limits that they refer
/// to.
pub(super) fn times(
    records: &[&GameRecord],
    games: &[ReportGame],
    openings: &[ReportOpening],
    limits: &[String],
    engines: usize,
) -> Vec<Times> {
    // By engine, then by move number from 0.
    let mut by_move: Vec<Vec<Vec<u64>>> = vec![Vec::new(); engines];
    for game in games {
        let first = openings[game.opening].stones;
        for (ply, &time) in (first..).zip(&game.times) {
            let engine = if ply % 2 == 0 { game.black } else { game.white };
            let moves = &mut by_move[engine];
            if moves.len() <= ply / 2 {
                moves.resize(ply / 2 + 1, Vec::new());
            }
            moves[ply / 2].push(time);
        }
    }
    let longest = by_move.iter().map(Vec::len).max().unwrap_or_default();
    let width = longest.div_ceil(COLUMNS).max(1);
    let mut times: Vec<Times> = by_move.into_iter().map(|moves| Times::new(&moves, width)).collect();
    for (record, game) in records.iter().zip(games) {
        let engines = ByColor([game.black, game.white]);
        for (side, late_ms) in late_answers(record, &limits[game.limits]) {
            times[engines[side]].count_late(late_ms);
        }
    }
    times
}

impl Times {
    fn new(by_move: &[Vec<u64>], width: usize) -> Times {
        let column = |(index, moves): (usize, &[Vec<u64>])| Column {
            from: index * width + 1,
            to: index * width + moves.len(),
            spread: Spread::of(moves.concat()),
        };
        let columns = by_move.chunks(width).enumerate().map(column);
        Times {
            all: Spread::of(by_move.concat()),
            columns: columns.filter(|column| column.spread.moves > 0).collect(),
            ..Times::default()
        }
    }

    fn count_late(&mut self, late_ms: f64) {
        self.late += 1;
        self.latest = self.latest.max(late_ms);
    }
}

/// The answers of a game that exceeded their limits: side, and delay in milliseconds.
fn late_answers(record: &GameRecord, limits: &str) -> Vec<(Color, f64)> {
    let sides = ByColor([true, false].map(|is_black| SideLimits::of(limits, is_black)));
    let answers = timed_answers(record, |side, spent_ms, moves| sides[side].next(moves, spent_ms));
    let late = |answer: TimedAnswer| {
        let late_ms = answer.used_ms - answer.limit_ms?;
        (late_ms > 0.0).then_some((answer.side, late_ms))
    };
    answers.unwrap_or_default().into_iter().filter_map(late).collect()
}

impl Spread {
    /// The distribution of times in tenths of a millisecond.
    fn of(mut times: Vec<u64>) -> Spread {
        times.sort_unstable();
        // The smallest time that a share of the moves did not exceed.
        let quantile = |hundredths: usize| {
            let rank = (times.len() * hundredths).div_ceil(100).max(1);
            times.get(rank - 1).map_or(0.0, |&time| time as f64 / 10.0)
        };
        Spread { moves: times.len(), median: quantile(50), most: quantile(95), longest: quantile(100) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{AnswerRecord, MoveRecord, ProcedureRecord};

    #[test]
    fn quantiles_are_times_that_occurred() {
        let spread = Spread::of((1..=100).rev().map(|ms| ms * 10).collect());
        assert_eq!(spread, Spread { moves: 100, median: 50.0, most: 95.0, longest: 100.0 });
        assert_eq!(Spread::of(vec![5]), Spread { moves: 1, median: 0.5, most: 0.5, longest: 0.5 });
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }

    #[test]
    fn late_moves_are_counted_against_the_limits() {
        // White's moves take no time.
        let game = |times: &[f64]| {
            let white = MoveRecord::default();
            let played = times.iter().flat_map(|&ms| [MoveRecord { ms, ..white.clone() }, white.clone()]);
            let moves: String = ["h8h9", "i8i9", "j8j9", "k8k9"][..times.len()].concat();
            GameRecord { moves, played: played.collect(), ..crate::files::blank(1) }
        };
        let mut times = Times::default();
        let mut count = |record: &GameRecord, limits: &str| {
            for (side, late_ms) in late_answers(record, limits) {
                assert_eq!(side, Color::Black);
                times.count_late(late_ms);
            }
            (times.late, times.latest)
        };
        assert_eq!(count(&game(&[99.0, 100.0, 101.5, 130.0]), "100 ms/move"), (2, 30.0));
        // 250 ms for the game: 50 are left for the third move.
        let third = game(&[100.0, 100.0, 51.0]);
        assert_eq!(count(&third, "250 ms/game"), (3, 30.0));
        // A decision before the game is on the same clock: 20 ms are left.
        let thought = MoveRecord { ms: 30.0, ..MoveRecord::default() };
        let answer = AnswerRecord { by: "first".to_owned(), answer: "h8".to_owned(), thought };
        let procedure =
            ProcedureRecord { name: "swap2".to_owned(), first: "black".to_owned(), answers: vec![answer] };
        let negotiated = GameRecord { procedure: Some(procedure), ..third };
        assert_eq!(count(&negotiated, "250 ms/game"), (4, 31.0));
    }

    #[test]
    fn columns_cover_all_moves_once() {
        let by_move: Vec<Vec<u64>> = (0..50).map(|ms| vec![ms; 2]).collect();
        let times = Times::new(&by_move, 3);
        assert_eq!(times.columns.iter().map(|column| column.spread.moves).sum::<usize>(), 100);
        assert_eq!((times.columns[0].from, times.columns[0].to), (1, 3));
        assert_eq!((times.columns[16].from, times.columns[16].to), (49, 50));
    }
}
