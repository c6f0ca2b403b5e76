//! Names of points, as the manager's board shows them.

use crate::board::notation::format_moves;
use crate::board::{Point, Size};

/// Names of points in texts, such as `h8`, as the manager's board shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointNames {
    size: Size,
    rows_first: bool,
}

impl PointNames {
    /// The names on a board of `size`; the first number of a point is its row if `rows_first`, else its
    /// column.
    pub fn new(size: Size, rows_first: bool) -> PointNames {
        PointNames { size, rows_first }
    }

    /// Moves without separators, such as `h8i9`.
    pub fn moves(self, moves: &[Point]) -> String {
        if !self.rows_first {
            return format_moves(moves, self.size);
        }
        let transposed: Vec<Point> = moves.iter().map(|point| Point::new(point.y(), point.x())).collect();
        format_moves(&transposed, self.size.transposed())
    }
}
