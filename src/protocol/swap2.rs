//! Our side of the swap2 opening: which three stones to put, and when to change colours.

use crate::board::{Bitboard, Point, Size};
use crate::search::score::Value;
use crate::search::{Clock, DEFAULT_TURN_MS, Limits};

/// Openings as offsets from the centre: black, white, black. Black's stones stand apart and white's is on the way
/// between them or nearer the centre, for black is ahead in every compact opening. The first fits the smallest
/// board. None is measured: the choice by search comes with the strong engine.
const OPENINGS: [[(i32, i32); 3]; 6] = [
    [(-2, -1), (0, 0), (2, 1)],
    [(-3, 1), (0, 0), (3, 2)],
    [(-4, -2), (-1, 0), (2, 3)],
    [(-5, -5), (-3, -4), (0, -5)],
    [(5, 0), (3, 1), (6, 4)],
    [(-6, 3), (-5, 5), (-2, 6)],
];

/// The part of a move's time that the question "swap or not" gets.
const TIME_DIVISOR: u64 = 3;

/// The three stones of an opening that fits `size`; `choice` picks one.
pub fn opening(size: Size, choice: usize) -> [Point; 3] {
    let center = size.center();
    let place = |(dx, dy): (i32, i32)| size.point(i32::from(center.x()) + dx, i32::from(center.y()) + dy);
    let fitting: Vec<[Point; 3]> = OPENINGS
        .into_iter()
        .filter_map(|offsets| {
            let [a, b, c] = offsets.map(place);
            Some([a?, b?, c?])
        })
        .collect();
    debug_assert!(fitting.iter().all(|stones| stones.iter().copied().collect::<Bitboard>().len() == 3));
    fitting[choice % fitting.len()]
}

/// `limits` with a part of the time for a move: the rest of the opening must be played too.
pub fn shorten(limits: Limits) -> Limits {
    let part = |clock: Clock| Clock {
        turn_ms: Some(clock.turn_ms.unwrap_or(DEFAULT_TURN_MS) / TIME_DIVISOR),
        ..clock
    };
    Limits { clock: limits.clock.map(part), ..limits }
}

/// Whether to take the other colour, when `value` is that of the side to move, which would be ours.
pub fn prefers_swap(value: Value) -> bool {
    value < 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};

    #[test]
    fn openings_are_legal_on_every_board() {
        for width in MIN_SIDE..=MAX_SIDE {
            for height in MIN_SIDE..=MAX_SIDE {
                let size = Size::new(width, height).unwrap();
                for choice in 0..OPENINGS.len() {
                    let stones: Bitboard = opening(size, choice).into_iter().collect();
                    assert_eq!((stones & size.all()).len(), 3, "{size} {choice}");
                }
            }
        }
    }
}
