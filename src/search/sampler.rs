//! A uniform sample of the positions that a search evaluates, for training an evaluation.

use parking_lot::Mutex;

use crate::board::{Board, Point, zobrist};

/// Keeps some of the positions that a search evaluates, each with the same probability.
///
/// With one thread and a node limit, the same seed keeps the same positions.
#[derive(Debug)]
pub struct Sampler {
    size: usize,
    seed: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of positions evaluated.
    seen: u64,
    kept: Vec<Vec<Point>>,
}

impl Sampler {
    /// A sampler that keeps `size` positions.
    pub fn new(size: usize, seed: u64) -> Sampler {
        let state = State { seen: 0, kept: Vec::with_capacity(size) };
        Sampler { size, seed: zobrist::mix(seed), state: Mutex::new(state) }
    }

    /// Processes an evaluated position (reservoir sampling).
    pub fn see(&self, board: &Board) {
        let mut state = self.state.lock();
        state.seen += 1;
        let full = state.kept.len() == self.size;
        let random = zobrist::mix(self.seed.wrapping_add(state.seen));
        let place = if full { (random % state.seen) as usize } else { state.kept.len() };
        if place >= self.size {
            return;
        }
        let line = board.history().iter().copied().flatten().collect();
        if place == state.kept.len() {
            state.kept.push(line);
        } else {
            state.kept[place] = line;
        }
    }

    /// The moves that lead to each of the positions, from the first move of the game on. Passes are omitted.
    pub fn into_lines(self) -> Vec<Vec<Point>> {
        self.state.into_inner().kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn every_position_is_equally_likely() {
        let mut counts = [0; 20];
        for seed in 0..2_000 {
            let sampler = Sampler::new(5, seed);
            let mut board = Board::new(Size::default());
            for column in 0..20 {
                board.play(Point::new(column % 15, column / 15));
                sampler.see(&board);
            }
            let lines = sampler.into_lines();
            assert_eq!(lines.len(), 5);
            lines.iter().for_each(|line| counts[line.len() - 1] += 1);
        }
        // 500 of each are expected; a deviation of 100 is five standard deviations.
        assert!(counts.iter().all(|count| (400..600).contains(count)), "{counts:?}");
    }

    #[test]
    fn all_of_few_positions_are_kept() {
        let sampler = Sampler::new(5, 1);
        let mut board = Board::new(Size::default());
        board.play(Point::new(7, 7));
        sampler.see(&board);
        assert_eq!(sampler.into_lines(), [vec![Point::new(7, 7)]]);
    }
}
