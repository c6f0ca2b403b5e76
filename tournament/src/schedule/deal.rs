//! Distributes the rounds of a batch over its leagues.
//!
//! The leagues follow each other in a fixed cycle, as evenly as whole rounds allow. Wherever a match stops,
//! each league has played its share, so that a test that pools the leagues weights them as configured. The
//! cycle is not random, and the league of any round can be computed directly, so that shared and resumed
//! batches play the same games.
//!
//! If the number of shares has no common factor with the length of the cycle, every share plays each league in
//! proportion to its weight. [`Schedule::has_even_shares`](super::Schedule::has_even_shares) is the exact condition.

use super::greatest_common_divisor;

/// The cycle of leagues.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The league of each round of the cycle, and the number of earlier rounds of that league in the cycle.
    cycle: Vec<(usize, usize)>,
    /// Number of rounds of each league in the cycle.
    shares: Vec<usize>,
}

impl Deal {
    /// Creates the cycle for leagues of these weights, each at least 1.
    pub fn new(weights: &[u32]) -> Deal {
        debug_assert!(!weights.is_empty() && !weights.contains(&0));
        let weights = weights.iter().map(|&weight| weight as usize);
        let divisor = weights.clone().fold(0, greatest_common_divisor).max(1);
        let shares: Vec<usize> = weights.map(|weight| weight / divisor).collect();
        let length: usize = shares.iter().sum();
        let mut dealt = vec![0; shares.len()];
        let mut cycle = Vec::with_capacity(length);
        for round in 1..=length {
            // The league that is furthest behind its share of the rounds so far; the first one on a tie.
            let behind = |league: usize| (shares[league] * round) as i64 - (dealt[league] * length) as i64;
            let league = (0..shares.len()).rev().max_by_key(|&league| behind(league)).unwrap_or(0);
            cycle.push((league, dealt[league]));
            dealt[league] += 1;
        }
        Deal { cycle, shares }
    }

    /// Number of rounds after which the leagues repeat.
    pub fn length(&self) -> usize {
        self.cycle.len()
    }

    /// Number of leagues.
    pub fn leagues(&self) -> usize {
        self.shares.len()
    }

    /// The league of round `round` (from 0), and the number of earlier rounds of that league.
    pub fn turn(&self, round: usize) -> (usize, usize) {
        let (league, before) = self.cycle[round % self.cycle.len()];
        (league, round / self.cycle.len() * self.shares[league] + before)
    }

    /// The number of rounds of each league among the first `rounds` rounds.
    pub fn rounds(&self, rounds: usize) -> Vec<usize> {
        let begun = &self.cycle[..rounds % self.cycle.len()];
        let of = |league: usize| begun.iter().filter(|turn| turn.0 == league).count();
        let whole = rounds / self.cycle.len();
        (0..self.leagues()).map(|league| whole * self.shares[league] + of(league)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leagues(deal: &Deal, rounds: usize) -> Vec<usize> {
        (0..rounds).map(|round| deal.turn(round).0).collect()
    }

    #[test]
    fn equal_leagues_take_turns() {
        assert_eq!(leagues(&Deal::new(&[1]), 3), [0, 0, 0]);
        assert_eq!(leagues(&Deal::new(&[7, 7, 7]), 7), [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn every_beginning_of_a_match_has_its_shares() {
        for weights in [&[3, 1, 2][..], &[1, 1, 5, 4], &[10, 1], &[2, 4, 6]] {
            let deal = Deal::new(weights);
            let sum: u32 = weights.iter().sum();
            let mut counts = vec![0_usize; weights.len()];
            for round in 0..3 * sum as usize {
                assert_eq!(deal.rounds(round), counts, "{weights:?}");
                let (league, turn) = deal.turn(round);
                assert_eq!(turn, counts[league], "{weights:?}");
                counts[league] += 1;
                for (count, weight) in counts.iter().zip(weights) {
                    let due = f64::from(*weight) / f64::from(sum) * (round + 1) as f64;
                    assert!((*count as f64 - due).abs() <= 1.0, "{weights:?}: {counts:?}");
                }
            }
        }
    }
}
