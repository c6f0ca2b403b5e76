//! Points, board sizes and the four directions of a row.

use std::fmt;
use std::str::FromStr;

use super::Bitboard;

/// Distance in a [`Point`]'s index from one row to the next; the rows of a [`Bitboard`] have this width.
pub const STRIDE: usize = 32;
/// The smallest width and height.
pub const MIN_SIDE: u8 = 5;
/// The largest width and height.
pub const MAX_SIDE: u8 = 22;
/// Length of an array indexed by [`Point`].
pub const POINTS: usize = STRIDE * MAX_SIDE as usize;

/// A point of the largest board, as `32 * y + x`; `x` counts from the left, `y` from the top, both from zero.
///
/// A point does not know its board; use [`Size::contains`] to check whether it is on one.
///
/// ```
/// use kakugo::board::{Direction, Point};
/// let center = Point::new(7, 7);
/// assert_eq!((center.x(), center.y()), (7, 7));
/// assert_eq!(center.distance(Point::new(9, 8)), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point in column `x`, row `y`.
    ///
    /// # Panics
    /// In debug builds, when `x` or `y` is not below [`MAX_SIDE`].
    pub const fn new(x: u8, y: u8) -> Point {
        debug_assert!(x < MAX_SIDE && y < MAX_SIDE);
        Point(y as u16 * STRIDE as u16 + x as u16)
    }

    /// The point with this index in an array of [`POINTS`].
    ///
    /// # Panics
    /// In debug builds, when `index` is not below [`POINTS`].
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        debug_assert!(index < POINTS);
        Point(index as u16)
    }

    /// The index in an array of [`POINTS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from the left.
    pub const fn x(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Row from the top.
    pub const fn y(self) -> u8 {
        (self.0 / STRIDE as u16) as u8
    }

    /// The number of king's moves to another point.
    pub const fn distance(self, other: Point) -> u8 {
        let (dx, dy) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if dx > dy { dx } else { dy }
    }

    /// The point `distance` steps along `direction`, as an index that may be off the board.
    pub(crate) const fn offset(self, direction: Direction, distance: i32) -> usize {
        (self.0 as i32 + direction.delta() * distance) as usize
    }

    /// The point `distance` steps along `direction` if it is on a board of `size`.
    ///
    /// # Panics
    /// In debug builds, when a coordinate exceeds the range of `i32`.
    pub fn step(self, direction: Direction, distance: i32, size: Size) -> Option<Point> {
        let (dx, dy) = direction.vector();
        size.point(i32::from(self.x()) + dx * distance, i32::from(self.y()) + dy * distance)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// Width and height of a board, each from [`MIN_SIDE`] to [`MAX_SIDE`].
///
/// ```
/// use kakugo::board::{Point, Size};
/// assert_eq!(Size::square(15), Some(Size::default()));
/// let size: Size = "20x12".parse().expect("a size");
/// assert_eq!((size.width(), size.height(), size.area()), (20, 12, 240));
/// assert!(size.contains(Point::new(19, 11)) && !size.contains(Point::new(11, 19)));
/// assert!(Size::square(23).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The largest board.
    pub const LARGEST: Size = Size { width: MAX_SIDE, height: MAX_SIDE };

    /// A board of `width` by `height`, or `None` if a side is out of range.
    pub const fn new(width: u8, height: u8) -> Option<Size> {
        let fits = MIN_SIDE <= width && width <= MAX_SIDE && MIN_SIDE <= height && height <= MAX_SIDE;
        if fits { Some(Size { width, height }) } else { None }
    }

    /// A square board.
    pub const fn square(side: u8) -> Option<Size> {
        Size::new(side, side)
    }

    /// Number of columns.
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The size with width and height exchanged.
    pub const fn transposed(self) -> Size {
        Size { width: self.height, height: self.width }
    }

    /// Number of rows.
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of points.
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The middle point. On an even side it is the point to the right or below, as in Gomocup's opening
    /// files.
    pub const fn center(self) -> Point {
        Point::new(self.width / 2, self.height / 2)
    }

    /// The point at column `x`, row `y`, if it is on the board.
    pub fn point(self, x: i32, y: i32) -> Option<Point> {
        let on_board = (0..i32::from(self.width)).contains(&x) && (0..i32::from(self.height)).contains(&y);
        on_board.then(|| Point::new(x as u8, y as u8))
    }

    /// Whether `point` is on the board.
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// All points, row by row from the top.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }

    /// All points as a set.
    pub fn all(self) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for y in 0..self.height {
            set.set_row(y, (1 << self.width) - 1);
        }
        set
    }
}

impl Default for Size {
    /// 15x15, the board of renju and of most leagues.
    fn default() -> Size {
        Size { width: 15, height: 15 }
    }
}

impl FromStr for Size {
    type Err = SizeError;

    /// Reads `15` or `20x15`.
    fn from_str(text: &str) -> Result<Size, SizeError> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
        sides.and_then(|(width, height)| Size::new(width, height)).ok_or(SizeError)
    }
}

/// The text is not a board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a size is N or WxH, each side from {MIN_SIDE} to {MAX_SIDE}")]
pub struct SizeError;

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The direction of a row. "Left" of a point means towards smaller steps, "right" towards larger ones.
///
/// ```
/// use kakugo::board::Direction;
/// assert_eq!(Direction::ALL.map(Direction::vector), [(1, 0), (0, 1), (1, 1), (1, -1)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// East.
    Horizontal,
    /// South.
    Vertical,
    /// South-east.
    Diagonal,
    /// North-east.
    AntiDiagonal,
}

impl Direction {
    /// All four directions.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Diagonal, Direction::AntiDiagonal];

    /// One step as `(dx, dy)`.
    pub const fn vector(self) -> (i32, i32) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Diagonal => (1, 1),
            Direction::AntiDiagonal => (1, -1),
        }
    }

    /// One step as a difference of point indices.
    pub const fn delta(self) -> i32 {
        let (dx, dy) = self.vector();
        dy * STRIDE as i32 + dx
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Direction::Horizontal => "horizontal",
            Direction::Vertical => "vertical",
            Direction::Diagonal => "falling diagonal",
            Direction::AntiDiagonal => "rising diagonal",
        })
    }
}
