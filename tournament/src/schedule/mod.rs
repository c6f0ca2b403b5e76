//! The order of the games. Pure bookkeeping without I/O or clock.
//!
//! Game numbers refer to the whole batch: the games of a share keep these numbers.

pub mod deal;

use clap::ValueEnum;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::model::settings::EngineId;
pub use crate::model::shard::Shard;
use crate::schedule::deal::Deal;

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Every engine plays every other engine.
    #[default]
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
    /// Each engine plays the next one.
    Neighbours,
}

impl TournamentFormat {
    /// The pairs of engines that meet in one round.
    fn duels(self, engines: usize) -> Vec<[EngineId; 2]> {
        // The engines that play later engines, and the number of later engines that each of them plays.
        let (firsts, others) = match self {
            TournamentFormat::RoundRobin => (engines, engines),
            TournamentFormat::Gauntlet => (engines.min(1), engines),
            TournamentFormat::Neighbours => (engines, 1),
        };
        let after = |first| {
            let seconds = (first + 1..engines).take(others);
            seconds.map(move |second| [EngineId(first), EngineId(second)])
        };
        (0..firsts).flat_map(after).collect()
    }

    /// Number of games of one round, in which every pair of engines plays with both colours.
    pub fn games_per_round(self, engines: usize) -> usize {
        match self {
            TournamentFormat::RoundRobin => engines * engines.saturating_sub(1),
            TournamentFormat::Gauntlet | TournamentFormat::Neighbours => 2 * engines.saturating_sub(1),
        }
    }
}

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Number of the game, from 1.
    pub game: usize,
    /// Number of its pair, from 1: the two games of a pair differ only in the colours.
    pub pair: usize,
    /// Index of its league.
    pub league: usize,
    /// Index of its opening in the league's list.
    pub opening: usize,
    /// The engine that plays black.
    pub black: EngineId,
    /// The engine that plays white.
    pub white: EngineId,
}

/// The games of a batch. In each round, all pairs of engines play one opening of one league with both
/// colours. The [cycle](Deal) determines the league of each round, and each round of a league takes its next
/// opening. After the last opening, all of them are repeated in a new order each time.
#[derive(Clone, Debug)]
pub struct Schedule {
    duels: Vec<[EngineId; 2]>,
    games: usize,
    deal: Deal,
    /// Number of openings of each league.
    openings: Vec<usize>,
    shard: Option<Shard>,
    next: usize,
}

impl Schedule {
    /// A schedule of `games` games between `engines` engines, at least two, over the leagues of `deal`; each
    /// league has its number of `openings`, at least one.
    pub fn new(
        format: TournamentFormat,
        engines: usize,
        games: usize,
        deal: Deal,
        openings: Vec<usize>,
    ) -> Schedule {
        debug_assert!(engines > 1 && openings.len() == deal.leagues() && !openings.contains(&0));
        Schedule { duels: format.duels(engines), games, deal, openings, shard: None, next: 0 }
    }

    /// Keeps only the pairs of `shard`: pairs are dealt to the shares in turn, like cards.
    #[must_use]
    pub fn share(self, shard: Shard) -> Schedule {
        Schedule { shard: Some(shard), ..self }
    }

    /// Whether each of `count` shares plays every league in proportion to its weight.
    pub fn has_even_shares(&self, count: usize) -> bool {
        // The order of leagues and pairs of engines repeats after this number of pairs of games.
        let period = self.duels.len() * self.deal.length();
        self.deal.leagues() == 1 || self.duels.len().is_multiple_of(greatest_common_divisor(count, period))
    }

    /// Total number of games; of the share, if there is one.
    pub fn total(&self) -> usize {
        self.shard.map_or(self.games, |shard| shard.games(self.games))
    }

    /// Whether the schedule contains the game of this number.
    pub fn has(&self, game: usize) -> bool {
        let is_ours = |pair| self.shard.is_none_or(|shard| shard.has_pair(pair));
        (1..=self.games).contains(&game) && is_ours((game - 1) / 2)
    }

    /// Index of the league of game number `game` (from 1), if the opening of this game has been played before.
    pub fn league_repeating(&self, game: usize) -> Option<usize> {
        let round = game.checked_sub(1)? / 2 / self.duels.len();
        let (league, turn) = self.deal.turn(round);
        (turn >= self.openings[league]).then_some(league)
    }

    /// Number of consecutive pairs, starting with `pair`, that belong to other shares.
    fn pairs_to_skip(&self, pair: usize) -> usize {
        let Some(shard) = self.shard else { return 0 };
        let (ours, at) = (shard.index - 1, pair % shard.count);
        if at <= ours { ours - at } else { shard.count - at + ours }
    }
}

impl Iterator for Schedule {
    type Item = Pairing;

    fn next(&mut self) -> Option<Pairing> {
        if self.next >= self.games {
            return None;
        }
        let skipped = self.pairs_to_skip(self.next / 2);
        if skipped > 0 {
            self.next = (self.next / 2).saturating_add(skipped).saturating_mul(2);
        }
        if self.next >= self.games {
            return None;
        }
        let (index, pair) = (self.next, self.next / 2);
        self.next += 1;
        let [first, second] = self.duels[pair % self.duels.len()];
        let [black, white] = if index % 2 == 0 { [first, second] } else { [second, first] };
        let (league, turn) = self.deal.turn(pair / self.duels.len());
        let opening = opening(turn, self.openings[league]);
        Some(Pairing { game: index + 1, pair: pair + 1, league, opening, black, white })
    }
}

/// Index of the opening for round number `round` (from 0) of a league with `count` openings. The first pass
/// uses them in order, each later pass in an order that depends only on its number, so that shared and
/// resumed batches play the same games.
fn opening(round: usize, count: usize) -> usize {
    let (pass, place) = (round / count, round % count);
    if pass == 0 {
        return place;
    }
    let mut random = ChaCha8Rng::seed_from_u64(pass as u64);
    let first = random.random_range(0..count);
    let mut step = random.random_range(0..count);
    // Steps of a length coprime to the count visit every opening once.
    while greatest_common_divisor(step, count) != 1 {
        step = (step + 1) % count;
    }
    // In 128 bits, which the product of two opening counts cannot exceed.
    ((first as u128 + step as u128 * place as u128) % count as u128) as usize
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A batch with one league.
    fn schedule(format: TournamentFormat, engines: usize, games: usize, openings: usize) -> Schedule {
        Schedule::new(format, engines, games, Deal::new(&[1]), vec![openings])
    }

    /// Game, pair, opening, black, white.
    fn games(schedule: Schedule) -> Vec<[usize; 5]> {
        schedule.map(|p| [p.game, p.pair, p.opening, p.black.0, p.white.0]).collect()
    }

    #[test]
    fn each_opening_is_played_with_both_colours() {
        let games = games(schedule(TournamentFormat::RoundRobin, 2, 5, 3));
        assert_eq!(
            games,
            [[1, 1, 0, 0, 1], [2, 1, 0, 1, 0], [3, 2, 1, 0, 1], [4, 2, 1, 1, 0], [5, 3, 2, 0, 1]]
        );
    }

    #[test]
    fn openings_that_run_out_are_played_again_in_another_order() {
        for count in [1, 2, 3, 7, 12, 240] {
            let passes: Vec<Vec<usize>> = (0..20)
                .map(|pass| (0..count).map(|place| opening(pass * count + place, count)).collect())
                .collect();
            assert!(passes[0].is_sorted(), "first in the order of the book");
            for pass in &passes {
                assert_eq!(pass.iter().collect::<HashSet<_>>().len(), count, "each once: {pass:?}");
            }
            let orders = passes.iter().collect::<HashSet<_>>().len();
            assert!(orders >= count.min(12), "{orders} orders of {count}");
        }
    }

    #[test]
    fn everybody_meets_everybody_from_the_same_opening() {
        let games = games(schedule(TournamentFormat::RoundRobin, 4, 24, 9));
        assert_eq!(TournamentFormat::RoundRobin.games_per_round(4), 12);
        for (round, games) in games.chunks(12).enumerate() {
            assert!(games.iter().all(|game| game[2] == round));
            let meetings: HashSet<_> = games.iter().map(|game| (game[3], game[4])).collect();
            assert_eq!(meetings.len(), 12);
            assert!(meetings.iter().all(|&(black, white)| meetings.contains(&(white, black))));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_plays_every_game() {
        assert_eq!(TournamentFormat::Gauntlet.games_per_round(4), 6);
        let games = games(schedule(TournamentFormat::Gauntlet, 4, 12, 9));
        assert!(games.iter().all(|game| game[3] == 0 || game[4] == 0));
        assert!((1..4).all(|other| games.iter().filter(|game| game[3] + game[4] == other).count() == 4));
    }

    #[test]
    fn neighbours_meet_and_nobody_else() {
        assert_eq!(TournamentFormat::Neighbours.games_per_round(4), 6);
        let games = games(schedule(TournamentFormat::Neighbours, 4, 12, 9));
        let meetings: Vec<_> = games.iter().map(|game| (game[2], game[3], game[4])).collect();
        let round = |opening| [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)].map(|(b, w)| (opening, b, w));
        assert_eq!(meetings, [round(0), round(1)].concat());
    }

    #[test]
    fn each_league_plays_its_own_openings() {
        let format = TournamentFormat::RoundRobin;
        let schedule = Schedule::new(format, 2, 16, Deal::new(&[1, 3]), vec![5, 6]);
        let games: Vec<_> = schedule.map(|p| (p.pair, p.league, p.opening)).collect();
        assert!(games.chunks(2).all(|pair| pair[0] == pair[1]), "both games of a pair have one opening");
        let mut openings = [Vec::new(), Vec::new()];
        games.iter().step_by(2).for_each(|&(_, league, opening)| openings[league].push(opening));
        assert_eq!(openings, [vec![0, 1], vec![0, 1, 2, 3, 4, 5]]);
    }

    #[test]
    fn games_with_repeated_openings_are_known() {
        let deal = Deal::new(&[1, 3]);
        let schedule = Schedule::new(TournamentFormat::RoundRobin, 3, 90, deal, vec![2, 5]);
        let mut played = HashSet::new();
        for games in schedule.clone().collect::<Vec<_>>().chunks(6) {
            let is_new = played.insert((games[0].league, games[0].opening));
            for game in games {
                let expected = (!is_new).then_some(game.league);
                assert_eq!(schedule.league_repeating(game.game), expected, "{game:?}");
            }
        }
        assert_eq!(played.len(), 7);
    }

    #[test]
    fn shares_have_whole_pairs_and_together_everything() {
        let all = schedule(TournamentFormat::RoundRobin, 3, 31, 4);
        let share = |index| all.clone().share(Shard { index, count: 3 });
        let mut together: Vec<Pairing> = (1..=3).flat_map(share).collect();
        together.sort_by_key(|pairing| pairing.game);
        assert_eq!(together, all.clone().collect::<Vec<_>>());
        let pairs: Vec<HashSet<_>> =
            (1..=3).map(|index| share(index).map(|game| game.pair).collect()).collect();
        assert!(pairs[0].is_disjoint(&pairs[1]) && pairs[1].is_disjoint(&pairs[2]));
        assert!(pairs[0].is_disjoint(&pairs[2]));
    }

    #[test]
    fn shares_without_a_common_factor_play_each_league_by_its_weight() {
        let format = TournamentFormat::RoundRobin;
        let cases: [(usize, &[u32]); 6] =
            [(2, &[1, 1]), (2, &[2, 1, 1]), (2, &[2, 4]), (3, &[1, 1]), (3, &[3, 1]), (4, &[1, 2])];
        for (engines, weights) in cases {
            let sum = weights.iter().sum::<u32>() as usize;
            for count in 1..=9 {
                let games = format.games_per_round(engines) * sum * count;
                let all = Schedule::new(format, engines, games, Deal::new(weights), vec![1; weights.len()]);
                let is_even = (1..=count).all(|index| {
                    let mut played = vec![0_usize; weights.len()];
                    all.clone().share(Shard { index, count }).for_each(|game| played[game.league] += 1);
                    let total: usize = played.iter().sum();
                    played.iter().zip(weights).all(|(&games, &weight)| games * sum == total * weight as usize)
                });
                assert_eq!(all.has_even_shares(count), is_even, "{engines} engines, {weights:?}, {count}");
            }
        }
        let one = schedule(format, 2, 12, 3);
        assert!((1..5).all(|count| one.has_even_shares(count)), "a single league");
    }

    #[test]
    fn games_are_counted_and_known_without_being_listed() {
        for games in 0..13 {
            for count in 1..6 {
                for index in 1..=count {
                    let schedule =
                        schedule(TournamentFormat::RoundRobin, 3, games, 2).share(Shard { index, count });
                    let listed: Vec<usize> = schedule.clone().map(|pairing| pairing.game).collect();
                    assert_eq!(schedule.total(), listed.len(), "{games} games, share {index}/{count}");
                    assert!((0..games + 3).all(|game| schedule.has(game) == listed.contains(&game)));
                }
            }
        }
        // Even the last of the maximum number of shares is found immediately; it has nothing to play.
        let last = Shard { index: usize::MAX, count: usize::MAX };
        let schedule = schedule(TournamentFormat::RoundRobin, 2, 10_000_000, 1).share(last);
        assert_eq!((schedule.total(), schedule.clone().next()), (0, None));
    }

    #[test]
    fn a_share_is_a_number_of_a_number() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
        for text in ["0/2", "3/2", "2", "1/0", "a/b", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
