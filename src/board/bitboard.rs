//! A set of points.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, RangeInclusive, Sub};

use super::point::{MAX_SIDE, Point};

const ROWS: usize = MAX_SIDE as usize;

/// A set of points: one 32-bit word per row, bit `x` for column `x`.
///
/// ```
/// use kakugo::board::{Bitboard, Point};
/// let mut set = Bitboard::EMPTY;
/// set.insert(Point::new(7, 7));
/// set.insert(Point::new(3, 9));
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.iter().next(), Some(Point::new(7, 7)));
/// assert!((set - set).is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboard([u32; ROWS]);

impl Default for Bitboard {
    fn default() -> Bitboard {
        Bitboard::EMPTY
    }
}

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard([0; ROWS]);

    /// The set that contains only `point`.
    pub fn of(point: Point) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        set.insert(point);
        set
    }

    /// Whether the set contains `point`.
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 32] >> (point.index() % 32) & 1 != 0
    }

    /// Adds `point`.
    pub fn insert(&mut self, point: Point) {
        self.0[point.index() / 32] |= 1 << (point.index() % 32);
    }

    /// Removes `point`.
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / 32] &= !(1 << (point.index() % 32));
    }

    /// The word of row `y`.
    ///
    /// # Panics
    /// When `y` is not below the largest height of a board, 22.
    pub fn row(&self, y: u8) -> u32 {
        self.0[usize::from(y)]
    }

    /// Replaces the word of row `y`.
    ///
    /// # Panics
    /// When `y` is not below the largest height of a board, 22.
    pub fn set_row(&mut self, y: u8, bits: u32) {
        self.0[usize::from(y)] = bits;
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    /// The number of points in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The columns and the rows that contain the set; `None` if it is empty.
    #[inline]
    pub fn extent(&self) -> Option<[RangeInclusive<u8>; 2]> {
        let (mut columns, mut rows) = (0, 0u32);
        for (y, &row) in self.0.iter().enumerate() {
            columns |= row;
            rows |= u32::from(row != 0) << y;
        }
        let range = |bits: u32| bits.trailing_zeros() as u8..=bits.ilog2() as u8;
        (columns != 0).then(|| [range(columns), range(rows)])
    }

    /// The points, row by row from the top.
    pub fn iter(self) -> Points {
        Points { rows: self.0, y: 0 }
    }

    /// The points of the set, and every point within two columns and two rows of one of them or three steps
    /// away along a row, column or diagonal. The moves that matter are found among these points. Some may be
    /// off the board.
    ///
    /// ```text
    /// *..*..*
    /// .*****.
    /// .*****.
    /// ***X***
    /// .*****.
    /// .*****.
    /// *..*..*
    /// ```
    pub fn neighborhood(&self) -> Bitboard {
        // Three empty rows on each side, so that the loops have no special cases and become vector instructions.
        let mut near = [0; ROWS + 6];
        let mut far = [0; ROWS + 6];
        for (y, &row) in self.0.iter().enumerate() {
            near[y + 3] = row | row << 1 | row >> 1 | row << 2 | row >> 2;
            far[y + 3] = row | row << 3 | row >> 3;
        }
        let mut result = [0; ROWS];
        for (y, result) in result.iter_mut().enumerate() {
            *result = near[y + 1] | near[y + 2] | near[y + 3] | near[y + 4] | near[y + 5];
            *result |= far[y] | far[y + 3] | far[y + 6];
        }
        Bitboard(result)
    }
}

impl FromIterator<Point> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl IntoIterator for Bitboard {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

/// Iterates over the points of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Points {
    rows: [u32; ROWS],
    y: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.y < ROWS {
            let row = &mut self.rows[self.y];
            if *row != 0 {
                let x = row.trailing_zeros();
                *row &= *row - 1;
                return Some(Point::from_index(self.y * 32 + x as usize));
            }
            self.y += 1;
        }
        None
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;

    fn bitand(mut self, other: Bitboard) -> Bitboard {
        self &= other;
        self
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Bitboard) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a &= b;
        }
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    fn bitor(mut self, other: Bitboard) -> Bitboard {
        self |= other;
        self
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Bitboard) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;

    /// The points of `self` that are not in `other`.
    fn sub(self, other: Bitboard) -> Bitboard {
        self & !other
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    /// Every point of the 22x32 grid that is not in the set; intersect it with
    /// [`Size::all`](super::Size::all) to stay on the board.
    fn not(self) -> Bitboard {
        Bitboard(self.0.map(|row| !row))
    }
}
