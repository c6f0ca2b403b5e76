//! Whether two openings are the same position after a rotation or reflection of the board, whatever the order
//! of moves.

use kakugo::board::{Color, Point, Size, Symmetry};

/// The stones of an opening in a canonical form that all openings of the same position share.
pub fn canonical(opening: &[Point], size: Size) -> Vec<(Color, usize)> {
    let stones = |symmetry: Symmetry| {
        let stone =
            |(ply, &point): (usize, &Point)| (Color::ALL[ply % 2], symmetry.apply(point, size).index());
        let mut stones: Vec<_> = opening.iter().enumerate().map(stone).collect();
        stones.sort_unstable_by_key(|&(color, index)| (color as usize, index));
        stones
    };
    let order = |stones: &Vec<(Color, usize)>| stones.iter().map(|stone| stone.1).collect::<Vec<_>>();
    Symmetry::of(size).map(stones).min_by_key(order).expect("every board has the identity")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;

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
