//! Interface of a game to the search, beyond its rules.

use super::features::Features;
use super::params::MAKES_FIVE;
use crate::board::{Bitboard, Color, Direction, Point, Size};
use crate::game::{Game, Move};
use crate::search::score::Value;

/// A game that can be searched.
///
/// The defaults are right for a game in which stones stay where they are placed, on a square board, in turn, and
/// five or more in a row win at once. A game says where it differs.
pub trait Searchable: Game + Clone {
    /// Whether the board is so small that every empty point is worth a look.
    const IS_SMALL: bool = false;

    /// The lines on which rows win.
    fn lines(&self) -> Vec<Vec<Point>> {
        square_lines(self.size())
    }

    /// Numbers of stones that one capture may remove: none, two, or two and three.
    fn capture_sizes(&self) -> &'static [usize] {
        &[]
    }

    /// Whether the stone that changes at `point` belongs to the rows of [`Searchable::lines`] for good.
    fn counts(&self, _: Point) -> bool {
        true
    }

    /// Whether the opening is still going on, in which the rules alone tell where stones may go.
    fn is_opening(&self) -> bool {
        false
    }

    /// Where a stone of the side to move wins though the features show no five there.
    fn hidden_win(&self, _: &Features) -> Option<Point> {
        None
    }

    /// Where a stone could prevent that the other side wins by its next one; `None` when it does not, or when the side
    /// to move may win first. Not all of them need be legal.
    fn answers(&self, features: &Features) -> Option<Bitboard> {
        let us = self.side_to_move();
        let must_answer = features.fours(us) == 0 && features.fours(!us) > 0;
        must_answer.then(|| fives(features, !us).collect())
    }

    /// Whether `us` wins by capturing so many stones at once.
    fn captures_win(&self, _: Color, _: i32) -> bool {
        false
    }

    /// Number of moves that put a stone on `point`, were it legal: one, or one for each choice of captures.
    fn moves_to(&self, _: Point) -> u8 {
        1
    }

    /// Value of what `us` has besides rows and threats.
    fn assets(&self, _: Color) -> Value {
        0
    }

    /// Worth of a stone that can be captured, on the own turn and on the other's.
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

/// The moves that put a stone on `point`, by choice.
pub fn moves_to<G: Searchable>(game: &G, point: Point) -> impl Iterator<Item = Move> + use<G> {
    (0..game.moves_to(point)).map(move |choice| Move { point, choice })
}

/// Candidates on which a stone of `color` fills a window.
pub fn fives(features: &Features, color: Color) -> impl Iterator<Item = Point> {
    features.candidates().iter().filter(move |&point| features.gain(color, point) >= MAKES_FIVE)
}
