//! Pictures of boards: the shapes with their positions and colours. [`svg`](super::svg) and
//! [`png`](super::png) write them.

use super::is_star;
use crate::board::{Board, Cell, Color, Point};

/// A colour: red, green and blue.
pub(super) type Rgb = [u8; 3];

/// Side of a cell.
const CELL: u32 = 32;
/// Space around the board, with its letters and numbers.
const MARGIN: u32 = 40;

/// The wood.
pub(super) const BOARD: Rgb = [0xe3, 0xc4, 0x8b];
/// Radius of its corners.
pub(super) const CORNER: u32 = 8;
/// Lines and star points.
pub(super) const GRID: Rgb = [0x7d, 0x61, 0x36];
/// Letters and numbers at the edge.
pub(super) const LABEL: Rgb = [0x6d, 0x52, 0x27];
/// Blocked points.
pub(super) const WALL: Rgb = [0x50, 0x40, 0x1f];
/// The ring around the last stone.
pub(super) const LAST: Rgb = [0xd8, 0x41, 0x2c];
/// The edge of a white stone, one unit wide.
pub(super) const WHITE_EDGE: Rgb = [0x8f, 0x88, 0x77];
/// Radius of a star point.
pub(super) const STAR_RADIUS: f32 = 3.5;
/// Radius of a stone.
pub(super) const STONE_RADIUS: f32 = 14.5;
/// Radius of the ring.
pub(super) const RING_RADIUS: f32 = 15.0;
/// Width of the ring.
pub(super) const RING_WIDTH: f32 = 2.0;
/// Side of the square on a blocked point.
pub(super) const WALL_SIDE: u32 = 20;
/// Size of the letters and numbers.
pub(super) const FONT_SIZE: u32 = 13;

/// Colour of a stone.
pub(super) const fn stone(color: Color) -> Rgb {
    match color {
        Color::Black => [0x1b, 0x1d, 0x21],
        Color::White => [0xfd, 0xfc, 0xf8],
    }
}

/// Colour of the number on a stone.
pub(super) const fn number(color: Color) -> Rgb {
    match color {
        Color::Black => [0xf4, 0xf1, 0xe9],
        Color::White => [0x1a, 0x1c, 0x20],
    }
}

/// A position, from the top left.
pub(super) type Place = [u32; 2];

/// A part of a picture, with its centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A letter or a number at the edge.
    Label(Place, String),
    /// A star point.
    Star(Place),
    /// A blocked point.
    Wall(Place),
    /// A stone.
    Stone(Place, Color),
    /// The number on a stone.
    Number(Place, Color, usize),
    /// The ring around the last stone.
    Ring(Place),
}

/// A picture of a board, in units of 1/32 of a cell.
pub struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Both ends of each line.
    pub(super) lines: Vec<[Place; 2]>,
    /// The shapes, in the order in which they are drawn.
    pub(super) shapes: Vec<Shape>,
}

impl Picture {
    /// The board, each stone of `moves` with its number, a red ring around the last. Blocked points are dark squares.
    pub fn new(board: &Board, moves: &[Option<Point>]) -> Picture {
        let size = board.size();
        let [columns, rows] = [size.width(), size.height()].map(u32::from);
        let at = |index: u32| MARGIN + CELL * index;
        let [width, height] = [columns, rows].map(|count| 2 * MARGIN + CELL * (count - 1));
        let vertical = (0..columns).map(|column| [[at(column), MARGIN], [at(column), at(rows - 1)]]);
        let horizontal = (0..rows).map(|row| [[MARGIN, at(row)], [at(columns - 1), at(row)]]);
        let mut shapes = Vec::new();
        for (column, letter) in (0..columns).zip('a'..) {
            shapes.push(Shape::Label([at(column), height - MARGIN / 2 + 4], letter.to_string()));
        }
        for row in 0..rows {
            shapes.push(Shape::Label([MARGIN / 2 - 4, at(row)], (rows - row).to_string()));
        }
        let place = |point: Point| [at(point.x().into()), at(point.y().into())];
        for point in size.points() {
            let place = place(point);
            let color = match board.cell(point) {
                Cell::Black => Color::Black,
                Cell::White => Color::White,
                Cell::Wall => {
                    shapes.push(Shape::Wall(place));
                    continue;
                }
                Cell::Empty => {
                    shapes.extend(is_star(point, size).then_some(Shape::Star(place)));
                    continue;
                }
            };
            shapes.push(Shape::Stone(place, color));
            let index = moves.iter().position(|&played| played == Some(point));
            shapes.extend(index.map(|index| Shape::Number(place, color, index + 1)));
        }
        let last = moves.iter().rev().find_map(|&point| point);
        shapes.extend(last.map(|point| Shape::Ring(place(point))));
        Picture { width, height, lines: vertical.chain(horizontal).collect(), shapes }
    }

    /// The picture without the numbers on the stones.
    pub fn without_numbers(mut self) -> Picture {
        self.shapes.retain(|shape| !matches!(shape, Shape::Number(..)));
        self
    }
}
