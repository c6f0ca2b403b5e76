//! Pattern history: how often moves caused a cutoff, by the pattern of their point.
//!
//! The pattern is what stones of both colours would make on the point in the four directions
//! ([`Position::codes`]). Moves with the same pattern do equally well all over the board, so the pattern says
//! more about a move than the history of its point.

use super::params::adjust_history;
use crate::board::{ByColor, Color, Point};
use crate::rules::{POINT_CODES, Position};

/// Bits of a pattern's number, which is a hash: two patterns may share a number.
const BITS: u32 = 14;
/// The history value for which [`PatternHistory::of`] returns 50.
const HALF: i32 = 300;

/// The history values of one thread's patterns, by the colour that moves.
pub struct PatternHistory {
    values: ByColor<[i16; 1 << BITS]>,
    /// The values in percent, which are read far more often than they change.
    percents: ByColor<[i8; 1 << BITS]>,
}

impl Default for PatternHistory {
    fn default() -> PatternHistory {
        PatternHistory { values: ByColor([[0; 1 << BITS]; 2]), percents: ByColor([[0; 1 << BITS]; 2]) }
    }
}

impl PatternHistory {
    /// The recent success of `us` on points with these codes: near 100 if its moves there often caused
    /// cutoffs, near -100 if they often failed, 0 if nothing is known.
    #[inline]
    pub fn of(&self, us: Color, codes: [usize; 2]) -> i32 {
        i32::from(self.percents[us][number(codes)])
    }

    /// Learns from a move of the side to move: `bonus` is above 0 if it caused a cutoff.
    pub fn learn(&mut self, position: &Position, point: Point, bonus: i32) {
        let (us, number) = (position.board().side_to_move(), number(position.codes(point)));
        let value = &mut self.values[us][number];
        adjust_history(value, bonus);
        self.percents[us][number] = percent(*value);
    }

    /// Halves all values.
    pub fn halve(&mut self) {
        let percents = self.percents.0.iter_mut().flatten();
        for (value, of_value) in self.values.0.iter_mut().flatten().zip(percents) {
            *value /= 2;
            *of_value = percent(*value);
        }
    }
}

/// A history value between -100 and 100.
fn percent(value: i16) -> i8 {
    let value = i32::from(value);
    (100 * value / (value.abs() + HALF)) as i8
}

/// The number of the pattern of a point with these codes.
#[inline]
fn number([black, white]: [usize; 2]) -> usize {
    let both = (black * POINT_CODES + white) as u32;
    // Fibonacci hashing (Knuth): the golden ratio spreads neighbouring numbers.
    (both.wrapping_mul(0x9e37_79b9) >> (u32::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Board, Size};
    use crate::rules::{Rule, RuleKind};

    fn position(moves: &str) -> Position {
        let size = Size::default();
        let mut position = Position::new(Board::new(size), Rule::from(RuleKind::Freestyle));
        parse_moves(moves, size).unwrap().into_iter().for_each(|point| position.play(point));
        position
    }

    fn point(name: &str) -> Point {
        parse_moves(name, Size::default()).unwrap()[0]
    }

    /// The history of the pattern of a point for the side to move.
    fn of(history: &PatternHistory, position: &Position, name: &str) -> i32 {
        history.of(position.board().side_to_move(), position.codes(point(name)))
    }

    #[test]
    fn what_is_learned_holds_for_the_same_pattern_and_side_only() {
        let mut history = Box::<PatternHistory>::default();
        let one = position("h8a1h9o1");
        history.learn(&one, point("h10"), 300);
        assert_eq!(of(&history, &one, "h10"), 50);
        assert_eq!(of(&history, &one, "h7"), 50, "the other end of the line");
        assert_eq!(of(&history, &position("e5a1f6o1"), "g7"), 50, "a diagonal somewhere else");
        assert_eq!(of(&history, &one, "k12"), 0, "another pattern");
        assert_eq!(of(&history, &position("a1h8o1h9a15"), "h10"), 0, "the other side");
        history.learn(&one, point("h7"), -300);
        assert!(of(&history, &one, "h10") < 0, "a failure weighs as much, and the value had shrunk");
    }

    #[test]
    fn values_are_bounded_and_halved() {
        let mut history = Box::<PatternHistory>::default();
        let position = position("h8a1h9o1");
        for (name, bonus) in [("h10", 400), ("k12", -400)] {
            (0..1_000).for_each(|_| history.learn(&position, point(name), bonus));
            assert_eq!(of(&history, &position, name), 93 * bonus.signum(), "{name}");
        }
        history.halve();
        assert_eq!(of(&history, &position, "h10"), 87);
        (0..16).for_each(|_| history.halve());
        assert_eq!([of(&history, &position, "h10"), of(&history, &position, "k12")], [0, 0]);
    }
}
