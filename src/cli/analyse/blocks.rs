//! Orders the lines of a position that is lost in two plies: moves that stop a row come first.

use crate::board::{Board, Point};
use crate::rules::{PointClass, Position, Rule};
use crate::think::Iteration;
use crate::think::score::mated_in;

/// Sorts moves that stop one of several rows before moves that stop none: both lose immediately, but only a
/// block makes sense. A block that begins no line, with the move that completes another row, replaces a line that stops
/// nothing.
pub fn blocks_first(board: &Board, rule: Rule, lines: &mut [Iteration]) {
    if lines.iter().any(|line| line.value != mated_in(2)) {
        return;
    }
    let mut position = Position::new(board.clone(), rule);
    let fives = position.at_least(!board.side_to_move(), PointClass::Five);
    let rows: Vec<Point> = fives.iter().collect();
    let blocks: Vec<Point> = rows.iter().copied().filter(|&point| position.is_allowed(point)).collect();
    let is_block = |line: &Iteration| line.pv.first().is_some_and(|first| blocks.contains(first));
    lines.sort_by_key(|line| !is_block(line));
    let mut missing = blocks.clone();
    missing.retain(|block| lines.iter().all(|line| line.pv.first() != Some(block)));
    let others = lines.iter_mut().filter(|line| !is_block(line));
    for (line, block) in others.zip(missing) {
        line.pv = [block].into_iter().chain(rows.iter().copied().find(|&row| row != block)).collect();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::board::Size;
    use crate::board::notation::{format_point, parse_fen, parse_moves, parse_point};
    use crate::engine::{Engine, Options};
    use crate::think::{Limits, Silent};

    fn firsts(moves: &str, lines: usize) -> Vec<Point> {
        let mut engine = Engine::new(Options::default());
        for point in parse_moves(moves, Size::default()).unwrap() {
            engine.play(point).unwrap();
        }
        let limits = Limits { multi_pv: lines, ..Limits::nodes(2_000) };
        let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
        let mut lines = report.into_lines();
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

    #[test]
    fn no_two_lines_begin_with_the_same_move() {
        let fen = "15/15/15/15/15/15/10O4/15/5OO8/3XXXX8/15/15/15/15/3O10X w";
        let (board, size) = (parse_fen(fen).unwrap(), Size::default());
        let line = |name: &&str| Iteration {
            depth: 1,
            selective_depth: 1,
            value: mated_in(2),
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![parse_point(name, size).unwrap()],
        };
        for (before, after) in [
            (["a1", "h6", "b1"], ["h6", "c6", "b1"]),
            (["a1", "b1", "c6"], ["c6", "h6", "b1"]),
            (["h6", "a1", "c6"], ["h6", "c6", "a1"]),
            (["a1", "b1", "d1"], ["c6", "h6", "d1"]),
        ] {
            let mut lines: Vec<Iteration> = before.iter().map(line).collect();
            blocks_first(&board, Rule::default(), &mut lines);
            let firsts: Vec<String> = lines.iter().map(|line| format_point(line.pv[0], size)).collect();
            assert_eq!(firsts, after, "{before:?}");
        }
    }
}
