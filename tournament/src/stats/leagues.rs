//! A match between two engines by league, updated with each game.
//!
//! A test decides on the sum of the leagues: see [`super::sprt`].

use kakugo::board::Color;
use serde::Serialize;

use super::format::{after_score, counts, format_score};
use super::{Duel, Elo, PairedResults, Pairs, Score, Sprt};
use crate::model::record::GameRecord;
use crate::text::{name, padded, width};

/// One league of a match, from the first engine's point of view.
#[derive(Debug)]
struct League {
    name: String,
    results: PairedResults,
}

/// The leagues of a match.
#[derive(Debug, Default)]
pub struct LeagueTally(Vec<League>);

/// Result of a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueResult {
    /// Name of the league.
    pub name: String,
    /// Score of the first engine.
    pub score: Score,
    /// Pairs of the first engine.
    pub pairs: Pairs,
    /// The Elo difference computed from pairs and single games; `None` without games.
    pub elo: Option<Elo>,
    /// The log likelihood ratio of the test, if there is one, for this league alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

impl LeagueTally {
    /// Leagues with these names, without games.
    pub fn new(names: impl Iterator<Item = String>) -> LeagueTally {
        let league = |name| League { name, results: PairedResults::default() };
        LeagueTally(names.map(league).collect())
    }

    /// Counts a game in which the first engine had `color`; ignores games of other leagues.
    pub fn add(&mut self, record: &GameRecord, color: Color) {
        let is_of = |league: &&mut League| record.league.as_ref() == Some(&league.name);
        if let Some(league) = self.0.iter_mut().find(is_of) {
            league.results.add(record, color);
        }
    }

    /// The results in the order of the leagues.
    pub fn results(&self, sprt: Option<&Sprt>) -> Vec<LeagueResult> {
        let result = |league: &League| LeagueResult {
            llr: sprt.map(|sprt| sprt.status(&league.results.pairs).llr),
            ..LeagueResult::new(league.name.clone(), &league.results)
        };
        self.0.iter().map(result).collect()
    }
}

impl LeagueResult {
    /// The result of a league without a test.
    fn new(name: String, results: &PairedResults) -> LeagueResult {
        LeagueResult { name, score: results.score, pairs: results.pairs, elo: results.elo(), llr: None }
    }
}

/// The league of a game: its name, or rule and board if the record has none.
fn league_of(game: &GameRecord) -> String {
    game.league.clone().unwrap_or_else(|| format!("{} {}", game.rule, game.size))
}

/// The results of `first` against `second` by league, in order of first occurrence; empty if there is only
/// one league.
pub fn of_duel(games: &[&GameRecord], first: &str, second: &str) -> Vec<LeagueResult> {
    let mut leagues: Vec<(String, Vec<&GameRecord>)> = Vec::new();
    for &game in games {
        let name = league_of(game);
        match leagues.iter_mut().find(|league| league.0 == name) {
            Some(league) => league.1.push(game),
            None => leagues.push((name, vec![game])),
        }
    }
    if leagues.len() < 2 {
        return Vec::new();
    }
    let result = |(name, games): (String, Vec<&GameRecord>)| {
        LeagueResult::new(name, &Duel::new(games, first, second).results)
    };
    leagues.into_iter().map(result).collect()
}

/// Formats one line per league.
pub fn table(leagues: &[LeagueResult]) -> String {
    let columns = leagues.iter().map(|league| width(&name(&league.name))).max().unwrap_or(0);
    let line = |league: &LeagueResult| {
        let elo = after_score(league.elo);
        let llr = league.llr.map(|llr| format!(", LLR {llr:.2}")).unwrap_or_default();
        let (score, counts) = (format_score(&league.score), counts(&league.pairs, ", "));
        let name = padded(&name(&league.name), columns);
        format!("    {name}  {score}{elo}, pairs {counts}{llr}\n")
    };
    leagues.iter().map(line).collect()
}
