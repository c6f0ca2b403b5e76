//! The two sides, and a pair of values indexed by them.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A side. Black moves first.
///
/// ```
/// use kakugo::board::Color;
/// assert_eq!(!Color::Black, Color::White);
/// assert_eq!(Color::White.to_string(), "white");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    Black,
    /// The side that moves second.
    White,
}

impl Color {
    /// Both sides, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// One value per side, so that code is written once for `us` and `them` instead of once per colour.
///
/// ```
/// use kakugo::board::{ByColor, Color};
/// let mut captured = ByColor([0, 0]);
/// captured[Color::White] += 2;
/// assert_eq!(captured, ByColor([0, 2]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color as usize]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color as usize]
    }
}

/// Content of a point.
///
/// ```
/// use kakugo::board::{Board, Cell, Color, Point, Size};
/// let mut board = Board::new(Size::default());
/// board.play(Point::new(7, 7));
/// assert_eq!(board.cell(Point::new(7, 7)), Cell::Black);
/// assert_eq!(board.cell(Point::new(15, 7)), Cell::Wall);
/// assert_eq!(Cell::Black.color(), Some(Color::Black));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cell {
    /// No stone; one may be placed here.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// Off the board, or blocked by the manager: no stone may be placed here, and no row passes through it.
    Wall,
}

impl Cell {
    /// The colour of the stone, if the cell has one.
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Wall => None,
        }
    }
}

impl From<Color> for Cell {
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}
