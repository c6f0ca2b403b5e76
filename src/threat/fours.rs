//! Fours and the moves that stop a five: the forcing moves and the forced moves.

use crate::board::{Bitboard, Color, Direction, Point};
use crate::rules::{LineClass, PointClass, Position};

/// The points where `color` may make a four. `color` must not be able to complete a row now.
pub fn fours(position: &mut Position, color: Color) -> Bitboard {
    position.at_least(color, PointClass::Four) | exceptions(position, color, LineClass::is_four)
}

/// The points that look like fouls but are not, and have a line for which `wanted` holds: several threes of
/// which at most one is real. Such points exist only for black in renju.
pub(super) fn exceptions(position: &mut Position, color: Color, wanted: fn(LineClass) -> bool) -> Bitboard {
    if !position.rule().kind.has_fouls(color) {
        return Bitboard::EMPTY;
    }
    let points = doubtful(position, color, wanted);
    points.iter().filter(|&point| position.foul(point).is_none()).collect()
}

/// The points that look like fouls of `color`, whether or not they are, and have a line for which `wanted` holds.
pub(super) fn doubtful(position: &Position, color: Color, wanted: fn(LineClass) -> bool) -> Bitboard {
    let points = position.at_least(color, PointClass::Foul) - position.at_least(color, PointClass::OpenThree);
    let has_line = |&point: &Point| {
        Direction::ALL.into_iter().any(|line| wanted(position.line_class(color, point, line)))
    };
    points.iter().filter(has_line).collect()
}

/// The points where a stone of the opponent of `color` leaves `color` without a completion of a row. Empty if
/// `color` has no completion.
pub(super) fn stops(position: &Position, color: Color) -> Bitboard {
    stops_of(position, color, position.at_least(color, PointClass::Five).iter())
}

/// Like [`stops`], if the last stone was of `color` and created all of its completions.
pub(super) fn stops_of_last(position: &Position, color: Color) -> Bitboard {
    let changed = position.last_changes(1).iter().map(|change| change.point());
    stops_of(position, color, changed.filter(|&point| position.is_five(color, point)))
}

/// The points that stop all of `fives`.
fn stops_of(position: &Position, color: Color, mut fives: impl Iterator<Item = Point>) -> Bitboard {
    let Some(first) = fives.next() else { return Bitboard::EMPTY };
    if !position.fives_have_ends() {
        return if fives.next().is_none() { Bitboard::of(first) } else { Bitboard::EMPTY };
    }
    fives.fold(position.defenses(color, first), |common, five| common & position.defenses(color, five))
}

/// The first point where `color` completes a row.
pub(super) fn five_of(position: &Position, color: Color) -> Option<Point> {
    position.at_least(color, PointClass::Five).iter().next()
}
