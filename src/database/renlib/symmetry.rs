//! The rotations and reflections of the 15x15 board.

use crate::board::{Point, Size};

/// One of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut number = 0;
        while number < 8 {
            all[number as usize] = Symmetry(number);
            number += 1;
        }
        all
    };

    /// Whether every point stays where it is.
    pub fn is_identity(self) -> bool {
        self.0 == 0
    }

    /// Where the symmetry takes `point`.
    pub fn image(self, point: Point) -> Point {
        let last = Size::default().width() - 1;
        let (x, y) = if self.0 & 4 == 0 { (point.x(), point.y()) } else { (point.y(), point.x()) };
        Point::new(if self.0 & 1 == 0 { x } else { last - x }, if self.0 & 2 == 0 { y } else { last - y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_keep_neighbours_and_are_all_different() {
        let size = Size::default();
        let square = |a: Point, b: Point| {
            let (dx, dy) = (i32::from(a.x()) - i32::from(b.x()), i32::from(a.y()) - i32::from(b.y()));
            dx * dx + dy * dy
        };
        let anchors = [Point::new(0, 0), Point::new(3, 0), Point::new(7, 7)];
        for symmetry in Symmetry::ALL {
            for point in size.points() {
                let image = symmetry.image(point);
                assert!(size.contains(image));
                assert!(anchors.iter().all(|&a| square(symmetry.image(a), image) == square(a, point)));
            }
            let images = anchors.map(|a| symmetry.image(a));
            assert_eq!(
                Symmetry::ALL.iter().filter(|other| anchors.map(|a| other.image(a)) == images).count(),
                1
            );
        }
        assert!(Symmetry::ALL[0].is_identity());
        assert_eq!(Symmetry::ALL[0].image(anchors[1]), anchors[1]);
    }
}
