//! Interface of a game to the search, beyond its rules.

use super::features::Features;
use super::params::MAKES_FIVE;
use crate::board::{Bitboard, Color, Point};
use crate::game::{Game, Move};
use crate::search::score::Value;

/// A game that can be searched.
pub trait Searchable: Game + Clone {
    /// Whether the board is so small that every empty point is worth a look.
    const IS_SMALL: bool;

    /// The lines on which rows win.
    fn lines(&self) -> Vec<Vec<Point>>;

    /// Numbers of stones that one capture may remove: none, two, or two and three.
    fn capture_sizes(&self) -> &'static [usize];

    /// Whether the stone that changes at `point` belongs to the rows of [`Searchable::lines`] for good.
    fn counts(&self, point: Point) -> bool;

    /// Whether the opening is still going on, in which the rules alone tell where stones may go.
    fn is_opening(&self) -> bool;

    /// Where a stone of the side to move wins though the features show no five there.
    fn hidden_win(&self, features: &Features) -> Option<Point>;

    /// Where a stone could prevent that the other side wins by its next one; `None` when it does not, or when the side
    /// to move may win first.
    fn answers(&self, features: &Features) -> Option<Bitboard>;

    /// Whether `us` wins by capturing so many stones at once.
    fn captures_win(&self, us: Color, stones: i32) -> bool;

    /// Number of moves that put a stone on `point`, were it legal: one, or one for each choice of captures.
    fn moves_to(&self, point: Point) -> u8;

    /// Value of what `us` has besides rows and threats.
    fn assets(&self, us: Color) -> Value;

    /// Worth of a stone that can be captured, on the own turn and on the other's.
    fn capturable_stone(&self) -> [Value; 2];
}

/// The moves that put a stone on `point`, by choice.
pub fn moves_to<G: Searchable>(game: &G, point: Point) -> impl Iterator<Item = Move> + use<G> {
    (0..game.moves_to(point)).map(move |choice| Move { point, choice })
}

/// Candidates on which a stone of `color` fills a window.
pub fn fives(features: &Features, color: Color) -> impl Iterator<Item = Point> {
    features.candidates().iter().filter(move |&point| features.gain(color, point) >= MAKES_FIVE)
}
