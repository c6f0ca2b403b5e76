//! Fouls of renju for people: their marks on the board, and the reasons.

use crate::board::{Board, Color, Direction, Point};
use crate::drawing::{Mark, Tone, names};
use crate::rules::{Foul, plain};

/// A forbidden point, as drawings show it.
pub fn foul_mark(point: Point, foul: Foul) -> Mark {
    let glyph = match foul {
        Foul::Overline => '6',
        Foul::DoubleFour => '4',
        Foul::DoubleThree => '3',
    };
    Mark { point, glyph, tone: Tone::Bad }
}

/// Why a black stone on the empty `point` is a foul: one line for each row, four or three that causes it.
pub fn foul_reasons(board: &Board, point: Point) -> Vec<String> {
    let size = board.size();
    let reasons = plain::explain(board, point);
    let either = |points: &[Point]| names(points, size).replace(' ', " or ");
    match reasons.foul() {
        None => Vec::new(),
        Some(Foul::Overline) => rows(board, Color::Black, point)
            .filter(|(direction, _)| reasons.overlines.contains(direction))
            .map(|(direction, row)| format!("overline of {}, {direction}: {}", row.len(), names(&row, size)))
            .collect(),
        Some(Foul::DoubleFour) => reasons
            .fours
            .iter()
            .map(|four| {
                let (stones, fives) = (names(&four.stones, size), either(&four.completions));
                format!("four, {}: {stones}, five at {fives}", four.direction)
            })
            .collect(),
        Some(Foul::DoubleThree) => reasons
            .threes
            .iter()
            .map(|three| {
                let (stones, fours) = (names(&three.stones, size), either(&three.straight_four_points));
                format!("three, {}: {stones}, straight four at {fours}", three.direction)
            })
            .collect(),
    }
}

/// The unbroken rows that include a stone of `color` on `point`, one for each direction.
pub fn rows(board: &Board, color: Color, point: Point) -> impl Iterator<Item = (Direction, Vec<Point>)> {
    Direction::ALL.into_iter().map(move |direction| (direction, board.row(color, point, direction)))
}
