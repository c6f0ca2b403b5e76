//! Variety: the seed chooses among candidates that a search cannot distinguish.

use super::LEVEL;
use crate::board::zobrist;
use crate::rules::procedure::Negotiation;
use crate::think::score::Value;

/// Number of candidates left at the end of sifting, among which the seed chooses.
pub const VARIED: usize = 12;

/// Random numbers for a decision. They depend on the seed and the position, so the same seed gives different
/// numbers in different positions.
pub struct Dice(u64);

impl Dice {
    /// The dice for the current decision.
    pub fn new(seed: u64, negotiation: &Negotiation) -> Dice {
        Dice(zobrist::mix(seed) ^ negotiation.board().hash())
    }

    /// The next number below `sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (zobrist::mix(self.0) % sides as u64) as usize
    }

    /// `items` in random order, so that different ones come first among equals.
    pub fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
        items
    }

    /// Chooses one of the candidates whose cost is at most [`LEVEL`] above the lowest. `sifted` contains at least one
    /// candidate, with costs, sifted until [`VARIED`] were left; candidates that dropped out are not chosen.
    pub fn varied<T>(&mut self, mut sifted: Vec<(T, Value)>) -> (T, Value) {
        let most = sifted[0].1 + LEVEL;
        let good = sifted.iter().take(VARIED).take_while(|&&(_, cost)| cost <= most).count();
        sifted.swap_remove(self.below(good))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::rules::procedure::{Answer, Procedure};

    fn begin() -> Negotiation {
        Negotiation::new(Procedure::Pro, Size::default()).unwrap()
    }

    #[test]
    fn equal_candidates_are_chosen_equally_often_and_worse_ones_never() {
        let costs = [-3, 0, LEVEL - 3, LEVEL - 2, 90];
        let sifted: Vec<(usize, Value)> = costs.into_iter().enumerate().collect();
        let mut counts = [0; 5];
        for seed in 0..3_000 {
            let (chosen, cost) = Dice::new(seed, &begin()).varied(sifted.clone());
            assert_eq!(cost, costs[chosen]);
            counts[chosen] += 1;
        }
        assert!(counts[..3].iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
        assert_eq!(counts[3..], [0, 0]);
        let many: Vec<(usize, Value)> = (0..40).map(|index| (index, 5)).collect();
        assert!((0..500).all(|seed| Dice::new(seed, &begin()).varied(many.clone()).0 < VARIED));
    }

    #[test]
    fn shuffling_keeps_all_and_depends_on_seed_and_position() {
        let shuffled = |seed, negotiation: &Negotiation| {
            Dice::new(seed, negotiation).shuffled((0..10).collect::<Vec<usize>>())
        };
        let mut next = begin();
        next.answer(&Answer::Stones(vec![Size::default().center()])).unwrap();
        let all = [shuffled(1, &begin()), shuffled(2, &begin()), shuffled(1, &next)];
        assert_eq!(all[0], shuffled(1, &begin()));
        assert!(all[0] != all[1] && all[0] != all[2], "{all:?}");
        for mut order in all {
            order.sort();
            assert!(order.into_iter().eq(0..10));
        }
    }
}
