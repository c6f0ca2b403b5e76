//! Scores, ratings, endings and their course over the batch, counted from the records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::games::Game;
use super::payload::{Book, Seats, add};
use crate::record::{Outcome, Record};
use crate::stats::Score;

/// How many points of a running score are kept: more could not be told apart on a screen.
const TIMELINE_POINTS: usize = 240;

/// One engine against another.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cross(pub [Score; 2]);

/// How the games of an engine ended: by the ending's place, won, drawn and lost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Endings {
    /// Won games.
    pub won: BTreeMap<usize, u32>,
    /// Drawn games.
    pub drawn: BTreeMap<usize, u32>,
    /// Lost games.
    pub lost: BTreeMap<usize, u32>,
}

/// The running score of an engine: how many games of the batch were played, and its share of its own points by then.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline(pub Vec<(usize, f64)>);

/// What an opening came to, from black's side.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OpeningScore {
    /// Black's games.
    pub black: Score,
    /// Stones at the end, on average.
    pub mean_length: f64,
}

/// `cross[a][b]`: what engine `a` did against `b`, with black and with white.
pub(super) fn cross(records: &[&Record], seats: &[Seats], count: usize) -> Vec<Vec<Cross>> {
    let mut cross = vec![vec![Cross::default(); count]; count];
    for (record, seats) in records.iter().zip(seats) {
        add(&mut cross[seats.black][seats.white].0[0], record, true);
        add(&mut cross[seats.white][seats.black].0[1], record, false);
    }
    cross
}

/// How the games of each engine ended.
pub(super) fn endings(records: &[&Record], seats: &[Seats], book: &Book) -> Vec<Endings> {
    let mut endings = vec![Endings::default(); book.engines.0.len()];
    for (record, seats) in records.iter().zip(seats) {
        let ending = book.endings.find(&record.ending).expect("all endings are in the book");
        for (engine, wins) in [(seats.black, Outcome::Black), (seats.white, Outcome::White)] {
            let engine = &mut endings[engine];
            let counts = match record.result {
                Outcome::Draw => &mut engine.drawn,
                result if result == wins => &mut engine.won,
                _ => &mut engine.lost,
            };
            *counts.entry(ending).or_default() += 1;
        }
    }
    endings
}

/// The running score of each engine, thinned out but for its first and last point.
pub(super) fn timelines(records: &[&Record], seats: &[Seats], count: usize) -> Vec<Timeline> {
    let mut scores = vec![Score::default(); count];
    let mut lines = vec![Timeline::default(); count];
    for (index, (record, seats)) in records.iter().zip(seats).enumerate() {
        for (engine, is_black) in [(seats.black, true), (seats.white, false)] {
            add(&mut scores[engine], record, is_black);
            let share = scores[engine].mean().expect("a game has just been added");
            lines[engine].0.push((index + 1, (share * 1e4).round() / 1e4));
        }
    }
    lines.into_iter().map(|line| Timeline(thin(line.0))).collect()
}

/// At most about [`TIMELINE_POINTS`] of `points`, evenly, the last always among them.
fn thin<T: Copy>(points: Vec<T>) -> Vec<T> {
    let step = points.len().div_ceil(TIMELINE_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = |&(index, _): &(usize, &T)| index % step == 0 || index == last;
    points.iter().enumerate().filter(kept).map(|(_, &point)| point).collect()
}

/// What each opening came to.
pub(super) fn opening_scores(records: &[&Record], games: &[Game], count: usize) -> Vec<OpeningScore> {
    let mut scores = vec![OpeningScore::default(); count];
    for (record, game) in records.iter().zip(games) {
        let score = &mut scores[game.opening];
        add(&mut score.black, record, true);
        let stones = record.moves.bytes().filter(u8::is_ascii_alphabetic).count() as f64;
        score.mean_length += (stones - score.mean_length) / f64::from(score.black.games());
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends() {
        let thinned = thin((0..1001).collect());
        assert!(thinned.len() <= TIMELINE_POINTS + 1);
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (0, 1000));
        assert_eq!(thin(vec![1, 2, 3]), [1, 2, 3]);
        assert!(thin(Vec::<u8>::new()).is_empty());
    }
}
