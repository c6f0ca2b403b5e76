//! Correction history: how far searches of similar positions moved away from the static evaluation.
//!
//! Two positions are similar if they share the opponent's last move, or if they share the strongest threats
//! of both sides. Each group of similar positions has a running average of their errors; the evaluation is
//! corrected by the mean of the two averages.

use crate::board::{Board, ByColor, POINTS};
use crate::rules::PointClass;
use crate::think::score::Value;

/// Entry units per point.
const SCALE: i32 = 256;
/// Largest error that is learned from one position, in points.
const MAX_ERROR: Value = 200;
/// Largest absolute average, in points.
const MAX_AVERAGE: i32 = 64;
/// Largest weight of a new error, in 256ths. The weight is one more than the depth of the search in plies.
const MAX_WEIGHT: i32 = 16;

/// The groups of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarPositions {
    by_move: usize,
    by_threats: usize,
}

impl SimilarPositions {
    /// The groups of the position on `board`, where `strongest` is the strongest class of either side.
    #[inline]
    pub fn of(board: &Board, strongest: ByColor<PointClass>) -> SimilarPositions {
        let us = board.side_to_move();
        let last = board.last_move().map_or(0, |point| point.index());
        let threats = strongest[us] as usize * PointClass::COUNT + strongest[!us] as usize;
        SimilarPositions {
            by_move: us as usize * POINTS + last,
            by_threats: us as usize * PointClass::COUNT * PointClass::COUNT + threats,
        }
    }
}

/// Average errors of the static evaluation, by group. They survive from one move of the game to the next.
pub struct CorrectionHistory {
    by_move: [i16; 2 * POINTS],
    by_threats: [i16; 2 * PointClass::COUNT * PointClass::COUNT],
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory {
            by_move: [0; 2 * POINTS],
            by_threats: [0; 2 * PointClass::COUNT * PointClass::COUNT],
        }
    }
}

impl CorrectionHistory {
    /// Points to add to the static evaluation of a position.
    #[inline]
    pub fn of(&self, position: SimilarPositions) -> Value {
        let sum = i32::from(self.by_move[position.by_move]) + i32::from(self.by_threats[position.by_threats]);
        sum / (2 * SCALE)
    }

    /// Learns that a search `plies` deep found a value `error` points above the static evaluation.
    pub fn learn(&mut self, position: SimilarPositions, error: Value, plies: i32) {
        let weight = (plies + 1).min(MAX_WEIGHT);
        let error = error.clamp(-MAX_ERROR, MAX_ERROR) * SCALE;
        for entry in [&mut self.by_move[position.by_move], &mut self.by_threats[position.by_threats]] {
            let average = (i32::from(*entry) * (256 - weight) + error * weight) / 256;
            *entry = average.clamp(-MAX_AVERAGE * SCALE, MAX_AVERAGE * SCALE) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Color, Size};

    fn position(moves: &str, ours: PointClass) -> SimilarPositions {
        let board = Board::of_moves(Size::default(), &parse_moves(moves, Size::default()).unwrap());
        let mut strongest = ByColor([PointClass::Quiet; 2]);
        strongest[board.side_to_move()] = ours;
        SimilarPositions::of(&board, strongest)
    }

    #[test]
    fn similar_positions_share_an_average() {
        let mut history = CorrectionHistory::default();
        let learned = position("h8h9i8", PointClass::OpenThree);
        (0..1000).for_each(|_| history.learn(learned, 30, 8));
        assert!((28..=30).contains(&history.of(learned)));
        let same_move = position("a1a2i8", PointClass::Quiet);
        let same_threats = position("h8h9g3", PointClass::OpenThree);
        for similar in [same_move, same_threats] {
            assert!((13..=15).contains(&history.of(similar)), "half of it");
        }
        let other_side = position("h8i8", PointClass::OpenThree);
        assert_eq!(history.of(other_side), 0);
    }

    #[test]
    fn averages_are_bounded() {
        let mut history = CorrectionHistory::default();
        let position = position("h8", PointClass::Five);
        for (error, bound) in [(Value::MAX, MAX_AVERAGE), (-Value::MAX, -MAX_AVERAGE)] {
            (0..10_000).for_each(|_| history.learn(position, error, 60));
            assert_eq!(history.of(position), bound);
        }
    }

    #[test]
    fn an_empty_board_has_a_group() {
        assert_eq!(
            SimilarPositions::of(&Board::new(Size::default()), ByColor([PointClass::Quiet; 2])).by_move,
            Color::Black as usize * POINTS
        );
    }
}
