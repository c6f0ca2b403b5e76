//! The line codes of a whole board, stored so that the window of any point is one contiguous slice.
//!
//! Each direction has an array of its own in which neighbours along the direction are neighbours in memory: a
//! line every [`STRIDE`] cells, its cells by column (by row for the vertical direction). A stone then changes one
//! run of eleven numbers per direction, which the compiler turns into a few vector additions. Lines are at most
//! 22 cells long and a window reaches five further, so runs of neighbouring lines never meet.

use super::color::{Cell, Color};
use super::line_code::{REACH, SIDE_CODES, WINDOW, encode, side_weight};
use super::point::{Direction, MAX_SIDE, POINTS, Point, STRIDE, Size};

const LINES: usize = 2 * MAX_SIDE as usize - 1;
/// Length of one direction's array: its lines, and room for the window of the very last point.
pub const LINE_CELLS: usize = LINES * STRIDE + 16;
/// A window padded to whole vectors; the twelfth number is always zero.
const LANES: usize = WINDOW + 1;

/// Additions for a stone: by colour, then by how far the board reaches to the left and to the right.
static WEIGHTS: [[[u32; LANES]; 36]; 2] = weights();

const fn weights() -> [[[u32; LANES]; 36]; 2] {
    let mut table = [[[0; LANES]; 36]; 2];
    let mut color = 0;
    while color < 2 {
        let mut reach = 0;
        while reach < 36 {
            let (left, right) = (reach / 6, reach % 6);
            let mut distance = 1;
            while distance <= REACH {
                let weight = side_weight(color + 1, distance) as u32;
                if distance <= left {
                    // Seen from the left neighbour the stone stands on the right side.
                    table[color][reach][REACH - distance] = weight * SIDE_CODES as u32;
                }
                if distance <= right {
                    table[color][reach][REACH + distance] = weight;
                }
                distance += 1;
            }
            reach += 1;
        }
        color += 1;
    }
    table
}

/// The codes of every point in every direction, and the walls that they were set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    codes: [[u32; LINE_CELLS]; 4],
    /// Per direction and point: `6 * left + right`, cells to the next wall on each side, at most five.
    reach: [[u8; POINTS]; 4],
}

/// Where the window of `point` starts in the array of each direction.
#[inline]
pub fn window_starts(point: Point) -> [usize; 4] {
    let (x, y) = (point.index() % STRIDE, point.index() / STRIDE);
    let falling = x + MAX_SIDE as usize - 1 - y;
    [y * STRIDE + x, x * STRIDE + y, falling * STRIDE + x, (x + y) * STRIDE + x]
}

/// Where the window of `point` starts in the array of one direction.
#[inline]
pub fn window_start(direction: Direction, point: Point) -> usize {
    window_starts(point)[direction as usize]
}

impl Lines {
    /// The codes of a board without stones, whose walls are its edge and the points for which `is_wall` holds.
    pub fn new(size: Size, is_wall: impl Fn(Point) -> bool) -> Lines {
        let mut lines = Lines { codes: [[0; LINE_CELLS]; 4], reach: [[0; POINTS]; 4] };
        for point in size.points() {
            for direction in Direction::ALL {
                let cells = std::array::from_fn(|i| match point.step(direction, i as i32 - 5, size) {
                    Some(cell) if !is_wall(cell) => Cell::Empty,
                    _ => Cell::Wall,
                });
                let free = |side: &mut dyn Iterator<Item = &Cell>| {
                    side.take_while(|&&cell| cell == Cell::Empty).count() as u8
                };
                let left = free(&mut cells[..REACH].iter().rev());
                let right = free(&mut cells[REACH + 1..].iter());
                lines.reach[direction as usize][point.index()] = 6 * left + right;
                lines.codes[direction as usize][window_start(direction, point) + REACH] =
                    encode(&cells) as u32;
            }
        }
        lines
    }

    /// The code of the window around `point`.
    #[inline]
    pub fn code(&self, direction: Direction, point: Point) -> usize {
        self.codes[direction as usize][window_start(direction, point) + REACH] as usize
    }

    /// The codes of eleven neighbours along a direction, from the start that [`window_starts`] gives for the one in
    /// the middle. Beyond the board the numbers mean nothing.
    #[inline]
    pub(crate) fn window(&self, direction: Direction, start: usize) -> &[u32; WINDOW] {
        self.codes[direction as usize][start..start + WINDOW].try_into().expect("the slice has this length")
    }

    /// Numbers of cells (at most five) between `point` and the next wall to the left and to the right.
    #[inline]
    pub fn reach(&self, direction: Direction, point: Point) -> (usize, usize) {
        let reach = self.reach[direction as usize][point.index()];
        (usize::from(reach / 6), usize::from(reach % 6))
    }

    /// Tells every window around `point` that a stone has come.
    #[inline]
    pub fn add(&mut self, color: Color, point: Point) {
        self.update(color, point, u32::wrapping_add);
    }

    /// Tells every window around `point` that the stone there has gone.
    #[inline]
    pub fn remove(&mut self, color: Color, point: Point) {
        self.update(color, point, u32::wrapping_sub);
    }

    #[inline]
    fn update(&mut self, color: Color, point: Point, change: impl Fn(u32, u32) -> u32) {
        let starts = window_starts(point);
        for (d, codes) in self.codes.iter_mut().enumerate() {
            let weights = &WEIGHTS[color as usize][usize::from(self.reach[d][point.index()])];
            let window: &mut [u32; LANES] =
                (&mut codes[starts[d]..starts[d] + LANES]).try_into().expect("the slice has this length");
            for (code, &weight) in window.iter_mut().zip(weights) {
                *code = change(*code, weight);
            }
        }
    }
}
