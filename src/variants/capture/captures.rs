//! Captures on a [`Grid`]: which stones a move removes, and which stones prepare or bait a capture.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Cell, Color, Direction, Point};
use crate::variants::grid::{Grid, MARGIN, place, point_at, step};

/// Maximum number of stones that one move can capture: three in each of eight directions.
const MOST_REMOVED: usize = 24;

/// The stones that a move removes.
pub type Removed = ArrayVec<Point, MOST_REMOVED>;

impl Grid {
    /// The stones that `us` captures with a stone on `point`: in each of the eight directions, a row of
    /// exactly two (or, with `threes`, three) enemy stones that ends at a stone of `us`.
    pub fn captures(&self, us: Color, point: Point, threes: bool) -> Removed {
        let (own, enemy) = (Cell::from(us), Cell::from(!us));
        let from = place(point);
        let mut removed = Removed::new();
        for delta in both_ways() {
            let at = |steps| self.cells[step(from, delta, steps)];
            if at(1) != enemy || at(2) != enemy {
                continue;
            }
            let length = match (at(3), at(4)) {
                (cell, _) if cell == own => 2,
                (cell, next) if threes && cell == enemy && next == own => 3,
                _ => continue,
            };
            removed.extend((1..=length).map(|steps| point_at(step(from, delta, steps))));
        }
        removed
    }

    /// The points where a stone of the other side prepares a capture from the rows of five or more that `us`
    /// makes with a stone on the empty `point`; `None` if the other side can already capture from them.
    pub fn readies_break(&self, us: Color, point: Point, threes: bool) -> Option<Bitboard> {
        let (own, enemy) = (Cell::from(us), Cell::from(!us));
        let from = place(point);
        let at = |place: usize| if place == from { own } else { self.cells[place] };
        let is_own = |start: usize, delta: i32, steps: i32| at(step(start, delta, steps)) == own;
        // The cells just beyond both ends of each stretch of own stones that could be captured and contains
        // `stone`.
        let ends = |stone: usize, delta: i32, length: i32| {
            (1 - length..=0)
                .filter(move |first| (0..length).all(|steps| is_own(stone, delta, first + steps)))
                .map(move |first| [first - 1, first + length].map(|steps| step(stone, delta, steps)))
        };
        let lengths = if threes { 2..=3 } else { 2..=2 };
        let deltas = Direction::ALL.map(Direction::delta);
        let mut readies = Bitboard::EMPTY;
        for stone in deltas.into_iter().flat_map(|delta| five_of(from, delta, is_own)) {
            for delta in deltas {
                for [left, right] in lengths.clone().flat_map(|length| ends(stone, delta, length)) {
                    match (at(left), at(right)) {
                        (Cell::Empty, Cell::Empty) => {
                            readies.insert(point_at(left));
                            readies.insert(point_at(right));
                        }
                        (Cell::Empty, end) | (end, Cell::Empty) if end == enemy => return None,
                        _ => {}
                    }
                }
            }
        }
        Some(readies)
    }

    /// The points where one more enemy stone allows `us` to capture it, with others, by a stone on the empty
    /// `point`.
    pub fn baits(&self, us: Color, point: Point, threes: bool) -> Bitboard {
        let (own, enemy) = (Cell::from(us), Cell::from(!us));
        let mut baits = Bitboard::EMPTY;
        for delta in both_ways() {
            for length in if threes { 2..=3 } else { 2..=2 } {
                let at = |steps| step(place(point), delta, steps);
                let mut others = (1..=length).map(at).filter(|&place| self.cells[place] != enemy);
                if let (Some(bait), None) = (others.next(), others.next())
                    && self.cells[bait] == Cell::Empty
                    && self.cells[at(length + 1)] == own
                {
                    baits.insert(point_at(bait));
                }
            }
        }
        baits
    }
}

/// The steps in all eight directions.
fn both_ways() -> impl Iterator<Item = i32> {
    Direction::ALL.into_iter().flat_map(|direction| [direction.delta(), -direction.delta()])
}

/// The cells of the row through `from`, if it has five or more; cells more than four steps away do not
/// matter.
fn five_of(from: usize, delta: i32, is_own: impl Fn(usize, i32, i32) -> bool) -> impl Iterator<Item = usize> {
    let reach = MARGIN as i32 - 1;
    let run = |delta| (1..=reach).take_while(|&steps| is_own(from, delta, steps)).count() as i32;
    let (back, forth) = (run(-delta), run(delta));
    let row = (back + forth >= reach).then_some(-back..=forth);
    row.into_iter().flatten().map(move |steps| step(from, delta, steps))
}
