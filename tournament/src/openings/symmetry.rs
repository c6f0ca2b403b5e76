//! Whether two openings are the same position after a rotation or reflection of the board, whatever the order
//! of moves.

use kakugo::board::{Color, Point, Size};

/// Number of symmetries of a board: 8 for a square, 4 for a rectangle.
pub fn count(size: Size) -> usize {
    if size.width() == size.height() { 8 } else { 4 }
}

/// The image of `point` under one of the [`count`] symmetries of the board, by number; 0 is the identity.
pub fn image(point: Point, symmetry: usize, size: Size) -> Point {
    let (x, y) = (point.x(), point.y());
    let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
    let x = if symmetry & 1 == 0 { x } else { size.width() - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { size.height() - 1 - y };
    Point::new(x, y)
}

/// The stones of an opening in a canonical form that all openings of the same position share.
pub fn canonical(opening: &[Point], size: Size) -> Vec<(Color, usize)> {
    let stones = |symmetry: usize| {
        let stone =
            |(ply, &point): (usize, &Point)| (Color::ALL[ply % 2], image(point, symmetry, size).index());
        let mut stones: Vec<_> = opening.iter().enumerate().map(stone).collect();
        stones.sort_unstable_by_key(|&(color, index)| (color as usize, index));
        stones
    };
    let order = |stones: &Vec<(Color, usize)>| stones.iter().map(|stone| stone.1).collect::<Vec<_>>();
    (0..count(size)).map(stones).min_by_key(order).expect("every board has the identity")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;
    use std::collections::HashSet;

    #[test]
    fn symmetries_are_distinct_one_to_one_and_stay_on_the_board() {
        for size in [Size::square(15).unwrap(), Size::square(20).unwrap(), Size::new(12, 7).unwrap()] {
            let mut seen = HashSet::new();
            for symmetry in 0..count(size) {
                let images: Vec<Point> = size.points().map(|point| image(point, symmetry, size)).collect();
                assert!(images.iter().all(|&point| size.contains(point)));
                assert_eq!(images.iter().collect::<HashSet<_>>().len(), size.area());
                seen.insert(images);
            }
            assert_eq!(seen.len(), count(size));
        }
    }

    #[test]
    fn the_same_position_has_one_form() {
        let size = Size::default();
        let form = |text: &str| canonical(&parse_moves(text, size).unwrap(), size);
        // Mirrored, rotated, reflected at a diagonal, and in another order.
        for same in ["h8h9i10", "h8h7g6", "h8i8j9", "h8g8f7", "h8i8j7", "i10h9h8"] {
            assert_eq!(form("h8h9i10"), form(same), "{same}");
        }
        for other in ["h8h9j10", "h9h8i10", "h8h9", "i8i9j10"] {
            assert_ne!(form("h8h9i10"), form(other), "{other}");
        }
        let wide = Size::new(17, 15).unwrap();
        let form = |text: &str| canonical(&parse_moves(text, wide).unwrap(), wide);
        assert_eq!(form("i8i9j10"), form("i8i7h6"));
        assert_ne!(form("i8i9j10"), form("i8j8k9"), "a rectangle has no diagonal symmetry");
    }
}
