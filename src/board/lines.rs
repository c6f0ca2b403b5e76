//! The line codes of a whole board, stored so that the window of any point is one contiguous slice.
//!
//! Each direction has its own array, in which neighbours along the direction are neighbours in memory. A line
//! starts every [`STRIDE`] cells, and its cells are ordered by column (by row for the vertical direction). A
//! stone then changes one run of eleven numbers per direction, which the compiler turns into a few vector
//! additions. Lines are at most 22 cells long and a window reaches five cells further, so the runs of
//! neighbouring lines never overlap.

use super::color::{Cell, Color};
use super::line_code::{REACH, SIDE_CODES, WINDOW, side_base, side_weight};
use super::point::{Direction, MAX_SIDE, POINTS, Point, STRIDE, Size};

const LINES: usize = 2 * MAX_SIDE as usize - 1;
/// Length of one direction's array: its lines, plus room for the window of the last point.
pub const LINE_CELLS: usize = LINES * STRIDE + 16;
/// A window padded to whole vectors; the twelfth number is always zero.
const LANES: usize = WINDOW + 1;

/// The numbers that a stone adds, by colour and by the distance to the left and right wall.
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
                    // Seen from its left neighbour, the stone is on the right side.
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

/// The codes of every point in every direction, and the walls they were built with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    codes: [[u32; LINE_CELLS]; 4],
    /// Per direction and point: `6 * left + right`, the number of cells to the next wall on each side, at
    /// most five.
    reach: [[u8; POINTS]; 4],
}

/// Index at which the window of `point` starts in the array of each direction.
#[inline]
pub fn window_starts(point: Point) -> [usize; 4] {
    let (x, y) = (point.index() % STRIDE, point.index() / STRIDE);
    let falling = x + MAX_SIDE as usize - 1 - y;
    [y * STRIDE + x, x * STRIDE + y, falling * STRIDE + x, (x + y) * STRIDE + x]
}

/// Index at which the window of `point` starts in the array of one direction.
#[inline]
pub fn window_start(direction: Direction, point: Point) -> usize {
    window_starts(point)[direction as usize]
}

impl Lines {
    /// The codes of a board of `size` without stones; every cell that is not empty is a wall.
    pub fn new(size: Size, cells: &[Cell; POINTS]) -> Lines {
        let mut lines = Lines { codes: [[0; LINE_CELLS]; 4], reach: [[0; POINTS]; 4] };
        // Rows are shorter than the stride, so an index beyond an edge is a wall or outside the array.
        let is_empty = |index: usize| cells.get(index) == Some(&Cell::Empty);
        for point in size.points() {
            for direction in Direction::ALL {
                let free = |sign: i32| {
                    let distances = 1..=REACH as i32;
                    distances
                        .take_while(|&distance| is_empty(point.offset(direction, sign * distance)))
                        .count()
                };
                let (left, right) = (free(-1), free(1));
                lines.reach[direction as usize][point.index()] = (6 * left + right) as u8;
                lines.codes[direction as usize][window_start(direction, point) + REACH] =
                    (side_base(left) + SIDE_CODES * side_base(right)) as u32;
            }
        }
        lines
    }

    /// The code of the window around `point`.
    #[inline]
    pub fn code(&self, direction: Direction, point: Point) -> usize {
        self.codes[direction as usize][window_start(direction, point) + REACH] as usize
    }

    /// The codes of eleven neighbours along a direction. `start` is the value that [`window_starts`] returns
    /// for the middle one. Numbers beyond the board have no meaning.
    #[inline]
    pub(crate) fn window(&self, direction: Direction, start: usize) -> &[u32; WINDOW] {
        self.codes[direction as usize][start..start + WINDOW].try_into().expect("the slice has this length")
    }

    /// The number of cells (at most five) between `point` and the next wall on the left and on the right.
    #[inline]
    pub fn reach(&self, direction: Direction, point: Point) -> (usize, usize) {
        let reach = self.reach[direction as usize][point.index()];
        (usize::from(reach / 6), usize::from(reach % 6))
    }

    /// Updates every window around `point` after a stone was placed there.
    #[inline]
    pub fn add(&mut self, color: Color, point: Point) {
        self.update(color, point, u32::wrapping_add);
    }

    /// Updates every window around `point` after its stone was removed.
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
