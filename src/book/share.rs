//! Shares of a book: they determine which of several machines expands a position.
//!
//! All machines expand the positions near the openings, because their values direct the search. At one number
//! of stones, with enough positions for all shares, each position belongs to one share by the hash of its
//! key, and so does everything reached through it. A position that is reached through two shares may be
//! expanded twice; merging keeps one of the results.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::board::zobrist;
use crate::database::Key;

/// Average number of positions per share at the split; with fewer, some shares would have little to do.
const POSITIONS_A_SHARE: usize = 4;

/// One of several parts of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The index, from 0.
    index: u64,
    count: u64,
}

/// The text is not a valid share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a share is I/N with I from 1 to N")]
pub struct BadShare;

impl Default for Share {
    fn default() -> Share {
        Share { index: 0, count: 1 }
    }
}

impl FromStr for Share {
    type Err = BadShare;

    /// Parses `2/8`, the second of eight.
    fn from_str(text: &str) -> Result<Share, BadShare> {
        let (number, count) = text.split_once('/').ok_or(BadShare)?;
        let (number, count): (u64, u64) = number.parse().ok().zip(count.parse().ok()).ok_or(BadShare)?;
        let is_one = (1..=count).contains(&number);
        is_one.then(|| Share { index: number - 1, count }).ok_or(BadShare)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl Share {
    /// Whether the position belongs to this share.
    pub fn owns(self, key: &Key) -> bool {
        key_hash(key, 0) % self.count == self.index
    }

    /// Number of stones at which the work is split, for openings with these numbers of stones and `moves`
    /// successors per position: the smallest number at which openings of one length have led to enough positions.
    pub(super) fn split(self, stones: impl Iterator<Item = usize>, moves: usize) -> usize {
        let mut openings: BTreeMap<usize, usize> = BTreeMap::new();
        stones.for_each(|stones| *openings.entry(stones).or_default() += 1);
        let split = |(stones, count): (usize, usize)| {
            // An empty board has one successor.
            let first = usize::from(stones == 0);
            stones + first + self.split_ply(count, moves)
        };
        openings.into_iter().map(split).min().unwrap_or(0)
    }

    /// Number of plies after the openings at which the work is split, for `openings` openings and `moves`
    /// successors per position.
    pub(super) fn split_ply(self, openings: usize, moves: usize) -> usize {
        let wanted = if self.count == 1 { 0 } else { self.count as usize * POSITIONS_A_SHARE };
        let counts = std::iter::successors(Some(openings.max(1)), |count| count.checked_mul(moves.max(2)));
        counts.take_while(|&count| count < wanted).count()
    }
}

/// A hash of a key that is the same on every machine.
pub(super) fn key_hash(key: &Key, seed: u64) -> u64 {
    key.bytes().iter().fold(zobrist::mix(seed), |hash, &byte| zobrist::mix(hash ^ u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Point, Size};
    use crate::database::Canonical;
    use crate::rules::Rule;

    #[test]
    fn a_share_is_one_of_a_number() {
        assert_eq!("2/8".parse::<Share>().map(|share| share.to_string()), Ok("2/8".to_owned()));
        for text in ["", "1", "0/3", "4/3", "1/0", "a/2", "1/2/3", "-1/2"] {
            assert_eq!(text.parse::<Share>(), Err(BadShare), "{text}");
        }
    }

    #[test]
    fn every_position_belongs_to_exactly_one_share() {
        let shares: Vec<Share> = (1..=3).map(|number| format!("{number}/3").parse().unwrap()).collect();
        let mut counts = [0; 3];
        for point in Size::default().points().filter(|&point| point != Point::new(7, 7)) {
            let board = Board::of_moves(Size::default(), &[Point::new(7, 7), point]);
            let key = Canonical::of(&board, Rule::default()).unwrap().key().clone();
            let owners: Vec<usize> = (0..3).filter(|&share| shares[share].owns(&key)).collect();
            assert_eq!(owners.len(), 1);
            counts[owners[0]] += 1;
        }
        assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
    }

    #[test]
    fn work_is_split_at_enough_positions_for_all() {
        let share: Share = "1/8".parse().unwrap();
        assert_eq!(share.split_ply(100, 4), 0, "the openings are enough");
        assert_eq!(share.split_ply(1, 4), 3, "1, 4, 16, 64 positions");
        assert_eq!(Share::default().split_ply(1, 4), 0);
    }

    #[test]
    fn openings_of_several_lengths_are_split_where_those_of_one_are_enough() {
        let split = |share: &str, short: usize, long: [usize; 2]| {
            let [stones, count] = long;
            let openings = [short].into_iter().chain(std::iter::repeat_n(stones, count));
            share.parse::<Share>().unwrap().split(openings, 4)
        };
        // Renju's default: the empty board and 26 openings of three stones.
        assert_eq!(split("1/5", 0, [3, 26]), 3, "the openings are enough");
        assert_eq!(split("1/16", 0, [3, 26]), 4, "1, 1, 4, 16, 64 positions, or 26, 104");
        assert_eq!(split("1/100", 0, [3, 26]), 5, "26, 104, 416 positions");
        assert_eq!(split("1/1", 0, [3, 26]), 1);
        assert_eq!(split("1/8", 2, [9, 3]), 5, "1, 4, 16, 64 positions");
    }
}
