//! Ratings of a whole pool: maximum likelihood estimates of the Bradley-Terry model.
//!
//! A player's strength is its rating; the probabilities of a game depend only on the difference. A draw
//! counts as half a win and half a loss, or is a separate result with Davidson's parameter nu: the
//! probabilities of win, draw and loss are proportional to `e^(d/2) : nu : e^(-d/2)`, where `d` is the
//! difference in natural units. Both likelihoods are concave, so Newton's method finds the only maximum. The
//! intervals come from the inverse of the information matrix there.
//!
//! The maximum is finite only for a *block*: players who have all won or drawn against each other, directly
//! or through others. Davidson's model needs more, for example two players who have both won against each other.
//! Otherwise nu can grow together with the differences, and draws count as half points. The largest block of a
//! group of connected players gets ratings. Players above it, who won all games against it, have no upper bound;
//! players below it, who lost all games, have no lower bound; players who are not connected have a separate scale.
//! Ratings show these cases instead of hiding them behind a number: see [`Standing`].

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, bail, ensure};
use serde::Serialize;

use super::{Elo, Score, Z_95};
use crate::model::record::{GameRecord, GameResult};

mod blocks;
mod fit;
#[cfg(test)]
mod tests;

/// Elo points of one natural unit of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The likelihood at which a sweep bounds a rating from one side.
const SWEEP: f64 = 0.05;

/// Maximum number of players that are rated together: the size of their covariance matrix grows with the
/// square of the number.
const MAX_PLAYERS: usize = 2000;

/// Results of players against each other, by the indices of the first and the second player.
type Meetings = BTreeMap<(usize, usize), Score>;

/// Model of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum DrawModel {
    /// Half a win and half a loss.
    #[default]
    Half,
    /// A separate result, with Davidson's parameter for its likelihood between equal players.
    Davidson,
}

/// Origin of the bounds on a player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Results on both sides.
    Rated,
    /// The rating was given.
    Anchor,
    /// It won all games against the rated players: only a lower bound is known.
    Above,
    /// It lost all games against the rated players: only an upper bound is known.
    Below,
    /// One-sided results in both directions connect it to the rated players: nothing is known.
    Unknown,
}

/// A player of a rated pool.
#[derive(Clone, Debug, Serialize)]
pub struct Rating {
    /// The player.
    pub name: String,
    /// All its games.
    pub score: Score,
    /// The rating; infinite for [`Standing::Above`] and `Below`, not a number for `Unknown`. In JSON these
    /// are null.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Likelihood of superiority over the next rated player of its group, 0 to 1; `None` for the last player,
    /// between anchors, and for players without a rating.
    pub los: Option<f64>,
    /// Origin of the bounds.
    pub standing: Standing,
    /// Index of its scale, from 0: ratings in different groups cannot be compared.
    pub group: usize,
}

impl Rating {
    /// The rating with its interval.
    pub fn as_elo(&self) -> Elo {
        Elo { difference: self.elo, low: self.low, high: self.high }
    }
}

/// A rated pool.
#[derive(Clone, Debug, Serialize)]
pub struct Ratings {
    /// The players, group by group, the best first.
    pub players: Vec<Rating>,
    /// Number of groups, which are not connected by games or anchors.
    pub groups: usize,
    /// Davidson's parameter, if it was requested and the games determine it.
    pub nu: Option<f64>,
    /// Whether draws of rated players count as half points because their games do not determine nu.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_without_nu: bool,
}

/// The players, and their results against each other.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    names: Vec<String>,
    /// Index of each name.
    places: HashMap<String, usize>,
    /// The score of the first of two players (with the smaller index) against the second.
    meetings: Meetings,
}

impl Pool {
    /// The pool of these games. Games of a player against itself are ignored.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Pool {
        let mut pool = Pool::default();
        for game in games {
            pool.add(&game.black.name, &game.white.name, game.result);
        }
        pool
    }

    /// Counts a game.
    pub fn add(&mut self, black: &str, white: &str, result: GameResult) {
        let (black, white) = (self.index(black), self.index(white));
        if black != white {
            let score = self.meetings.entry((black.min(white), black.max(white))).or_default();
            score.add_outcome(result, black < white);
        }
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The score of each player against all others.
    fn totals(&self) -> Vec<Score> {
        let mut totals = vec![Score::default(); self.names.len()];
        for (&(first, second), score) in &self.meetings {
            totals[first] += *score;
            totals[second] += score.reversed();
        }
        totals
    }

    /// Rates the pool. `anchors` are players with given ratings; without anchors, the rated players of a
    /// group have mean 0.
    ///
    /// # Errors
    /// Returns an error if an anchor is not a player of the pool, is given twice or is not finite, or if the
    /// fit fails, which finite data should never cause.
    pub fn rate(&self, model: DrawModel, anchors: &[(String, f64)]) -> Result<Ratings> {
        let players = self.names.len();
        ensure!(players <= MAX_PLAYERS, "{players} players cannot be rated: the maximum is {MAX_PLAYERS}");
        let totals = self.totals();
        let mut given = vec![None; players];
        for (name, elo) in anchors {
            ensure!(elo.is_finite(), "anchor {name}: the rating is not a finite number");
            let Some(&index) = self.places.get(name) else {
                bail!("anchor {name}: there is no such player, only {}", self.names.join(", "));
            };
            ensure!(given[index].replace(elo / ELO).is_none(), "anchor {name} is given twice");
        }
        let mut ratings = Ratings { players: Vec::new(), groups: 0, nu: None, is_without_nu: false };
        for group in blocks::groups(&self.meetings, &given) {
            self.rate_group(&group, model, &given, &totals, &mut ratings)?;
            ratings.groups += 1;
        }
        Ok(ratings)
    }

    fn rate_group(
        &self,
        group: &[Vec<usize>],
        model: DrawModel,
        given: &[Option<f64>],
        totals: &[Score],
        ratings: &mut Ratings,
    ) -> Result<()> {
        let is_anchored = |block: &Vec<usize>| block.iter().any(|&player| given[player].is_some());
        let games = |block: &Vec<usize>| -> u32 { block.iter().map(|&p| totals[p].games()).sum() };
        let rated = (0..group.len())
            .max_by_key(|&b| (is_anchored(&group[b]), group[b].len(), games(&group[b])))
            .expect("no group is empty");
        let fit = fit::fit(&group[rated], &self.meetings, given, model)?;
        ratings.nu = ratings.nu.or(fit.nu);
        ratings.is_without_nu |= fit.is_without_nu;
        let mut strengths = vec![f64::NAN; self.names.len()];
        let mut players = Vec::new();
        let block = &group[rated];
        let mut order: Vec<usize> = (0..block.len()).collect();
        order.sort_by(|&one, &other| fit.strengths[other].total_cmp(&fit.strengths[one]));
        for (place, &index) in order.iter().enumerate() {
            let (player, strength) = (block[index], fit.strengths[index]);
            strengths[player] = strength;
            let standing = if given[player].is_some() { Standing::Anchor } else { Standing::Rated };
            let error = Z_95 * fit.error(index);
            let bounds = [strength, strength - error, strength + error];
            let mut rating = self.rating(player, totals[player], ratings.groups, standing, bounds);
            rating.los = order.get(place + 1).and_then(|&next| fit.los(index, next));
            players.push(rating);
        }
        // Lower bounds come from the players below, upper bounds from the players above; each kind depends
        // only on itself.
        let mut upwards = strengths.clone();
        let mut downwards = strengths;
        for (block, standing) in blocks::around(group, rated, &self.meetings, given) {
            let inner = fit::fit(block, &self.meetings, given, model)?;
            let strengths = if standing == Standing::Below { &mut downwards } else { &mut upwards };
            let shift = inner.bound(block, standing, &self.meetings, strengths, fit.nu);
            for (&player, &strength) in block.iter().zip(&inner.strengths) {
                let bound = strength + shift;
                if standing != Standing::Unknown {
                    strengths[player] = bound;
                }
                let bounds = match standing {
                    Standing::Above => [f64::INFINITY, bound, f64::INFINITY],
                    Standing::Below => [f64::NEG_INFINITY, f64::NEG_INFINITY, bound],
                    _ => [f64::NAN, f64::NEG_INFINITY, f64::INFINITY],
                };
                players.push(self.rating(player, totals[player], ratings.groups, standing, bounds));
            }
        }
        let place = |rating: &Rating| match rating.standing {
            Standing::Above => (2, rating.low),
            Standing::Rated | Standing::Anchor => (1, rating.elo),
            Standing::Below => (0, rating.high),
            Standing::Unknown => (-1, 0.0),
        };
        players.sort_by(|a, b| {
            let ((a, a_elo), (b, b_elo)) = (place(a), place(b));
            b.cmp(&a).then(b_elo.total_cmp(&a_elo))
        });
        ratings.players.append(&mut players);
        Ok(())
    }

    fn rating(
        &self,
        player: usize,
        score: Score,
        group: usize,
        standing: Standing,
        bounds: [f64; 3],
    ) -> Rating {
        let [elo, low, high] = bounds.map(|strength| strength * ELO);
        let name = self.names[player].clone();
        Rating { name, score, elo, low, high, los: None, standing, group }
    }
}
