//! The rows that decided a game: the winning five, or the rows that made black's move a foul.
//!
//! The ending comes from the referee; the rules only show the rows. A game under an unknown rule has no
//! marks.

use kakugo::board::notation::format_moves;
use kakugo::board::{Board, Cell, Color, Direction, Point, Size};
use kakugo::rules::{Rule, RuleKind, plain};
use serde::Serialize;

use crate::model::record::GameRecord;

/// Stones in a row, in `h8i9j10` notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct MarkedRow(pub String);

/// The rows to draw over the last position of `record`, whose stones are `moves`.
pub(super) fn marks(size: Size, record: &GameRecord, moves: &[Point]) -> Vec<MarkedRow> {
    let (Ok(rule), Some((&last, earlier))) = (record.rule.parse::<Rule>(), moves.split_last()) else {
        return Vec::new();
    };
    let mut board = Board::of_moves(size, earlier);
    let rows = match record.ending.as_str() {
        "five" => winning_rows(&mut board, rule.kind, last),
        "foul" if board.side_to_move() == Color::Black => foul_rows(&mut board, last),
        _ => Vec::new(),
    };
    rows.into_iter().map(|stones| MarkedRow(format_moves(&stones, size))).collect()
}

/// The winning rows through `last`, the point that the side to move plays.
fn winning_rows(board: &mut Board, kind: RuleKind, last: Point) -> Vec<Vec<Point>> {
    let color = board.side_to_move();
    if !plain::makes_five(board, kind, color, last) {
        return Vec::new();
    }
    board.play(last);
    let rows = Direction::ALL.into_iter().map(|direction| run(board, last, direction));
    // If several rows are long enough, rows of exactly five win under every rule that distinguishes them.
    let rows: Vec<Vec<Point>> = rows.filter(|row| row.len() >= 5).collect();
    let exact: Vec<Vec<Point>> = rows.iter().filter(|row| row.len() == 5).cloned().collect();
    if exact.is_empty() { rows } else { exact }
}

/// The rows that make black's move to `last` a foul: overlines, otherwise fours, otherwise threes.
fn foul_rows(board: &mut Board, last: Point) -> Vec<Vec<Point>> {
    let reasons = plain::explain(board, last);
    if !reasons.overlines.is_empty() {
        board.play(last);
        return reasons.overlines.iter().map(|&direction| run(board, last, direction)).collect();
    }
    if reasons.fours.len() >= 2 {
        return reasons.fours.iter().map(|four| four.stones.to_vec()).collect();
    }
    reasons.threes.iter().map(|three| three.stones.to_vec()).collect()
}

/// The adjacent stones of one colour on the line through `point`, from one end to the other.
fn run(board: &Board, point: Point, direction: Direction) -> Vec<Point> {
    let color: Cell = board.cell(point);
    let side = |sign: i32| {
        (1..)
            .map_while(move |distance| point.step(direction, sign * distance, board.size()))
            .take_while(|&cell| board.cell(cell) == color)
    };
    let mut stones: Vec<Point> = side(-1).collect();
    stones.reverse();
    stones.push(point);
    stones.extend(side(1));
    stones
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;

    /// The rows of a game, given by its moves.
    fn rows(kind: RuleKind, foul: bool, moves: &str) -> Vec<String> {
        let size = Size::square(15).unwrap();
        let moves = parse_moves(moves, size).unwrap();
        let (&last, earlier) = moves.split_last().unwrap();
        let mut board = Board::of_moves(size, earlier);
        let rows = if foul { foul_rows(&mut board, last) } else { winning_rows(&mut board, kind, last) };
        rows.iter().map(|row| format_moves(row, size)).collect()
    }

    #[test]
    fn the_five_is_found_through_its_last_stone() {
        // White's stones are scattered on the first row; the last black stone closes the gap in d8..h8.
        let moves = "d8a1e8c1f8e1h8g1g8";
        assert_eq!(rows(RuleKind::Freestyle, false, moves), ["d8e8f8g8h8"]);
    }

    #[test]
    fn six_are_a_row_where_they_win() {
        let moves = "d8a1e8c1f8e1h8g1i8k1g8";
        assert_eq!(rows(RuleKind::Freestyle, false, moves), ["d8e8f8g8h8i8"]);
        assert_eq!(rows(RuleKind::Standard, false, moves), Vec::<String>::new());
    }

    #[test]
    fn a_double_three_is_shown_with_both_threes() {
        let moves = "g8a1i8c1h7e1h9g1h8";
        assert_eq!(rows(RuleKind::Renju, true, moves), ["g8h8i8", "h9h8h7"]);
    }

    #[test]
    fn an_overline_is_shown_whole() {
        let moves = "d8a1e8c1f8e1h8g1i8k1g8";
        assert_eq!(rows(RuleKind::Renju, true, moves), ["d8e8f8g8h8i8"]);
    }
}
