//! The progress of a match: which games count, which of them are pairs, and how far its test is.
//!
//! A running batch, its report and the tables of ratings all count by these rules, so that the same games
//! give the same pairs, the same Elo and the same likelihood ratio everywhere.

use std::collections::HashMap;

use kakugo::board::Color;

use super::{Elo, Pairs, Repeats, Score, Sprt, SprtProgress, elo_from, normal_below};
use crate::model::record::{GameRecord, GameResult};

/// Results of one engine against another, from the first one's side: pairs, and games without a partner.
#[derive(Clone, Debug, Default)]
pub struct PairedResults {
    /// All games.
    pub score: Score,
    /// The complete pairs.
    pub pairs: Pairs,
    /// Games without a partner.
    pub unpaired: Score,
    /// The first games of incomplete pairs: their results, and whether the first engine had black. If several
    /// games wait for the same partner, the last of them gets it, because it most likely comes from the same
    /// file.
    waiting: HashMap<PairKey, Vec<(GameResult, bool)>>,
}

impl PairedResults {
    /// Results that are already counted: the score of all games, the complete pairs, and the score of games without
    /// a partner.
    pub fn counted(score: Score, pairs: Pairs, unpaired: Score) -> PairedResults {
        PairedResults { score, pairs, unpaired, waiting: HashMap::new() }
    }

    /// Counts a game in which the first engine had `color`.
    pub fn add(&mut self, game: &GameRecord, color: Color) {
        let is_black = color == Color::Black;
        self.score.add_outcome(game.result, is_black);
        // Pair 0 comes from a file that does not mark pairs.
        let key = |color| (game.pair > 0).then(|| PairKey::of(game, color));
        let partner = key(!color).and_then(|key| self.take_waiting(&key));
        if let Some((result, was_black)) = partner {
            self.unpaired.remove_outcome(result, was_black);
            self.pairs.add([(result, was_black), (game.result, is_black)]);
        } else {
            self.unpaired.add_outcome(game.result, is_black);
            if let Some(key) = key(color) {
                self.waiting.entry(key).or_default().push((game.result, is_black));
            }
        }
    }

    fn take_waiting(&mut self, key: &PairKey) -> Option<(GameResult, bool)> {
        let games = self.waiting.get_mut(key)?;
        let last = games.pop();
        if games.is_empty() {
            self.waiting.remove(key);
        }
        last
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

/// Key of a game in its pair. The number of the pair alone would join games of different batches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PairKey {
    seed: u64,
    pair: usize,
    rule: String,
    size: String,
    league: Option<String>,
    /// The opening, and the colour of the first engine, which the two games of a pair swap. `None` if the engines
    /// negotiated them: then each game of a pair has its own.
    opening: Option<(String, Color)>,
}

impl PairKey {
    fn of(game: &GameRecord, color: Color) -> PairKey {
        PairKey {
            seed: game.seed,
            pair: game.pair,
            rule: game.rule.clone(),
            size: game.size.clone(),
            league: game.league.clone(),
            opening: game.procedure.is_none().then(|| (game.opening.clone(), color)),
        }
    }
}

/// The progress of a match or, without a first engine, of a pool.
#[derive(Debug)]
pub struct MatchProgress {
    repeats: Repeats,
    results: PairedResults,
    test: Option<SprtProgress>,
}

impl MatchProgress {
    /// A match without games, which `sprt` may end early.
    pub fn new(sprt: Option<Sprt>) -> MatchProgress {
        MatchProgress {
            repeats: Repeats::default(),
            results: PairedResults::default(),
            test: sprt.map(SprtProgress::new),
        }
    }

    /// Counts a game in which the first engine had the colour `first`; `None` in a pool, whose games have no
    /// common side. Returns whether the game is a new result: a repeat of an earlier game is not.
    pub fn add(&mut self, game: &GameRecord, first: Option<Color>) -> bool {
        if self.repeats.note(game) {
            return false;
        }
        if let Some(color) = first {
            self.results.add(game, color);
            if let Some(test) = &mut self.test {
                test.note(&self.results.pairs);
            }
        }
        true
    }

    /// The results of the first engine, without repeats.
    pub fn results(&self) -> &PairedResults {
        &self.results
    }

    /// Number of games that repeat earlier ones.
    pub fn repeated(&self) -> usize {
        self.repeats.count()
    }

    /// The test, if there is one.
    pub fn test(&self) -> Option<&SprtProgress> {
        self.test.as_ref()
    }

    /// Whether there is an undecided test whose last games only repeat earlier ones.
    pub fn is_exhausted(&self) -> bool {
        self.repeats.is_exhausted() && self.test.as_ref().is_some_and(|test| !test.is_decided())
    }

    /// Whether the test has ended, decided or not; never without a test.
    pub fn is_over(&self) -> bool {
        self.is_exhausted() || self.test.as_ref().is_some_and(SprtProgress::is_decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{MoveRecord, ProcedureRecord};
    use crate::stats::Model;
    use Color::{Black, White};

    /// A game of a pair, in which `a` had `color`.
    fn game(pair: usize, color: Color, result: GameResult) -> GameRecord {
        let sides = if color == Black { ["a", "b"] } else { ["b", "a"] };
        GameRecord::example(pair, sides, result)
    }

    /// The same game after a negotiation that led to `opening`.
    fn negotiated(opening: &str, game: GameRecord) -> GameRecord {
        let procedure =
            ProcedureRecord { name: "swap2".to_owned(), first: "black".to_owned(), answers: Vec::new() };
        GameRecord { opening: opening.to_owned(), procedure: Some(procedure), ..game }
    }

    fn results(games: &[(Color, GameRecord)]) -> PairedResults {
        let mut results = PairedResults::default();
        games.iter().for_each(|(color, game)| results.add(game, *color));
        results
    }

    #[test]
    fn games_of_a_pair_are_counted_whatever_their_order() {
        let games = [
            (1, White, GameResult::White),
            (2, Black, GameResult::Black),
            (3, Black, GameResult::Draw),
            (1, Black, GameResult::Black),
            (2, White, GameResult::Black),
        ];
        let games = games.map(|(pair, color, result)| (color, game(pair, color, result)));
        let results = results(&games);
        assert_eq!(results.pairs, Pairs([0, 0, 1, 0, 1]));
        assert_eq!(results.unpaired, Score { wins: 0, losses: 0, draws: 1 });
        assert_eq!(results.score, Score { wins: 3, losses: 1, draws: 1 });
    }

    #[test]
    fn negotiated_games_are_a_pair_whatever_opening_and_colours_they_led_to() {
        // Pair 1: `a` has white in both games, as a procedure allows.
        let procedure = [
            (White, negotiated("h8h9", game(1, White, GameResult::White))),
            (White, negotiated("i9i10j4", game(1, White, GameResult::Draw))),
        ];
        assert_eq!(results(&procedure).pairs, Pairs([0, 0, 0, 1, 0]));
        // One of the games ended before the negotiation.
        let no_start = [(Black, negotiated("", game(1, Black, GameResult::White))), procedure[0].clone()];
        assert_eq!(results(&no_start).pairs.count(), 1);
        // Without a procedure, another opening is another batch with the same numbers.
        let other = |opening: &str, game| GameRecord { opening: opening.to_owned(), ..game };
        let batches = [
            (Black, other("h8h9", game(1, Black, GameResult::White))),
            (White, other("i9i10", game(1, White, GameResult::Draw))),
            (White, other("h8h9", game(1, White, GameResult::White))),
        ];
        let apart = results(&batches);
        assert_eq!((apart.pairs, apart.unpaired.draws), (Pairs([0, 0, 1, 0, 0]), 1));
        // And so is another league or seed.
        let mut leagues = batches.map(|(color, game)| (color, other("h8", game)));
        leagues[0].1.league = Some("small".to_owned());
        leagues[1].1.seed = 2;
        assert_eq!(results(&leagues).pairs.count(), 0);
    }

    #[test]
    fn games_with_the_same_colours_are_no_pair() {
        // The first game of a pair, then both games of another run with the same seed.
        let games = [(Black, GameResult::White), (Black, GameResult::Black), (White, GameResult::White)];
        let of = |games: &[(Color, GameResult)]| {
            let games = games.iter().map(|&(color, result)| (color, game(1, color, result)));
            results(&games.collect::<Vec<_>>())
        };
        let both = of(&games);
        assert_eq!(both.pairs, Pairs([0, 0, 0, 0, 1]), "the second run's own games");
        assert_eq!(both.unpaired, Score { wins: 0, losses: 1, draws: 0 });
        let same = of(&games[..2]);
        assert_eq!((same.pairs.count(), same.unpaired.games()), (0, 2));
        // The other game of the first run finds its partner too.
        let whole = of(&[&games[..], &[(White, GameResult::Black)]].concat());
        assert_eq!((whole.pairs, whole.unpaired.games()), (Pairs([1, 0, 0, 0, 1]), 0));
    }

    #[test]
    fn files_that_mark_no_pairs_have_single_games() {
        let results = results(&[Black, White].map(|color| (color, game(0, color, GameResult::Black))));
        assert_eq!((results.pairs.count(), results.unpaired.games()), (0, 2));
        assert_eq!(results.elo(), results.score.elo());
    }

    #[test]
    fn pairs_alone_and_games_alone_give_their_own_intervals() {
        let score = Score { wins: 110, losses: 90, draws: 0 };
        let pairs = PairedResults::counted(score, Pairs([0, 0, 90, 0, 10]), Score::default());
        assert_eq!(pairs.elo(), pairs.pairs.elo());
        assert_eq!(pairs.los(), pairs.pairs.los());
        let score = Score { wins: 40, losses: 20, draws: 40 };
        let games = PairedResults::counted(score, Pairs::default(), score);
        let (elo, expected) = (games.elo().unwrap(), score.elo().unwrap());
        assert!((elo.low - expected.low).abs() < 1e-9 && (elo.high - expected.high).abs() < 1e-9);
    }

    #[test]
    fn one_single_game_does_not_widen_the_interval_of_the_pairs() {
        // Black wins every game: the pairs are all even, although the games are not.
        let mut results = PairedResults::default();
        for pair in 1..=50 {
            results.add(&game(pair, Black, GameResult::Black), Black);
            results.add(&game(pair, White, GameResult::Black), White);
        }
        let whole = results.elo().unwrap();
        results.add(&game(51, Black, GameResult::Draw), Black);
        let odd = results.elo().unwrap();
        assert!(odd.high - odd.low < 1.1 * (whole.high - whole.low), "{odd:?} after {whole:?}");
        assert!(odd.high < 0.5 * results.score.elo().unwrap().high, "{odd:?}");
    }

    #[test]
    fn a_match_is_over_when_its_test_is_decided_or_only_repeats_come() {
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic).unwrap();
        let mut won = MatchProgress::new(Some(sprt));
        for pair in 1.. {
            assert!(won.add(&game(pair, Black, GameResult::Black), Some(Black)));
            assert!(won.add(&game(pair, White, GameResult::White), Some(White)));
            if won.is_over() {
                break;
            }
        }
        assert!(won.test().is_some_and(SprtProgress::is_decided) && !won.is_exhausted());

        let played = vec![MoveRecord { nodes: Some(9), ..MoveRecord::default() }];
        let same = GameRecord { played, ..game(1, Black, GameResult::Black) };
        let [mut tested, mut untested] = [Some(sprt), None].map(MatchProgress::new);
        for count in 0..=100 {
            assert!(!tested.is_over(), "after {count} games");
            assert_eq!(tested.add(&same, Some(Black)), count == 0);
            untested.add(&same, Some(Black));
        }
        assert!(tested.is_over() && tested.is_exhausted() && tested.repeated() == 100);
        assert_eq!(tested.results().score.games(), 1);
        assert!(!untested.is_over() && !untested.is_exhausted());
    }
}
