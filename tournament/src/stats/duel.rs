//! The statistics of two engines against each other, computed from the records of their games.

use std::collections::{BTreeMap, HashMap};

use kakugo::board::{ByColor, Color};
use serde::Serialize;

use super::{Elo, Pairs, Score, elo_from, normal_below};
use crate::model::record::GameRecord;

/// Results of one engine against another.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    /// All games.
    pub score: Score,
    /// Results by the first engine's colour.
    pub by_color: ByColor<Score>,
    /// Games in pairs: one opening, both colours.
    pub pairs: Pairs,
    /// Games without a partner.
    pub unpaired: Score,
    /// Results by opening.
    pub openings: BTreeMap<String, DuelOpeningScore>,
}

/// Results from one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DuelOpeningScore {
    /// The first engine's games.
    pub engine: Score,
    /// Black's score, whichever engine played it.
    pub black: Score,
}

impl Duel {
    /// The games of `first` against `second` among `games`, from `first`'s side. Games of an engine against
    /// itself are excluded, because they have no sides.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a GameRecord>, first: &str, second: &str) -> Duel {
        let mut duel = Duel::default();
        let mut waiting: HashMap<PairKey, Vec<&GameRecord>> = HashMap::new();
        for game in games {
            let is_black = game.black.name == first && game.white.name == second;
            let is_white = game.white.name == first && game.black.name == second;
            if is_black == is_white {
                continue;
            }
            duel.add_game(game, is_black);
            if game.pair == 0 {
                // Read from a file that does not mark pairs.
                duel.unpaired.add_outcome(game.result, is_black);
                continue;
            }
            let others = waiting.entry(PairKey::of(game)).or_default();
            // The other game of the pair has the colours swapped.
            match others.iter().position(|other| other.black.name != game.black.name) {
                Some(index) => {
                    let other = others.swap_remove(index).result;
                    let (as_black, as_white) =
                        if is_black { (game.result, other) } else { (other, game.result) };
                    duel.pairs.add(as_black, as_white);
                }
                None => others.push(game),
            }
        }
        for game in waiting.into_values().flatten() {
            duel.unpaired.add_outcome(game.result, game.black.name == first);
        }
        duel
    }

    fn add_game(&mut self, game: &GameRecord, is_black: bool) {
        let color = if is_black { Color::Black } else { Color::White };
        self.score.add_outcome(game.result, is_black);
        self.by_color[color].add_outcome(game.result, is_black);
        let opening = self.openings.entry(game.opening.clone()).or_default();
        opening.engine.add_outcome(game.result, is_black);
        opening.black.add_outcome(game.result, true);
    }

    /// The Elo difference. A pair counts as one result, because its games are not independent. `None` without
    /// games.
    pub fn elo(&self) -> Option<Elo> {
        let trials = self.pairs.count() as f64 + f64::from(self.unpaired.games());
        Some(elo_from(self.score.mean()?, self.variance_of_mean(), trials))
    }

    /// The likelihood of superiority, 0 to 1; `None` without games.
    pub fn los(&self) -> Option<f64> {
        match self.variance_of_mean() {
            0.0 if self.unpaired.games() == 0 => self.pairs.los(),
            0.0 => self.score.los(),
            variance => Some(normal_below((self.score.mean()? - 0.5) / variance.sqrt())),
        }
    }

    /// The variance of the points per game, over pairs and single games; 0 without games.
    fn variance_of_mean(&self) -> f64 {
        let games = f64::from(self.score.games());
        if games == 0.0 {
            return 0.0;
        }
        let pairs = 4.0 * self.pairs.count() as f64 * self.pairs.variance();
        (pairs + f64::from(self.unpaired.games()) * self.unpaired.variance()) / (games * games)
    }
}

/// Key that both games of a pair share. The number alone would join games of different batches.
#[derive(PartialEq, Eq, Hash)]
struct PairKey {
    seed: u64,
    pair: usize,
    rule: String,
    size: String,
    opening: String,
}

impl PairKey {
    fn of(game: &GameRecord) -> PairKey {
        PairKey {
            seed: game.seed,
            pair: game.pair,
            rule: game.rule.clone(),
            size: game.size.clone(),
            opening: game.opening.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::GameResult;

    fn game(pair: usize, opening: &str, black: &str, white: &str, result: GameResult) -> GameRecord {
        GameRecord {
            opening: opening.to_owned(),
            moves: opening.to_owned(),
            ..GameRecord::example(pair, [black, white], result)
        }
    }

    #[test]
    fn pairs_are_found_whatever_their_order() {
        let games = [
            game(1, "h8", "a", "b", GameResult::Black),
            game(2, "h9", "b", "a", GameResult::Draw),
            game(2, "h9", "a", "b", GameResult::White),
            game(3, "h8", "a", "b", GameResult::Black),
            game(1, "h8", "b", "a", GameResult::White),
            game(4, "h8", "a", "c", GameResult::White),
        ];
        let duel = Duel::new(&games, "a", "b");
        assert_eq!(duel.pairs, Pairs([0, 1, 0, 0, 1]));
        assert_eq!(duel.unpaired, Score { wins: 1, losses: 0, draws: 0 });
        assert_eq!(duel.score, Score { wins: 3, losses: 1, draws: 1 });
        assert_eq!(duel.by_color[Color::White], Score { wins: 1, losses: 0, draws: 1 });
        assert_eq!(duel.openings["h8"].black, Score { wins: 2, losses: 1, draws: 0 });
        assert_eq!(duel.openings["h8"].engine, Score { wins: 3, losses: 0, draws: 0 });
        let reverse = Duel::new(&games, "b", "a");
        assert_eq!(reverse.pairs, Pairs([1, 0, 0, 1, 0]));
        assert_eq!(reverse.score, duel.score.reversed());
        assert!((reverse.los().unwrap() + duel.los().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(Duel::new(&games, "a", "a").score.games(), 0);
    }

    #[test]
    fn pairs_alone_and_games_alone_give_their_own_intervals() {
        let pairs = Duel {
            score: Score { wins: 110, losses: 90, draws: 0 },
            pairs: Pairs([0, 0, 90, 0, 10]),
            ..Duel::default()
        };
        assert_eq!(pairs.elo(), pairs.pairs.elo());
        assert_eq!(pairs.los(), pairs.pairs.los());
        let score = Score { wins: 40, losses: 20, draws: 40 };
        let games = Duel { score, unpaired: score, ..Duel::default() };
        let (elo, expected) = (games.elo().unwrap(), score.elo().unwrap());
        assert!((elo.low - expected.low).abs() < 1e-9 && (elo.high - expected.high).abs() < 1e-9);
    }
}
