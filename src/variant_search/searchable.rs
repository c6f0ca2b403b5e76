//! The interface between a game and the search, in addition to the rules.

use super::features::Features;
use super::params::MAKES_FIVE;
use crate::board::{Bitboard, Color, Direction, Point, Size};
use crate::game::{Game, Move};
use crate::think::score::Value;

/// A game that can be searched.
///
/// The defaults are right for a game on a square board in which stones stay where they are placed, sides
/// alternate, and five or more in a row win immediately. A game overrides the methods for which it differs.
pub trait Searchable: Game + Clone {
    /// Whether the board is so small that every empty point is a candidate.
    const IS_SMALL: bool = false;

    /// The lines on which rows can win.
    fn lines(&self) -> Vec<Vec<Point>> {
        square_lines(self.size())
    }

    /// The numbers of stones that one capture may remove: none, two, or two and three.
    fn capture_sizes(&self) -> &'static [usize] {
        &[]
    }

    /// Whether a stone at `point` is permanent and counts for the rows of [`Searchable::lines`].
    fn counts(&self, _: Point) -> bool {
        true
    }

    /// Whether the opening is still in progress, in which only the rules determine where stones may be
    /// placed.
    fn is_opening(&self) -> bool {
        false
    }

    /// A point where a stone of the side to move wins although the features show no five there.
    fn hidden_win(&self, _: &Features) -> Option<Point> {
        None
    }

    /// The points where a stone could prevent the other side from winning with its next stone; `None` if it
    /// has no such threat, or if the side to move may win first. Some of the points may be illegal.
    fn answers(&self, features: &Features) -> Option<Bitboard> {
        let us = self.side_to_move();
        let must_answer = features.fours(us) == 0 && features.fours(!us) > 0;
        must_answer.then(|| fives(features, !us).collect())
    }

    /// Whether `us` wins by capturing this number of stones at once.
    fn captures_win(&self, _: Color, _: i32) -> bool {
        false
    }

    /// Number of moves that place a stone on `point`, assuming it is legal: one, or one for each choice of
    /// captures.
    fn moves_to(&self, _: Point) -> u8 {
        1
    }

    /// Value of what `us` has other than rows and threats.
    fn assets(&self, _: Color) -> Value {
        0
    }

    /// Worth of a stone that can be captured, on one's own turn and on the other side's.
    fn capturable_stone(&self) -> [Value; 2] {
        [0; 2]
    }
}

/// The lines of a square board, of any length.
fn square_lines(size: Size) -> Vec<Vec<Point>> {
    let line = |direction: Direction, start: Point| {
        (0..).map_while(|steps| start.step(direction, steps, size)).collect::<Vec<_>>()
    };
    let starts =
        |direction: Direction| size.points().filter(move |point| point.step(direction, -1, size).is_none());
    Direction::ALL.into_iter().flat_map(|way| starts(way).map(move |start| line(way, start))).collect()
}

/// The moves that place a stone on `point`, by choice.
pub fn moves_to<G: Searchable>(game: &G, point: Point) -> impl Iterator<Item = Move> + use<G> {
    (0..game.moves_to(point)).map(move |choice| Move { point, choice })
}

/// The candidates where a stone of `color` fills a window.
pub fn fives(features: &Features, color: Color) -> impl Iterator<Item = Point> {
    features.candidates().iter().filter(move |&point| features.gain(color, point) >= MAKES_FIVE)
}
