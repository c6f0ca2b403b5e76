//! `--only MOVES`: restricts an analysis to these moves.

use anyhow::{Context, Result, bail, ensure};

use crate::board::notation::{NotationError, format_point, parse_moves};
use crate::board::{Bitboard, Board, Point, Size};
use crate::drawing::names;
use crate::engine::RootOptions;
use crate::rules::{Position, Rule, Verdict};
use crate::terminal::output::status_line;
use crate::think::score::is_mate;
use crate::think::{Iteration, Limits};

/// Reads the moves, each a legal move in the position.
///
/// # Errors
/// Returns an error if one of them is not legal, or if there are none.
pub fn read(text: &str, board: &Board, rule: Rule) -> Result<Vec<Point>> {
    let points = match parse_moves(text, board.size()) {
        Err(NotationError::Taken(name)) => bail!("--only: {name} is given twice"),
        points => points.context("--only")?,
    };
    ensure!(!points.is_empty(), "--only needs at least one move");
    let mut position = Position::new(board.clone(), rule);
    for &point in &points {
        let name = format_point(point, board.size());
        match position.verdict(point) {
            Verdict::Plain | Verdict::Five => {}
            Verdict::Foul(foul) => bail!("--only: {name} is a {foul}"),
            Verdict::Illegal => bail!("--only: {name} is not an empty point"),
        }
    }
    Ok(points)
}

/// The options of a search of these moves alone.
pub fn options(points: &[Point], board: &Board) -> RootOptions {
    let excluded = *board.empty() - points.iter().copied().collect::<Bitboard>();
    RootOptions { excluded, ..RootOptions::default() }
}

/// Reports moves that a search within `limits` has left out.
pub fn report_left_out(points: &[Point], lines: &[Iteration], limits: &Limits, size: Size) {
    let others = left_out(points, lines, limits);
    if !others.is_empty() {
        status_line(format_args!(
            "no line for {}: moves that lose at once or are far from all stones are searched only if there are no others",
            names(&others, size)
        ));
    }
}

/// The moves that a search within `limits` has left out.
fn left_out(points: &[Point], lines: &[Iteration], limits: &Limits) -> Vec<Point> {
    // An interrupted first iteration has depth 1 and may lack any move.
    let is_interrupted = limits.clock.is_some() || limits.max_nodes.is_some();
    let is_last =
        !is_interrupted && (limits.max_depth == Some(1) || lines.iter().all(|line| is_mate(line.value)));
    let is_complete = lines.first().is_some_and(|best| best.depth > 1 || best.depth == 1 && is_last);
    if !is_complete || lines.len() >= limits.multi_pv.min(points.len()) {
        return Vec::new();
    }
    let has_line = |point: &Point| lines.iter().any(|line| line.pv.first() == Some(point));
    points.iter().copied().filter(|point| !has_line(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::score::mate_in;
    use std::time::Duration;

    #[test]
    fn a_move_given_twice_is_named() {
        let board = Board::of_moves(Size::default(), &parse_moves("h8i9", Size::default()).unwrap());
        let says = |text: &str| format!("{:#}", read(text, &board, Rule::default()).unwrap_err());
        assert_eq!(says("k9,j8,k9"), "--only: k9 is given twice");
        assert_eq!(says("h8"), "--only: h8 is not an empty point");
        assert_eq!(says("z9"), "--only: z9 is off the board");
    }

    #[test]
    fn an_interrupted_first_iteration_leaves_no_move_out() {
        let points = parse_moves("k9,o1", Size::default()).unwrap();
        let of = |value, depth| Iteration {
            depth,
            selective_depth: depth,
            value,
            nodes: 10,
            elapsed: Duration::ZERO,
            pv: points[..1].to_vec(),
        };
        let two = Limits { multi_pv: 2, ..Limits::infinite() };
        assert_eq!(left_out(&points, &[of(0, 2)], &two), points[1..]);
        assert!(left_out(&points, &[of(0, 2)], &Limits::infinite()).is_empty());
        for depth in [0, 1] {
            assert!(left_out(&points, &[of(0, depth)], &two).is_empty(), "depth {depth}");
        }
        // A first iteration that is also the last one is complete.
        assert_eq!(left_out(&points, &[of(0, 1)], &Limits { max_depth: Some(1), ..two }), points[1..]);
        assert_eq!(left_out(&points, &[of(mate_in(1), 1)], &two), points[1..]);
    }
}
