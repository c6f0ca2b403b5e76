//! Scores, ratings and endings, and their development over the batch, computed from the records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::games::ReportGame;
use super::lists::{GameColors, Lists};
use crate::model::record::{GameRecord, GameResult};
use crate::stats::leagues::{self, LeagueResult};
use crate::stats::{Duel, Rating, Score, Z_95};

/// Maximum number of points of a running score, in addition to the last; more would not be visible on a
/// screen.
const TIMELINE_POINTS: usize = 240;

/// The better of two engines against the other one.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// The Elo difference; `None` if the games do not bound it. The same holds for the interval.
    pub elo: Option<f64>,
    /// Lower end of its 95% interval.
    pub low: Option<f64>,
    /// Upper end of its 95% interval.
    pub high: Option<f64>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// Numbers of pairs with 0, 0.5, 1, 1.5 and 2 points for this engine.
    pub pairs: [u64; 5],
    /// Each league separately, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leagues: Vec<LeagueResult>,
}

impl Match {
    /// The match of the records, if they are games between two engines.
    pub(super) fn of(records: &[&GameRecord], ratings: &[Rating]) -> Option<Match> {
        let [first, second] = ratings else { return None };
        let results = Duel::new(records.iter().copied(), &first.name, &second.name).results;
        let elo = results.elo()?;
        let [elo, low, high] = [elo.difference, elo.low, elo.high].map(|elo| elo.is_finite().then_some(elo));
        let leagues = leagues::of_duel(records, &first.name, &second.name);
        Some(Match { elo, low, high, los: results.los(), pairs: results.pairs.0, leagues })
    }
}

/// Results of one engine against another, with black and with white.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cross(pub [Score; 2]);

/// Endings of an engine's games: numbers of games won, drawn and lost, by index of the ending.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Endings {
    /// Won games.
    pub won: BTreeMap<usize, u32>,
    /// Drawn games.
    pub drawn: BTreeMap<usize, u32>,
    /// Lost games.
    pub lost: BTreeMap<usize, u32>,
}

/// The running score of an engine: number of games of the batch so far, the engine's share of its points so
/// far, and half the width of the share's 95% interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline(pub Vec<(usize, f64, f64)>);

/// Results of an opening, from black's point of view.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OpeningScore {
    /// Black's score.
    pub black: Score,
    /// Mean number of stones at the end.
    pub mean_length: f64,
}

/// `cross[a][b]`: the results of engine `a` against `b`, with black and with white.
pub(super) fn cross(records: &[&GameRecord], colors: &[GameColors], count: usize) -> Vec<Vec<Cross>> {
    let mut cross = vec![vec![Cross::default(); count]; count];
    for (record, colors) in records.iter().zip(colors) {
        cross[colors.black][colors.white].0[0].add_outcome(record.result, true);
        cross[colors.white][colors.black].0[1].add_outcome(record.result, false);
    }
    cross
}

/// Endings of each engine's games.
pub(super) fn endings(records: &[&GameRecord], colors: &[GameColors], lists: &Lists) -> Vec<Endings> {
    let mut endings = vec![Endings::default(); lists.engines.list.len()];
    for (record, colors) in records.iter().zip(colors) {
        let ending = lists.endings.find(&record.ending).expect("all endings are in the lists");
        for (engine, wins) in [(colors.black, GameResult::Black), (colors.white, GameResult::White)] {
            let engine = &mut endings[engine];
            let counts = match record.result {
                GameResult::Draw => &mut engine.drawn,
                result if result == wins => &mut engine.won,
                _ => &mut engine.lost,
            };
            *counts.entry(ending).or_default() += 1;
        }
    }
    endings
}

/// The running score of each engine, thinned out except for the first and last point.
pub(super) fn timelines(records: &[&GameRecord], colors: &[GameColors], count: usize) -> Vec<Timeline> {
    let mut scores = vec![Score::default(); count];
    let mut lines = vec![Timeline::default(); count];
    for (index, (record, colors)) in records.iter().zip(colors).enumerate() {
        for (engine, is_black) in [(colors.black, true), (colors.white, false)] {
            scores[engine].add_outcome(record.result, is_black);
            let share = scores[engine].mean().expect("a game has just been added");
            let error = Z_95 * (scores[engine].variance() / f64::from(scores[engine].games())).sqrt();
            let [share, error] = [share, error].map(|part| (part * 1e4).round() / 1e4);
            lines[engine].0.push((index + 1, share, error));
        }
    }
    lines.into_iter().map(|line| Timeline(thin(line.0))).collect()
}

/// At most about [`TIMELINE_POINTS`] of `points`, evenly spaced, always including the last.
fn thin<T: Copy>(points: Vec<T>) -> Vec<T> {
    let step = points.len().div_ceil(TIMELINE_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = |&(index, _): &(usize, &T)| index % step == 0 || index == last;
    points.iter().enumerate().filter(kept).map(|(_, &point)| point).collect()
}

/// Results of each opening.
pub(super) fn opening_scores(
    records: &[&GameRecord],
    games: &[ReportGame],
    count: usize,
) -> Vec<OpeningScore> {
    let mut scores = vec![OpeningScore::default(); count];
    for (record, game) in records.iter().zip(games) {
        let score = &mut scores[game.opening];
        score.black.add_outcome(record.result, true);
        score.mean_length += (record.stones() as f64 - score.mean_length) / f64::from(score.black.games());
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
