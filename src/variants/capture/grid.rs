//! The stones of a capture game, and what the rules ask of the lines through a point.
//!
//! Invariant: at least five walls lie around the board, so that a line of five steps from any point stays inside the
//! array. Nothing here knows whose turn it is.

use arrayvec::ArrayVec;

use super::rules::FiveLength;
use crate::board::{Bitboard, Cell, Color, Direction, Point, STRIDE, Size};

/// Walls on each side of the board.
const MARGIN: usize = 5;
const CELLS: usize = STRIDE * STRIDE;
/// Cells of a line through a point: five on each side.
const LINE: usize = 2 * MARGIN + 1;
const MIDDLE: usize = MARGIN;
/// Most stones that one move can capture: three in each of eight directions.
pub const MOST_REMOVED: usize = 24;

/// The stones that a move removes.
pub type Removed = ArrayVec<Point, MOST_REMOVED>;

/// A board of stones and walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    cells: [Cell; CELLS],
}

/// The place of a point in the array.
fn place(point: Point) -> usize {
    point.index() + MARGIN * STRIDE + MARGIN
}

fn point_at(place: usize) -> Point {
    Point::from_index(place - MARGIN * STRIDE - MARGIN)
}

/// `steps` steps from a place. The margin keeps five steps from a point of the board inside the array.
fn step(place: usize, delta: i32, steps: i32) -> usize {
    (place as i32 + delta * steps) as usize
}

impl Grid {
    /// An empty board.
    pub fn new(size: Size) -> Grid {
        let mut cells = [Cell::Wall; CELLS];
        for point in size.points() {
            cells[place(point)] = Cell::Empty;
        }
        Grid { cells }
    }

    /// Content of a point.
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[place(point)]
    }

    /// Puts a stone, or nothing, on a point.
    pub fn set(&mut self, point: Point, cell: Cell) {
        self.cells[place(point)] = cell;
    }

    /// The stones that `us` captures by a stone on `point`: in each of the eight directions a row of exactly two (or,
    /// with `threes`, three) enemy stones that ends at an own one.
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

    /// Whether a stone of `us` on `point`, there already or not, is in a winning row.
    pub fn five_through(&self, us: Color, point: Point, five: FiveLength) -> bool {
        let own = Cell::from(us);
        let run = |delta: i32| {
            let is_own = |&steps: &i32| self.cells[step(place(point), delta, steps)] == own;
            (1..=MARGIN as i32).take_while(is_own).count()
        };
        let deltas = Direction::ALL.map(Direction::delta);
        deltas.into_iter().any(|delta| wins(1 + run(delta) + run(-delta), five))
    }

    /// Whether `us` has a winning row anywhere.
    pub fn has_five(&self, us: Color, size: Size, five: FiveLength) -> bool {
        size.points().any(|point| self.cell(point) == Cell::from(us) && self.five_through(us, point, five))
    }

    /// Where a stone of the other side readies a capture out of the rows of five or more that `us` gets by a stone on
    /// the empty `point`; `None` when it can capture out of them as things are.
    pub fn readies_break(&self, us: Color, point: Point, threes: bool) -> Option<Bitboard> {
        let (own, enemy) = (Cell::from(us), Cell::from(!us));
        let from = place(point);
        let at = |place: usize| if place == from { own } else { self.cells[place] };
        let is_own = |start: usize, delta: i32, steps: i32| at(step(start, delta, steps)) == own;
        // The places outside both ends of each stretch of own stones that could be captured and holds `stone`.
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

    /// Where one more enemy stone lets `us` capture it, with others, by a stone on the empty `point`.
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

    /// In how many directions a stone of `us` on the empty `point` makes a free three, before anything is removed.
    pub fn free_threes(&self, us: Color, point: Point, five: FiveLength) -> usize {
        let own = Cell::from(us);
        let free = |direction: &Direction| {
            let delta = direction.delta();
            let mut line: [Cell; LINE] =
                std::array::from_fn(|i| self.cells[step(place(point), delta, i as i32 - MIDDLE as i32)]);
            line[MIDDLE] = own;
            is_free_three(&line, own, five)
        };
        Direction::ALL.iter().filter(|direction| free(direction)).count()
    }
}

/// The steps in all eight directions.
fn both_ways() -> impl Iterator<Item = i32> {
    Direction::ALL.into_iter().flat_map(|direction| [direction.delta(), -direction.delta()])
}

/// The places of the row through `from`, if it has five or more; what lies beyond four steps makes no difference.
fn five_of(from: usize, delta: i32, is_own: impl Fn(usize, i32, i32) -> bool) -> impl Iterator<Item = usize> {
    let reach = MARGIN as i32 - 1;
    let run = |delta| (1..=reach).take_while(|&steps| is_own(from, delta, steps)).count() as i32;
    let (back, forth) = (run(-delta), run(delta));
    let row = (back + forth >= reach).then_some(-back..=forth);
    row.into_iter().flatten().map(move |steps| step(from, delta, steps))
}

fn wins(length: usize, five: FiveLength) -> bool {
    match five {
        FiveLength::AtLeast => length >= 5,
        FiveLength::Exact => length == 5,
    }
}

/// Whether the stone in the middle of `line` is in a free three: no empty point of the line completes a five through
/// it, and some empty point makes an unbroken row of exactly four with it, with both ends empty.
fn is_free_three(line: &[Cell; LINE], own: Cell, five: FiveLength) -> bool {
    // Most stones stand alone, and three are needed.
    if line[MIDDLE - 3..=MIDDLE + 3].iter().filter(|&&cell| cell == own).count() < 3 {
        return false;
    }
    let mut makes_four = false;
    let mut line = *line;
    for i in (1..LINE - 1).filter(|&i| i != MIDDLE) {
        if line[i] != Cell::Empty {
            continue;
        }
        line[i] = own;
        let start = (0..MIDDLE).rev().take_while(|&k| line[k] == own).last().unwrap_or(MIDDLE);
        let end = (MIDDLE + 1..LINE).take_while(|&k| line[k] == own).last().unwrap_or(MIDDLE);
        let length = end + 1 - start;
        if wins(length, five) {
            return false;
        }
        let is_in = (start..=end).contains(&i);
        makes_four |= is_in && length == 4 && line[start - 1] == Cell::Empty && line[end + 1] == Cell::Empty;
        line[i] = Cell::Empty;
    }
    makes_four
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three(text: &str, five: FiveLength) -> bool {
        let cells: Vec<Cell> = text
            .chars()
            .map(|c| match c {
                '.' => Cell::Empty,
                'X' => Cell::Black,
                'O' => Cell::White,
                _ => Cell::Wall,
            })
            .collect();
        is_free_three(&cells.try_into().unwrap(), Cell::Black, five)
    }

    #[test]
    fn free_threes_by_line() {
        use FiveLength::{AtLeast, Exact};
        for (line, at_least, exact) in [
            ("....XXX....", true, true),
            ("...X.XX....", true, true),
            ("..XX.X.....", true, true),
            ("..O.XXX...#", true, true),
            // There is no room for a four with two empty ends.
            ("..O.XXX.O..", false, false),
            ("#####XXX.O#", false, false),
            ("..OXXX.....", false, false),
            ("..OXX.XO...", false, false),
            ("..X.X.X.O..", false, false),
            // Two stones are no three, and a four is none either.
            ("....XX.....", false, false),
            ("....XXXX...", false, false),
            (".X.XXX.....", false, false),
            // The gap makes six, which completes no five where only exactly five wins.
            ("XX.XXX.....", false, true),
            // The row of four has to hold the stone in the middle.
            ("XXX..X.....", false, false),
        ] {
            assert_eq!((three(line, AtLeast), three(line, Exact)), (at_least, exact), "{line}");
        }
    }
}
