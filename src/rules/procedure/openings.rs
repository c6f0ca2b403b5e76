//! The 26 named openings of renju: black at the centre, white next to it, black's second stone in the central
//! 5x5.

use crate::board::{Point, Size};
use crate::rules::symmetry::{TURNS, turn};

/// White's stone in the direct openings, above the centre.
const DIRECT: (i8, i8) = (0, -1);
/// White's stone in the indirect openings, above and to the right of the centre.
const INDIRECT: (i8, i8) = (1, -1);

/// One of the 26 openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its number and kind: `4D` direct, `4I` indirect.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// White's stone and black's second, as `(dx, dy)` from the centre; `dy` counts downwards.
    stones: [(i8, i8); 2],
}

const fn direct(code: &'static str, name: &'static str, third: (i8, i8)) -> Opening {
    Opening { code, name, stones: [DIRECT, third] }
}

const fn indirect(code: &'static str, name: &'static str, third: (i8, i8)) -> Opening {
    Opening { code, name, stones: [INDIRECT, third] }
}

/// All openings in their usual order.
pub const OPENINGS: [Opening; 26] = [
    direct("1D", "Kansei", (0, -2)),
    direct("2D", "Keigetsu", (1, -2)),
    direct("3D", "Sosei", (2, -2)),
    direct("4D", "Kagetsu", (1, -1)),
    direct("5D", "Zangetsu", (2, -1)),
    direct("6D", "Ugetsu", (1, 0)),
    direct("7D", "Kinsei", (2, 0)),
    direct("8D", "Shogetsu", (0, 1)),
    direct("9D", "Kyugetsu", (1, 1)),
    direct("10D", "Shingetsu", (2, 1)),
    direct("11D", "Zuisei", (0, 2)),
    direct("12D", "Sangetsu", (1, 2)),
    direct("13D", "Yusei", (2, 2)),
    indirect("1I", "Chosei", (2, -2)),
    indirect("2I", "Kyogetsu", (2, -1)),
    indirect("3I", "Kosei", (2, 0)),
    indirect("4I", "Suigetsu", (2, 1)),
    indirect("5I", "Ryusei", (2, 2)),
    indirect("6I", "Ungetsu", (1, 0)),
    indirect("7I", "Hogetsu", (1, 1)),
    indirect("8I", "Rangetsu", (1, 2)),
    indirect("9I", "Gingetsu", (0, 1)),
    indirect("10I", "Myojo", (0, 2)),
    indirect("11I", "Shagetsu", (-1, 1)),
    indirect("12I", "Meigetsu", (-1, 2)),
    indirect("13I", "Suisei", (-2, 2)),
];

impl Opening {
    /// The opening with this code (`4D`) or name, in any case.
    pub fn by_name(text: &str) -> Option<&'static Opening> {
        let is_called = |opening: &&Opening| {
            opening.code.eq_ignore_ascii_case(text) || opening.name.eq_ignore_ascii_case(text)
        };
        OPENINGS.iter().find(is_called)
    }

    /// The opening that `stones` make, in any rotation or reflection; `None` if they are not an opening.
    ///
    /// ```
    /// use kakugo::board::{Size, notation::parse_moves};
    /// use kakugo::rules::procedure::Opening;
    /// let size = Size::default();
    /// let stones = parse_moves("h8g8g7", size).expect("three moves");
    /// assert_eq!(Opening::of_stones(&stones, size).map(|opening| opening.name), Some("Kagetsu"));
    /// ```
    pub fn of_stones(stones: &[Point], size: Size) -> Option<&'static Opening> {
        let &[first, second, third] = stones else { return None };
        if first != size.center() {
            return None;
        }
        let offset = |point: Point| {
            let difference = |a: u8, b: u8| i32::from(a) - i32::from(b);
            (difference(point.x(), first.x()), difference(point.y(), first.y()))
        };
        let is_this = |opening: &&Opening| {
            let [white, black] = opening.stones.map(wide);
            TURNS.iter().any(|&t| turn(t, white) == offset(second) && turn(t, black) == offset(third))
        };
        OPENINGS.iter().find(is_this)
    }

    /// Its three stones on a board of `size`, as diagrams show them; `None` if they do not fit.
    pub fn stones(&self, size: Size) -> Option<[Point; 3]> {
        let center = size.center();
        let place = |(dx, dy): (i8, i8)| {
            size.point(i32::from(center.x()) + i32::from(dx), i32::from(center.y()) + i32::from(dy))
        };
        let [second, third] = self.stones.map(place);
        Some([center, second?, third?])
    }
}

fn wide((x, y): (i8, i8)) -> (i32, i32) {
    (i32::from(x), i32::from(y))
}
