//! The rotations and reflections of a board.

use super::{Point, Size};

/// One of the eight rotations and reflections of a square board; four of them apply to a rectangular board.
///
/// ```
/// use kakugo::board::{Point, Size, Symmetry};
/// let size = Size::default();
/// let corners = Symmetry::of(size).filter(|way| way.apply(Point::new(0, 0), size) == Point::new(14, 0));
/// assert_eq!(corners.count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Exchanges columns and rows; applied first.
    transposes: bool,
    mirrors_x: bool,
    mirrors_y: bool,
}

impl Symmetry {
    /// The symmetries of a board of `size`, the identity first.
    pub fn of(size: Size) -> impl Iterator<Item = Symmetry> {
        let ways = if size.width() == size.height() { 8 } else { 4 };
        (0..ways).map(|bits: u8| Symmetry {
            transposes: bits & 4 != 0,
            mirrors_x: bits & 1 != 0,
            mirrors_y: bits & 2 != 0,
        })
    }

    /// The image of `point` on a board of `size`.
    ///
    /// # Panics
    /// In debug builds, when `point` is off the board; in other builds the image is then meaningless.
    pub fn apply(self, point: Point, size: Size) -> Point {
        let (x, y) = if self.transposes { (point.y(), point.x()) } else { (point.x(), point.y()) };
        let x = if self.mirrors_x { size.width() - 1 - x } else { x };
        let y = if self.mirrors_y { size.height() - 1 - y } else { y };
        Point::new(x, y)
    }

    /// The inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        if self.transposes {
            Symmetry { transposes: true, mirrors_x: self.mirrors_y, mirrors_y: self.mirrors_x }
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_inverse_maps_every_point_back() {
        let sides = [(15, 15), (20, 20), (9, 6), (12, 7), (6, 22)];
        for size in sides.map(|(width, height)| Size::new(width, height).unwrap()) {
            for symmetry in Symmetry::of(size) {
                let images: HashSet<Point> = size.points().map(|point| symmetry.apply(point, size)).collect();
                assert_eq!(images.len(), size.area(), "{symmetry:?} is one to one");
                for point in size.points() {
                    let image = symmetry.apply(point, size);
                    assert!(size.contains(image));
                    assert_eq!(symmetry.inverse().apply(image, size), point, "{symmetry:?}");
                }
            }
        }
    }

    #[test]
    fn a_square_has_eight_and_a_rectangle_four() {
        let corner_images = |size: Size| {
            let from = Point::new(1, 0);
            Symmetry::of(size).map(|symmetry| symmetry.apply(from, size)).collect::<HashSet<Point>>().len()
        };
        assert_eq!(corner_images(Size::default()), 8);
        assert_eq!(corner_images(Size::new(15, 20).unwrap()), 4);
    }
}
