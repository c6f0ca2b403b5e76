//! Which game comes next. Pure bookkeeping: no input or output, no clock.

use crate::settings::EngineId;

/// One game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Number of the game, from 1.
    pub game: usize,
    /// Index of its opening.
    pub opening: usize,
    /// The engine that plays black.
    pub black: EngineId,
}

/// The games of a batch: each opening twice in a row, the colours swapped, the openings in turn.
#[derive(Clone, Debug)]
pub struct Schedule {
    given: usize,
    games: usize,
    openings: usize,
}

impl Schedule {
    /// `games` games over `openings` openings, of which there must be one.
    pub fn new(games: usize, openings: usize) -> Schedule {
        debug_assert!(openings > 0);
        Schedule { given: 0, games, openings }
    }
}

impl Iterator for Schedule {
    type Item = Pairing;

    fn next(&mut self) -> Option<Pairing> {
        if self.given == self.games {
            return None;
        }
        let index = self.given;
        self.given += 1;
        Some(Pairing { game: index + 1, opening: index / 2 % self.openings, black: EngineId::ALL[index % 2] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_opening_is_played_with_both_colours() {
        let games: Vec<_> = Schedule::new(7, 2).map(|p| (p.game, p.opening, p.black as usize)).collect();
        let expected = [(1, 0, 0), (2, 0, 1), (3, 1, 0), (4, 1, 1), (5, 0, 0), (6, 0, 1), (7, 1, 0)];
        assert_eq!(games, expected);
    }
}
