//! The stones of a game on a rectangular board, and its rows: winning rows, and the threes that lead to them.
//!
//! Invariant: the board is surrounded by at least five walls on each side, so that five steps from any point
//! stay inside the array. This module does not know whose turn it is.

use super::options::FiveLength;
use crate::board::{Cell, Color, Direction, Point, STRIDE, Size};

/// Number of walls on each side of the board.
pub const MARGIN: usize = 5;
const CELLS: usize = STRIDE * STRIDE;
/// Number of cells of a line through a point: the point and five cells on each side.
const LINE: usize = 2 * MARGIN + 1;
const MIDDLE: usize = MARGIN;

/// A board of stones and walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub(super) cells: [Cell; CELLS],
}

/// The array index of a point.
pub fn place(point: Point) -> usize {
    point.index() + MARGIN * STRIDE + MARGIN
}

/// The point at an array index.
pub fn point_at(place: usize) -> Point {
    Point::from_index(place - MARGIN * STRIDE - MARGIN)
}

/// The cell `steps` steps away. The margin keeps five steps from any point of the board inside the array.
pub fn step(place: usize, delta: i32, steps: i32) -> usize {
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

    /// Places a stone on a point, or empties it.
    pub fn set(&mut self, point: Point, cell: Cell) {
        self.cells[place(point)] = cell;
    }

    /// Whether a stone of `us` on `point`, which need not be there yet, is part of a winning row.
    pub fn five_through(&self, us: Color, point: Point, five: FiveLength) -> bool {
        let deltas = Direction::ALL.map(Direction::delta);
        let length = |delta| 1 + self.run(us, point, delta) + self.run(us, point, -delta);
        deltas.into_iter().any(|delta| wins(length(delta), five))
    }

    /// The unbroken row along `direction` that contains a stone of `us` on `point`, in order and up to five
    /// steps long on each side. The stone need not be there yet.
    pub fn row(&self, us: Color, point: Point, direction: Direction) -> Vec<Point> {
        let (from, delta) = (place(point), direction.delta());
        let [back, forth] = [-delta, delta].map(|delta| self.run(us, point, delta) as i32);
        (-back..=forth).map(|steps| point_at(step(from, delta, steps))).collect()
    }

    /// The number of consecutive stones of `us` after `point`, at most five.
    fn run(&self, us: Color, point: Point, delta: i32) -> usize {
        let is_own = |&steps: &i32| self.cells[step(place(point), delta, steps)] == Cell::from(us);
        (1..=MARGIN as i32).take_while(is_own).count()
    }

    /// Whether `us` has a winning row anywhere.
    pub fn has_five(&self, us: Color, size: Size, five: FiveLength) -> bool {
        size.points().any(|point| self.cell(point) == Cell::from(us) && self.five_through(us, point, five))
    }

    /// The points along `direction` where another stone of `us` makes a straight four with a stone on the
    /// empty `point`: an unbroken row of exactly four that contains both, with both ends empty, and a fifth
    /// stone on either end makes a row that satisfies `ends`. There are none if the stone on `point` makes a
    /// four in that direction, that is, a row that one more stone completes to a win by `five`. Captures are
    /// ignored.
    pub fn straight_fours(
        &self,
        us: Color,
        point: Point,
        direction: Direction,
        [five, ends]: [FiveLength; 2],
    ) -> impl Iterator<Item = Point> + use<> {
        let (from, delta) = (place(point), direction.delta());
        let mut line: [Cell; LINE] =
            std::array::from_fn(|i| self.cells[step(from, delta, i as i32 - MIDDLE as i32)]);
        line[MIDDLE] = us.into();
        let found = straight_fours(&line, us.into(), five, ends);
        let steps = (0..LINE).filter(move |i| found >> i & 1 == 1);
        steps.map(move |i| point_at(step(from, delta, i as i32 - MIDDLE as i32)))
    }
}

/// Whether a row of `length` stones wins.
pub fn wins(length: usize, five: FiveLength) -> bool {
    match five {
        FiveLength::AtLeast => length >= 5,
        FiveLength::Exact => length == 5,
    }
}

/// The cells of `line`, one bit each, where another stone makes a straight four with the stone in the middle;
/// see [`Grid::straight_fours`].
fn straight_fours(line: &[Cell; LINE], own: Cell, five: FiveLength, ends: FiveLength) -> u16 {
    // Most stones are isolated, and a straight four needs three.
    if line[MIDDLE - 3..=MIDDLE + 3].iter().filter(|&&cell| cell == own).count() < 3 {
        return 0;
    }
    let mut found = 0;
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
            return 0;
        }
        if (start..=end).contains(&i) && length == 4 {
            let is_open = line[start - 1] == Cell::Empty && line[end + 1] == Cell::Empty;
            let joins = line[start - 2] == own || line[end + 2] == own;
            found |= u16::from(is_open && !(joins && ends == FiveLength::Exact)) << i;
        }
        line[i] = Cell::Empty;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    use FiveLength::{AtLeast, Exact};

    /// The line with `*` where a straight four can be made.
    fn fours(text: &str, five: FiveLength, ends: FiveLength) -> String {
        let cells: Vec<Cell> = text
            .chars()
            .map(|c| match c {
                '.' => Cell::Empty,
                'X' => Cell::Black,
                'O' => Cell::White,
                _ => Cell::Wall,
            })
            .collect();
        let found = straight_fours(&cells.try_into().unwrap(), Cell::Black, five, ends);
        text.chars().enumerate().map(|(i, c)| if found >> i & 1 == 1 { '*' } else { c }).collect()
    }

    fn three(text: &str, five: FiveLength) -> bool {
        fours(text, five, AtLeast).contains('*')
    }

    #[test]
    fn free_threes_by_line() {
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
            // Two stones are not a three, and neither is a four.
            ("....XX.....", false, false),
            ("....XXXX...", false, false),
            (".X.XXX.....", false, false),
            // The gap makes six, which does not count as a four if only exactly five wins.
            ("XX.XXX.....", false, true),
            // The row of four must contain the stone in the middle.
            ("XXX..X.....", false, false),
        ] {
            assert_eq!((three(line, AtLeast), three(line, Exact)), (at_least, exact), "{line}");
        }
    }
    #[test]
    fn straight_fours_by_line() {
        for (line, at_least, exact) in [
            ("....XXX....", "...*XXX*...", "...*XXX*..."),
            ("...X.XX....", "...X*XX....", "...X*XX...."),
            // With a stone beyond an empty end, the fifth stone there makes six.
            ("..X.XX.X...", "..X*XX*X...", "..X.XX.X..."),
            ("..X..XXX.O.", "..X.*XXX.O.", "..X..XXX.O."),
            ("...X.XXX...", "...X.XXX...", "...X.XXX..."),
        ] {
            assert_eq!(fours(line, AtLeast, AtLeast), at_least);
            assert_eq!(fours(line, AtLeast, Exact), exact);
        }
    }
}
