//! Interface of a game to the search, beyond its rules.

use super::super::capture::{CaptureGame, FiveLength, FiveMode};
use super::super::roku::{Kind, RokuGame, sheet};
use super::super::{Game, Move};
use super::features::Features;
use super::track;
use crate::board::{Bitboard, Color, Direction, Point};
use crate::search::score::Value;

/// Value of a five that can still be broken.
const PENDING_FIVE: Value = 300;

/// A game that can be searched.
pub trait Playable: Game + Clone {
    /// Whether the board is so small that every empty point is worth a look.
    const IS_SMALL: bool;

    /// The lines on which rows win.
    fn lines(&self) -> Vec<Vec<Point>>;

    /// Numbers of stones that one capture may remove: none, two, or two and three.
    fn prey(&self) -> &'static [usize];

    /// Whether the stone that changes at `point` belongs to the rows of [`Playable::lines`] for good.
    fn counts(&self, point: Point) -> bool;

    /// Whether the opening is still going on, in which the rules alone tell where stones may go.
    fn is_opening(&self) -> bool;

    /// Whether a stone of `color` that fills a window on the empty `point` is legal there and makes a row that wins.
    fn makes_five(&self, color: Color, point: Point) -> bool;

    /// Whether the other side moves next, wherever the side to move puts its stone.
    fn passes_turn(&self) -> bool;

    /// Whether the side to move captures by a stone on the empty `point`, where [`Features`] see only such captures as
    /// the stone itself closes in.
    fn captures_otherwise(&self, point: Point) -> bool;

    /// Where a stone of the side to move wins because its track stone then ends a row.
    fn track_win(&self, _: &Features) -> Option<Point> {
        None
    }

    /// Where a stone might prevent that the other side wins so by its next one; `None` when it does not.
    fn track_saves(&self, _: &Features) -> Option<Bitboard> {
        None
    }

    /// Whether the other side has a five, and wins by it unless the side to move captures.
    fn must_break(&self) -> bool {
        false
    }

    /// Whether the side to move has a five that waits, and may win by any move at all.
    fn awaits_win(&self) -> bool {
        false
    }

    /// Where else a stone of the side to move might answer that the other side makes a five on `point`, besides there
    /// and by a capture; `None` when that five may win nothing yet, so that it need not be answered.
    fn five_answers(&self, _: &Features, _point: Point) -> Option<Bitboard> {
        Some(Bitboard::EMPTY)
    }

    /// Whether `us` wins by capturing so many stones at once.
    fn captures_win(&self, us: Color, stones: i32) -> bool;

    /// Number of moves that put a stone on `point`, were it legal: one, or one for each choice of captures.
    fn moves_to(&self, point: Point) -> u8;

    /// Value of what `us` has besides rows and threats.
    fn assets(&self, us: Color) -> Value;

    /// Value of being able to capture so many stones, for the side to move (`is_turn`) or for the other.
    fn hunting(&self, stones: i32, is_turn: bool) -> Value;
}

impl Playable for CaptureGame {
    const IS_SMALL: bool = false;

    fn lines(&self) -> Vec<Vec<Point>> {
        let size = self.size();
        let line = |direction: Direction, start: Point| {
            (0..).map_while(|steps| start.step(direction, steps, size)).collect::<Vec<_>>()
        };
        let starts = |direction: Direction| {
            size.points().filter(move |point| point.step(direction, -1, size).is_none())
        };
        Direction::ALL.into_iter().flat_map(|way| starts(way).map(move |start| line(way, start))).collect()
    }

    fn prey(&self) -> &'static [usize] {
        if self.rules().capture_three { &[2, 3] } else { &[2] }
    }

    fn counts(&self, _: Point) -> bool {
        true
    }

    fn is_opening(&self) -> bool {
        false
    }

    fn makes_five(&self, color: Color, point: Point) -> bool {
        let is_row = self.rules().five == FiveLength::AtLeast || self.would_make_five(color, point);
        is_row && self.refusal(color, point).is_none()
    }

    fn passes_turn(&self) -> bool {
        true
    }

    fn captures_otherwise(&self, _: Point) -> bool {
        false
    }

    fn must_break(&self) -> bool {
        self.rules().five_mode == FiveMode::Next && self.is_pending(!self.side_to_move())
    }

    fn awaits_win(&self) -> bool {
        self.rules().five_mode == FiveMode::Lingering && self.is_pending(self.side_to_move())
    }

    /// The five wins at once unless a capture then breaks it, or wins itself. By a quiet move such a capture gets one
    /// flank at most, and so one row of prey more.
    fn five_answers(&self, features: &Features, point: Point) -> Option<Bitboard> {
        if !self.rules().breakable_five {
            return Some(Bitboard::EMPTY);
        }
        let us = self.side_to_move();
        let most = features.candidates().iter().map(|point| features.capture_at(us, point)).max();
        let row = self.prey().last().map_or(0, |&stones| stones as i32);
        // Where the five itself captures, stones may come that nobody sees yet.
        let opens = features.capture_at(!us, point) > 0;
        if opens || self.captures_win(us, most.unwrap_or(0) + row) {
            return None;
        }
        self.readies_break(point)
    }

    fn captures_win(&self, us: Color, stones: i32) -> bool {
        stones > 0 && i32::from(self.captured(us)) + stones >= i32::from(self.rules().goal_stones)
    }

    fn moves_to(&self, _: Point) -> u8 {
        1
    }

    /// Captured stones, the nearer the goal, the dearer; and a five.
    fn assets(&self, us: Color) -> Value {
        let (stones, goal) = (i32::from(self.captured(us)), i32::from(self.rules().goal_stones));
        let five = if self.is_pending(us) { PENDING_FIVE } else { 0 };
        25 * stones + 800 * stones * stones / (goal * goal) + five
    }

    fn hunting(&self, stones: i32, is_turn: bool) -> Value {
        stones * if is_turn { 30 } else { 12 }
    }
}

impl Playable for RokuGame {
    const IS_SMALL: bool = true;

    fn lines(&self) -> Vec<Vec<Point>> {
        let points = |row: &Vec<u8>| row.iter().map(|&circle| sheet().point(circle)).collect();
        sheet().rows().iter().map(points).collect()
    }

    fn prey(&self) -> &'static [usize] {
        if self.rules().ninuki { &[2] } else { &[] }
    }

    /// A track stone is gone tomorrow: its circles count as empty.
    fn counts(&self, point: Point) -> bool {
        sheet().circle(point).is_some_and(|circle| sheet().kind(circle) != Kind::Track)
    }

    fn is_opening(&self) -> bool {
        self.places_track_stone()
    }

    fn makes_five(&self, _: Color, _: Point) -> bool {
        true
    }

    /// The cheapest circle advances by one, and by one more where the other track stone is.
    fn passes_turn(&self) -> bool {
        self.lead(self.side_to_move()) >= -1
    }

    /// The track stone flanks too.
    fn captures_otherwise(&self, point: Point) -> bool {
        self.rules().ninuki && !self.captures(point).is_empty()
    }

    fn track_win(&self, features: &Features) -> Option<Point> {
        track::winning_circle(self, features)
    }

    fn track_saves(&self, features: &Features) -> Option<Bitboard> {
        self.passes_turn().then(|| track::saving_circles(self, features)).flatten()
    }

    /// Of several pairs only one is taken.
    fn captures_win(&self, us: Color, stones: i32) -> bool {
        stones > 0 && self.pairs(us) + 1 >= self.rules().goal_pairs
    }

    fn moves_to(&self, point: Point) -> u8 {
        if self.rules().ninuki { self.captures(point).len().max(1) as u8 } else { 1 }
    }

    /// Being behind is time to move, and captured pairs win. Who is behind without a stone loses: so the way that is
    /// done and can still be paid for, at two circles a stone, counts the more the nearer that end is.
    fn assets(&self, us: Color) -> Value {
        let left = i32::from(self.left(us));
        let pairs = i32::from(self.pairs(us));
        let end = left.min(i32::from(self.left(!us))) + 4;
        let endurance = 1_600 * (self.lead(us) + 4 * left) / (2 * end * end);
        -10 * self.lead(us) + endurance + 60 * pairs * pairs
    }

    fn hunting(&self, stones: i32, is_turn: bool) -> Value {
        stones * if is_turn { 15 } else { 6 }
    }
}

/// The moves that put a stone on `point`, by choice.
pub fn moves_to<G: Playable>(game: &G, point: Point) -> impl Iterator<Item = Move> + use<G> {
    (0..game.moves_to(point)).map(move |choice| Move { point, choice })
}
