//! The statistics of two engines against each other, computed from the records of their games.

use kakugo::board::{ByColor, Color};

use super::Score;
use super::progress::PairedResults;
use crate::model::record::GameRecord;

/// Results of one engine against another.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    /// All games, and which of them are pairs.
    pub results: PairedResults,
    /// Results by the first engine's colour.
    pub by_color: ByColor<Score>,
}

impl Duel {
    /// The games of `first` against `second` among `games`, from `first`'s side. Games of an engine against
    /// itself are excluded, because they have no sides.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a GameRecord>, first: &str, second: &str) -> Duel {
        let mut duel = Duel::default();
        for game in games {
            let is_black = game.black.name == first && game.white.name == second;
            let is_white = game.white.name == first && game.black.name == second;
            if is_black == is_white {
                continue;
            }
            let color = if is_black { Color::Black } else { Color::White };
            duel.by_color[color].add_outcome(game.result, is_black);
            duel.results.add(game, color);
        }
        duel
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::GameResult;
    use crate::stats::Pairs;

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
        let results = &duel.results;
        assert_eq!(results.pairs, Pairs([0, 1, 0, 0, 1]));
        assert_eq!(results.unpaired, Score { wins: 1, losses: 0, draws: 0 });
        assert_eq!(results.score, Score { wins: 3, losses: 1, draws: 1 });
        assert_eq!(duel.by_color[Color::White], Score { wins: 1, losses: 0, draws: 1 });
        let reverse = Duel::new(&games, "b", "a").results;
        assert_eq!(reverse.pairs, Pairs([1, 0, 0, 1, 0]));
        assert_eq!(reverse.score, results.score.reversed());
        assert!((reverse.los().unwrap() + results.los().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(Duel::new(&games, "a", "a").results.score.games(), 0);
    }
}
