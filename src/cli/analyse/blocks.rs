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
    let opponent = !board.side_to_move();
    let mut position = Position::new(board.clone(), rule);
    let rows = position.at_least(opponent, PointClass::Five);
    let blocks: Vec<Point> = rows.iter().filter(|&point| position.is_allowed(point)).collect();
    let is_block = |line: &Iteration| line.pv.first().is_some_and(|first| blocks.contains(first));
    lines.sort_by_key(|line| !is_block(line));
    let mut missing = blocks.clone();
    missing.retain(|block| lines.iter().all(|line| line.pv.first() != Some(block)));
    let others = lines.iter_mut().filter(|line| !is_block(line));
    for (line, block) in others.zip(missing) {
        // In caro a block can also close the end of another five.
        position.play(block);
        let row = position.at_least(opponent, PointClass::Five).iter().next();
        position.undo();
        line.pv = [block].into_iter().chain(row).collect();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::board::notation::{format_point, parse_fen, parse_moves, parse_point};
    use crate::board::{Color, Size};
    use crate::engine::{Engine, Options};
    use crate::rules::RuleKind;
    use crate::think::{Limits, Silent};

    /// A line that begins with this move and loses in two plies.
    fn line(name: &str) -> Iteration {
        Iteration {
            depth: 1,
            selective_depth: 1,
            value: mated_in(2),
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![parse_point(name, Size::default()).unwrap()],
        }
    }

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
        for (before, after) in [
            (["a1", "h6", "b1"], ["h6", "c6", "b1"]),
            (["a1", "b1", "c6"], ["c6", "h6", "b1"]),
            (["h6", "a1", "c6"], ["h6", "c6", "a1"]),
            (["a1", "b1", "d1"], ["c6", "h6", "d1"]),
        ] {
            let mut lines: Vec<Iteration> = before.iter().map(|name| line(name)).collect();
            blocks_first(&board, Rule::default(), &mut lines);
            let firsts: Vec<String> = lines.iter().map(|line| format_point(line.pv[0], size)).collect();
            assert_eq!(firsts, after, "{before:?}");
        }
    }

    #[test]
    fn the_move_after_a_block_makes_a_row() {
        // In caro each of e8 and j8 also closes the end of the other five.
        let fen = "15/15/15/15/15/15/15/3O1XXXX1O4/15/8X6/8X6/8X6/8X6/15/15 w";
        let board = parse_fen(fen).unwrap();
        let rule = Rule::from(RuleKind::Caro);
        let mut lines: Vec<Iteration> = ["a1", "b1", "c1"].map(line).into();
        blocks_first(&board, rule, &mut lines);
        for line in &lines {
            let mut position = Position::new(board.clone(), rule);
            position.play(line.pv[0]);
            assert!(position.is_five(Color::Black, line.pv[1]), "{:?}", line.pv);
        }
    }
}
