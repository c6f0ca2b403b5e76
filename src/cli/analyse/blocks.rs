//! Lines of a position that is lost in two plies: the moves that stop a row come first.

use crate::board::{Board, Point};
use crate::rules::{PointClass, Position, Rule};
use crate::think::Iteration;
use crate::think::score::mated_in;

/// Puts moves that stop one of several rows before moves that stop none: both lose at once, and only the first ones can be
/// meant. They take the place of others where they are missing.
pub fn blocks_first(board: &Board, rule: Rule, lines: &mut [Iteration]) {
    if lines.iter().any(|line| line.value != mated_in(2)) {
        return;
    }
    let mut position = Position::new(board.clone(), rule);
    let fives = position.at_least(!board.side_to_move(), PointClass::Five);
    let rows: Vec<Point> = fives.iter().collect();
    let blocks: Vec<Point> = rows.iter().copied().filter(|&point| position.is_allowed(point)).collect();
    let blocks: Vec<Vec<Point>> = blocks
        .into_iter()
        .map(|block| [block].into_iter().chain(rows.iter().copied().find(|&row| row != block)).collect())
        .collect();
    for (line, block) in lines.iter_mut().zip(&blocks) {
        line.pv.clone_from(block);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::Size;
    use crate::board::notation::parse_moves;
    use crate::engine::{Engine, Options};
    use crate::think::{Limits, Silent};

    fn firsts(moves: &str, lines: usize) -> Vec<Point> {
        let mut engine = Engine::new(Options::default());
        for point in parse_moves(moves, Size::default()).unwrap() {
            engine.play(point).unwrap();
        }
        let limits = Limits { max_nodes: Some(2_000), multi_pv: lines, ..Limits::infinite() };
        let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
        let mut lines: Vec<Iteration> = [report.last].into_iter().chain(report.others).collect();
        let board = engine.position().board().clone();
        blocks_first(&board, Rule::default(), &mut lines);
        lines.iter().map(|line| line.pv[0]).collect()
    }

    #[test]
    fn the_ends_of_a_straight_four_come_first() {
        let ends = parse_moves("g8l8", Size::default()).unwrap();
        for count in [1, 2, 3] {
            let found = firsts("h8a1i8a3j8a5k8", count);
            assert!(
                found.len() == count && found.iter().take(2).all(|point| ends.contains(point)),
                "{found:?}"
            );
        }
        let other = firsts("h8a1i8a3", 2);
        assert!(other.len() == 2 && other[0] != other[1], "{other:?}");
    }
}
